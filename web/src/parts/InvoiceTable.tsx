import { Link } from "react-aria-components";
import type { Row, Sound } from "../data/queries";
import { useWords } from "../words";
import { Amount, Riyal } from "./Amount";
import { Moment } from "./Moment";
import { PaymentStatus, Status, useBuyerName, useKind } from "./Status";

/** Documents as a table, and as cards on a phone. */
export function InvoiceTable({ rows }: { rows: Row[] }) {
  const { t } = useWords();
  return (
    <>
      <table className="hidden w-full lg:table">
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            <th className="px-4 py-1.5 text-start font-normal">{t("col_number")}</th>
            <th className="px-4 py-1.5 text-start font-normal">{t("col_client")}</th>
            <th className="px-4 py-1.5 text-start font-normal">{t("col_date")}</th>
            <th className="px-4 py-1.5 text-start font-normal">{t("col_status")}</th>
            <th className="hidden px-4 py-1.5 text-start font-normal xl:table-cell">{t("col_payment")}</th>
            <th className="px-4 py-1.5 text-right font-normal whitespace-nowrap">{t("col_amount")} <Riyal /></th>
          </tr>
        </thead>
        <tbody>{rows.map((row) => ("corrupted" in row ? <tr key={row.uuid} className="border-b border-line"><td className="px-4 py-1.5 font-bold"><bdi>{row.ref_num}</bdi></td><td colSpan={5} className="px-4 py-1.5 text-bad">{t("corrupted")}</td></tr> : <TableRow key={row.uuid} row={row} />))}</tbody>
      </table>
      <ul className="divide-y divide-line lg:hidden">{rows.map((row) => ("corrupted" in row ? <li key={row.uuid} className="px-4 py-3 text-bad"><bdi className="font-bold">{row.ref_num}</bdi> {t("corrupted")}</li> : <Card key={row.uuid} row={row} />))}</ul>
    </>
  );
}

function Total({ of }: { of: Sound }) {
  return <Amount of={of.invoice_total_amount_with_vat} currency={of.currency === "SAR" ? undefined : of.currency} />;
}

function TableRow({ row }: { row: Sound }) {
  const kind = useKind();
  const buyer = useBuyerName();
  return (
    <tr className="border-b border-line last:border-0 hover:bg-sunken">
      <td className="px-4 py-1.5">
        <Link href={`/invoices/${row.uuid}`} className="rounded-sm font-bold"><bdi>{row.ref_num}</bdi></Link>
        <div className="text-xs text-muted">{kind(row)}</div>
      </td>
      <td className="max-w-60 truncate px-4 py-1.5"><bdi>{buyer(row)}</bdi></td>
      <td className="px-4 py-1.5 whitespace-nowrap text-muted"><Moment at={row.created_at} /></td>
      <td className="px-4 py-1.5"><Status of={row} /></td>
      <td className="hidden px-4 py-1.5 xl:table-cell"><PaymentStatus of={row} /></td>
      <td className="px-4 py-1.5 text-right font-bold"><Total of={row} /></td>
    </tr>
  );
}

function Card({ row }: { row: Sound }) {
  const buyer = useBuyerName();
  return (
    <li>
      <Link href={`/invoices/${row.uuid}`} className="grid grid-cols-[minmax(0,1fr)] gap-y-1 px-4 py-3">
        <span className="flex flex-wrap justify-between gap-x-3 font-bold"><bdi>{row.ref_num}</bdi><Amount of={row.invoice_total_amount_with_vat} currency={row.currency} /></span>
        <span className="flex items-center justify-between gap-x-3"><span className="truncate text-muted"><bdi>{buyer(row)}</bdi></span><span className="shrink-0"><Status of={row} /></span></span>
      </Link>
    </li>
  );
}
