import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-aria-components";
import { type Refund, refundQuery, reverseRefund } from "../../data/payments";
import { Action, ActionLink } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { Facts } from "../../parts/Facts";
import { Moment } from "../../parts/Moment";
import { Page } from "../../parts/Page";
import { useSession } from "../../parts/session";
import { ErrorState, LoadingPage } from "../../parts/states";
import { useWords } from "../../words";
import { useDocuments, useMeans } from "./names";
import { Reversed } from "./Reversed";
import { ReverseSheet } from "./Reverse";

export default function RefundPage({ id }: { id: string }) {
  const refund = useQuery(refundQuery(id));
  if (refund.isPending) return <LoadingPage boxes={["h-56"]} />;
  if (refund.error) return <ErrorState page error={refund.error} retry={() => void refund.refetch()} />;
  return <RefundView of={refund.data} />;
}

function RefundView({ of }: { of: Refund }) {
  const { t, pick } = useWords();
  const { can } = useSession();
  const [open, setOpen] = useState(false);
  const meansOf = useMeans();
  const documentOf = useDocuments([of.invoice]);
  const note = documentOf(of.invoice);
  return (
    <Page
      back={{ href: "/payments/refunds", title: t("refund_title") }}
      title={<>{t("refund_one")} <bdi className="inline-block max-w-full">{of.number}</bdi>{of.reversal && <Reversed />}</>}
      actions={
        <>
          {of.receipt && <ActionLink href={`/payments/receipts/${of.receipt}`}>{t("receipt_one_credit")}</ActionLink>}
          {can("Accountant") && !of.reversal && <Action onPress={() => setOpen(true)}>{t("refund_reverse")}</Action>}
        </>
      }
    >
      <section className="rounded-xl border border-line bg-surface p-4 sm:p-6">
        <Facts
          of={[
            [t("refund_note"), <Link href={`/invoices/${of.invoice}`} className="font-bold text-accent"><bdi>{note?.ref_num ?? t("refund_note")}</bdi></Link>],
            [t("receipt_client"), note?.buyer ? <bdi>{pick(note.buyer.buyer_name_arabic, note.buyer.buyer_name)}</bdi> : note ? t("consumer") : ""],
            [t("receipt_amount"), <span className="font-bold"><Amount of={of.amount} currency={of.currency} /></span>],
            [t("refund_sar"), of.sar_paid ? <Amount of={of.sar_paid} currency="SAR" /> : ""],
            [t("receipt_means"), meansOf(of.payment_means_type_code)],
            [t("refund_date"), <Moment at={of.paid_on} time={false} />],
            [t("receipt_note"), of.note && <bdi className="wrap-anywhere whitespace-pre-line">{of.note}</bdi>],
            [t("receipt_by"), <><bdi>{of.created_by}</bdi>{t("receipt_dot")}<Moment at={of.created_at} /></>],
            [t("receipt_reversal"), of.reversal ? <><bdi className="inline-block max-w-full">{of.reversal.number}</bdi>{t("receipt_dot")}<bdi>{of.reversal.reason}</bdi>{t("receipt_dot")}<Moment at={of.reversal.created_at} /></> : ""],
          ]}
        />
      </section>
      <ReverseSheet title={t("refund_reverse")} text={t("refund_reverse_text", { number: of.number })} isOpen={open} onClose={() => setOpen(false)} reverse={(reason) => reverseRefund(of.uuid, reason)} />
    </Page>
  );
}
