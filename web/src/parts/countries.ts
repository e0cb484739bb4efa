import { useMemo } from "react";
import { locales, useWords } from "../words";
import type { Option } from "./Choice";

// The neighbours come first, because most clients are from there.
const first = ["SA", "AE", "BH", "KW", "OM", "QA"];
// Codes that have a name but that are not countries of ISO 3166-1.
const none = new Set(["AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "XK", "ZZ"]);
const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** Returns the countries in the reader's language. */
export function useCountries(): Option[] {
  const { language } = useWords();
  return useMemo(() => {
    const names = new Intl.DisplayNames(locales[language], { type: "region", fallback: "none" });
    // A withdrawn code, such as SU, has the name of its successor.
    const current = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
    const found = letters
      .flatMap((a) => letters.map((b) => a + b))
      .filter((code) => !none.has(code) && current(code))
      .flatMap((id) => {
        const label = names.of(id);
        return label ? [{ id, label }] : [];
      })
      .sort((a, b) => a.label.localeCompare(b.label, language));
    return [...first.flatMap((id) => found.filter((country) => country.id === id)), ...found.filter((country) => !first.includes(country.id))];
  }, [language]);
}
