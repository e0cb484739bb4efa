import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "react-aria-components";
import { type EarlierData, registerEarlier } from "../../data/imports";
import { vatCategoriesQuery, vatQuery } from "../../data/lists";
import { type ClientSuggestion, suggestClients } from "../../data/suggest";
import { Amount } from "../../parts/Amount";
import { Choice } from "../../parts/Choice";
import { DateInput } from "../../parts/DateInput";
import { westernNumber } from "../../parts/decimal";
import { EditForm, Incomplete, useFieldProblems } from "../../parts/EditForm";
import { Field } from "../../parts/Field";
import { amountText, hundredths, sum } from "../../parts/money";
import { Picker } from "../../parts/Picker";
import { useWords } from "../../words";

interface Total {
  tax: string; // category and rate, such as S 15
  taxable: string;
  vat: string | null; // null while it is computed
}

/** Returns the VAT of an amount, rounded to hundredths. */
function vatOf(total: Total): string {
  if (total.vat !== null) return total.vat;
  const taxable = hundredths(total.taxable);
  const rate = hundredths(total.tax.split(" ")[1] ?? "0");
  return taxable === null || rate === null ? "" : amountText((taxable * rate + 5_000n) / 10_000n);
}

/** Registers an invoice of an older system. */
export function EarlierForm({ onSaved, onCancel }: { onSaved: (number: string) => void; onCancel: () => void }) {
  const { t, pick } = useWords();
  const queries = useQueryClient();
  const categories = useQuery(vatCategoriesQuery).data ?? [];
  const vat = useQuery(vatQuery).data ?? {};
  const [number, setNumber] = useState("");
  const [date, setDate] = useState("");
  const [kind, setKind] = useState("standard");
  const [client, setClient] = useState<ClientSuggestion | null>(null);
  const [currency, setCurrency] = useState("SAR");
  const [totals, setTotals] = useState<Total[]>([{ tax: "S 15", taxable: "", vat: null }]);
  const taxes = categories
    .flatMap((one) => (vat[one.code]?.vat_rates ?? []).map((percent) => ({ id: `${one.code} ${percent}`, label: `${percent}% – ${pick(one.description_ar, one.description)}` })))
    .sort((a, b) => "SZEO".indexOf(a.id[0] ?? "") - "SZEO".indexOf(b.id[0] ?? ""));
  const replace = (at: number, next: Partial<Total>) => setTotals(totals.map((one, i) => (i === at ? { ...one, ...next } : one)));
  const save = useMutation({
    mutationFn: async () => {
      const wrong: Record<string, string> = {};
      if (!number.trim()) wrong.number = t("client_required");
      if (!date) wrong.issue_date = t("client_required");
      if (kind === "standard" && !client) wrong.buyer = t("earlier_client_missing");
      totals.forEach((one, i) => {
        if (hundredths(one.taxable) === null) wrong[`totals[${i}].taxable_amount`] = t("receipt_amount_wrong");
        if (hundredths(vatOf(one)) === null && hundredths(one.taxable) !== null) wrong[`totals[${i}].vat_amount`] = t("receipt_amount_wrong");
      });
      if (Object.keys(wrong).length > 0) throw new Incomplete(wrong);
      return registerEarlier({
        number: number.trim(),
        issue_date: date,
        simplified: kind === "simplified",
        ...(client && { buyer: client.uuid }),
        currency: currency.trim().toUpperCase(),
        totals: totals.map((one) => {
          const [category, rate = "0"] = one.tax.split(" ");
          return { vat_category_code: category as EarlierData["totals"][number]["vat_category_code"], vat_rate: rate, taxable_amount: one.taxable, vat_amount: vatOf(one) };
        }),
      });
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["earlier"] });
      onSaved(number.trim());
    },
  });
  const paths = totals.flatMap((_, i) => ["vat_category_code", "vat_rate", "taxable_amount", "vat_amount"].map((name) => `totals[${i}].${name}`));
  const problems = useFieldProblems(save.error, ["number", "issue_date", "simplified", "buyer", "currency", ...paths]);
  return (
    <EditForm label={t("earlier_register")} onSubmit={() => save.mutate()} onCancel={onCancel} isPending={save.isPending} error={save.error} failure={problems.rest} submit={t("earlier_register")}>
      <p className="text-muted">{t("earlier_register_text")}</p>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-2">
        <Field label={t("earlier_number")} value={number} onChange={setNumber} problem={problems.of("number")} ltr autoFocus />
        <DateInput label={t("earlier_date")} value={date} onChange={setDate} problem={problems.of("issue_date")} />
        <Choice label={t("earlier_kind")} options={[{ id: "standard", label: t("kind_388") }, { id: "simplified", label: t("kind_388_simplified") }]} value={kind} onChange={setKind} problem={problems.of("simplified")} />
        <Field label={t("receipt_currency")} value={currency} onChange={setCurrency} problem={problems.of("currency")} ltr maxLength={3} />
        <div className="sm:col-span-2">
          <Picker<ClientSuggestion>
            label={t("receipt_client")}
            {...(kind === "simplified" && { help: t("optional") })}
            suggest={suggestClients}
            keyOf={(one) => one.uuid}
            textOf={(one) => pick(one.buyer_name_arabic, one.buyer_name)}
            chosen={client ? pick(client.buyer_name_arabic, client.buyer_name) : ""}
            onChoose={setClient}
            placeholder={t("receipt_client_choose")}
            problem={problems.of("buyer")}
          />
        </div>
      </div>
      <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <legend className="mb-3 font-bold">{t("earlier_totals")}</legend>
        {totals.map((one, i) => (
          <div key={i} className={`grid items-start gap-2 ${totals.length > 1 ? "grid-cols-[minmax(0,1fr)_minmax(0,1fr)_2.5rem] sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_2.5rem]" : "grid-cols-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]"}`}>
            <div className="max-sm:col-span-full"><Choice label={t("item_vat")} options={taxes} value={one.tax} onChange={(tax) => replace(i, { tax, vat: null })} problem={problems.of(`totals[${i}].vat_category_code`) ?? problems.of(`totals[${i}].vat_rate`)} /></div>
            <Field label={t("earlier_taxable")} value={one.taxable} onChange={(text) => replace(i, { taxable: westernNumber(text) })} problem={problems.of(`totals[${i}].taxable_amount`)} ltr inputMode="decimal" />
            <Field label={t("earlier_vat")} value={vatOf(one)} onChange={(text) => replace(i, { vat: westernNumber(text) })} problem={problems.of(`totals[${i}].vat_amount`)} ltr inputMode="decimal" />
            {totals.length > 1 && <Button aria-label={t("earlier_total_remove")} onPress={() => setTotals(totals.filter((_, at) => at !== i))} className="mt-6 grid size-10 place-items-center rounded-md text-muted hover:bg-sunken"><X size={16} aria-hidden /></Button>}
          </div>
        ))}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Button onPress={() => setTotals([...totals, { tax: taxes.find((tax) => !totals.some((one) => one.tax === tax.id))?.id ?? "Z 0", taxable: "", vat: null }])} className="flex items-center gap-2 rounded-md font-bold text-accent"><Plus size={16} aria-hidden />{t("earlier_total_add")}</Button>
          <span>{t("earlier_total")} <strong><Amount of={amountText(sum(totals.flatMap((one) => [one.taxable, vatOf(one)])))} /></strong></span>
        </div>
      </fieldset>
    </EditForm>
  );
}
