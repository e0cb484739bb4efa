import { useQuery } from "@tanstack/react-query";
import { ageingQuery, type Owed } from "../../data/payments";
import { Amount } from "../../parts/Amount";
import { ExportMenu } from "../../parts/ExportMenu";
import { List, useList } from "../../parts/List";
import { Moment } from "../../parts/Moment";
import { Page } from "../../parts/Page";
import { type Column, Table } from "../../parts/Table";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";
import { PaymentTabs } from "./PaymentTabs";

const ages: [keyof Omit<Owed, "currency" | "total">, Word][] = [
  ["not_due", "ageing_not_due"],
  ["days_1_30", "ageing_30"],
  ["days_31_60", "ageing_60"],
  ["days_61_90", "ageing_90"],
  ["over_90", "ageing_over"],
];

interface Row extends Owed {
  key: string;
  buyer: string;
  name: string;
  credit: string;
}

/** What clients owe, by the days since it was due. */
export default function AgeingPage() {
  const { t, pick, language } = useWords();
  const { cursor, set } = useList();
  const list = useQuery(ageingQuery(cursor));
  const columns: Column<Row>[] = [
    { title: t("receipt_client"), cell: (row) => <bdi>{row.name}</bdi> },
    ...ages.map(([name, word]): Column<Row> => ({ title: t(word), cell: (row) => (row[name] === "0.00" ? "" : <Amount of={row[name]} />), number: true, minor: true })),
    { title: t("ageing_credit"), cell: (row) => (row.credit === "0.00" ? "" : <Amount of={row.credit} />), number: true, minor: true },
    { title: t("ageing_total"), cell: (row) => <span className="font-bold text-ink"><Amount of={row.total} currency={row.currency} /></span>, number: true, currency: (row) => row.currency },
  ];
  return (
    <Page
      title={t("nav_payments")}
      note={list.data && <>{t("ageing_as_of")} <Moment at={list.data.as_of} time={false} /></>}
      actions={<ExportMenu path={(format) => `/app/api/ageing/export/?format=${format}&language=${language}`} />}
    >
      <PaymentTabs current="/payments/ageing" />
      {list.data?.totals.map((total) => <Totals key={total.currency} of={total} />)}
      <List query={list} rows={(data) => data.clients} empty={{ title: t("ageing_none"), text: t("ageing_none_text") }} filtered={false} cursor={cursor} onCursor={(next) => set({ cursor: next })}>
        {(data) => (
          <Table
            label={t("ageing_title")}
            rows={data.clients.flatMap((client) => client.owed.map((owed): Row => ({ ...owed, key: client.buyer + owed.currency, buyer: client.buyer, name: pick(client.buyer_name_arabic, client.buyer_name) })))}
            columns={columns}
            keyOf={(row) => row.key}
            href={(row) => `/clients/${row.buyer}/statement`}
          />
        )}
      </List>
    </Page>
  );
}

/** The sums of all clients in one currency. */
function Totals({ of }: { of: Owed }) {
  const { t } = useWords();
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 rounded-xl border border-line bg-surface p-4 sm:grid-cols-3 lg:grid-cols-6">
      {([["total", "ageing_all"], ...ages] as [keyof Owed, Word][]).map(([name, word]) => (
        <div key={name}>
          <dt className="text-xs text-muted">{t(word)}</dt>
          <dd className={name === "total" ? "text-lg font-bold" : name === "over_90" && of.over_90 !== "0.00" ? "text-lg text-bad" : "text-lg"}><Amount of={of[name]} {...(name === "total" && { currency: of.currency })} /></dd>
        </div>
      ))}
    </dl>
  );
}
