import { Check } from "lucide-react";
import { Checkbox } from "react-aria-components";

/** A box to check, with its text. */
export function Toggle({ isSelected, onChange, children, isDisabled = false }: { isSelected: boolean; onChange: (on: boolean) => void; children: string; isDisabled?: boolean }) {
  return (
    <Checkbox isSelected={isSelected} onChange={onChange} isDisabled={isDisabled} className="group flex cursor-default items-center gap-2 rounded-md data-[disabled]:opacity-60">
      <span className="grid size-5 shrink-0 place-items-center rounded border border-muted/70 bg-surface group-data-[focus-visible]:outline-2 group-data-[focus-visible]:outline-offset-2 group-data-[focus-visible]:outline-accent group-data-[selected]:border-accent group-data-[selected]:bg-accent">
        <Check size={14} aria-hidden className="hidden text-on-accent group-data-[selected]:block" />
      </span>
      {children}
    </Checkbox>
  );
}
