import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { clientQuery } from "../../data/catalogue";
import { type Receipt, receiptsQuery } from "../../data/payments";
import { Action } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { Count, List, useList } from "../../parts/List";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { PaymentForm } from "../../parts/forms";
import { useSession } from "../../parts/session";
import { Sheet } from "../../parts/Sheet";
import { type Column, Table } from "../../parts/Table";
import { useWords } from "../../words";
import { useClientNames, useMeans } from "./names";
import { PaymentTabs } from "./PaymentTabs";
import { Reversed } from "./Reversed";

export default function ReceiptsPage() {
  const { t, pick } = useWords();
  const { can } = useSession();
  const { params, cursor, set } = useList();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState(false);
  const buyer = params.get("client") ?? "";
  const client = useQuery({ ...clientQuery(buyer), enabled: Boolean(buyer) }).data;
  const list = useQuery(receiptsQuery({ page_size: 20, ...(buyer && { buyer }), ...(cursor && { cursor }) }));
  const nameOf = useClientNames(list.data?.receipts ?? []);
  const meansOf = useMeans();
  const columns: Column<Receipt>[] = [
    { title: t("receipt_number"), cell: (one) => <><bdi>{one.number}</bdi>{one.reversal && <Reversed />}</> },
    { title: t("receipt_client"), cell: (one) => <bdi>{nameOf(one.buyer)}</bdi> },
    { title: t("receipt_date"), cell: (one) => <Moment at={one.received_on} time={false} />, minor: true },
    { title: t("receipt_means"), cell: (one) => meansOf(one.payment_means_type_code), minor: true },
    { title: t("receipt_credit_left"), cell: (one) => (one.unallocated === "0.00" ? "" : <Amount of={one.unallocated} currency={one.currency} />), number: true, currency: (one) => one.currency, minor: true },
    { title: t("receipt_amount"), cell: (one) => <span className={one.reversal ? "text-muted line-through" : "font-bold text-ink"}><Amount of={one.amount} currency={one.currency} /></span>, number: true, currency: (one) => one.currency },
  ];
  const record = can("Accountant") && <Action look="main" onPress={() => setOpen(true)}><Plus size={16} aria-hidden />{t("receipt_record")}</Action>;
  return (
    <Page title={t("nav_payments")} note={<Count of={list.data} word="n_receipts" />} actions={record}>
      <PaymentTabs current="/payments" />
      {client && (
        <p className="flex flex-wrap items-center gap-3 text-muted">
          <span>{t("receipt_of_client", { name: pick(client.buyer_name_arabic, client.buyer_name) })}</span>
          <Action onPress={() => set({ client: "" })}>{t("receipt_all_clients")}</Action>
        </p>
      )}
      <List query={list} rows={(data) => data.receipts} empty={{ title: t("receipt_none"), text: t("receipt_none_text") }} filtered={Boolean(buyer)} cursor={cursor} onCursor={(next) => set({ cursor: next })}>
        {(data) => <Table label={t("receipt_title")} rows={data.receipts} columns={columns} keyOf={(one) => one.uuid} href={(one) => `/payments/receipts/${one.uuid}`} />}
      </List>
      <Sheet title={t("receipt_record")} isOpen={open} onClose={() => setOpen(false)} wide>
        <PaymentForm
          {...(client && { client })}
          onSaved={(receipt) => {
            notify(t("receipt_recorded", { number: receipt.number }));
            navigate(`/payments/receipts/${receipt.uuid}`);
          }}
          onCancel={() => setOpen(false)}
        />
      </Sheet>
    </Page>
  );
}
