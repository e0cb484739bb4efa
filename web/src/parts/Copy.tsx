import { Check, Copy as CopyIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { useWords } from "../words";
import { Action } from "./Action";

/** Copies a text. Without HTTPS, browsers have no clipboard but the old command. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** A button that copies a text and says so. */
export function Copy({ text, label }: { text: string; label?: string }) {
  const { t } = useWords();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 2_000);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <Action onPress={() => void copyText(text).then(() => setDone(true))}>
      {done ? <Check size={16} aria-hidden /> : <CopyIcon size={16} aria-hidden />}
      <span aria-live="polite">{done ? t("copied") : (label ?? t("copy"))}</span>
    </Action>
  );
}
