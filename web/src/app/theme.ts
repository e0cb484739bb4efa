import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark";

const key = "khatm.theme";
const listeners = new Set<() => void>();

function current(): Theme {
  const chosen = localStorage.getItem(key);
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function applyTheme() {
  document.documentElement.dataset.theme = current();
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
  return [
    theme,
    (next) => {
      localStorage.setItem(key, next);
      applyTheme();
      listeners.forEach((listener) => listener());
    },
  ];
}
