import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { app } from "../../data/client";
import { data } from "../../data/queries";
import { Action } from "../../parts/Action";
import { Choice } from "../../parts/Choice";
import { Copy } from "../../parts/Copy";
import { Field } from "../../parts/Field";
import { Buttons, Sheet } from "../../parts/Sheet";
import { FormError, useProblems } from "../../parts/states";
import { useWords } from "../../words";
import type { Draft } from "./model";

interface Props {
  /** Saves the draft and returns it as stored. */
  save: () => Promise<Draft>;
  recipient: Draft["recipient"];
  onClose: (shared: boolean) => void;
}

/** Sends the draft to the person who approves it. */
export function ShareDialog({ save, recipient, onClose }: Props) {
  const { t, language } = useWords();
  const [name, setName] = useState(recipient?.name ?? "");
  const [email, setEmail] = useState(recipient?.email ?? "");
  const [tongue, setTongue] = useState<string>(recipient?.language ?? language);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [links, setLinks] = useState<{ share_link: string; whatsapp_url: string } | null>(null);
  const problems = useProblems(error);

  const share = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const draft = await save();
      const path = { draft_id: draft.uuid };
      const stored = await data(app.PATCH("/api/drafts/{draft_id}/", { params: { path }, body: { recipient: { name, email, language: tongue === "en" ? "en" : "ar" }, version: draft.version } }));
      setLinks(await data(app.POST("/api/drafts/{draft_id}/share/", { params: { path: { draft_id: stored.uuid } } })));
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Sheet title={t("editor_share")} isOpen onClose={() => onClose(links !== null)}>
      {links ? (
        <>
          <p>{t("editor_shared_text", { email })}</p>
          <p className="rounded-md bg-sunken p-3 text-xs break-all"><bdi dir="ltr">{links.share_link}</bdi></p>
          <Buttons>
            <Copy text={links.share_link} />
            <Action onPress={() => window.open(links.whatsapp_url, "_blank", "noopener")}>{t("editor_whatsapp")}</Action>
            <Action look="main" onPress={() => onClose(true)}>{t("close")}</Action>
          </Buttons>
        </>
      ) : (
        <Form onSubmit={(event) => void share(event)} className="grid gap-4">
          <p className="text-muted">{t("editor_share_text")}</p>
          <Field label={t("editor_recipient_name")} value={name} onChange={setName} isRequired autoFocus problem={problems.of("recipient.name")} />
          <Field label={t("email")} type="email" ltr value={email} onChange={setEmail} isRequired problem={problems.of("recipient.email")} />
          <Choice label={t("editor_recipient_language")} options={[{ id: "ar", label: "العربية" }, { id: "en", label: "English" }]} value={tongue} onChange={setTongue} />
          <FormError>{problems.rest}</FormError>
          <Buttons>
            <Action onPress={() => onClose(false)}>{t("cancel")}</Action>
            <Action type="submit" look="main" isDisabled={busy}>{t("editor_share_send")}</Action>
          </Buttons>
        </Form>
      )}
    </Sheet>
  );
}
