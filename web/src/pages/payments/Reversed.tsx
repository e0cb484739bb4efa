import { useWords } from "../../words";

export function Reversed() {
  const { t } = useWords();
  return <span className="ms-2 rounded-full bg-bad-tint px-2.5 py-0.5 text-xs font-bold text-bad">{t("receipt_reversed")}</span>;
}
