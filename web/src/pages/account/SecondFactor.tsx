import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Form } from "react-aria-components";
import { app } from "../../data/client";
import { data } from "../../data/queries";
import { factorQuery } from "../../data/settings";
import { Action } from "../../parts/Action";
import { Copy } from "../../parts/Copy";
import { Field } from "../../parts/Field";
import { Mark } from "../../parts/Mark";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { Panel } from "../../parts/Panel";
import { QrCode } from "../../parts/QrCode";
import { Buttons, Sheet } from "../../parts/Sheet";
import { ErrorState, FormError, Loading, useProblems } from "../../parts/states";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

type Step = "add" | "codes" | "remove" | null;

/** The second factor of the account: its state, and the ways to change it. */
export function SecondFactor() {
  const { t, n } = useWords();
  const queries = useQueryClient();
  const factor = useQuery(factorQuery);
  const [step, setStep] = useState<Step>(null);
  const [codes, setCodes] = useState<string[]>([]);
  const close = () => setStep(null);
  const changed = (next: string[]) => {
    void queries.invalidateQueries(factorQuery);
    setCodes(next);
    close();
  };
  return (
    <Panel title={t("person_factor")} more={factor.data && <Mark look={factor.data.active ? "good" : "off"}>{t(factor.data.active ? "person_factor_state_on" : "person_factor_state_off")}</Mark>}>
      {factor.isPending ? (
        <Loading />
      ) : factor.error ? (
        <ErrorState error={factor.error} retry={() => void factor.refetch()} />
      ) : (
        <div className="grid gap-4 p-4">
          {factor.data.active ? (
            <>
              <p className="text-muted">
                {factor.data.active_since && <>{t("person_factor_on")} <Moment at={factor.data.active_since} time={false} />. </>}
                {n("person_factor_left", factor.data.recovery_codes_left)}
              </p>
              {factor.data.recovery_codes_left < 3 && <p className="text-wait">{t("person_factor_few")}</p>}
              <div className="flex flex-wrap gap-2">
                <Action onPress={() => setStep("codes")}>{t("person_codes_new")}</Action>
                <Action onPress={() => setStep("remove")}>{t("person_factor_remove")}</Action>
              </div>
            </>
          ) : (
            <>
              <p className="text-muted">{t("person_factor_off")}</p>
              <div><Action onPress={() => setStep("add")}>{t("person_factor_add")}</Action></div>
            </>
          )}
        </div>
      )}
      {step === "add" && <Add onClose={close} onAdded={changed} />}
      {step === "codes" && (
        <WithCode
          title="person_codes_new"
          text="person_codes_new_text"
          action="person_codes_make"
          onClose={close}
          run={async (password, code) => changed((await data(app.POST("/api/person/second-factor/recovery-codes/", { body: { password, code } }))).recovery_codes)}
        />
      )}
      {step === "remove" && (
        <WithCode
          title="person_factor_remove"
          text="person_factor_remove_text"
          action="person_factor_remove"
          onClose={close}
          run={async (password, code) => {
            await app.POST("/api/person/second-factor/remove/", { body: { password, code } });
            notify(t("person_factor_removed"));
            changed([]);
          }}
        />
      )}
      {codes.length > 0 && <Codes codes={codes} onDone={() => setCodes([])} />}
    </Panel>
  );
}

/** Adds the second factor: the password, then the secret and a code of it. */
function Add({ onClose, onAdded }: { onClose: () => void; onAdded: (codes: string[]) => void }) {
  const { t } = useWords();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const begin = useMutation({ mutationFn: () => data(app.POST("/api/person/second-factor/", { body: { password } })) });
  const confirm = useMutation({
    mutationFn: () => data(app.POST("/api/person/second-factor/confirm/", { body: { code } })),
    onSuccess: (answer) => {
      notify(t("person_factor_added"));
      onAdded(answer.recovery_codes);
    },
  });
  const secret = begin.data;
  const problems = useProblems(secret ? confirm.error : begin.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (secret) confirm.mutate();
    else begin.mutate();
  };
  return (
    <Sheet title={t("person_factor_add")} isOpen onClose={onClose}>
      <Form onSubmit={submit} validationBehavior="aria" className="grid gap-4">
        {secret ? (
          <>
            <p>{t("person_factor_scan")}</p>
            <div className="mx-auto w-48"><QrCode text={secret.otpauth_url} label={t("person_factor_qr")} /></div>
            <div className="grid gap-1">
              <span className="font-bold">{t("person_factor_secret")}</span>
              <div className="flex flex-wrap items-center gap-2">
                <code dir="ltr" data-secret className="rounded-md border border-line bg-sunken px-3 py-2 break-all">{grouped(secret.secret)}</code>
                <Copy text={secret.secret} />
              </div>
            </div>
            <a href={secret.otpauth_url} className="justify-self-start rounded-sm text-accent underline underline-offset-4">{t("person_factor_link")}</a>
            <Field key="code" label={t("person_factor_code")} help={t("person_factor_code_help")} name="code" inputMode="numeric" autoComplete="one-time-code" value={code} onChange={setCode} problem={problems.of("code")} isRequired autoFocus ltr />
          </>
        ) : (
          <>
            <p className="text-muted">{t("person_factor_off")}</p>
            <Field key="password" label={t("person_current")} type="password" name="password" autoComplete="current-password" value={password} onChange={setPassword} problem={problems.of("password")} isRequired autoFocus ltr />
          </>
        )}
        <FormError>{problems.rest}</FormError>
        <Buttons>
          <Action onPress={onClose}>{t("cancel")}</Action>
          <Action type="submit" look="main" isDisabled={begin.isPending || confirm.isPending}>{t(secret ? "person_factor_confirm" : "person_factor_begin")}</Action>
        </Buttons>
      </Form>
    </Sheet>
  );
}

/** Does what needs the password and a code. */
function WithCode({ title, text, action, run, onClose }: { title: Word; text: Word; action: Word; run: (password: string, code: string) => Promise<void>; onClose: () => void }) {
  const { t } = useWords();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const doing = useMutation({ mutationFn: () => run(password, code) });
  const problems = useProblems(doing.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    doing.mutate();
  };
  return (
    <Sheet title={t(title)} isOpen onClose={onClose}>
      <Form onSubmit={submit} validationBehavior="aria" className="grid gap-4">
        <p>{t(text)}</p>
        <Field label={t("person_current")} type="password" name="password" autoComplete="current-password" value={password} onChange={setPassword} problem={problems.of("password")} isRequired autoFocus ltr />
        <Field label={t("person_factor_any_code")} name="code" autoComplete="one-time-code" value={code} onChange={setCode} problem={problems.of("code")} isRequired ltr />
        <FormError>{problems.rest}</FormError>
        <Buttons>
          <Action onPress={onClose}>{t("cancel")}</Action>
          <Action type="submit" look="main" isDisabled={doing.isPending}>{t(action)}</Action>
        </Buttons>
      </Form>
    </Sheet>
  );
}

/** Recovery codes, which are shown this once. Only the button closes them. */
function Codes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useWords();
  return (
    <Sheet title={t("person_codes")} isOpen onClose={() => undefined}>
      <p>{t("person_codes_once")}</p>
      <ul dir="ltr" data-codes className="grid grid-cols-2 gap-2 rounded-md border border-line bg-sunken p-4 text-center">{codes.map((code) => <li key={code}><Mono>{code}</Mono></li>)}</ul>
      <Buttons>
        <Copy text={codes.join("\n")} label={t("person_codes_copy")} />
        <Action look="main" onPress={onDone}>{t("person_codes_saved")}</Action>
      </Buttons>
    </Sheet>
  );
}

function Mono({ children }: { children: ReactNode }) {
  return <code className="font-mono">{children}</code>;
}

/** Returns a secret in groups of four, as apps show it. */
function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, "$1 ");
}
