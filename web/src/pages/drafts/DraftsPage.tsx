import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type DraftRow, draftsQuery } from "../../data/queries";
import { ActionLink } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { Choice } from "../../parts/Choice";
import { Count, List, SearchBox, useList } from "../../parts/List";
import { Moment } from "../../parts/Moment";
import { Page } from "../../parts/Page";
import { useKind } from "../../parts/Status";
import { useSession } from "../../parts/session";
import { Table } from "../../parts/Table";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

const states: Record<DraftRow["state"], { word: Word; colours: string }> = {
  open: { word: "draft_open", colours: "text-muted" },
  shared: { word: "draft_shared", colours: "text-wait" },
  approved: { word: "draft_approved", colours: "text-good" },
  declined: { word: "draft_declined", colours: "text-bad" },
  issued: { word: "draft_issued", colours: "text-good" },
};

const unissued: DraftRow["state"][] = ["open", "shared", "approved", "declined"];

/** The documents that are being written or wait for an approval. */
export default function DraftsPage() {
  const { t, pick } = useWords();
  const { can } = useSession();
  const kind = useKind();
  const { params, search, cursor, set, setSearch } = useList();
  const state = (Object.keys(states) as DraftRow["state"][]).find((one) => one === params.get("state"));
  const drafts = useQuery(draftsQuery({ page_size: 25, state: state ? [state] : unissued, ...(search && { search_text: search }), ...(cursor && { cursor }) }));
  const create = can("CreateInvoice") && <ActionLink look="main" href="/drafts/new"><Plus size={16} aria-hidden />{t("editor_new")}</ActionLink>;
  const name = (draft: DraftRow) => {
    const client = pick(draft.buyer_name_arabic, draft.buyer_name) || t("draft_no_client");
    return draft.type_code && draft.transaction_code ? `${client} · ${kind({ type_code: draft.type_code, transaction_code: draft.transaction_code })}` : client;
  };
  return (
    <Page title={t("nav_drafts")} note={<Count of={drafts.data} word="n_drafts" />} actions={create}>
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox label={t("draft_search")} value={search} onChange={setSearch} />
        <Choice label={t("col_status")} hideLabel compact options={[{ id: "unissued", label: t("draft_unissued") }, ...Object.entries(states).map(([id, { word }]) => ({ id, label: t(word) }))]} value={state ?? "unissued"} onChange={(id) => set({ state: id === "unissued" ? "" : id })} />
      </div>
      <List query={drafts} rows={(data) => data.drafts} empty={{ title: t("draft_none"), text: t("draft_none_text") }} filtered={Boolean(search || state)} cursor={cursor} onCursor={(cursor) => set({ cursor })}>
        {(data) => (
          <Table
            label={t("nav_drafts")}
            rows={data.drafts}
            keyOf={(draft) => draft.uuid}
            href={(draft) => `/drafts/${draft.uuid}`}
            columns={[
              { title: t("editor_document"), cell: (draft) => <bdi>{name(draft)}</bdi> },
              { title: t("col_status"), cell: (draft) => <span className={states[draft.state].colours}>{t(states[draft.state].word)}</span> },
              { title: t("draft_changed"), cell: (draft) => <Moment at={draft.changed_at} />, minor: true },
              { title: t("draft_author"), cell: (draft) => <bdi>{draft.created_by}</bdi>, minor: true },
              { title: t("editor_payable"), cell: (draft) => draft.payable_amount && <Amount of={draft.payable_amount} currency={draft.currency ?? ""} />, number: true },
            ]}
          />
        )}
      </List>
    </Page>
  );
}
