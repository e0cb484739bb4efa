import { Check, CircleAlert, LoaderCircle } from "lucide-react";
import { Button } from "react-aria-components";
import { Amount } from "../../parts/Amount";
import { useFailureText } from "../../parts/states";
import { useWords } from "../../words";
import type { Amounts } from "./amounts";
import { type Content, isNote } from "./model";
import type { Preview } from "./usePreview";

export interface Shown {
  field: string;
  text: string;
}

/** Moves to a field and opens what hides it. */
export function focusField(field: string) {
  const at = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`);
  at?.scrollIntoView({ block: "center" });
  at?.querySelector<HTMLElement>("input, select, button, textarea, [tabindex]")?.focus();
}

interface Props {
  content: Content;
  amounts: Amounts;
  preview: Preview;
  problems: Shown[];
  onProblem: (field: string) => void;
}

/** What the document comes to, computed here and confirmed by the server. */
export function Summary({ content, amounts, preview, problems, onProblem }: Props) {
  const { t } = useWords();
  const text = useFailureText();
  const { currency } = content;
  const confirmed = preview.current ? preview.invoice : null;
  const rows: [string, string, string?][] = [[t("editor_lines_total"), amounts.lineTotal]];
  if (amounts.discounts !== "0.00") rows.push([t("editor_discount"), `-${amounts.discounts}`]);
  if (amounts.discounts !== "0.00") rows.push([t("editor_taxable"), amounts.withoutVAT]);
  rows.push([t("editor_vat_amount"), amounts.vat]);
  if (amounts.rounding !== "0.00") rows.push([t("editor_rounding"), amounts.rounding]);
  if (confirmed && confirmed.prepaid_amount !== "0.00") rows.push([t("editor_deducted"), `-${confirmed.prepaid_amount}`]);
  const due = confirmed?.invoice_payable_amount ?? amounts.total;
  return (
    <section aria-label={t("editor_summary")} className="rounded-xl border border-line bg-surface xl:sticky xl:top-[calc(var(--band)+1rem)]">
      <div className="flex items-center justify-between gap-2 border-b border-line px-4 py-3">
        <h2 className="font-bold">{t("editor_summary")}</h2>
        <State ready={confirmed !== null && problems.length === 0} problems={problems.length} waiting={!preview.current} />
      </div>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 p-4">
        {rows.map(([label, amount]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="text-right"><Amount of={amount} currency={currency} /></dd>
          </div>
        ))}
        {currency !== "SAR" && (
          <>
            <dt className="text-muted">{t("editor_vat_sar")}</dt>
            <dd className="text-right"><Amount of={amounts.vatInSAR} currency="SAR" /></dd>
          </>
        )}
        <div className="col-span-2 mt-1 flex flex-wrap items-baseline justify-between gap-x-3 border-t border-line pt-3">
          <dt className="font-bold">{t(isNote(content) ? "paper_note_total" : "editor_payable")}</dt>
          <dd data-total className="ms-auto text-xl font-bold"><Amount of={due} currency={currency} /></dd>
        </div>
      </dl>
      {problems.length > 0 && (
        <ul className="grid gap-1 border-t border-line p-4 text-bad">
          {problems.map(({ field, text }, i) => (
            <li key={i}>
              {field ? <Button onPress={() => onProblem(field)} className="rounded-sm text-start underline decoration-dotted underline-offset-4">{text}</Button> : text}
            </li>
          ))}
        </ul>
      )}
      {preview.failure !== null && <p role="alert" className="border-t border-line p-4 text-bad">{text(preview.failure)}</p>}
    </section>
  );
}

function State({ ready, problems, waiting }: { ready: boolean; problems: number; waiting: boolean }) {
  const { t } = useWords();
  if (waiting) return <span className="text-muted"><LoaderCircle size={16} className="animate-spin" aria-label={t("loading")} /></span>;
  if (ready) return <span className="inline-flex items-center gap-1.5 rounded-full bg-good-tint px-2.5 py-0.5 text-xs font-bold text-good"><Check size={13} aria-hidden />{t("editor_ready")}</span>;
  if (problems > 0) return <span className="inline-flex items-center gap-1.5 rounded-full bg-wait-tint px-2.5 py-0.5 text-xs font-bold text-wait"><CircleAlert size={13} aria-hidden />{t("editor_incomplete")}</span>;
  return null;
}
