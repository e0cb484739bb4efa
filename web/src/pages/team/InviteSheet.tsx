import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { app } from "../../data/client";
import { Action } from "../../parts/Action";
import { Choice } from "../../parts/Choice";
import { Field } from "../../parts/Field";
import { notify } from "../../parts/notify";
import { Buttons, Sheet } from "../../parts/Sheet";
import { FormError, useProblems } from "../../parts/states";
import { type Language, useWords } from "../../words";
import { type Role, roleOf, roles } from "./roles";

/** Invites a person by e-mail. */
export function InviteSheet({ onClose }: { onClose: () => void }) {
  const { t, language: own } = useWords();
  const queries = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("CreateInvoice");
  const [language, setLanguage] = useState<Language>(own);
  const invite = useMutation({
    mutationFn: () => app.POST("/api/invitations/", { body: { email, role, language } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["invitations"] });
      notify(t("team_sent", { email }));
      onClose();
    },
  });
  const problems = useProblems(invite.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <Sheet title={t("team_invite")} isOpen onClose={onClose}>
      <Form onSubmit={submit} validationBehavior="aria" className="grid gap-4">
        <Field label={t("team_email")} help={t("team_invitation_help")} type="email" name="email" value={email} onChange={setEmail} problem={problems.of("email")} isRequired autoFocus ltr />
        <Choice label={t("team_col_role")} help={t(roleOf(role).help)} value={role} onChange={(id) => setRole(id as Role)} options={roles.map(({ id, word }) => ({ id, label: t(word) }))} problem={problems.of("role")} />
        <Choice label={t("team_language")} value={language} onChange={(id) => setLanguage(id as Language)} options={[{ id: "ar", label: t("team_language_ar") }, { id: "en", label: t("team_language_en") }]} />
        <FormError>{problems.rest}</FormError>
        <Buttons>
          <Action onPress={onClose}>{t("cancel")}</Action>
          <Action type="submit" look="main" isDisabled={invite.isPending}>{t("team_send")}</Action>
        </Buttons>
      </Form>
    </Sheet>
  );
}
