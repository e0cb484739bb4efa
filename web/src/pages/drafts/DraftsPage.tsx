import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type DraftRow, draftsQuery } from "../../data/queries";
import { ActionLink } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { Choice } from "../../parts/Choice";
import { Count, List, SearchBox, useList } from "../../parts/List";
import { Mark } from "../../parts/Mark";
import { Moment } from "../../parts/Moment";
import { Page } from "../../parts/Page";
import { useKind } from "../../parts/Status";
import { useSession } from "../../parts/session";
import { Table } from "../../parts/Table";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

const states: Record<DraftRow["state"], { word: Word; look: "good" | "wait" | "bad" | "open" }> = {
  open: { word: "draft_open", look: "open" },
  shared: { word: "draft_shared", look: "wait" },
  approved: { word: "draft_approved", look: "good" },
  declined: { word: "draft_declined", look: "bad" },
  issued: { word: "draft_issued", look: "good" },
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
  const kindOf = (draft: DraftRow) => draft.type_code && draft.transaction_code && kind({ type_code: draft.type_code, transaction_code: draft.transaction_code });
  return (
    <Page title={t("nav_drafts")} note={<Count of={drafts.data} word="n_drafts" />} actions={create}>
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox label={t("draft_search")} value={search} onChange={setSearch} />
        <Choice label={t("col_status")} hideLabel compact options={[{ id: "unissued", label: t("draft_unissued") }, ...Object.entries(states).map(([id, { word }]) => ({ id, label: t(word) }))]} value={state ?? "unissued"} onChange={(id) => set({ state: id === "unissued" ? "" : id })} />
      </div>
      <List query={drafts} rows={(data) => data.drafts} empty={{ title: t("draft_none"), text: t("draft_none_text") }} filtered={Boolean(search || state)} cursor={cursor} onCursor={(cursor) => set({ cursor })} tall>
        {(data) => (
          <Table
            label={t("nav_drafts")}
            rows={data.drafts}
            keyOf={(draft) => draft.uuid}
            href={(draft) => `/drafts/${draft.uuid}`}
            columns={[
              { title: t("editor_document"), cell: (draft) => <><bdi>{pick(draft.buyer_name_arabic, draft.buyer_name) || t("draft_no_client")}</bdi> <span className="block text-xs font-normal text-muted">{kindOf(draft)}</span></> },
              { title: t("col_status"), cell: (draft) => <Mark look={states[draft.state].look}>{t(states[draft.state].word)}</Mark> },
              { title: t("draft_changed"), cell: (draft) => <Moment at={draft.changed_at} />, minor: true },
              { title: t("draft_author"), cell: (draft) => <bdi>{draft.created_by}</bdi>, minor: true },
              { title: t("editor_payable"), cell: (draft) => draft.payable_amount && <Amount of={draft.payable_amount} currency={draft.currency ?? ""} />, number: true, currency: (draft) => (draft.payable_amount && draft.currency) || "" },
            ]}
          />
        )}
      </List>
    </Page>
  );
}
