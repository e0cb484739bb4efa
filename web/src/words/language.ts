export type Language = "ar" | "en";

const key = "khatm.language";

/** Returns the language that was chosen here, or Arabic. */
export function chosenLanguage(): Language {
  return localStorage.getItem(key) === "en" ? "en" : "ar";
}

export function chooseLanguage(language: Language) {
  localStorage.setItem(key, language);
}

/** Sets the language and the direction of the page. */
export function applyLanguage(language: Language) {
  document.documentElement.lang = language;
  document.documentElement.dir = language === "ar" ? "rtl" : "ltr";
}
