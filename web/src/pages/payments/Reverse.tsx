import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { paidKeys } from "../../data/payments";
import { EditForm, Incomplete, useFieldProblems } from "../../parts/EditForm";
import { Field } from "../../parts/Field";
import { notify } from "../../parts/notify";
import { Sheet } from "../../parts/Sheet";
import { useWords } from "../../words";

interface Props {
  title: string;
  /** What will happen. */
  text: string;
  isOpen: boolean;
  onClose: () => void;
  reverse: (reason: string) => Promise<unknown>;
}

/** Asks why a receipt or refund is taken back, which nothing can undo. */
export function ReverseSheet(props: Props) {
  return (
    <Sheet title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
      <ReverseForm {...props} />
    </Sheet>
  );
}

function ReverseForm({ title, text, onClose, reverse }: Props) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const save = useMutation({
    mutationFn: async () => {
      if (!reason.trim()) throw new Incomplete({ reason: t("receipt_reason_missing") });
      return reverse(reason.trim());
    },
    onSuccess: () => {
      for (const first of paidKeys) void queries.invalidateQueries({ queryKey: [first] });
      notify(t("receipt_reversed_note"));
      onClose();
    },
  });
  const problems = useFieldProblems(save.error, ["reason"]);
  return (
    <EditForm label={title} onSubmit={() => save.mutate()} onCancel={onClose} isPending={save.isPending} error={save.error} failure={problems.rest} submit={title}>
      <p className="text-muted">{text}</p>
      <Field label={t("receipt_reason")} value={reason} onChange={setReason} problem={problems.of("reason")} rows={2} autoFocus />
    </EditForm>
  );
}
