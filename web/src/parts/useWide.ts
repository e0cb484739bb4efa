import { useSyncExternalStore } from "react";
import { wide } from "./wide";

function subscribe(listener: () => void) {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
}

/** Reports whether the window has room for a table. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}
