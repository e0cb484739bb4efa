import { useState } from "react";
import { Action } from "../../parts/Action";
import { Amount } from "../../parts/Amount";
import { Buttons, Sheet } from "../../parts/Sheet";
import { FormError, useFailureText } from "../../parts/states";
import { useKind } from "../../parts/Status";
import { useWords } from "../../words";
import { type Content, isNote } from "./model";

interface Props {
  content: Content;
  due: string;
  onClose: () => void;
  /** Issues the document. The dialog closes if it succeeds. */
  onIssue: () => Promise<void>;
}

/** Says what will be issued, because nothing can undo it. */
export function IssueDialog({ content, due, onClose, onIssue }: Props) {
  const { t } = useWords();
  const kind = useKind();
  const text = useFailureText();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const issue = async () => {
    setBusy(true);
    setError(null);
    try {
      await onIssue();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const name = kind({ type_code: content.typeCode, transaction_code: content.transactionCode });
  return (
    <Sheet title={t("editor_issue_title")} isOpen onClose={() => !busy && onClose()}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        <dt className="text-muted">{t("editor_document")}</dt>
        <dd>{name}</dd>
        <dt className="text-muted">{t("col_client")}</dt>
        <dd><bdi>{content.buyer?.text ?? t("consumer")}</bdi></dd>
        <dt className="text-muted">{t(isNote(content) ? "paper_note_total" : "editor_payable")}</dt>
        <dd className="font-bold"><Amount of={due} currency={content.currency} /></dd>
      </dl>
      <p className="text-muted">{t(isNote(content) ? "editor_issue_fixed_note" : content.transactionCode === "0200000" ? "editor_issue_simplified" : "editor_issue_standard")}</p>
      <FormError>{error ? text(error) : ""}</FormError>
      <Buttons>
        <Action onPress={onClose} isDisabled={busy}>{t("cancel")}</Action>
        <Action look="main" autoFocus onPress={() => void issue()} isPending={busy}>{t(isNote(content) ? "editor_issue_note" : "editor_issue")}</Action>
      </Buttons>
    </Sheet>
  );
}
