import type { ReactNode } from "react";
import { Link } from "react-aria-components";
import { Unit, UnitInHead } from "./Amount";

export interface Column<T> {
  title: ReactNode;
  cell: (row: T) => ReactNode;
  /** A number, which is aligned at its right end in both directions. */
  number?: boolean;
  /** The currency of a row. If all rows have one, it is in the head and not in the cells. */
  currency?: (row: T) => string;
  /** Left out of the cards of a phone, which show the three facts that matter. */
  minor?: boolean | ((row: T) => boolean);
  /** Named in the cards too, where the cell alone does not say what it is. */
  named?: boolean;
}

interface Props<T> {
  label: string;
  rows: T[];
  columns: Column<T>[];
  keyOf: (row: T) => string;
  /** The page of a row; its first cell is the link. */
  href?: (row: T) => string;
  /** A line before the rows and one after them: its title, and its value in the last column. */
  opening?: [title: string, value: ReactNode];
  closing?: [title: string, value: ReactNode];
}

/** Records as a table, and as cards on a phone. */
export function Table<T>({ label, rows, columns, keyOf, href, opening, closing }: Props<T>) {
  const [first, ...rest] = columns;
  if (!first) return null;
  const name = (row: T) => (href ? <Link href={href(row)} className="rounded-sm font-bold">{first.cell(row)}</Link> : first.cell(row));
  const units = columns.map(({ currency }) => {
    const all = new Set(currency ? rows.map(currency).filter(Boolean) : []);
    return all.size === 1 ? [...all][0] : undefined;
  });
  const balance = ([title, value]: [string, ReactNode], look: string) => (
    <tr className={`h-10 ${look}`}>
      <th scope="row" colSpan={columns.length - 1} className="px-4 py-1.5 text-start font-normal">{title}</th>
      <td className="px-4 py-1.5 text-right font-bold"><UnitInHead value={Boolean(units.at(-1))}>{value}</UnitInHead></td>
    </tr>
  );
  const balanceCard = ([title, value]: [string, ReactNode], look: string) => <li className={`flex items-center justify-between gap-4 px-4 py-3 ${look}`}><span>{title}</span><strong>{value}</strong></li>;
  return (
    <>
      <div className="hidden overflow-x-auto md:block">
        <table aria-label={label} className="w-full">
          <thead>
            <tr className="h-9 border-b border-line text-xs text-muted">
              {columns.map((column, i) => <th key={i} scope="col" className={`px-4 font-normal ${column.number ? "text-right" : "text-start"}`}>{column.title}{units[i] && <> <Unit of={units[i]} /></>}</th>)}
            </tr>
          </thead>
          <tbody>
            {opening && balance(opening, "border-b border-line")}
            {rows.map((row) => (
              <tr key={keyOf(row)} className="h-10 border-b border-line last:border-0 hover:bg-sunken">
                <td className="max-w-80 truncate px-4 py-1.5">{name(row)}</td>
                {rest.map((column, i) => <td key={i} className={`px-4 py-1.5 ${column.number ? "text-right" : ""}`}><UnitInHead value={Boolean(units[i + 1])}>{column.cell(row)}</UnitInHead></td>)}
              </tr>
            ))}
            {closing && balance(closing, "bg-sunken")}
          </tbody>
        </table>
      </div>
      <ul aria-label={label} className="divide-y divide-line md:hidden">
        {opening && balanceCard(opening, "")}
        {rows.map((row) => (
          <li key={keyOf(row)} className="grid gap-1 px-4 py-3">
            <div>{name(row)}</div>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
              {rest.map((column, i) => {
                if (typeof column.minor === "function" ? column.minor(row) : column.minor) return null;
                const cell = column.cell(row);
                return <span key={i} className={`empty:hidden has-[>bdi:empty]:hidden ${column.number ? "ms-auto" : ""}`}>{column.named && cell && <span className="pe-2 text-xs">{column.title}</span>}{cell}</span>;
              })}
            </div>
          </li>
        ))}
        {closing && balanceCard(closing, "bg-sunken")}
      </ul>
    </>
  );
}
