import { useSyncExternalStore } from "react";

const wide = matchMedia("(min-width: 64rem)");

function subscribe(listener: () => void) {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
}

/** Reports whether the window has room for a table. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}
