import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { draftsQuery } from "../../data/queries";
import { ActionLink } from "../../parts/Action";
import { Count, List, useList } from "../../parts/List";
import { Moment } from "../../parts/Moment";
import { Page } from "../../parts/Page";
import { useSession } from "../../parts/session";
import { Table } from "../../parts/Table";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

const states: Record<string, { word: Word; colours: string }> = {
  open: { word: "draft_open", colours: "text-muted" },
  shared: { word: "draft_shared", colours: "text-wait" },
  approved: { word: "draft_approved", colours: "text-good" },
  declined: { word: "draft_declined", colours: "text-bad" },
  issued: { word: "draft_issued", colours: "text-good" },
};

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
        {(data) => (
          <Table
            label={t("nav_drafts")}
            rows={data.drafts}
            keyOf={(draft) => draft.uuid}
            href={(draft) => `/drafts/${draft.uuid}`}
            columns={[
              { title: t("draft_changed"), cell: (draft) => <Moment at={draft.changed_at} /> },
              { title: t("col_status"), cell: (draft) => <span className={states[draft.state]?.colours}>{t(states[draft.state]?.word ?? "draft_open")}</span> },
              { title: t("draft_recipient"), cell: (draft) => <bdi>{draft.recipient?.name ?? ""}</bdi> },
              { title: t("draft_author"), cell: (draft) => <bdi>{draft.created_by}</bdi>, minor: true },
            ]}
          />
        )}
      </List>
    </Page>
  );
}
