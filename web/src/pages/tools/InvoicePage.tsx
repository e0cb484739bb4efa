import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleX } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Failure, signedIn } from "../../data/client";
import { planQuery } from "../../data/queries";
import { type Checked, checkInvoice, left as toldLeft, type Parsed, parseInvoice, type Result, UsedUp } from "../../data/tools";
import { Action } from "../../parts/Action";
import { Page } from "../../parts/Page";
import { Panel } from "../../parts/Panel";
import { usePlain } from "../../parts/plain";
import { Loading, useFailureText } from "../../parts/states";
import { useWords } from "../../words";
import { Drop } from "./Drop";
import { Read } from "./Read";

const most = 5 * 1024 * 1024;

class TooLarge extends Error {}

/** Reads an invoice from a file and checks it against the rules of the authority. */
export default function InvoicePage() {
  const { t } = useWords();
  const queries = useQueryClient();
  const run = useMutation({
    mutationFn: async (file: File): Promise<{ parsed: Parsed; checked: Checked | null }> => {
      if (file.size > most) throw new TooLarge();
      const parsed = await parseInvoice(file);
      return { parsed, checked: parsed.invoice ? await checkInvoice(parsed.invoice) : null };
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: planQuery.queryKey }),
  });
  const said = useText(run.error);
  const left = useLeft();
  return (
    <Page title={t("tool_invoice_title")} actions={run.data && <Action onPress={() => run.reset()}>{t("tool_invoice_again")}</Action>}>
      <p className="-mt-3 text-muted">{t("tool_invoice_lead")}{run.data && <span data-left> {left}</span>}</p>
      {run.isPending ? (
        <div className="rounded-xl border border-line bg-surface"><Loading /><p className="pb-6 text-center text-muted">{t("tool_invoice_busy")}</p></div>
      ) : run.data ? (
        <>
          {run.data.checked && <Verdict of={run.data.checked} />}
          <Read of={run.data.parsed} />
        </>
      ) : (
        <Drop label={t("tool_invoice_drop")} choose={t("tool_invoice_choose")} accept={[".xml", ".pdf", "application/xml", "text/xml", "application/pdf"]} onFile={(file) => run.mutate(file)} main>
          <p className="text-muted">{t("tool_invoice_kinds")} <span data-left>{left}</span></p>
        </Drop>
      )}
      {run.error && <p role="alert" className="flex gap-2 text-bad"><CircleAlert size={20} aria-hidden className="shrink-0" /><span className="whitespace-pre-line">{said}</span></p>}
    </Page>
  );
}

/** Returns how many invoices can still be checked, as far as the server tells. A check takes two calls. */
function useLeft(): string {
  const { t, n } = useWords();
  const plan = useQuery({ ...planQuery, enabled: signedIn.get(), staleTime: 0 });
  const told = useSyncExternalStore(toldLeft.subscribe, () => toldLeft.value);
  // What was told before a sign-in or sign-out is about someone else.
  if (told && told.until > Date.now() && (told.window === "month") === signedIn.get()) return n(told.window === "day" ? "tool_invoice_left_day" : "tool_invoice_left", Math.floor(told.calls / 2));
  if (!signedIn.get()) return t("tool_invoice_calls");
  const usage = plan.data?.usage;
  if (!usage || usage.public_api_validations_limit < 0) return "";
  return n("tool_invoice_left", Math.max(0, Math.floor((usage.public_api_validations_limit - usage.public_api_validations_used) / 2)));
}

/** Returns what an error says. The tools explain a refused file in English only. */
function useText(error: Error | null): string {
  const { t, language } = useWords();
  const text = useFailureText();
  if (!error) return "";
  if (error instanceof TooLarge) return t("tool_invoice_too_large");
  if (error instanceof UsedUp) return t(error.window === "daily" ? "tool_invoice_limit" : "tool_invoice_limit_month");
  if (error instanceof Failure && error.status === 400 && language === "ar" && !error.messageAr) return `${t("tool_invoice_unreadable")}\n\u2068${text(error)}\u2069`;
  return text(error);
}

function Verdict({ of }: { of: Checked }) {
  const { t, n } = useWords();
  const failed = of.results.filter((r) => r.status === "failed");
  const errors = failed.filter((r) => r.severity === "error");
  const warnings = failed.filter((r) => r.severity === "warning");
  const [Icon, colours, word] =
    errors.length > 0 ? ([CircleX, "bg-bad-tint text-bad", "tool_check_failed"] as const) : warnings.length > 0 ? ([CircleAlert, "bg-wait-tint text-wait", "tool_check_warned"] as const) : ([CircleCheck, "bg-good-tint text-good", "tool_check_ok"] as const);
  return (
    <>
      <section data-verdict={errors.length > 0 ? "failed" : warnings.length > 0 ? "warned" : "ok"} className={`flex gap-3 rounded-xl p-4 ${colours}`}>
        <Icon size={24} aria-hidden className="shrink-0" />
        <div>
          <h2 className="text-base font-bold">{t(word)}</h2>
          <p>{t("tool_check_counts", { passed: of.passed, failed: of.failed, other: of.not_applicable })} {t("tool_check_scope")}</p>
        </div>
      </section>
      {errors.length > 0 && <Results title={n("tool_check_errors", errors.length)} text={t("tool_check_errors_text")} of={errors} />}
      {warnings.length > 0 && <Results title={n("tool_check_warnings", warnings.length)} text={t("tool_check_warnings_text")} of={warnings} />}
    </>
  );
}

function Results({ title, text, of }: { title: string; text: string; of: Result[] }) {
  const { t, pick } = useWords();
  const plain = usePlain();
  return (
    <Panel title={title}>
      <p className="border-b border-line px-4 py-2 text-muted">{text}</p>
      <ul className="divide-y divide-line">
        {of.map((r, i) => {
          const line = /^lines\.(\d+)\./.exec(r.path ?? "")?.[1];
          return (
            <li key={i} className="grid gap-1 px-4 py-3">
              <p className="font-bold">{plain(pick(r.message_ar, r.message))}</p>
              {(r.fix || r.fix_ar) && <p><span className="text-muted">{t("tool_check_fix")}: </span>{plain(pick(r.fix_ar, r.fix))}</p>}
              <p className="flex flex-wrap gap-x-4 text-xs text-muted">
                {line && <span>{t("tool_check_line", { n: Number(line) + 1 })}</span>}
                {r.got && <span>{t("tool_check_got")}: <bdi className="break-all">{r.got}</bdi></span>}
                {r.want && <span>{t("tool_check_want")}: <bdi className="break-all">{r.want}</bdi></span>}
                <bdi>{r.rule_id}</bdi>
              </p>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
