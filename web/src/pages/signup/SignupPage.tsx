import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Form, Link } from "react-aria-components";
import { useLocation } from "wouter";
import { app, signedIn } from "../../data/client";
import { data, sessionQuery } from "../../data/queries";
import { setUpQuery } from "../../data/setup";
import { Action } from "../../parts/Action";
import { Card } from "../../parts/Card";
import { Field } from "../../parts/Field";
import { useFocusProblem } from "../../parts/focus";
import { emptyOrganisation, newOrganisation, OrganisationFields, organisationPaths, organisationProblems } from "../../parts/OrganisationFields";
import { ErrorState, FormError, Loading, useProblems } from "../../parts/states";
import { useToken } from "../../parts/token";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

/** Asks for the link of a sign-up, or completes one with it. */
export default function SignupPage() {
  const { t } = useWords();
  const [token, forget] = useToken("signup");
  const setUp = useQuery(setUpQuery);
  if (setUp.isPending) return <Loading />;
  if (setUp.error) return <ErrorState page error={setUp.error} retry={() => void setUp.refetch()} />;
  if (setUp.data.signup !== "open") return <Card title={t("signup_title")} lead={t("signup_closed")}><ToSignIn /></Card>;
  return token ? <Complete token={token} onUsed={forget} /> : <Ask />;
}

function ToSignIn() {
  const { t } = useWords();
  return <Link href="/login" className="justify-self-start rounded-md text-accent underline underline-offset-4">{t("back_to_sign_in")}</Link>;
}

function Ask() {
  const { t, language } = useWords();
  const [email, setEmail] = useState("");
  const ask = useMutation({ mutationFn: () => data(app.POST("/api/signup/", { body: { email: email.trim(), language } })) });
  const problems = useProblems(ask.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  return (
    <Card title={t("signup_title")} lead={t("signup_lead")}>
      <Form validationBehavior="aria" onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Field label={t("email")} name="email" type="email" autoComplete="username" value={email} onChange={setEmail} problem={problems.of("email")} isRequired autoFocus ltr />
        <FormError>{problems.rest}</FormError>
        {ask.isSuccess && <p role="status" className="text-good">{t("signup_sent")}</p>}
        <Action type="submit" look="main" isDisabled={ask.isPending}>{t("signup_send")}</Action>
        <ToSignIn />
      </Form>
    </Card>
  );
}

function Complete({ token, onUsed }: { token: string; onUsed: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [organisation, setOrganisation] = useState(emptyOrganisation);
  const [checked, setChecked] = useState<Record<string, Word>>({});
  const complete = useMutation({
    mutationFn: async () => {
      await data(app.POST("/api/signup/complete/", { body: { token, account: { name: name.trim() || null, password }, organisation: newOrganisation(organisation) } }));
      signedIn.set();
    },
    onSuccess: async () => {
      queries.clear();
      await queries.prefetchQuery(sessionQuery);
      onUsed();
      navigate("/setup", { replace: true });
    },
  });
  const problems = useProblems(complete.error, organisationPaths);
  useFocusProblem(checked, complete.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = organisationProblems(organisation);
    setChecked(found);
    if (Object.keys(found).length === 0) complete.mutate();
  };
  const problem = (field: string) => {
    const word = checked[field];
    return word ? t(word) : problems.of(`organisation.${field}`);
  };
  return (
    <Card title={t("signup_complete_title")} lead={t("signup_complete_lead")} wide>
      <Form validationBehavior="aria" onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
          <Field label={t("setup_name")} name="name" autoComplete="name" value={name} onChange={setName} problem={problems.of("account.name")} autoFocus />
          <Field label={t("password")} help={!problems.of("account.password") && t("setup_password_help")} name="password" type="password" autoComplete="new-password" value={password} onChange={setPassword} problem={problems.of("account.password")} isRequired ltr />
        </div>
        <OrganisationFields value={organisation} onChange={setOrganisation} problem={problem} />
        <FormError>{problems.rest}</FormError>
        <Action type="submit" look="main" isDisabled={complete.isPending}>{t("setup_create")}</Action>
      </Form>
    </Card>
  );
}
