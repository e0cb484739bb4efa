import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { Form } from "react-aria-components";
import { app, signedIn } from "../../data/client";
import { data, sessionQuery } from "../../data/queries";
import type { Environment, SetUp } from "../../data/setup";
import { Action } from "../../parts/Action";
import { Field } from "../../parts/Field";
import { useFocusProblem } from "../../parts/focus";
import { emptyOrganisation, newOrganisation, OrganisationFields, organisationPaths, organisationProblems } from "../../parts/OrganisationFields";
import { Buttons } from "../../parts/Sheet";
import { FormError, useProblems } from "../../parts/states";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";
import { Environments } from "./Environments";
import { Frame, Heading, Sheet, type StepName } from "./Frame";

const key = "khatm.setup";

const empty = { name: "", email: "", organisation: emptyOrganisation, environment: null as Environment | null };

/** What was typed before a reload. The password is not kept. */
function kept(): typeof empty {
  try {
    return { ...empty, ...(JSON.parse(sessionStorage.getItem(key) ?? "{}") as Partial<typeof empty>) };
  } catch {
    return empty;
  }
}

/** The steps before there is an account. They end with one request that creates everything. */
export function Begin({ token, setUp, onUsed }: { token: string; setUp: SetUp; onUsed: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const [form, setForm] = useState(kept);
  const [password, setPassword] = useState("");
  const [step, setStep] = useState<StepName>("account");
  const [checked, setChecked] = useState<Record<string, Word>>({});
  useEffect(() => sessionStorage.setItem(key, JSON.stringify(form)), [form]);
  const chosen = setUp.environment !== null;

  const create = useMutation({
    mutationFn: async () => {
      await data(
        app.POST("/api/setup/", {
          body: { token, account: { email: form.email.trim(), name: form.name.trim() || null, password }, organisation: newOrganisation(form.organisation), environment: chosen ? null : form.environment },
        }),
      );
      signedIn.set();
    },
    onSuccess: async () => {
      sessionStorage.removeItem(key);
      queries.clear();
      await queries.prefetchQuery(sessionQuery);
      onUsed();
    },
    onError: (error) => {
      const paths = "problems" in error ? (error.problems as { path?: string }[]).map((one) => one.path ?? "") : [];
      if (paths.some((path) => path.startsWith("account."))) setStep("account");
      else if (paths.some((path) => path.startsWith("organisation."))) setStep("company");
    },
  });
  const problems = useProblems(create.error, organisationPaths);
  useFocusProblem(checked, create.error);
  const problem = (path: string) => {
    const word = checked[path];
    return word ? t(word) : problems.of(path);
  };

  const next = (found: Record<string, Word>, to: StepName | null) => (event: FormEvent) => {
    event.preventDefault();
    setChecked(found);
    if (Object.keys(found).length > 0) return;
    if (to) setStep(to);
    else create.mutate();
  };
  const last = chosen ? "company" : "environment";

  const accountProblems = (): Record<string, Word> => ({
    ...(!form.name.trim() && { "account.name": "company_required" as const }),
    ...(!/^\S+@\S+$/.test(form.email.trim()) && { "account.email": "setup_email_help" as const }),
    ...([...password].length < 10 && { "account.password": "setup_password_help" as const }),
  });
  const companyProblems = () => Object.fromEntries(Object.entries(organisationProblems(form.organisation)).map(([name, word]) => [`organisation.${name}`, word]));

  return (
    <Frame step={step}>
      {step === "account" && (
        <Form validationBehavior="aria" onSubmit={next(accountProblems(), "company")} className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Heading title={t("setup_account_title")}>{t("setup_account_lead")}</Heading>
          <Sheet>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              <Field label={t("setup_name")} name="name" autoComplete="name" value={form.name} onChange={(name) => setForm({ ...form, name })} problem={problem("account.name")} isRequired autoFocus />
              <Field label={t("email")} name="email" type="email" autoComplete="username" value={form.email} onChange={(email) => setForm({ ...form, email })} problem={problem("account.email")} isRequired ltr />
              <Field label={t("password")} help={!problem("account.password") && t("setup_password_help")} name="password" type="password" autoComplete="new-password" value={password} onChange={setPassword} problem={problem("account.password")} isRequired ltr />
              <FormError>{problems.rest}</FormError>
            </div>
          </Sheet>
          <Buttons><Action type="submit" look="main">{t("setup_next")}</Action></Buttons>
        </Form>
      )}
      {step === "company" && (
        <Form validationBehavior="aria" onSubmit={next(companyProblems(), last === "company" ? null : "environment")} className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Heading title={t("setup_company_title")}>{t("setup_company_lead")}</Heading>
          <Sheet>
            <OrganisationFields value={form.organisation} onChange={(organisation) => setForm({ ...form, organisation })} problem={(name) => problem(`organisation.${name}`)} />
            <FormError>{problems.rest}</FormError>
          </Sheet>
          <Buttons>
            <Action onPress={() => setStep("account")}>{t("back")}</Action>
            <Action type="submit" look="main" isDisabled={create.isPending}>{t(last === "company" ? "setup_create" : "setup_next")}</Action>
          </Buttons>
        </Form>
      )}
      {step === "environment" && (
        <Form validationBehavior="aria" onSubmit={next(form.environment ? {} : { environment: "setup_environment_missing" }, null)} className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Heading title={t("setup_environment_title")}>{t("setup_environment_lead")}</Heading>
          <Sheet>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              <Environments setUp={setUp} value={form.environment} onChange={(environment) => setForm({ ...form, environment })} />
              <FormError>{[problem("environment"), problems.rest].filter(Boolean).join("\n")}</FormError>
            </div>
          </Sheet>
          <Buttons>
            <Action onPress={() => setStep("company")}>{t("back")}</Action>
            <Action type="submit" look="main" isDisabled={create.isPending}>{t("setup_create")}</Action>
          </Buttons>
        </Form>
      )}
    </Frame>
  );
}
