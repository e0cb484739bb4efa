import { Ban, Check, Clock, type LucideIcon, Pencil, X } from "lucide-react";

const looks: Record<string, [LucideIcon, string]> = {
  good: [Check, "bg-good-tint text-good"],
  wait: [Clock, "bg-wait-tint text-wait"],
  bad: [X, "bg-bad-tint text-bad"],
  off: [Ban, "bg-sunken text-muted"],
  open: [Pencil, "bg-sunken text-muted"],
};

/** A state: a word, an icon and a colour. */
export function Mark({ look, children }: { look: "good" | "wait" | "bad" | "off" | "open"; children: string }) {
  const [Icon, colours] = looks[look] ?? [Ban, ""];
  return (
    <span className={`inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-bold whitespace-nowrap ${colours}`}>
      <Icon size={13} aria-hidden />
      {children}
    </span>
  );
}
