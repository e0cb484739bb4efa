import { useMutation, useQuery } from "@tanstack/react-query";
import { Download, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button, Link } from "react-aria-components";
import { receiptsOfQuery } from "../../data/invoices";
import { refundsQuery } from "../../data/payments";
import type { Invoice } from "../../data/queries";
import { download } from "../../data/request";
import { Action } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { PaymentForm, RefundForm } from "../../parts/forms";
import { amountText, hundredths } from "../../parts/money";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { Panel } from "../../parts/Panel";
import { Sheet } from "../../parts/Sheet";
import { useSession } from "../../parts/session";
import { PaymentStatus } from "../../parts/Status";
import { useFailureText } from "../../parts/states";
import { useWords } from "../../words";

const isZero = (amount: string) => (hundredths(amount) ?? 0n) === 0n;

/** What was received for a document, or paid back on a credit note, and the way to record more. */
export function Payments({ of, rejected }: { of: Invoice; rejected: boolean }) {
  return of.type_code === 381 ? <Refunds of={of} rejected={rejected} /> : <Receipts of={of} rejected={rejected} />;
}

function Receipts({ of, rejected }: { of: Invoice; rejected: boolean }) {
  const { t } = useWords();
  const { can } = useSession();
  const text = useFailureText();
  const [recording, setRecording] = useState(false);
  const get = useMutation({ mutationFn: (receipt: string) => download(`/app/api/receipts/${receipt}/pdf/`) });
  const receipts = useQuery(receiptsOfQuery(of.uuid));
  const list = receipts.data?.receipts ?? [];
  const error = receipts.error ?? get.error;
  return (
    <Panel title={t("inv_payments")} more={!rejected && <PaymentStatus of={of} />}>
      {error && <p role="alert" className="p-4 text-bad">{text(error)}</p>}
      {receipts.data && list.length === 0 && <p className="px-4 py-3 text-muted">{t(rejected ? "inv_no_payments_rejected" : "inv_no_payments")}</p>}
      <ul className="divide-y divide-line">
        {list.map((receipt) => (
          <Entry
            key={receipt.uuid}
            of={receipt}
            href={`/payments/receipts/${receipt.uuid}`}
            amount={amountText(receipt.allocations.filter((one) => one.invoice === of.uuid).reduce((total, one) => total + (hundredths(one.amount) ?? 0n), 0n))}
            at={receipt.received_on}
          >
            <Button isDisabled={get.isPending} onPress={() => get.mutate(receipt.uuid)} aria-label={t("inv_receipt_pdf", { number: receipt.number })} className="justify-self-end rounded-sm text-accent"><Download size={16} aria-hidden /></Button>
          </Entry>
        ))}
      </ul>
      {!rejected && (
        <Sums>
          {!isZero(of.settled_by_credit) && <Sum label={t("inv_settled")} of={of.settled_by_credit} currency={of.currency} />}
          <Sum label={t("balance")} of={of.balance} currency={of.currency} />
        </Sums>
      )}
      {!rejected && !isZero(of.balance) && can("Accountant") && <Record onPress={() => setRecording(true)}>{t("receipt_record")}</Record>}
      <Sheet title={t("receipt_record")} isOpen={recording} onClose={() => setRecording(false)} wide>
        <PaymentForm
          invoice={of}
          onSaved={({ number }) => {
            setRecording(false);
            notify(t("receipt_recorded", { number }));
          }}
          onCancel={() => setRecording(false)}
        />
      </Sheet>
    </Panel>
  );
}

function Refunds({ of, rejected }: { of: Invoice; rejected: boolean }) {
  const { t } = useWords();
  const { can } = useSession();
  const text = useFailureText();
  const [recording, setRecording] = useState(false);
  const refunds = useQuery(refundsQuery({ invoice: of.uuid, page_size: 100 }));
  const list = refunds.data?.refunds ?? [];
  const due = !rejected && !isZero(of.refund_due);
  const accepted = of.authority_response_status === "CLEARED" || of.authority_response_status === "REPORTED";
  return (
    <Panel title={t("refund_title")}>
      {refunds.error && <p role="alert" className="p-4 text-bad">{text(refunds.error)}</p>}
      {refunds.data && list.length === 0 && <p className="px-4 py-3 text-muted">{t(rejected ? "inv_no_refunds_rejected" : !due ? "inv_no_refunds" : accepted ? "inv_refund_open" : "inv_refund_later")}</p>}
      <ul className="divide-y divide-line">{list.map((refund) => <Entry key={refund.uuid} of={refund} href={`/payments/refunds/${refund.uuid}`} amount={refund.amount} at={refund.paid_on} />)}</ul>
      {!rejected && <Sums><Sum label={t("inv_refund_due")} of={of.refund_due} currency={of.currency} /></Sums>}
      {due && accepted && can("Accountant") && <Record onPress={() => setRecording(true)}>{t("refund_record")}</Record>}
      <Sheet title={t("refund_record")} isOpen={recording} onClose={() => setRecording(false)} wide>
        <RefundForm
          note={of}
          onSaved={({ number }) => {
            setRecording(false);
            notify(t("refund_recorded", { number }));
          }}
          onCancel={() => setRecording(false)}
        />
      </Sheet>
    </Panel>
  );
}

interface EntryProps {
  of: { number: string; currency: string; reversal: { number: string } | null };
  href: string;
  amount: string;
  at: string;
  children?: ReactNode;
}

/** A receipt or refund. What was reversed is struck through. */
function Entry({ of, href, amount, at, children }: EntryProps) {
  const { t } = useWords();
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-3 px-4 py-3">
      <Link href={href} className="justify-self-start rounded-sm font-bold text-accent"><bdi>{of.number}</bdi></Link>
      <span className={of.reversal ? "text-muted line-through" : "font-bold"}><Amount of={amount} currency={of.currency} /></span>
      <span className="text-xs text-muted"><Moment at={at} time={false} />{of.reversal && <> · {t("inv_reversed", { number: of.reversal.number })}</>}</span>
      {children}
    </li>
  );
}

function Record({ onPress, children }: { onPress: () => void; children: string }) {
  return <div className="border-t border-line px-4 py-3"><Action onPress={onPress}><Plus size={16} aria-hidden />{children}</Action></div>;
}

function Sums({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[1fr_auto] gap-y-1 border-t border-line px-4 py-3">{children}</dl>;
}

function Sum({ label, of, currency }: { label: string; of: string; currency: string }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid items-baseline gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className="text-right font-bold"><Amount of={of} currency={currency} /></dd>
    </div>
  );
}
