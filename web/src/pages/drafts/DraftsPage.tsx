import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { draftsQuery } from "../../data/queries";
import { ActionLink } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { Count, List, useList } from "../../parts/List";
import { Moment } from "../../parts/Moment";
import { Page } from "../../parts/Page";
import { useSession } from "../../parts/session";
import { useKind } from "../../parts/Status";
import { type Column, Table } from "../../parts/Table";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

const states: Record<string, { word: Word; colours: string }> = {
  open: { word: "draft_open", colours: "text-muted" },
  shared: { word: "draft_shared", colours: "text-wait" },
  approved: { word: "draft_approved", colours: "text-good" },
  declined: { word: "draft_declined", colours: "text-bad" },
  issued: { word: "draft_issued", colours: "text-good" },
};

/** A draft as it is listed. What it contains is absent if nobody has written it yet, or if the server does not tell. */
interface Listed {
  uuid: string;
  state: string;
  changed_at: string;
  created_by: string;
  recipient: { name: string } | null;
  type_code?: number | null;
  transaction_code?: string | null;
  buyer_name?: string | null;
  buyer_name_arabic?: string | null;
  currency?: string | null;
  line_count?: number | null;
  payable_amount?: string | null;
}

/** The documents that are being written or wait for an approval. */
export default function DraftsPage() {
  const { t } = useWords();
  const { can } = useSession();
  const { cursor, set } = useList();
  const drafts = useQuery(draftsQuery({ page_size: 25, ...(cursor && { cursor }) }));
  const create = can("CreateInvoice") && <ActionLink look="main" href="/drafts/new"><Plus size={16} aria-hidden />{t("editor_new")}</ActionLink>;
  return (
    <Page title={t("nav_drafts")} note={<Count of={drafts.data} word="n_drafts" />} actions={create}>
      <List query={drafts} rows={(data) => data.drafts} empty={{ title: t("draft_none"), text: t("draft_none_text"), action: create }} filtered={false} cursor={cursor} onCursor={(cursor) => set({ cursor })}>
        {(data) => <Rows of={data.drafts} />}
      </List>
    </Page>
  );
}

function Rows({ of: rows }: { of: Listed[] }) {
  const { t, n, pick } = useWords();
  const kind = useKind();
  const status: Column<Listed> = { title: t("col_status"), cell: (draft) => <span className={states[draft.state]?.colours}>{t(states[draft.state]?.word ?? "draft_open")}</span> };
  const changed: Column<Listed> = { title: t("draft_changed"), cell: (draft) => <Moment at={draft.changed_at} /> };
  const recipient: Column<Listed> = { title: t("draft_recipient"), cell: (draft) => <bdi>{draft.recipient?.name ?? ""}</bdi> };
  const author: Column<Listed> = { title: t("draft_author"), cell: (draft) => <bdi>{draft.created_by}</bdi>, minor: true };
  const content: Column<Listed>[] = [
    { title: t("editor_document"), cell: (draft) => (draft.type_code ? kind({ type_code: draft.type_code, transaction_code: draft.transaction_code ?? "" }) : t("draft_untitled")) },
    { title: t("col_client"), cell: (draft) => <bdi>{pick(draft.buyer_name_arabic, draft.buyer_name)}</bdi> },
    { title: t("editor_lines"), cell: (draft) => (typeof draft.line_count === "number" ? n("n_lines", draft.line_count) : ""), minor: true },
    { title: t("editor_total"), cell: (draft) => draft.payable_amount && <Amount of={draft.payable_amount} currency={draft.currency ?? "SAR"} />, number: true },
  ];
  const told = rows.some((draft) => draft.type_code !== undefined);
  return <Table label={t("nav_drafts")} rows={rows} keyOf={(draft) => draft.uuid} href={(draft) => `/drafts/${draft.uuid}`} columns={told ? [...content, status, { ...changed, minor: true }, { ...recipient, minor: true }] : [changed, status, recipient, author]} />;
}
