import { type CalendarDate, parseDate } from "@internationalized/date";
import { CalendarDays, ChevronLeft, ChevronRight } from "lucide-react";
import { Button, Calendar, CalendarCell, CalendarGrid, DateInput as Segments, DatePicker, DateSegment, Dialog, FieldError, Group, Heading, Label, Popover } from "react-aria-components";
import { popover } from "./popover";

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

/** A date that can be typed, or chosen in a calendar. */
export function DateInput({ label, value, onChange, problem, hideLabel }: Props) {
  return (
    <DatePicker value={parsed(value)} onChange={(date) => onChange(date?.toString() ?? "")} validationBehavior="aria" isInvalid={Boolean(problem)} {...(hideLabel && { "aria-label": label })} className="flex min-w-0 flex-col gap-1">
      {!hideLabel && <Label className="text-sm text-muted">{label}</Label>}
      <Group className="flex min-h-10 items-center justify-between gap-2 rounded-md border border-line bg-surface px-3 data-[invalid]:border-bad">
        <Segments className="flex">{(segment) => <DateSegment segment={segment} className="number rounded-sm px-0.5 outline-none focus:bg-tint data-[placeholder]:text-muted" />}</Segments>
        <Button className="rounded-sm text-muted"><CalendarDays size={16} aria-hidden /></Button>
      </Group>
      <FieldError className="text-xs text-bad">{problem}</FieldError>
      <Popover className={`${popover} p-4`}>
        <Dialog className="outline-none">
          <Calendar>
            <header className="flex items-center justify-between pb-2">
              <Button slot="previous" className="rounded-md p-2 hover:bg-sunken"><ChevronLeft size={16} aria-hidden className="rtl:-scale-x-100" /></Button>
              <Heading className="font-bold" />
              <Button slot="next" className="rounded-md p-2 hover:bg-sunken"><ChevronRight size={16} aria-hidden className="rtl:-scale-x-100" /></Button>
            </header>
            <CalendarGrid>
              {(date) => <CalendarCell date={date} className="number grid size-9 cursor-default place-items-center rounded-md outline-none hover:bg-sunken data-[focus-visible]:outline-2 data-[focus-visible]:outline-accent data-[outside-month]:text-line data-[selected]:bg-accent data-[selected]:text-on-accent" />}
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </DatePicker>
  );
}
