import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { v1 } from "../../data/client";
import { notesQuery } from "../../data/invoices";
import { Action } from "../../parts/Action";
import { Field } from "../../parts/Field";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { Panel } from "../../parts/Panel";
import { useSession } from "../../parts/session";
import { Buttons, Sheet } from "../../parts/Sheet";
import { FormError, useFailureText, useProblems } from "../../parts/states";
import { useWords } from "../../words";

/** The notes of the organisation on a document. */
export function Notes({ id }: { id: string }) {
  const { t } = useWords();
  const { can } = useSession();
  const text = useFailureText();
  const [open, setOpen] = useState(false);
  const notes = useQuery(notesQuery(id));
  return (
    <Panel title={t("inv_notes")}>
      {notes.error && <p role="alert" className="p-4 text-bad">{text(notes.error)}</p>}
      {notes.data?.notes.length === 0 && <p className="px-4 pt-3 text-muted">{t("inv_notes_empty")}</p>}
      <ul className="divide-y divide-line">
        {notes.data?.notes.map((note) => (
          <li key={note.uuid} className="px-4 py-3">
            <p className="font-bold break-words"><bdi>{note.title}</bdi></p>
            <p dir="auto" className="break-words whitespace-pre-line">{note.details}</p>
            <p className="text-xs text-muted"><Moment at={note.created_at} /> · <bdi>{note.created_by}</bdi></p>
          </li>
        ))}
      </ul>
      {can("CreateInvoice") && <div className="p-4"><Action onPress={() => setOpen(true)}>{t("inv_note_add")}</Action></div>}
      <Sheet title={t("inv_note_add")} isOpen={open} onClose={() => setOpen(false)}><Form id={id} onDone={() => setOpen(false)} /></Sheet>
    </Panel>
  );
}

function Form({ id, onDone }: { id: string; onDone: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [title, setTitle] = useState("");
  const [details, setDetails] = useState("");
  const add = useMutation({
    mutationFn: () => v1.POST("/api/invoices/{invoice_id}/notes/", { params: { path: { invoice_id: id } }, body: { title, details } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["invoice", id, "notes"] });
      notify(t("inv_note_added"));
      onDone();
    },
  });
  const problems = useProblems(add.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field label={t("inv_note_title")} value={title} onChange={setTitle} problem={problems.of("title")} autoFocus />
      <Field label={t("inv_note_text")} value={details} onChange={setDetails} problem={problems.of("details")} rows={4} />
      <FormError>{problems.rest}</FormError>
      <Buttons>
        <Action onPress={onDone}>{t("cancel")}</Action>
        <Action type="submit" look="main" isDisabled={add.isPending}>{t("inv_note_add")}</Action>
      </Buttons>
    </form>
  );
}
