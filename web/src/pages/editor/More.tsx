import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import { paymentMeansQuery } from "../../data/lists";
import { suggestInvoices, suggestReasons } from "../../data/suggest";
import { Action } from "../../parts/Action";
import { Choice } from "../../parts/Choice";
import { DateInput } from "../../parts/DateInput";
import { westernNumber } from "../../parts/decimal";
import { Field } from "../../parts/Field";
import { Picker } from "../../parts/Picker";
import { Toggle } from "../../parts/Toggle";
import { useWords } from "../../words";
import { type Content, isEmpty, newKey } from "./model";

const currencies = ["SAR", "USD", "EUR", "GBP", "AED", "KWD", "BHD", "QAR", "OMR", "EGP", "JOD", "INR", "CNY", "JPY", "TRY", "CHF"];

interface Props {
  content: Content;
  change: (update: (before: Content) => Content) => void;
  problemOf: (field: string) => string | undefined;
  touch: (field: string) => void;
  isOpen: boolean;
  onOpen: (open: boolean) => void;
}

/** How it is paid, and what most documents do not need. */
export function More({ content, change, problemOf, touch, isOpen, onOpen }: Props) {
  const { t, pick } = useWords();
  const means = useQuery(paymentMeansQuery);
  const set = (values: Partial<Content>) => change((before) => ({ ...before, ...values }));
  const note = content.typeCode === 381 || content.typeCode === 383;
  const foreign = content.currency !== "SAR";
  return (
    <section className="grid gap-4 rounded-xl border border-line bg-surface p-4">
      <div className="grid gap-4 md:grid-cols-2">
        <div data-field="paymentMeans">
          <Choice
            label={t("editor_payment_means")}
            options={(means.data ?? []).map((m) => ({ id: String(m.code), label: pick(m.description_ar, m.description) }))}
            value={content.paymentMeans}
            onChange={(id) => set({ paymentMeans: id as Content["paymentMeans"] })}
            problem={problemOf("paymentMeans")}
          />
        </div>
        <div data-field="reason" onBlur={() => touch("reason")}>
          <Picker
            label={t(note ? "editor_note_reason" : "editor_terms")}
            suggest={suggestReasons}
            keyOf={(reason) => reason.uuid}
            textOf={(reason) => reason.description}
            chosen={content.reason?.text ?? ""}
            onChoose={(reason) => set({ reason: reason && { uuid: reason.uuid, text: reason.description } })}
            problem={problemOf("reason")}
          />
        </div>
      </div>
      <Disclosure isExpanded={isOpen} onExpandedChange={onOpen}>
        <Heading>
          <Button slot="trigger" className="rounded-sm font-bold text-accent">{t(isOpen ? "editor_less" : "editor_more")}</Button>
        </Heading>
        <DisclosurePanel>
          <div className="grid gap-5 pt-4">
            <div className="grid gap-4 md:grid-cols-3">
              <div data-field="supplyEndDate">
                <DateInput label={t("editor_supply_end_date")} value={content.supplyEndDate} onChange={(supplyEndDate) => set({ supplyEndDate })} problem={problemOf("supplyEndDate")} />
              </div>
              <div data-field="currency">
                <Choice label={t("editor_currency")} options={[...new Set([...currencies, content.currency])].map((code) => ({ id: code, label: code }))} value={content.currency} onChange={(currency) => set({ currency, exchangeRate: currency === "SAR" ? "1" : "" })} problem={problemOf("currency")} isDisabled={note} />
              </div>
              {foreign && (
                <div data-field="exchangeRate">
                  <Field label={t("editor_rate", { currency: content.currency })} ltr inputMode="decimal" value={content.exchangeRate} onChange={(text) => set({ exchangeRate: westernNumber(text) })} onBlur={() => touch("exchangeRate")} problem={problemOf("exchangeRate")} />
                </div>
              )}
            </div>
            <Discounts content={content} change={change} problemOf={problemOf} />
            {content.typeCode === 388 && content.buyer && <Advances content={content} set={set} problem={problemOf("advances")} />}
            <div data-field="notes" className="grid gap-4 md:grid-cols-2">
              <Field label={t("editor_note_ar")} rows={2} rtl value={content.noteAr} onChange={(noteAr) => set({ noteAr })} problem={problemOf("notes")} />
              <Field label={t("editor_note_en")} rows={2} ltr value={content.noteEn} onChange={(noteEn) => set({ noteEn })} />
            </div>
            {!note && content.typeCode !== 386 && (
              <Toggle isSelected={content.paidOnIssue ?? content.paymentMeans === "10"} onChange={(paidOnIssue) => set({ paidOnIssue })}>{t("editor_paid_on_issue")}</Toggle>
            )}
            <p className="text-xs text-muted">{t("editor_not_supported")}</p>
          </div>
        </DisclosurePanel>
      </Disclosure>
    </section>
  );
}

/** Discounts on the whole document, each for the lines of one VAT category. */
function Discounts({ content, change, problemOf }: Pick<Props, "content" | "change" | "problemOf">) {
  const { t } = useWords();
  const used = [...new Map(content.lines.filter((line) => !isEmpty(line)).map((line) => [`${line.category}${line.rate}`, line])).values()];
  const label = (category: string, rate: string) => (category === "S" ? `${rate}%` : t(category === "Z" ? "editor_zero_rated" : category === "E" ? "editor_exempt" : "editor_out_of_scope"));
  const set = (key: string, values: Partial<Content["allowances"][number]>) => change((before) => ({ ...before, allowances: before.allowances.map((a) => (a.key === key ? { ...a, ...values } : a)) }));
  return (
    <div className="grid gap-3">
      {content.allowances.map((allowance) => (
        <div key={allowance.key} data-field={`allowance.${allowance.key}`} className="grid grid-cols-[1fr_auto] items-end gap-3 md:grid-cols-[8rem_8rem_1fr_auto]">
          <Field label={t("editor_discount")} ltr inputMode="decimal" value={allowance.amount} onChange={(text) => set(allowance.key, { amount: westernNumber(text) })} problem={problemOf(`allowance.${allowance.key}`)} />
          <Choice
            label={t("editor_vat")}
            options={used.map((line) => ({ id: `${line.category}${line.rate}`, label: label(line.category, line.rate) }))}
            value={`${allowance.category}${allowance.rate}`}
            onChange={(id) => set(allowance.key, { category: id[0] as typeof allowance.category, rate: id.slice(1) })}
          />
          <Field label={t("editor_discount_reason")} value={allowance.reason} onChange={(reason) => set(allowance.key, { reason })} />
          <Button aria-label={t("editor_remove_discount")} onPress={() => change((before) => ({ ...before, allowances: before.allowances.filter((a) => a.key !== allowance.key) }))} className="grid size-10 place-items-center rounded-md text-muted hover:bg-sunken"><X size={16} aria-hidden /></Button>
        </div>
      ))}
      <div>
        <Action
          onPress={() => {
            const { category, rate } = used[0] ?? { category: "S" as const, rate: "15" };
            change((before) => ({ ...before, allowances: [...before.allowances, { key: newKey(), amount: "", reason: "", category, rate }] }));
          }}
        >
          <Plus size={16} aria-hidden />
          {t("editor_add_discount")}
        </Action>
      </div>
    </div>
  );
}

/** Advance payments of the client that are deducted. */
function Advances({ content, set, problem }: { content: Content; set: (values: Partial<Content>) => void; problem: string | undefined }) {
  const { t } = useWords();
  return (
    <div data-field="advances" className="grid gap-2">
      <Picker
        label={t("editor_advances")}
        suggest={(q) => suggestInvoices({ q, type_code: 386, buyer: content.buyer?.uuid ?? "", accepted: true })}
        keyOf={(invoice) => invoice.uuid}
        textOf={(invoice) => invoice.ref_num}
        chosen=""
        onChoose={(invoice) => invoice && !content.advances.some((a) => a.uuid === invoice.uuid) && set({ advances: [...content.advances, { uuid: invoice.uuid, text: invoice.ref_num }] })}
        placeholder={t("editor_advances_hint")}
        problem={problem}
      />
      {content.advances.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {content.advances.map((advance) => (
            <li key={advance.uuid} className="flex items-center gap-2 rounded-full border border-line px-3 py-1">
              <bdi>{advance.text}</bdi>
              <Button aria-label={t("editor_remove_advance", { number: advance.text })} onPress={() => set({ advances: content.advances.filter((a) => a.uuid !== advance.uuid) })} className="rounded-sm text-muted"><X size={14} aria-hidden /></Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
