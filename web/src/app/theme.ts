import { useSyncExternalStore } from "react";
import { applyTheme, chooseTheme, chosenTheme, type Theme } from "./chosen";

const listeners = new Set<() => void>();

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosenTheme);
  return [
    theme,
    (next) => {
      chooseTheme(next);
      applyTheme();
      listeners.forEach((listener) => listener());
    },
  ];
}
