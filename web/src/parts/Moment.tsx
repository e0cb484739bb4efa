import { useMemo } from "react";
import { locales, useWords } from "../words";

const zone = "Asia/Riyadh";

/** A date, or a date and time in Riyadh. */
export function Moment({ at, time = true, seconds = false }: { at: string; time?: boolean; seconds?: boolean }) {
  const { language } = useWords();
  const format = useMemo(
    () => new Intl.DateTimeFormat(locales[language], { day: "numeric", month: language === "ar" ? "long" : "short", year: "numeric", timeZone: zone, ...(time && { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }), ...(seconds && { second: "2-digit" }) }),
    [language, time, seconds],
  );
  return <time dateTime={at} className="inline-block">{format.format(new Date(at))}</time>;
}
