import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Circle, LoaderCircle, Pause, X } from "lucide-react";
import { type FormEvent, useCallback, useEffect, useState } from "react";
import { Form } from "react-aria-components";
import { app } from "../data/client";
import { type Device, deviceQuery, followSteps, isActive, type Step, type Trouble } from "../data/devices";
import { data } from "../data/queries";
import { useWords } from "../words";
import type { Word } from "../words/ar";
import { Action } from "./Action";
import { westernNumber } from "./decimal";
import { Field } from "./Field";
import { ErrorState, FormError, Loading, useFailureText, useProblems } from "./states";
import { Toggle } from "./Toggle";

/** The part of the path that two statuses make: one that is awaited and one that is reached. */
const parts: Word[] = ["device_step_request", "device_step_compliance", "device_step_samples", "device_step_check", "device_step_certificate"];

type State = "done" | "current" | "failed" | "stopped" | "ahead";

type Phase = "connecting" | "running" | "idle";

/** Follows the steps of a device. Call follow after each request that starts something. */
export function useSteps(id: string, onEnd: () => void) {
  const [steps, setSteps] = useState<Step[]>([]);
  const [phase, setPhase] = useState<Phase>("connecting");
  const [error, setError] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    setError(null);
    followSteps(id, ended.signal, {
      begin: () => setSteps([]),
      step: (step) => {
        setSteps((before) => [...before.filter((one) => one.position !== step.position), step]);
        if (step.state === "current") setPhase("running");
      },
    })
      .catch(setError)
      .finally(() => {
        if (ended.signal.aborted) return;
        setPhase("idle");
        onEnd();
      });
    return () => ended.abort();
  }, [id, round, onEnd]);
  const follow = useCallback(() => {
    setSteps([]);
    setPhase("running");
    setRound((n) => n + 1);
  }, []);
  return { steps, phase, error, follow };
}

/** Returns the state of a part, from 0. */
function stateOf(part: number, steps: Step[], running: boolean): State {
  const reached = Math.max(0, ...steps.map((step) => step.position));
  const last = steps.find((step) => step.position === reached);
  const own = Math.ceil(reached / 2) - 1; // the part of the last step
  if (part < own) return "done";
  if (part > own) return running && part === own + 1 && reached > 0 && reached % 2 === 0 && last?.state !== "stopped" ? "current" : "ahead";
  if (last?.state === "failed") return "failed";
  if (last?.state === "done" && (reached % 2 === 0 || reached === last.of)) return "done";
  if (last?.state === "stopped" || !running) return reached % 2 === 0 ? "done" : "stopped";
  return reached % 2 === 0 ? "done" : "current";
}

const icons = { done: Check, current: LoaderCircle, failed: X, stopped: Pause, ahead: Circle };
const colours: Record<State, string> = { done: "bg-good-tint text-good", current: "bg-tint text-accent", failed: "bg-bad-tint text-bad", stopped: "bg-wait-tint text-wait", ahead: "bg-sunken text-muted" };

/** The steps of an onboarding or a renewal, as they happen. */
function Steps({ steps, running }: { steps: Step[]; running: boolean }) {
  const { t } = useWords();
  return (
    <ol aria-label={t("device_steps")} aria-live="polite" className="grid gap-3">
      {parts.map((word, part) => {
        const state = stateOf(part, steps, running);
        const Icon = icons[state];
        return (
          <li key={word} data-state={state} className="flex items-center gap-3">
            <span className={`grid size-7 shrink-0 place-items-center rounded-full ${colours[state]}`}><Icon size={15} aria-hidden className={state === "current" ? "animate-spin" : ""} /></span>
            <span className={state === "ahead" ? "text-muted" : ""}>{t(word)}</span>
            <span className="ms-auto text-xs text-muted">{t(`device_state_${state}`)}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** What went wrong, and what to do. */
function TroubleText({ of }: { of: Trouble }) {
  const { t, pick } = useWords();
  return (
    <div role="alert" className="grid gap-1 rounded-lg bg-bad-tint p-4">
      <p className="font-bold text-bad">{pick(of.message_ar, of.message)}</p>
      <p>{t("device_fix")}: {pick(of.next_ar, of.next)}</p>
      {of.authority_message && <p className="text-xs text-muted">{t("device_trouble_details")}: <bdi>{of.authority_message}</bdi></p>}
    </div>
  );
}

interface Props {
  id: string;
  /** Called when the device becomes active, or its new certificate is there. */
  onDone?: () => void;
  /** Renews the certificate of an active device. */
  renewal?: boolean;
}

/** Onboards a device, or renews its certificate, and shows every step. */
export function Onboarding({ id, onDone, renewal = false }: Props) {
  const { t } = useWords();
  const queries = useQueryClient();
  const device = useQuery(deviceQuery(id));
  const ended = useCallback(() => {
    void queries.invalidateQueries({ queryKey: ["device", id] });
    void queries.invalidateQueries({ queryKey: ["devices"] });
    void queries.invalidateQueries({ queryKey: ["attention"] });
  }, [queries, id]);
  const { steps, phase, error, follow } = useSteps(id, ended);
  const running = phase === "running";
  // What an earlier renewal has left says nothing about the next one.
  const [started, setStarted] = useState(false);
  if (running && !started) setStarted(true);
  const failure = useFailureText();
  const active = device.data ? isActive(device.data) : false;
  useEffect(() => {
    if (active && !renewal && phase === "idle") onDone?.();
  }, [active, renewal, phase, onDone]);
  if (device.isPending || phase === "connecting") return <Loading />;
  if (device.error) return <ErrorState error={device.error} retry={() => void device.refetch()} />;
  const own = steps.filter((step) => step.renewal === renewal);
  const shown = renewal && !started && !device.data.renewal ? [] : own;
  const last = shown.find((step) => step.position === Math.max(...shown.map((one) => one.position)));
  const finished = renewal ? last?.status === "pcsid_generated" && !running : active;
  const begun = shown.length > 1 || running || finished || last?.state === "failed";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {begun && <Steps steps={shown} running={running} />}
      {renewal && finished && <p role="status" className="text-good">{t("device_renewed")}</p>}
      {last?.trouble && !running && <TroubleText of={last.trouble} />}
      <FormError>{error ? failure(error) : ""}</FormError>
      {!running && !finished && <Start device={device.data} renewal={renewal} again={Boolean(last?.trouble)} onStarted={follow} />}
    </div>
  );
}

/** Starts or continues, with the one-time password of the portal where it is needed. */
export function Start({ device, renewal, again, onStarted }: { device: Device; renewal: boolean; again: boolean; onStarted: () => void }) {
  const { t } = useWords();
  const [otp, setOtp] = useState("");
  const [anew, setAnew] = useState(false);
  const start = useMutation({
    mutationFn: () => {
      const params = { path: { device_id: device.device_id } };
      const body = { otp: device.needs_otp ? otp : null };
      return renewal ? data(app.POST("/api/devices/{device_id}/renew/", { params, body: { ...body, anew } })) : data(app.POST("/api/devices/{device_id}/onboard/", { params, body }));
    },
    onSuccess: () => {
      setOtp("");
      onStarted();
    },
  });
  const problems = useProblems(start.error);
  const [wrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const refused = device.needs_otp && !/^\d{6}$/.test(otp);
    setWrong(refused);
    if (!refused) start.mutate();
  };
  const problem = wrong ? t("device_otp_wrong") : device.needs_otp ? problems.of("otp") : undefined;
  return (
    <Form validationBehavior="aria" onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {device.needs_otp ? (
        <>
          <p className="text-muted">{t(device.environment === "production" ? "device_otp_production" : "device_otp_simulation")}</p>
          <Field label={t("device_otp")} help={!problem && t("device_otp_help")} value={otp} onChange={(text) => setOtp(westernNumber(text))} problem={problem} inputMode="numeric" autoComplete="one-time-code" isRequired ltr />
        </>
      ) : (
        device.environment === "simulator" && <p className="text-muted">{t("device_otp_none")}</p>
      )}
      {renewal && <Toggle isSelected={anew} onChange={setAnew}>{t("device_anew")}</Toggle>}
      <FormError>{problems.rest}</FormError>
      <div><Action type="submit" look="main" isDisabled={start.isPending}>{t(again ? "retry" : renewal ? "device_renew" : "device_onboard")}</Action></div>
    </Form>
  );
}
