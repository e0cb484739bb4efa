import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { app } from "../../data/client";
import type { Reason } from "../../data/settings";
import { Action } from "../../parts/Action";
import { westernNumber } from "../../parts/decimal";
import { Field } from "../../parts/Field";
import { notify } from "../../parts/notify";
import { Buttons, Sheet } from "../../parts/Sheet";
import { FormError, useProblems } from "../../parts/states";
import { useWords } from "../../words";

/** Creates or changes a reason. */
export function ReasonSheet({ of, onClose }: { of: Reason | null; onClose: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [description, setDescription] = useState(of?.description ?? "");
  const [days, setDays] = useState(of?.due_days === null || !of ? "" : String(of.due_days));
  const [wrong, setWrong] = useState("");
  const save = useMutation({
    mutationFn: async () => {
      const due_days = days === "" ? null : Number(days);
      if (of) await app.PATCH("/api/reasons/{reason_id}/", { params: { path: { reason_id: of.uuid } }, body: { description, due_days } });
      else await app.POST("/api/reasons/", { body: { description, due_days } });
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["reasons"] });
      notify(t("saved"));
      onClose();
    },
  });
  const problems = useProblems(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const valid = days === "" || (/^\d{1,3}$/.test(days) && Number(days) <= 365);
    setWrong(valid ? "" : t("reason_days_wrong"));
    if (valid) save.mutate();
  };
  return (
    <Sheet title={t(of ? "reason_edit" : "reason_new")} isOpen onClose={onClose}>
      <Form onSubmit={submit} validationBehavior="aria" className="grid gap-4">
        <Field label={t("reason_text")} help={of ? t("reason_edit_note") : t("reason_text_help")} name="description" value={description} onChange={setDescription} problem={problems.of("description")} isRequired autoFocus />
        <Field label={`${t("reason_days")} (${t("optional")})`} help={t("reason_days_help")} name="due_days" inputMode="numeric" value={days} onChange={(text) => setDays(westernNumber(text))} problem={wrong || problems.of("due_days")} ltr />
        <FormError>{problems.rest}</FormError>
        <Buttons>
          <Action onPress={onClose}>{t("cancel")}</Action>
          <Action type="submit" look="main" isDisabled={save.isPending}>{t("save")}</Action>
        </Buttons>
      </Form>
    </Sheet>
  );
}
