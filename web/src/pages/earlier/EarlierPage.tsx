import { useQueries, useQuery } from "@tanstack/react-query";
import { FileUp, Plus } from "lucide-react";
import { useState } from "react";
import { clientQuery } from "../../data/catalogue";
import { type EarlierInvoice, earlierQuery } from "../../data/imports";
import { Action } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { Count, List, SearchBox, useList } from "../../parts/List";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { useSession } from "../../parts/session";
import { Sheet } from "../../parts/Sheet";
import { type Column, Table } from "../../parts/Table";
import { useWords } from "../../words";
import { EarlierFileForm } from "./EarlierFileForm";
import { EarlierForm } from "./EarlierForm";

/** Invoices of older systems, to which credit and debit notes can refer. */
export default function EarlierPage() {
  const { t, pick } = useWords();
  const { can } = useSession();
  const { search, cursor, set, setSearch } = useList();
  const [open, setOpen] = useState<"one" | "file" | null>(null);
  const list = useQuery(earlierQuery(search, cursor));
  const buyers = [...new Set((list.data?.earlier_invoices ?? []).flatMap((one) => (one.buyer ? [one.buyer] : [])))];
  const clients = useQueries({ queries: buyers.map((id) => clientQuery(id)) });
  const nameOf = (id: string | null) => {
    if (!id) return t("consumer");
    const client = clients.find((one) => one.data?.uuid === id)?.data;
    return client ? pick(client.buyer_name_arabic, client.buyer_name) : "";
  };
  const columns: Column<EarlierInvoice>[] = [
    { title: t("earlier_number"), cell: (one) => <bdi className="font-bold">{one.number}</bdi> },
    { title: t("receipt_client"), cell: (one) => <bdi>{nameOf(one.buyer)}</bdi> },
    { title: t("earlier_kind"), cell: (one) => t(one.simplified ? "kind_388_simplified" : "kind_388"), minor: true },
    { title: t("earlier_date"), cell: (one) => <Moment at={one.issue_date} time={false} />, minor: true },
    { title: t("earlier_left"), cell: (one) => <Amount of={one.amount_left} currency={one.currency} />, number: true, currency: (one) => one.currency, minor: true },
    { title: t("earlier_total"), cell: (one) => <span className="font-bold text-ink"><Amount of={one.total_with_vat} currency={one.currency} /></span>, number: true, currency: (one) => one.currency },
  ];
  return (
    <Page
      title={t("nav_earlier")}
      note={<Count of={list.data} word="n_invoices" />}
      actions={
        can("Accountant") && (
          <>
            <Action onPress={() => setOpen("file")}><FileUp size={16} aria-hidden />{t("earlier_file")}</Action>
            <Action look="main" onPress={() => setOpen("one")}><Plus size={16} aria-hidden />{t("earlier_register")}</Action>
          </>
        )
      }
    >
      <p className="max-w-2xl text-muted">{t("earlier_text")}</p>
      <SearchBox label={t("earlier_search")} value={search} onChange={setSearch} />
      <List query={list} rows={(data) => data.earlier_invoices} empty={{ title: t("earlier_none"), text: t("earlier_none_text") }} filtered={Boolean(search)} cursor={cursor} onCursor={(next) => set({ cursor: next })}>
        {(data) => <Table label={t("nav_earlier")} rows={data.earlier_invoices} columns={columns} keyOf={(one) => one.uuid} />}
      </List>
      <Sheet title={t("earlier_register")} isOpen={open === "one"} onClose={() => setOpen(null)} wide>
        <EarlierForm
          onSaved={(number) => {
            notify(t("earlier_registered", { number }));
            setOpen(null);
          }}
          onCancel={() => setOpen(null)}
        />
      </Sheet>
      <Sheet title={t("earlier_file")} isOpen={open === "file"} onClose={() => setOpen(null)} wide>
        <EarlierFileForm onClose={() => setOpen(null)} />
      </Sheet>
    </Page>
  );
}
