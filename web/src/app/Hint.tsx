import type { ReactNode, RefObject } from "react";
import { Tooltip, TooltipTrigger } from "react-aria-components";

/** Shows the label of a button that has an icon alone. The button stays what it is, with its focus. */
export default function Hint({ label, of, onNear }: { label: string; of: RefObject<HTMLButtonElement | null>; onNear: (near: boolean) => void }): ReactNode {
  return (
    <TooltipTrigger isOpen>
      <Tooltip triggerRef={of} placement="top" offset={6} onPointerEnter={() => onNear(true)} onPointerLeave={() => onNear(false)} className="rounded-md bg-ink px-2 py-1 text-xs text-ground">{label}</Tooltip>
    </TooltipTrigger>
  );
}
