import type { CalendarDate } from "@internationalized/date";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button, Calendar, CalendarCell, CalendarGrid, Heading } from "react-aria-components";

/** The calendar of a DateInput. */
export default function Month({ value, onChange }: { value: CalendarDate | null; onChange: (date: CalendarDate) => void }) {
  return (
    <Calendar value={value} onChange={onChange} autoFocus>
      <header className="flex items-center justify-between pb-2">
        <Button slot="previous" className="rounded-md p-2 hover:bg-sunken"><ChevronLeft size={16} aria-hidden className="rtl:-scale-x-100" /></Button>
        <Heading className="font-bold" />
        <Button slot="next" className="rounded-md p-2 hover:bg-sunken"><ChevronRight size={16} aria-hidden className="rtl:-scale-x-100" /></Button>
      </header>
      <CalendarGrid>
        {(date) => <CalendarCell date={date} className="number grid size-9 cursor-default place-items-center rounded-md outline-none hover:bg-sunken data-[focus-visible]:outline-2 data-[focus-visible]:outline-accent data-[outside-month]:text-line data-[selected]:bg-accent data-[selected]:text-on-accent" />}
      </CalendarGrid>
    </Calendar>
  );
}
