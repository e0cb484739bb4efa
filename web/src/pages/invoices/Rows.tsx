import { Check, Minus } from "lucide-react";
import { Checkbox, Link } from "react-aria-components";
import { isSound, type Row, type Sound } from "../../data/queries";
import { Amount, Riyal } from "../../parts/Amount";
import { Moment } from "../../parts/Moment";
import { PaymentStatus, Status, useBuyerName, useKind } from "../../parts/Status";
import { useWords } from "../../words";

interface Props {
  rows: Row[];
  chosen: Map<string, Sound>;
  choose: (rows: Sound[], on: boolean) => void;
}

/** The documents of the list with boxes to select them: a table, and cards on a phone. */
export function Rows({ rows, chosen, choose }: Props) {
  const { t } = useWords();
  const kind = useKind();
  const buyer = useBuyerName();
  const sound = rows.filter(isSound);
  const count = sound.filter((row) => chosen.has(row.uuid)).length;
  const all = count > 0 && count === sound.length;
  const box = (row: Sound) => <Box label={t("list_select", { number: row.ref_num })} isSelected={chosen.has(row.uuid)} onChange={(on) => choose([row], on)} />;
  // The sign is in the head of the column, so only other currencies are in the rows.
  const total = (row: Sound) => <Amount of={row.invoice_total_amount_with_vat} currency={row.currency === "SAR" ? undefined : row.currency} />;
  const head = "px-4 py-1.5 text-start font-normal";
  return (
    <>
      <table className="hidden w-full lg:table">
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            <th scope="col" className="w-10 ps-4 py-1.5"><Box label={t("list_select_all")} isSelected={all} isIndeterminate={count > 0 && !all} onChange={(on) => choose(sound, on)} /></th>
            <th scope="col" className={head}>{t("col_number")}</th>
            <th scope="col" className={head}>{t("col_client")}</th>
            <th scope="col" className={head}>{t("col_date")}</th>
            <th scope="col" className={head}>{t("col_status")}</th>
            <th scope="col" className={`${head} hidden xl:table-cell`}>{t("col_payment")}</th>
            <th scope="col" className="px-4 py-1.5 text-right font-normal whitespace-nowrap">{t("col_amount")} <Riyal /></th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) =>
            "corrupted" in row ? (
              <tr key={row.uuid} className="border-b border-line"><td /><td className="px-4 py-1.5 font-bold"><bdi>{row.ref_num}</bdi></td><td colSpan={5} className="px-4 py-1.5 text-bad">{t("corrupted")}</td></tr>
            ) : (
              <tr key={row.uuid} data-row={row.uuid} className={`border-b border-line last:border-0 hover:bg-sunken has-[a:focus]:bg-sunken ${chosen.has(row.uuid) ? "bg-tint" : ""}`}>
                <td className="ps-4">{box(row)}</td>
                <td className="px-4 py-1.5">
                  <Link href={`/invoices/${row.uuid}`} className="rounded-sm font-bold whitespace-nowrap"><bdi>{row.ref_num}</bdi></Link>
                  <div className="text-xs text-muted">{kind(row)}</div>
                </td>
                <td className="max-w-52 truncate px-4 py-1.5"><bdi>{buyer(row)}</bdi></td>
                <td className="px-4 py-1.5 whitespace-nowrap text-muted"><Moment at={row.created_at} /></td>
                <td className="px-4 py-1.5"><Status of={row} /></td>
                <td className="hidden px-4 py-1.5 xl:table-cell"><PaymentStatus of={row} /></td>
                <td className="px-4 py-1.5 text-right font-bold">{total(row)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
      <ul className="divide-y divide-line lg:hidden">
        {rows.map((row) =>
          "corrupted" in row ? (
            <li key={row.uuid} className="px-4 py-3 text-bad"><bdi className="font-bold">{row.ref_num}</bdi> {t("corrupted")}</li>
          ) : (
            <li key={row.uuid} data-row={row.uuid} className={`grid grid-cols-[auto_minmax(0,1fr)] items-center gap-3 px-4 ${chosen.has(row.uuid) ? "bg-tint" : ""}`}>
              {box(row)}
              <Link href={`/invoices/${row.uuid}`} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-y-1 py-3">
                <span className="flex flex-wrap justify-between gap-x-3 font-bold"><bdi>{row.ref_num}</bdi><Amount of={row.invoice_total_amount_with_vat} currency={row.currency} /></span>
                <span className="flex items-center justify-between gap-x-3"><span className="truncate text-muted"><bdi>{buyer(row)}</bdi></span><span className="shrink-0"><Status of={row} /></span></span>
              </Link>
            </li>
          ),
        )}
      </ul>
    </>
  );
}

function Box({ label, isSelected, isIndeterminate = false, onChange }: { label: string; isSelected: boolean; isIndeterminate?: boolean; onChange: (on: boolean) => void }) {
  return (
    <Checkbox aria-label={label} isSelected={isSelected} isIndeterminate={isIndeterminate} onChange={onChange} className="group flex cursor-default">
      <span className="grid size-5 shrink-0 place-items-center rounded border border-muted/70 bg-surface group-data-[focus-visible]:outline-2 group-data-[focus-visible]:outline-offset-2 group-data-[focus-visible]:outline-accent group-data-[indeterminate]:bg-accent group-data-[selected]:border-accent group-data-[selected]:bg-accent">
        {isIndeterminate ? <Minus size={14} aria-hidden className="text-on-accent" /> : <Check size={14} aria-hidden className="hidden text-on-accent group-data-[selected]:block" />}
      </span>
    </Checkbox>
  );
}
