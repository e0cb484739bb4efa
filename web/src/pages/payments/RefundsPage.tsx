import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { type Refund, refundsQuery } from "../../data/payments";
import { Action } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { Count, List, useList } from "../../parts/List";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { RefundForm } from "../../parts/forms";
import { useSession } from "../../parts/session";
import { Sheet } from "../../parts/Sheet";
import { type Column, Table } from "../../parts/Table";
import { useWords } from "../../words";
import { useDocuments, useMeans } from "./names";
import { PaymentTabs } from "./PaymentTabs";
import { Reversed } from "./Reversed";

export default function RefundsPage() {
  const { t, pick } = useWords();
  const { can } = useSession();
  const { cursor, set } = useList();
  const [open, setOpen] = useState(false);
  const list = useQuery(refundsQuery({ page_size: 20, ...(cursor && { cursor }) }));
  const documentOf = useDocuments((list.data?.refunds ?? []).map((one) => one.invoice));
  const meansOf = useMeans();
  const clientOf = (one: Refund) => {
    const buyer = documentOf(one.invoice)?.buyer;
    return buyer ? pick(buyer.buyer_name_arabic, buyer.buyer_name) : documentOf(one.invoice) ? t("consumer") : "";
  };
  const columns: Column<Refund>[] = [
    { title: t("receipt_number"), cell: (one) => <><bdi>{one.number}</bdi>{one.reversal && <Reversed />}</> },
    { title: t("refund_note"), cell: (one) => <bdi>{documentOf(one.invoice)?.ref_num}</bdi>, minor: true },
    { title: t("receipt_client"), cell: (one) => <bdi>{clientOf(one)}</bdi> },
    { title: t("refund_date"), cell: (one) => <Moment at={one.paid_on} time={false} />, minor: true },
    { title: t("receipt_means"), cell: (one) => meansOf(one.payment_means_type_code), minor: true },
    { title: t("receipt_amount"), cell: (one) => <span className={one.reversal ? "text-muted line-through" : "font-bold text-ink"}><Amount of={one.amount} currency={one.currency} /></span>, number: true, currency: (one) => one.currency },
  ];
  return (
    <Page title={t("nav_payments")} note={<Count of={list.data} word="n_refunds" />} actions={can("Accountant") && <Action look="main" onPress={() => setOpen(true)}><Plus size={16} aria-hidden />{t("refund_record")}</Action>}>
      <PaymentTabs current="/payments/refunds" />
      <List query={list} rows={(data) => data.refunds} empty={{ title: t("refund_none"), text: t("refund_none_text") }} filtered={false} cursor={cursor} onCursor={(next) => set({ cursor: next })}>
        {(data) => <Table label={t("refund_title")} rows={data.refunds} columns={columns} keyOf={(one) => one.uuid} href={(one) => `/payments/refunds/${one.uuid}`} />}
      </List>
      <Sheet title={t("refund_record")} isOpen={open} onClose={() => setOpen(false)} wide>
        <RefundForm
          onSaved={(refund) => {
            notify(t("refund_recorded", { number: refund.number }));
            setOpen(false);
          }}
          onCancel={() => setOpen(false)}
        />
      </Sheet>
    </Page>
  );
}
