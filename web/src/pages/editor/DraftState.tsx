import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { app } from "../../data/client";
import { data } from "../../data/queries";
import { Action, ActionLink } from "../../parts/Action";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { FormError, useFailureText } from "../../parts/states";
import { useWords } from "../../words";
import type { Draft } from "./model";

/** Says what became of a draft that was shared, and what can be done. */
export function DraftState({ draft, onIssue, reload }: { draft: Draft; onIssue: () => void; reload: () => void }) {
  const { t } = useWords();
  const text = useFailureText();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const withdraw = async () => {
    setError(null);
    try {
      await data(app.DELETE("/api/drafts/{draft_id}/share/", { params: { path: { draft_id: draft.uuid } } }));
      await queries.invalidateQueries({ queryKey: ["drafts"] });
      notify(t("editor_withdrawn"));
      reload();
    } catch (failure) {
      setError(failure);
    }
  };
  const box = (colours: string, children: React.ReactNode, action: React.ReactNode) => (
    <div className={`flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line p-4 ${colours}`}>
      <div className="grid gap-1">{children}<FormError>{error ? text(error) : ""}</FormError></div>
      {action}
    </div>
  );
  switch (draft.state) {
    case "shared":
      return box("bg-wait-tint text-wait", <p>{t("draft_shared_with", { name: draft.recipient?.name ?? "" })}</p>, <Action onPress={() => void withdraw()}>{t("editor_withdraw")}</Action>);
    case "approved":
      return box("bg-good-tint text-good", <p>{t("draft_approved_by", { name: draft.approval?.name ?? "" })} {draft.approval && <Moment at={draft.approval.approved_at} />}</p>, <Action look="main" onPress={onIssue}>{t("editor_issue")}</Action>);
    case "declined":
      return box(
        "bg-bad-tint text-bad",
        <>
          <p className="font-bold">{t("draft_declined_by", { name: draft.decline?.name ?? "" })}</p>
          {draft.decline?.comment && <p><bdi>{draft.decline.comment}</bdi></p>}
        </>,
        <Action onPress={() => void withdraw()}>{t("editor_withdraw")}</Action>,
      );
    case "issued":
      return box("bg-good-tint text-good", <p>{t("draft_issued")}</p>, draft.invoice_uuid && <ActionLink href={`/invoices/${draft.invoice_uuid}`}>{t("open_document")}</ActionLink>);
    default:
      return draft.corrects_uuid ? box("bg-surface", <p>{t("draft_corrects")}</p>, <ActionLink href={`/invoices/${draft.corrects_uuid}`}>{t("draft_rejected_document")}</ActionLink>) : null;
  }
}
