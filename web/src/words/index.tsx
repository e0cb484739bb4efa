import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { I18nProvider } from "react-aria-components";
import type { Word } from "./ar";
import { applyLanguage, chooseLanguage, chosenLanguage, type Language } from "./language";

export type { Language };

/** Western digits and the Gregorian calendar, also in Arabic. */
export const locales: Record<Language, string> = { ar: "ar-SA-u-ca-gregory-nu-latn", en: "en-GB-u-ca-gregory-nu-latn" };

/** The forms of a text with a number, in the order in which "|" separates them. */
const forms: Record<Language, Intl.LDMLPluralRule[]> = { ar: ["zero", "one", "two", "few", "many", "other"], en: ["one", "other"] };

interface Words {
  language: Language;
  setLanguage: (language: Language) => void;
  /** Returns a text, with the values in place of {names}. */
  t: (word: Word, values?: Record<string, string | number>) => string;
  /** Returns the form of a text that a number takes, with the number in place of {count}. */
  n: (word: Word, count: number) => string;
  /** Returns the Arabic or the English text of a response. */
  pick: (arabic: string | null | undefined, english: string | null | undefined) => string;
}

const Context = createContext<Words | null>(null);

type Texts = Record<Word, string>;

/** Loads the words of a language, of the reader's if none is given. */
export async function loadWords(language = chosenLanguage()): Promise<{ language: Language; texts: Texts }> {
  return { language, texts: language === "ar" ? (await import("./ar")).ar : (await import("./en")).en };
}

export function WordsProvider({ initial, children }: { initial: { language: Language; texts: Texts }; children: ReactNode }) {
  const [{ language, texts }, set] = useState(initial);
  const setLanguage = useCallback((next: Language) => {
    chooseLanguage(next);
    void loadWords(next).then(set);
  }, []);
  useEffect(() => applyLanguage(language), [language]);
  const value = useMemo<Words>(() => {
    const rules = new Intl.PluralRules(language);
    const digits = new Intl.NumberFormat(locales[language]);
    return {
      language,
      setLanguage,
      t: (word, values) => texts[word].replace(/\{(\w+)\}/g, (whole, name: string) => String(values?.[name] ?? whole)),
      n: (word, count) => (texts[word].split("|")[forms[language].indexOf(rules.select(count))] ?? texts[word]).replace("{count}", digits.format(count)),
      pick: (arabic, english) => (language === "ar" ? arabic || english : english || arabic) ?? "",
    };
  }, [language, texts, setLanguage]);
  return (
    <Context value={value}>
      <I18nProvider locale={locales[language]}>{children}</I18nProvider>
    </Context>
  );
}

export function useWords(): Words {
  const words = useContext(Context);
  if (!words) throw new Error("useWords outside WordsProvider");
  return words;
}
