import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-aria-components";
import type { Client } from "../../data/catalogue";
import { creditQuery, type Statement, type StatementLine, statementQuery } from "../../data/payments";
import { Action, ActionLink } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { DateInput } from "../../parts/DateInput";
import { ExportMenu } from "../../parts/ExportMenu";
import { useList } from "../../parts/List";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { PaymentForm } from "../../parts/forms";
import { useSession } from "../../parts/session";
import { Sheet } from "../../parts/Sheet";
import { Empty, ErrorState, LoadingRows } from "../../parts/states";
import { Table } from "../../parts/Table";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

const kinds: Record<StatementLine["kind"], Word> = {
  invoice: "statement_invoice",
  debit_note: "statement_debit_note",
  advance_payment: "statement_advance",
  credit_note: "statement_credit_note",
  payment: "statement_payment",
  payment_reversal: "statement_payment_reversal",
  refund: "statement_refund",
  refund_reversal: "statement_refund_reversal",
};

function pageOf(line: StatementLine): string {
  if (line.kind === "payment" || line.kind === "payment_reversal") return `/payments/receipts/${line.uuid}`;
  if (line.kind === "refund" || line.kind === "refund_reversal") return `/payments/refunds/${line.uuid}`;
  return `/invoices/${line.uuid}`;
}

/** The account of a client: its statement for a period, and its credit. */
export function Account({ of }: { of: Client }) {
  const { t, language } = useWords();
  const { can } = useSession();
  const { params, set } = useList();
  const [paying, setPaying] = useState(false);
  const from = params.get("from") ?? "";
  const to = params.get("to") ?? "";
  const statement = useQuery(statementQuery(of.uuid, from, to));
  const credit = useQuery(creditQuery(of.uuid)).data ?? [];
  const period = new URLSearchParams({ ...(from && { date_from: from }), ...(to && { date_to: to }), language });
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <DateInput label={t("statement_from")} value={from} onChange={(date) => set({ from: date })} />
        <DateInput label={t("statement_to")} value={to} onChange={(date) => set({ to: date })} />
        {(from || to) && <Action onPress={() => set({ from: "", to: "" })}>{t("statement_all")}</Action>}
        <div className="ms-auto flex flex-wrap gap-2">
          <ExportMenu path={(format) => `/app/api/buyers/${of.uuid}/statement/export/?format=${format}&${period}`} />
          <ActionLink href={`/payments?client=${of.uuid}`}>{t("receipt_title")}</ActionLink>
          {can("Accountant") && <Action look="main" onPress={() => setPaying(true)}><Plus size={16} aria-hidden />{t("receipt_record")}</Action>}
        </div>
      </div>
      {credit.length > 0 && <p>{t("statement_credit")} {credit.map((one) => <strong key={one.currency} className="me-3"><Amount of={one.amount} currency={one.currency} /></strong>)}</p>}
      {statement.isPending ? (
        <section className="overflow-hidden rounded-xl border border-line bg-surface"><LoadingRows /></section>
      ) : statement.error ? (
        <ErrorState error={statement.error} retry={() => void statement.refetch()} />
      ) : statement.data.statements.length === 0 ? (
        <section className="rounded-xl border border-line bg-surface"><Empty title={t("statement_none")}>{t("statement_none_text")}</Empty></section>
      ) : (
        statement.data.statements.map((one) => <Lines key={one.currency} of={one} />)
      )}
      <Sheet title={t("receipt_record")} isOpen={paying} onClose={() => setPaying(false)} wide>
        <PaymentForm
          client={of}
          onSaved={(receipt) => {
            notify(t("receipt_recorded", { number: receipt.number }));
            setPaying(false);
          }}
          onCancel={() => setPaying(false)}
        />
      </Sheet>
    </>
  );
}

function Lines({ of }: { of: Statement }) {
  const { t } = useWords();
  const nothing = (amount: string) => (amount === "0.00" ? "" : <Amount of={amount} />);
  const balance = (word: Word, amount: string): [string, ReactNode] => [t(word), <Amount key={word} of={amount} currency={of.currency} />];
  const opening = balance("statement_opening", of.opening_balance);
  const closing = balance("statement_closing", of.closing_balance);
  return (
    <section className="overflow-hidden rounded-xl border border-line bg-surface">
      {of.lines.length === 0 ? (
        <>
          <p className="px-4 py-6 text-muted">{t("statement_no_lines")}</p>
          <p className="flex items-center justify-between gap-4 border-t border-line bg-sunken px-4 py-3"><span>{closing[0]}</span><strong>{closing[1]}</strong></p>
        </>
      ) : (
        <Table
          label={t("statement_title")}
          rows={of.lines}
          keyOf={(line) => line.kind + line.number}
          opening={opening}
          closing={closing}
          columns={[
            { title: t("statement_number"), cell: (line) => <Link href={pageOf(line)} className="rounded-sm font-bold"><bdi>{line.number}</bdi></Link> },
            { title: t("statement_kind"), cell: (line) => t(kinds[line.kind]) },
            { title: t("statement_date"), cell: (line) => <Moment at={line.date} time={false} /> },
            { title: t("statement_due"), cell: (line) => line.due_date && <Moment at={line.due_date} time={false} />, minor: true },
            { title: t("statement_debit"), cell: (line) => nothing(line.debit), number: true, named: true },
            { title: t("statement_credit_column"), cell: (line) => nothing(line.credit), number: true, named: true },
            { title: t("statement_balance"), cell: (line) => <Amount of={line.balance} />, number: true, currency: () => of.currency, minor: true },
          ]}
        />
      )}
    </section>
  );
}
