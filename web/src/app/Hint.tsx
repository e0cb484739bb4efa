import type { ReactNode } from "react";
import { Tooltip, TooltipTrigger } from "react-aria-components";

/** Shows the label of a button that has an icon alone. */
export default function Hint({ label, children }: { label: string; children: ReactNode }) {
  return (
    <TooltipTrigger delay={300}>
      {children}
      <Tooltip placement="top" offset={6} className="rounded-md bg-ink px-2 py-1 text-xs text-ground">{label}</Tooltip>
    </TooltipTrigger>
  );
}
