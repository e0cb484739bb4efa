export type Theme = "light" | "dark";

const key = "khatm.theme";

/** Returns the theme that was chosen here, or that of the device. */
export function chosenTheme(): Theme {
  const chosen = localStorage.getItem(key);
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function chooseTheme(theme: Theme) {
  localStorage.setItem(key, theme);
}

export function applyTheme() {
  document.documentElement.dataset.theme = chosenTheme();
}
