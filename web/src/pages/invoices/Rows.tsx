import { memo, useCallback, useEffect, useRef } from "react";
import { Link } from "wouter";
import { isSound, type Row, type Sound } from "../../data/queries";
import { Amount, Riyal } from "../../parts/Amount";
import { Moment } from "../../parts/Moment";
import { PaymentStatus, Status, useBuyerName, useKind } from "../../parts/Status";
import { useWide } from "../../parts/useWide";
import { useWords } from "../../words";

interface Props {
  rows: Row[];
  chosen: Map<string, Sound>;
  choose: (rows: Sound[], on: boolean) => void;
}

/** The documents of the list with boxes to select them: a table, and cards on a phone. */
export const Rows = memo(function Rows({ rows, chosen, choose }: Props) {
  const wide = useWide();
  const one = useCallback((row: Sound, on: boolean) => choose([row], on), [choose]);
  if (wide) return <AsTable rows={rows} chosen={chosen} choose={choose} one={one} />;
  return <ul className="divide-y divide-line">{rows.map((row) => <Card key={row.uuid} row={row} selected={chosen.has(row.uuid)} choose={one} />)}</ul>;
});

function AsTable({ rows, chosen, choose, one }: Props & { one: Choose }) {
  const { t } = useWords();
  const sound = rows.filter(isSound);
  const count = sound.filter((row) => chosen.has(row.uuid)).length;
  const all = count > 0 && count === sound.length;
  const head = "px-4 py-1.5 text-start font-normal";
  return (
    <table className="w-full">
      <thead>
        <tr className="border-b border-line text-xs text-muted">
          <th scope="col" className="w-10 ps-4 py-1.5"><Box label={t("list_select_all")} selected={all} some={count > 0 && !all} onChange={(on) => choose(sound, on)} /></th>
          <th scope="col" className={head}>{t("col_number")}</th>
          <th scope="col" className={head}>{t("col_client")}</th>
          <th scope="col" className={head}>{t("col_date")}</th>
          <th scope="col" className={head}>{t("col_status")}</th>
          <th scope="col" className={`${head} hidden xl:table-cell`}>{t("col_payment")}</th>
          <th scope="col" className="px-4 py-1.5 text-right font-normal whitespace-nowrap">{t("col_amount")} <Riyal /></th>
        </tr>
      </thead>
      <tbody>{rows.map((row) => <TableRow key={row.uuid} row={row} selected={chosen.has(row.uuid)} choose={one} />)}</tbody>
    </table>
  );
}

type Choose = (row: Sound, on: boolean) => void;

interface OneProps {
  row: Row;
  selected: boolean;
  choose: Choose;
}

const TableRow = memo(function TableRow({ row, selected, choose }: OneProps) {
  const { t } = useWords();
  const kind = useKind();
  const buyer = useBuyerName();
  if (!isSound(row)) {
    return <tr className="border-b border-line"><td /><td className="px-4 py-1.5 font-bold"><bdi>{row.ref_num}</bdi></td><td colSpan={5} className="px-4 py-1.5 text-bad">{t("corrupted")}</td></tr>;
  }
  return (
    <tr data-row={row.uuid} className={`border-b border-line last:border-0 hover:bg-sunken focus-within:bg-sunken ${selected ? "bg-tint" : ""}`}>
      <td className="ps-4"><Box label={t("list_select", { number: row.ref_num })} selected={selected} onChange={(on) => choose(row, on)} /></td>
      <td className="px-4 py-1.5">
        <Link href={`/invoices/${row.uuid}`} className="rounded-sm font-bold whitespace-nowrap"><bdi>{row.ref_num}</bdi></Link>
        <div className="text-xs text-muted">{kind(row)}</div>
      </td>
      <td className="max-w-52 truncate px-4 py-1.5"><bdi>{buyer(row)}</bdi></td>
      <td className="px-4 py-1.5 whitespace-nowrap text-muted"><Moment at={row.created_at} /></td>
      <td className="px-4 py-1.5"><Status of={row} /></td>
      <td className="hidden px-4 py-1.5 xl:table-cell"><PaymentStatus of={row} /></td>
      {/* The sign is in the head of the column, so only other currencies are in the rows. */}
      <td className="px-4 py-1.5 text-right font-bold"><Amount of={row.invoice_total_amount_with_vat} currency={row.currency === "SAR" ? undefined : row.currency} /></td>
    </tr>
  );
});

const Card = memo(function Card({ row, selected, choose }: OneProps) {
  const { t } = useWords();
  const buyer = useBuyerName();
  if (!isSound(row)) return <li className="px-4 py-3 text-bad"><bdi className="font-bold">{row.ref_num}</bdi> {t("corrupted")}</li>;
  return (
    <li data-row={row.uuid} className={`grid grid-cols-[auto_minmax(0,1fr)] items-center gap-3 px-4 ${selected ? "bg-tint" : ""}`}>
      <Box label={t("list_select", { number: row.ref_num })} selected={selected} onChange={(on) => choose(row, on)} />
      <Link href={`/invoices/${row.uuid}`} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-y-1 py-3">
        <span className="flex flex-wrap justify-between gap-x-3 font-bold"><bdi>{row.ref_num}</bdi><Amount of={row.invoice_total_amount_with_vat} currency={row.currency} /></span>
        <span className="flex items-center justify-between gap-x-3"><span className="truncate text-muted"><bdi>{buyer(row)}</bdi></span><span className="shrink-0"><Status of={row} /></span></span>
      </Link>
    </li>
  );
});

/** A box of the browser itself, because a list has many of them. */
function Box({ label, selected, some = false, onChange }: { label: string; selected: boolean; some?: boolean; onChange: (on: boolean) => void }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = some;
  }, [some]);
  return <input ref={box} type="checkbox" aria-label={label} checked={selected} onChange={(event) => onChange(event.target.checked)} className="block size-5 shrink-0 accent-accent" />;
}
