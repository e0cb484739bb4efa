import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { app } from "../../data/client";
import { data } from "../../data/queries";
import type { Key, NewKey } from "../../data/settings";
import { Action } from "../../parts/Action";
import { Choice } from "../../parts/Choice";
import { Field } from "../../parts/Field";
import { Buttons, Sheet } from "../../parts/Sheet";
import { FormError, useProblems } from "../../parts/states";
import { Toggle } from "../../parts/Toggle";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

const reading: [string, Word][] = [
  ["invoice.get", "key_scope_invoice_get"],
  ["client.get", "key_scope_client_get"],
  ["item.get", "key_scope_item_get"],
  ["device.get", "key_scope_device_get"],
];
const writing: [string, Word][] = [
  ["invoice.create", "key_scope_invoice_create"],
  ["note.create", "key_scope_note_create"],
  ["client.create", "key_scope_client_create"],
  ["item.create", "key_scope_item_create"],
];

export const roleWords: Record<Key["role"], Word> = { ViewInvoice: "team_role_ViewInvoice", CreateInvoice: "team_role_CreateInvoice", Accountant: "team_role_Accountant" };

/** Creates a key. */
export function KeySheet({ onClose, onCreated }: { onClose: () => void; onCreated: (key: NewKey) => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [title, setTitle] = useState("");
  const [role, setRole] = useState<Key["role"]>("CreateInvoice");
  const [all, setAll] = useState(true);
  const [chosen, setChosen] = useState<string[]>([]);
  const offered = role === "ViewInvoice" ? reading : [...reading, ...writing];
  const scopes = offered.map(([scope]) => scope).filter((scope) => chosen.includes(scope));
  const create = useMutation({
    mutationFn: () => data(app.POST("/api/keys/", { body: { title, role, ...(!all && { scopes }) } })),
    onSuccess: (key) => {
      void queries.invalidateQueries({ queryKey: ["keys"] });
      onCreated(key);
    },
  });
  const problems = useProblems(create.error);
  const [tried, setTried] = useState(false);
  const none = !all && scopes.length === 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!none) create.mutate();
  };
  return (
    <Sheet title={t("key_new")} isOpen onClose={onClose}>
      <Form onSubmit={submit} validationBehavior="aria" className="grid gap-4">
        <Field label={t("key_name")} help={t("key_name_help")} value={title} onChange={setTitle} problem={problems.of("title")} isRequired autoFocus name="title" />
        <Choice label={t("key_role")} value={role} onChange={(id) => setRole(id as Key["role"])} options={Object.entries(roleWords).map(([id, word]) => ({ id, label: t(word) }))} problem={problems.of("role")} />
        <fieldset className="grid gap-2">
          <legend className="pb-2 font-bold">{t("key_scopes")}</legend>
          <Toggle isSelected={all} onChange={setAll}>{t("key_all_scopes")}</Toggle>
          {!all && (
            <div className="grid gap-2 ps-7">
              {offered.map(([scope, word]) => (
                <Toggle key={scope} isSelected={chosen.includes(scope)} onChange={(on) => setChosen(on ? [...chosen, scope] : chosen.filter((c) => c !== scope))}>{t(word)}</Toggle>
              ))}
            </div>
          )}
          <FormError>{tried && none ? t("key_scopes_none") : (problems.of("scopes") ?? "")}</FormError>
        </fieldset>
        <FormError>{problems.rest}</FormError>
        <Buttons>
          <Action onPress={onClose}>{t("cancel")}</Action>
          <Action type="submit" look="main" isDisabled={create.isPending}>{t("key_new")}</Action>
        </Buttons>
      </Form>
    </Sheet>
  );
}
