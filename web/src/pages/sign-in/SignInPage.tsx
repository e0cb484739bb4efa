import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
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

export default function SignInPage() {
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

  const enter = async (open: () => Promise<unknown>) => {
    setBusy(true);
    setProblem("");
    try {
      await open();
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void enter(() => app.POST("/api/session/", { body: { email, password, code: second ? code : null } }));
  };

  // The token of a link is in the fragment, which is sent to no server. It works once, so it is removed from the address.
  const used = useRef(false);
  useEffect(() => {
    const token = location.hash.slice(1);
    if (!token || used.current) return;
    used.current = true;
    history.replaceState(history.state, "", location.pathname + location.search);
    void enter(() => app.POST("/api/session/link/", { body: { token } }));
  });

  return (
    <Card title={t("sign_in")} lead={t("sign_in_lead")}>
      <Form onSubmit={submit} className="grid gap-4">
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
