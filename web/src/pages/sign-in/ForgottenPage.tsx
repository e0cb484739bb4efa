import { type FormEvent, useState } from "react";
import { Form, Link } from "react-aria-components";
import { app } from "../../data/client";
import { Action } from "../../parts/Action";
import { Card } from "../../parts/Card";
import { Field } from "../../parts/Field";
import { useFailureText } from "../../parts/states";
import { useWords } from "../../words";

export default function ForgottenPage() {
  const { t } = useWords();
  const text = useFailureText();
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState(false);
  const [problem, setProblem] = useState("");

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblem("");
    try {
      await app.POST("/api/password/reset/", { body: { email } });
      setSent(true);
    } catch (error) {
      setProblem(text(error));
    }
  };

  return (
    <Card title={t("forgotten")} lead={t("forgotten_lead")}>
      <Form onSubmit={(event) => void submit(event)} className="grid gap-4">
        <Field label={t("email")} type="email" name="email" autoComplete="username" value={email} onChange={setEmail} isRequired autoFocus ltr />
        {problem && <p role="alert" className="whitespace-pre-line text-bad">{problem}</p>}
        {sent && <p role="status" className="text-good">{t("link_sent")}</p>}
        <Action type="submit" look="main">{t("send_link")}</Action>
        <Link href="/login" className="justify-self-start rounded-md text-accent underline underline-offset-4">{t("back_to_sign_in")}</Link>
      </Form>
    </Card>
  );
}
