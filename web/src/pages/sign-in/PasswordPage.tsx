import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { useLocation } from "wouter";
import { app } from "../../data/client";
import { Action } from "../../parts/Action";
import { Card } from "../../parts/Card";
import { Field } from "../../parts/Field";
import { useFailureText } from "../../parts/states";
import { useWords } from "../../words";

/** Sets a new password with the token of a letter, which is in the fragment of the address and so in no log. */
export default function PasswordPage() {
  const { t } = useWords();
  const text = useFailureText();
  const [, navigate] = useLocation();
  const [token] = useState(() => location.hash.slice(1));
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState("");

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setProblem("");
    try {
      await app.POST("/api/password/", { body: { token, password } });
      navigate("/login", { replace: true });
    } catch (error) {
      setProblem(text(error));
    }
  };

  return (
    <Card title={t("new_password")} lead={t("new_password_lead")}>
      <Form onSubmit={(event) => void submit(event)} className="grid gap-4">
        <Field label={t("new_password")} type="password" name="password" autoComplete="new-password" value={password} onChange={setPassword} isRequired autoFocus ltr />
        {problem && <p role="alert" className="whitespace-pre-line text-bad">{problem}</p>}
        <Action type="submit" look="main">{t("save_password")}</Action>
      </Form>
    </Card>
  );
}
