import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { receiptsOfQuery } from "../../data/invoices";
import type { Invoice } from "../../data/queries";
import { Amount } from "../../parts/Amount";
import { amountText, hundredths } from "../../parts/money";
import { Moment } from "../../parts/Moment";
import { Panel } from "../../parts/Panel";
import { PaymentStatus } from "../../parts/Status";
import { useFailureText } from "../../parts/states";
import { useWords } from "../../words";

/** What was received for the document. */
export function Payments({ of, rejected }: { of: Invoice; rejected: boolean }) {
  const { t } = useWords();
  const text = useFailureText();
  const receipts = useQuery(receiptsOfQuery(of.uuid));
  const list = receipts.data?.receipts ?? [];
  const nonzero = (amount: string) => (hundredths(amount) ?? 0n) !== 0n;
  return (
    <Panel title={t("inv_payments")} more={!rejected && of.type_code !== 381 && <PaymentStatus of={of.payment_status} />}>
      {receipts.error && <p role="alert" className="p-4 text-bad">{text(receipts.error)}</p>}
      {receipts.data && list.length === 0 && <p className="px-4 py-3 text-muted">{t(rejected ? "inv_no_payments_rejected" : "inv_no_payments")}</p>}
      <ul className="divide-y divide-line">
        {list.map((receipt) => {
          const paid = amountText(receipt.allocations.filter((one) => one.invoice === of.uuid).reduce((total, one) => total + (hundredths(one.amount) ?? 0n), 0n));
          return (
            <li key={receipt.uuid} className="grid grid-cols-[1fr_auto] gap-x-3 px-4 py-3">
              <span className="font-bold"><bdi>{receipt.number}</bdi></span>
              <span className="font-bold"><Amount of={paid} currency={receipt.currency} /></span>
              <span className="text-xs text-muted"><Moment at={receipt.received_on} time={false} />{receipt.reversal && <> · {t("inv_reversed", { number: receipt.reversal.number })}</>}</span>
              <a href={`/app/api/receipts/${receipt.uuid}/pdf/`} download aria-label={t("inv_receipt_pdf", { number: receipt.number })} className="justify-self-end rounded-sm text-accent"><Download size={16} aria-hidden /></a>
            </li>
          );
        })}
      </ul>
      {!rejected && (
        <dl className="grid grid-cols-[1fr_auto] gap-y-1 border-t border-line px-4 py-3">
          {nonzero(of.settled_by_credit) && <Sum label={t("inv_settled")} of={of.settled_by_credit} currency={of.currency} />}
          {of.type_code === 381 ? <Sum label={t("inv_refund_due")} of={of.refund_due} currency={of.currency} /> : <Sum label={t("balance")} of={of.balance} currency={of.currency} />}
        </dl>
      )}
    </Panel>
  );
}

function Sum({ label, of, currency }: { label: string; of: string; currency: string }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid items-baseline gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className="text-right font-bold"><Amount of={of} currency={currency} /></dd>
    </div>
  );
}
