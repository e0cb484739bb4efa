import { useWords } from "../words";

/** The name of the language to switch to, in that language. */
export function OtherLanguage() {
  const { t, language } = useWords();
  return <span lang={language === "ar" ? "en" : "ar"}>{t("otherLanguage")}</span>;
}
