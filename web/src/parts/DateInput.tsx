import { type CalendarDate, parseDate } from "@internationalized/date";
import { CalendarDays } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button, DateField, DateInput as Segments, DateSegment, Dialog, DialogTrigger, FieldError, Label, Popover } from "react-aria-components";
import { useWords } from "../words";
import { popover } from "./popover";

// The calendar is large, and most dates are typed.
const Month = lazy(() => import("./Month"));

interface Props {
  label: string;
  /** A date such as 2026-11-15, or empty. */
  value: string;
  onChange: (date: string) => void;
  problem?: string | undefined;
  hideLabel?: boolean;
}

function parsed(text: string): CalendarDate | null {
  try {
    return parseDate(text);
  } catch {
    return null;
  }
}

/** A date that can be typed, or chosen in a calendar, which Alt and the down arrow open. */
export function DateInput({ label, value, onChange, problem, hideLabel }: Props) {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  const choose = (date: CalendarDate | null) => onChange(date?.toString() ?? "");
  return (
    <DateField value={parsed(value)} onChange={choose} validationBehavior="aria" isInvalid={Boolean(problem)} {...(hideLabel && { "aria-label": label })} className="flex min-w-0 flex-col gap-1">
      {!hideLabel && <Label className="text-sm text-muted">{label}</Label>}
      <div onKeyDown={(event) => event.altKey && event.key === "ArrowDown" && setOpen(true)} className={`flex min-h-10 items-center justify-between gap-2 rounded-md border bg-surface px-3 ${problem ? "border-bad" : "border-line"}`}>
        <Segments className="flex">{(segment) => <DateSegment segment={segment} className="number rounded-sm px-0.5 outline-none focus:bg-tint data-[placeholder]:text-muted" />}</Segments>
        <DialogTrigger isOpen={open} onOpenChange={setOpen}>
          <Button aria-label={t("date_choose", { label })} className="rounded-sm text-muted"><CalendarDays size={16} aria-hidden /></Button>
          <Popover className={`${popover} p-4`}>
            <Dialog aria-label={label} className="outline-none">
              <Suspense fallback={<div className="h-77 w-63" />}>
                <Month
                  value={parsed(value)}
                  onChange={(date) => {
                    choose(date);
                    setOpen(false);
                  }}
                />
              </Suspense>
            </Dialog>
          </Popover>
        </DialogTrigger>
      </div>
      <FieldError className="text-xs text-bad">{problem}</FieldError>
    </DateField>
  );
}
