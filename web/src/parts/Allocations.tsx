import { useState } from "react";
import type { Allocation } from "../data/payments";
import type { Sound } from "../data/queries";
import { useWords } from "../words";
import { Amount } from "./Amount";
import { westernNumber } from "./decimal";
import { Field } from "./Field";
import { amountText, hundredths } from "./money";
import { Moment } from "./Moment";

type Open = Pick<Sound, "uuid" | "ref_num" | "balance"> & { issue_date?: string };

/**
 * Splits an amount over open invoices, the first ones first, until someone types how much
 * an invoice gets.
 */
export function useAllocations(open: Open[], amount: string) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  let left = hundredths(amount) ?? 0n;
  for (const text of Object.values(typed)) left -= hundredths(text) ?? 0n;
  const values: Record<string, string> = {};
  for (const invoice of open) {
    const own = typed[invoice.uuid];
    if (own !== undefined) {
      values[invoice.uuid] = own;
      continue;
    }
    const balance = hundredths(invoice.balance) ?? 0n;
    const part = left <= 0n ? 0n : left < balance ? left : balance;
    left -= part;
    values[invoice.uuid] = part > 0n ? amountText(part) : "";
  }
  const allocations: Allocation[] = open.flatMap(({ uuid }) => ((hundredths(values[uuid] ?? "") ?? 0n) > 0n ? [{ invoice: uuid, amount: values[uuid] ?? "" }] : []));
  return { values, allocations, rest: left, set: (invoice: string, text: string) => setTyped((before) => ({ ...before, [invoice]: text })), reset: () => setTyped({}) };
}

interface Props {
  open: Open[];
  values: Record<string, string>;
  onChange: (invoice: string, amount: string) => void;
  currency: string;
  problemOf: (invoice: string) => string | undefined;
}

/** The open invoices of a client, with what each gets of a payment. */
export function Allocations({ open, values, onChange, currency, problemOf }: Props) {
  const { t } = useWords();
  return (
    <ul className="divide-y divide-line rounded-md border border-line" aria-label={t("receipt_invoices")}>
      {open.map((invoice) => (
        <li key={invoice.uuid} className="grid grid-cols-[minmax(0,1fr)_8rem] items-center gap-3 px-3 py-2">
          <div className="min-w-0">
            <bdi className="font-bold">{invoice.ref_num}</bdi>
            <div className="text-xs text-muted">
              {invoice.issue_date && <><Moment at={invoice.issue_date} time={false} />{t("receipt_dot")}</>}
              {t("receipt_balance")} <Amount of={invoice.balance} currency={currency} />
            </div>
          </div>
          <Field label={t("receipt_gets", { number: invoice.ref_num })} hideLabel value={values[invoice.uuid] ?? ""} onChange={(text) => onChange(invoice.uuid, westernNumber(text))} problem={problemOf(invoice.uuid)} ltr inputMode="decimal" placeholder="0.00" />
        </li>
      ))}
    </ul>
  );
}
