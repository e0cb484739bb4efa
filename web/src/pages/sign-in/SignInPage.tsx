import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Form, Link } from "react-aria-components";
import { useLocation, useSearchParams } from "wouter";
import { app, Failure, signedIn } from "../../data/client";
import { sessionQuery } from "../../data/queries";
import { setUpQuery } from "../../data/setup";
import { Action } from "../../parts/Action";
import { Card } from "../../parts/Card";
import { Field } from "../../parts/Field";
import { useFailureText } from "../../parts/states";
import { useWords } from "../../words";

/** A page of this app to continue with, never another site. */
function inside(to: string | null): string {
  return to && /^\/(?![/\\])/.test(to) ? to : "/";
}

export function SignInPage() {
  const { t } = useWords();
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const queries = useQueryClient();
  const text = useFailureText();
  const setUp = useQuery(setUpQuery);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [second, setSecond] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem("");
    try {
      await app.POST("/api/session/", { body: { email, password, code: second ? code : null } });
      signedIn.set();
      queries.clear();
      await queries.prefetchQuery(sessionQuery);
      navigate(inside(params.get("to")), { replace: true });
    } catch (error) {
      if (error instanceof Failure && error.code === "second_factor_required") setSecond(true);
      else setProblem(text(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Card title={t("sign_in")} lead={t("sign_in_lead")}>
      <Form onSubmit={(event) => void submit(event)} className="grid gap-4">
        <Field label={t("email")} type="email" name="email" autoComplete="username" value={email} onChange={setEmail} isRequired autoFocus ltr />
        <Field label={t("password")} type="password" name="password" autoComplete="current-password" value={password} onChange={setPassword} isRequired ltr />
        {second && <Field label={t("second_factor")} help={t("second_factor_help")} name="code" autoComplete="one-time-code" value={code} onChange={setCode} isRequired autoFocus ltr />}
        {problem && <p role="alert" className="whitespace-pre-line text-bad">{problem}</p>}
        <Action type="submit" look="main" isDisabled={busy}>{t("sign_in")}</Action>
        <Link href="/forgotten" className="justify-self-start rounded-md text-accent underline underline-offset-4">{t("forgotten")}</Link>
        {setUp.data?.signup === "open" && <Link href="/signup" className="justify-self-start rounded-md text-accent underline underline-offset-4">{t("signup_link")}</Link>}
      </Form>
    </Card>
  );
}
