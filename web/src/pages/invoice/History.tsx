import type { Correction } from "../../data/invoices";
import type { Invoice } from "../../data/queries";
import { Moment } from "../../parts/Moment";
import { Panel } from "../../parts/Panel";
import { usePlain, valueOf } from "../../parts/plain";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

interface Step {
  id: string;
  title: string;
  at?: string | null;
  text?: string;
  colour: string;
}

const answers: Record<string, [Word, string]> = {
  CLEARED: ["inv_step_cleared", "bg-good"],
  REPORTED: ["inv_step_reported", "bg-good"],
  NOT_CLEARED: ["inv_step_rejected", "bg-bad"],
  NOT_REPORTED: ["inv_step_rejected", "bg-bad"],
};

/** What became of the document, with the authority's messages explained. */
export function History({ of, correction }: { of: Invoice; correction: Correction | undefined }) {
  const { t } = useWords();
  const steps: Step[] = [
    { id: "created", title: t("inv_step_created"), at: of.created_at, text: t("inv_step_stamp", { device: of.device.common_name, counter: of.counter }), colour: "bg-good" },
    of.authority_submitted_at ? { id: "sent", title: t("inv_step_sent"), at: of.authority_submitted_at, colour: "bg-good" } : { id: "sent", title: t("inv_step_not_sent"), text: t("inv_step_not_sent_text"), colour: "bg-wait" },
  ];
  const answer = of.authority_response_status ? answers[of.authority_response_status] : undefined;
  if (answer) steps.push({ id: "answered", title: t(answer[0]), at: of.authority_response_received_at, colour: answer[1] });
  else if (of.authority_response_status === "No response") steps.push({ id: "answered", title: t("inv_step_none"), text: t("inv_step_none_text"), colour: "bg-wait" });
  else if (of.authority_submitted_at) steps.push({ id: "answered", title: t("inv_step_unanswered"), colour: "bg-wait" });
  return (
    <Panel title={t("timeline")}>
      <ol className="grid p-4">
        {steps.map((step, i) => (
          <li key={step.id} data-step={step.id} className="grid grid-cols-[auto_1fr] gap-x-3">
            <span aria-hidden className="flex flex-col items-center">
              <span className={`mt-1 size-3.5 rounded-full ${step.colour}`} />
              {i < steps.length - 1 && <span className="w-px grow bg-line" />}
            </span>
            <div className={i < steps.length - 1 ? "pb-4" : ""}>
              <p className="font-bold">{step.title}</p>
              {step.at && <p className="text-xs text-muted"><Moment at={step.at} seconds /></p>}
              {step.text && <p className="text-xs text-muted">{step.text}</p>}
            </div>
          </li>
        ))}
      </ol>
      <Messages of={of} correction={correction} />
      <p className="border-t border-line px-4 py-3 text-xs text-muted">{t(lawOf(of.type_code, of.authority_response_status))}</p>
    </Panel>
  );
}

/** Returns what the law allows and forbids for a document. */
function lawOf(type: number, status: string | null): Word {
  if (status === "NOT_CLEARED" || status === "NOT_REPORTED") return "inv_law_rejected";
  if (status !== "CLEARED" && status !== "REPORTED") return "inv_law_waiting";
  if (type === 381 || type === 383) return "inv_law_note";
  return type === 386 ? "inv_law_advance" : "inv_law_invoice";
}

function Messages({ of, correction }: { of: Invoice; correction: Correction | undefined }) {
  const { t, pick } = useWords();
  const plain = usePlain();
  const results = of.authority_response_data?.validationResults;
  const causes = correction?.causes ?? [];
  // The errors of the response itself, if the causes are not known yet.
  const errors = causes.length > 0 ? [] : (results?.errorMessages ?? []);
  const warnings = results?.warningMessages ?? [];
  const explained = (list: typeof warnings) =>
    list.map((one, i) => (
      <div key={i}>
        <p className="font-bold">{one.explanation ? plain(pick(one.explanation.message_ar, one.explanation.message)) : <bdi>{one.message}</bdi>}</p>
        {one.explanation && <p className="pt-1"><b>{t("inv_fix")}</b> {plain(pick(one.explanation.fix_ar, one.explanation.fix))}</p>}
        <p className="pt-1 text-xs text-muted"><bdi>{one.code}</bdi></p>
      </div>
    ));
  return (
    <>
      {(causes.length > 0 || errors.length > 0) && (
        <div className="m-4 mt-0 grid gap-4 rounded-md bg-bad-tint p-4" data-causes>
          {causes.map((cause, i) => {
            const change = correction?.changes.find((one) => one.path === cause.path && one.rule_id === cause.rule_id);
            return (
              <div key={i}>
                <p className="font-bold text-bad">{plain(pick(cause.message_ar, cause.message))}</p>
                <p className="pt-1"><b>{t("inv_fix")}</b> {plain(pick(cause.fix_ar, cause.fix))}</p>
                {change && <p className="pt-1"><b>{t("inv_suggested")}</b> {t("inv_instead", { to: valueOf(change.path, change.to), from: valueOf(change.path, change.from) })}</p>}
                <p className="pt-1 text-xs text-muted"><bdi>{cause.rule_id}</bdi></p>
              </div>
            );
          })}
          {explained(errors)}
          <p className="text-xs text-muted">{t("inv_rejected_text")}</p>
        </div>
      )}
      {warnings.length > 0 && (
        <div className="m-4 mt-0 grid gap-4 rounded-md bg-wait-tint p-4">
          <p className="font-bold text-wait">{t("inv_warnings")}</p>
          {explained(warnings)}
        </div>
      )}
    </>
  );
}
