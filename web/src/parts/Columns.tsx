import { useQuery } from "@tanstack/react-query";
import type { Column } from "../data/imports";
import { businessTypesQuery, industriesQuery, unitsQuery, vatCategoriesQuery } from "../data/lists";
import { useWords } from "../words";
import type { Word } from "../words/ar";
import { Choice } from "./Choice";
import { Field } from "./Field";

/** The columns that a file must have, as people know them. */
const names: Record<string, Word> = {
  buyer_name: "client_name",
  business_type: "client_type",
  industry: "client_industry",
  street: "client_street",
  province_state: "client_province",
  item_name: "item_name",
  item_net_price: "item_price",
  unit_of_measure: "item_unit",
  vat_category_code: "item_vat",
  vat_rate: "import_vat_rate",
  number: "earlier_number",
  issue_date: "earlier_date",
  simplified: "earlier_kind",
  taxable_amount: "earlier_taxable",
  vat_amount: "earlier_vat",
};

const sameForAll = new Set(["business_type", "industry", "unit_of_measure", "vat_category_code", "vat_rate"]);

/** Returns the columns of a file as the API takes them. */
export function columnsOf(values: Record<string, string>): Column[] {
  return Object.entries(values).flatMap(([field, text]) => (text.trim() ? [sameForAll.has(field) ? { field, value: text.trim() } : { field, heading: text.trim() }] : []));
}

/** Asks for what a file lacks: the heading of a column, or a value that is the same for all rows. */
export function MissingFields({ missing, values, onChange }: { missing: string[]; values: Record<string, string>; onChange: (field: string, text: string) => void }) {
  const { t, pick } = useWords();
  const types = useQuery({ ...businessTypesQuery, enabled: missing.includes("business_type") }).data ?? [];
  const industries = useQuery({ ...industriesQuery, enabled: missing.includes("industry") }).data ?? [];
  const units = useQuery({ ...unitsQuery, enabled: missing.includes("unit_of_measure") }).data ?? [];
  const categories = useQuery({ ...vatCategoriesQuery, enabled: missing.includes("vat_category_code") }).data ?? [];
  const lists: Record<string, { code: string; description: string; description_ar: string }[]> = { business_type: types, industry: industries, unit_of_measure: units, vat_category_code: categories };
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-2">
      <legend className="mb-3 text-wait">{t("import_missing")}</legend>
      {missing.map((field) => {
        const name = names[field] ? t(names[field]) : field;
        const list = lists[field];
        if (list) return <Choice key={field} label={t("import_for_all", { name })} placeholder={t("import_choose")} options={list.map((one) => ({ id: one.code, label: pick(one.description_ar, one.description) }))} value={values[field] ?? ""} onChange={(code) => onChange(field, code)} />;
        return <Field key={field} label={t(sameForAll.has(field) ? "import_for_all" : "import_heading", { name })} value={values[field] ?? ""} onChange={(text) => onChange(field, text)} ltr={sameForAll.has(field)} />;
      })}
    </fieldset>
  );
}
