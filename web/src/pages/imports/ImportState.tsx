import { Check, CircleDashed, Clock, type LucideIcon, X } from "lucide-react";
import type { Import } from "../../data/imports";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

const looks: Record<Import["state"], [Word, LucideIcon, string]> = {
  checking: ["import_checking", Clock, "bg-wait-tint text-wait"],
  checked: ["import_checked", CircleDashed, "bg-tint text-accent"],
  running: ["import_running", Clock, "bg-wait-tint text-wait"],
  done: ["import_done", Check, "bg-good-tint text-good"],
  failed: ["import_failed", X, "bg-bad-tint text-bad"],
  cancelled: ["import_cancelled", X, "bg-sunken text-muted"],
};

export function ImportState({ of }: { of: Import["state"] }) {
  const { t } = useWords();
  const [word, Icon, colours] = looks[of];
  return <span className={`inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-bold ${colours}`}><Icon size={13} aria-hidden />{t(word)}</span>;
}
