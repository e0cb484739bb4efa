import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useWords } from "../../words";

interface Series {
  label: string;
  colour: string; // of a fill
  values: number[]; // one a day; only their proportion is drawn
  texts: string[]; // the exact values, for the table
}

interface Props {
  title: string;
  days: string[]; // such as 2026-11-15
  length: number; // days of the month
  series: Series[];
  note?: ReactNode;
}

const width = 300;
const height = 110;

/** Stacked bars of the days of a month, with a table behind them. Time runs in the direction of the text. */
export function Plot({ title, days, length, series, note }: Props) {
  const { t, language } = useWords();
  const [table, setTable] = useState(false);
  const totals = days.map((_, i) => series.reduce((sum, one) => sum + Math.max(0, one.values[i] ?? 0), 0));
  const most = Math.max(1, ...totals);
  const step = width / length;
  const place = (day: number, wide: number) => (language === "ar" ? width - day * step + (step - wide) / 2 : (day - 1) * step + (step - wide) / 2);
  const wide = step * 0.62;
  const ticks = [1, 5, 10, 15, 20, 25, length];
  return (
    <section className="min-w-0 overflow-hidden rounded-xl border border-line bg-surface">
      <div className="flex items-center justify-between gap-3 border-b border-line px-4 py-3">
        <h2 className="font-bold">{title}</h2>
        <Button onPress={() => setTable(!table)} aria-pressed={table} className="rounded-sm text-accent">{t(table ? "home_plot" : "home_table")}</Button>
      </div>
      {table ? (
        <div className="max-h-72 overflow-auto" tabIndex={0} role="region" aria-label={title}>
          <table className="w-full">
            <thead>
              <tr className="border-b border-line text-xs text-muted">
                <th scope="col" className="px-4 py-2 text-start font-normal">{t("home_day")}</th>
                {series.map((one) => <th key={one.label} scope="col" className="px-4 py-2 text-right font-normal">{one.label}</th>)}
              </tr>
            </thead>
            <tbody>
              {days.map((day, i) => (
                <tr key={day} className="border-b border-line last:border-0">
                  <th scope="row" className="px-4 py-1.5 text-start font-normal"><bdi>{day}</bdi></th>
                  {series.map((one) => <td key={one.label} className="px-4 py-1.5 text-right"><bdi dir="ltr" className="number">{one.texts[i]}</bdi></td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div className="p-4">
          <svg viewBox={`0 0 ${width} ${height + 16}`} role="img" aria-label={title} className="h-auto w-full">
            {Array.from({ length }, (_, i) => <rect key={i} x={place(i + 1, wide)} y={height - 2} width={wide} height={2} rx={1} className="fill-line" />)}
            {days.map((day, i) => {
              const number = Number(day.slice(8));
              let base = height;
              return series.map((one) => {
                const value = Math.max(0, one.values[i] ?? 0);
                if (value === 0) return null;
                const tall = Math.max(2, (value / most) * (height - 6));
                base -= tall;
                return <rect key={day + one.label} x={place(number, wide)} y={base} width={wide} height={tall} rx={1} className={one.colour} />;
              });
            })}
            {ticks.map((day) => <text key={day} x={place(day, 0)} y={height + 13} textAnchor="middle" className="fill-muted text-[10px] sm:text-[7px]">{day}</text>)}
          </svg>
          {series.length > 1 && !note && (
            <ul className="flex flex-wrap gap-x-4 pt-2 text-xs text-muted">
              {series.map((one) => <li key={one.label} className="flex items-center gap-1.5"><svg viewBox="0 0 8 8" aria-hidden className="size-2"><rect width={8} height={8} rx={2} className={one.colour} /></svg>{one.label}</li>)}
            </ul>
          )}
        </div>
      )}
      {note && <p className="border-t border-line px-4 py-2 text-xs text-muted">{note}</p>}
    </section>
  );
}
