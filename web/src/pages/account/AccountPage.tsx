import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Form } from "react-aria-components";
import { useLocation } from "wouter";
import { app, signedIn } from "../../data/client";
import { sessionQuery } from "../../data/queries";
import { Action } from "../../parts/Action";
import { Field } from "../../parts/Field";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { Panel } from "../../parts/Panel";
import { Buttons } from "../../parts/Sheet";
import { useSession } from "../../parts/session";
import { FormError, useFailureText, useProblems } from "../../parts/states";
import { useWords } from "../../words";
import { SecondFactor } from "./SecondFactor";

export default function AccountPage() {
  const { t } = useWords();
  return (
    <Page title={t("person_title")}>
      <div className="grid max-w-2xl grid-cols-[minmax(0,1fr)] gap-5">
        <Name />
        <Password />
        <SecondFactor />
        <Sessions />
      </div>
    </Page>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return <Panel title={title}><div className="grid gap-4 p-4">{children}</div></Panel>;
}

function Name() {
  const { t } = useWords();
  const { session } = useSession();
  const queries = useQueryClient();
  const [name, setName] = useState(session.person.name);
  const save = useMutation({
    mutationFn: () => app.PATCH("/api/person/", { body: { name } }),
    onSuccess: async () => {
      await queries.invalidateQueries(sessionQuery);
      notify(t("saved"));
    },
  });
  const problems = useProblems(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Part title={t("person_data")}>
      <Form onSubmit={submit} validationBehavior="aria" className="grid gap-4">
        <Field label={t("person_email")} help={t("person_email_help")} value={session.person.email} isReadOnly ltr />
        <Field label={t("person_name")} name="name" autoComplete="name" value={name} onChange={setName} problem={problems.of("name")} isRequired />
        <FormError>{problems.rest}</FormError>
        <Buttons><Action type="submit" look="main" isDisabled={save.isPending}>{t("save")}</Action></Buttons>
      </Form>
    </Part>
  );
}

function Password() {
  const { t } = useWords();
  const { session } = useSession();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const save = useMutation({
    mutationFn: () => app.POST("/api/person/password/", { body: { current_password: current, new_password: next } }),
    onSuccess: () => {
      setCurrent("");
      setNext("");
      notify(t("person_changed"));
    },
  });
  const problems = useProblems(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Part title={t("person_password")}>
      <p className="text-muted">{t("person_password_lead")}</p>
      <Form onSubmit={submit} validationBehavior="aria" className="grid gap-4">
        <input type="text" name="username" autoComplete="username" value={session.person.email} readOnly hidden />
        <Field label={t("person_current")} type="password" name="current_password" autoComplete="current-password" value={current} onChange={setCurrent} problem={problems.of("current_password")} isRequired ltr />
        <Field label={t("person_new")} type="password" name="new_password" autoComplete="new-password" value={next} onChange={setNext} problem={problems.of("new_password")} isRequired ltr />
        <FormError>{problems.rest}</FormError>
        <Buttons><Action type="submit" isDisabled={save.isPending}>{t("person_change")}</Action></Buttons>
      </Form>
    </Part>
  );
}

function Sessions() {
  const { t } = useWords();
  const queries = useQueryClient();
  const text = useFailureText();
  const [, navigate] = useLocation();
  const end = useMutation({
    mutationFn: () => app.DELETE("/api/session/"),
    onSuccess: () => {
      signedIn.end();
      queries.clear();
      navigate("/login");
    },
  });
  return (
    <Part title={t("person_sessions")}>
      <p className="text-muted">{t("person_sessions_text")}</p>
      <FormError>{end.error ? text(end.error) : ""}</FormError>
      <div><Action isDisabled={end.isPending} onPress={() => end.mutate()}>{t("person_sign_out")}</Action></div>
    </Part>
  );
}
