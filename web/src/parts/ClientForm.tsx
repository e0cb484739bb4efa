import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, ChevronDown, Plus, X } from "lucide-react";
import { useState } from "react";
import { Button, Disclosure, DisclosurePanel, Link } from "react-aria-components";
import { type Client, type ClientData, type Identification, saveClient } from "../data/catalogue";
import { businessTypesQuery, buyerIdTypesQuery, industriesQuery } from "../data/lists";
import { suggestClients } from "../data/suggest";
import { useWords } from "../words";
import type { Word } from "../words/ar";
import { Choice } from "./Choice";
import { useCountries } from "./countries";
import { westernDigits, westernNumber } from "./decimal";
import { EditForm, Fields, Incomplete, useFieldProblems } from "./EditForm";
import { Field } from "./Field";
import { PictureInput } from "./Picture";

interface Props {
  /** The name of a new client, as it was typed elsewhere. */
  initialName?: string;
  /** The client to change. */
  client?: Client;
  onSaved: (client: Client) => void;
  onCancel: () => void;
}

/** The fields that exist in Latin and in Arabic letters; only one of the two is needed. */
const both = ["buyer_name", "street", "additional_street", "district", "city", "province_state"] as const;
const single = ["vat_registration_number", "building_number", "plot_identification", "postal_code", "country_code", "contact_name", "contact_email", "contact_phone"] as const;
type Both = (typeof both)[number];
type Name = Both | `${Both}_arabic` | (typeof single)[number];
type Values = Record<Name, string>;

const bothWords: Record<Both, [arabic: Word, latin: Word]> = {
  buyer_name: ["client_name_arabic", "client_name_latin"],
  street: ["client_street_arabic", "client_street_latin"],
  additional_street: ["client_street2_arabic", "client_street2_latin"],
  district: ["client_district_arabic", "client_district_latin"],
  city: ["client_city_arabic", "client_city_latin"],
  province_state: ["client_province_arabic", "client_province_latin"],
};

const arabicLetters = /[\u0600-\u06ff]/;

function valuesOf(client: Client | undefined, initialName: string): Values {
  const values = {} as Values;
  for (const name of single) values[name] = client?.[name] ?? "";
  for (const name of both) {
    const latin = client ? client[name] : name === "buyer_name" ? initialName : "";
    const arabic = client?.[`${name}_arabic`] ?? "";
    const only = latin === arabic || (!arabic && arabicLetters.test(latin));
    values[name] = only ? "" : latin;
    values[`${name}_arabic`] = only ? latin : arabic;
  }
  if (!client) values.country_code = "SA";
  return values;
}

/** Returns the record as the API takes it: the Arabic text stands for a Latin one that is missing. */
function recordOf(values: Values, businessType: string, industry: string, identifications: Identification[]): ClientData {
  const record = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()])) as Values;
  for (const name of both) record[name] ||= record[`${name}_arabic`];
  return { ...record, business_type: businessType, industry, additional_buyer_id: identifications.filter((one) => one.value.trim()).map((one) => ({ ...one, value: one.value.trim() })) };
}

const fields = [...both.flatMap((name) => [name, `${name}_arabic`]), ...single, "business_type", "industry", "file"];

/** Creates or changes a client. */
export function ClientForm({ initialName = "", client, onSaved, onCancel }: Props) {
  const { t, pick, language } = useWords();
  const queries = useQueryClient();
  const countries = useCountries();
  const businessTypes = useQuery(businessTypesQuery).data ?? [];
  const industries = useQuery(industriesQuery).data ?? [];
  const [values, setValues] = useState(() => valuesOf(client, initialName));
  const [chosenType, setType] = useState(client?.business_type.uuid ?? "");
  const [chosenIndustry, setIndustry] = useState(client?.industry.uuid ?? "");
  const [identifications, setIdentifications] = useState<Identification[]>(client?.additional_buyer_id ?? []);
  const [picture, setPicture] = useState<File | null>(null);
  const type = chosenType || (businessTypes.find((one) => one.code === "1000")?.uuid ?? "");
  const industry = chosenIndustry || (industries.find((one) => one.code === "OTHER")?.uuid ?? "");

  const arabic = language === "ar";
  const mine = (name: Both): Name => (arabic ? `${name}_arabic` : name);
  const other = (name: Both): Name => (arabic ? name : `${name}_arabic`);
  const needed = (values.vat_registration_number && values.country_code === "SA" ? ["buyer_name", "street", "district", "city", "province_state", "building_number", "postal_code"] : values.country_code !== "SA" ? ["buyer_name", "street", "city", "province_state"] : ["buyer_name", "street", "province_state"]) as (Both | "building_number" | "postal_code")[];

  const save = useMutation({
    mutationFn: async () => {
      const missing: Record<string, string> = {};
      for (const name of needed) {
        if (name === "building_number" || name === "postal_code") {
          if (!values[name].trim()) missing[name] = t("client_required_vat");
        } else if (!values[name].trim() && !values[`${name}_arabic`].trim()) missing[mine(name)] = t("client_required");
      }
      if (Object.keys(missing).length > 0) throw new Incomplete(missing);
      return saveClient(client?.uuid, recordOf(values, type, industry, identifications), picture);
    },
    onSuccess: (saved) => {
      void queries.invalidateQueries({ queryKey: ["clients"] });
      queries.setQueryData(["client", saved.uuid], saved);
      onSaved(saved);
    },
  });
  const listed = identifications.flatMap((_, i) => [`additional_buyer_id[${i}].value`, `additional_buyer_id[${i}].type_id`]);
  const problems = useFieldProblems(save.error, [...fields, ...listed], "client_data.");

  const set = (name: Name) => (value: string) => setValues((before) => ({ ...before, [name]: value }));
  const one = (name: Name, label: Word, more: { ltr?: boolean; help?: string; type?: "email" | "tel"; autoFocus?: boolean } = {}) => (
    <Field key={name} label={t(label)} value={values[name]} onChange={set(name)} problem={problems.of(name)} {...more} />
  );
  /** A field in the reader's language, which also shows what the server says of the other one while that is hidden. */
  const main = (name: Both, more: { autoFocus?: boolean } = {}) => {
    const label = bothWords[name][arabic ? 0 : 1];
    const mirrored = !values[other(name)] ? problems.of(other(name)) : undefined;
    return <Field key={mine(name)} label={t(label)} value={values[mine(name)]} onChange={set(mine(name))} problem={problems.of(mine(name)) ?? mirrored} {...more} {...(!arabic && { ltr: true })} />;
  };
  const hidden = (name: Both) => one(other(name), bothWords[name][arabic ? 1 : 0], arabic ? { ltr: true } : {});
  const addressNames: Both[] = ["street", "additional_street", "district", "city", "province_state"];

  return (
    <EditForm label={client ? t("client_edit") : t("client_new")} onSubmit={() => save.mutate()} onCancel={onCancel} isPending={save.isPending} error={save.error} failure={problems.rest}>
      <Fields title={t("client_part_who")}>
        {main("buyer_name", { autoFocus: !client })}
        {one(other("buyer_name"), bothWords.buyer_name[arabic ? 1 : 0], arabic ? { ltr: true } : {})}
        <VATNumber value={values.vat_registration_number} onChange={set("vat_registration_number")} problem={problems.of("vat_registration_number")} client={client?.uuid} />
        <Choice label={t("client_type")} options={businessTypes.map((entry) => ({ id: entry.uuid ?? "", label: pick(entry.description_ar, entry.description) }))} value={type} onChange={setType} problem={problems.of("business_type")} />
        <Choice label={t("client_industry")} options={industries.map((entry) => ({ id: entry.uuid ?? "", label: pick(entry.description_ar, entry.description) }))} value={industry} onChange={setIndustry} problem={problems.of("industry")} />
      </Fields>
      <Fields title={t("client_part_address")}>
        <Choice label={t("client_country")} options={countries} value={values.country_code} onChange={set("country_code")} problem={problems.of("country_code")} />
        {main("province_state")}
        {main("city")}
        {main("district")}
        {main("street")}
        {main("additional_street")}
        <Field label={t("client_building")} value={values.building_number} onChange={(text) => set("building_number")(westernDigits(text))} problem={problems.of("building_number")} ltr inputMode="numeric" />
        <Field label={t("client_postal")} value={values.postal_code} onChange={(text) => set("postal_code")(westernDigits(text))} problem={problems.of("postal_code")} ltr />
        <Field label={t("client_plot")} value={values.plot_identification} onChange={(text) => set("plot_identification")(westernDigits(text))} problem={problems.of("plot_identification")} ltr />
      </Fields>
      <Disclosure defaultExpanded={addressNames.some((name) => values[other(name)])} className="grid gap-4">
        <Button slot="trigger" className="group flex items-center gap-2 justify-self-start rounded-md font-bold text-accent">
          <ChevronDown size={16} aria-hidden className="group-aria-expanded:rotate-180" />
          {t(arabic ? "client_address_latin" : "client_address_arabic")}
        </Button>
        <DisclosurePanel>
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-2">{addressNames.map(hidden)}</div>
        </DisclosurePanel>
      </Disclosure>
      <Identifications values={identifications} onChange={setIdentifications} problemOf={problems.of} />
      <Fields title={t("client_part_contact")}>
        {one("contact_name", "client_contact_name")}
        {one("contact_email", "client_contact_email", { ltr: true, type: "email" })}
        <Field label={t("client_contact_phone")} value={values.contact_phone} onChange={(text) => set("contact_phone")(westernDigits(text))} problem={problems.of("contact_phone")} ltr type="tel" />
      </Fields>
      {!client && (
        <fieldset>
          <legend className="mb-3 font-bold">{t("client_part_picture")}</legend>
          <PictureInput label={t("client_part_picture")} value={picture} onChange={setPicture} problem={problems.of("file")} />
        </fieldset>
      )}
    </EditForm>
  );
}

const vatLength = 15;

/** Says what is wrong with a VAT number, or nothing. */
function vatProblem(text: string): "client_vat_digits" | "client_vat_first" | "client_vat_last" | "client_vat_long" | null {
  if (/\D/.test(text)) return "client_vat_digits";
  if (text && !text.startsWith("3")) return "client_vat_first";
  if (text.length > vatLength) return "client_vat_long";
  if (text.length === vatLength && !text.endsWith("3")) return "client_vat_last";
  return null;
}

/** A VAT number, which is checked while it is typed, also for another client that has it. */
function VATNumber({ value, onChange, problem, client }: { value: string; onChange: (text: string) => void; problem: string | undefined; client: string | undefined }) {
  const { t, pick } = useWords();
  const wrong = vatProblem(value);
  const complete = !wrong && value.length === vatLength;
  const found = useQuery({ ...suggestClients(value), enabled: complete });
  const same = complete ? found.data?.find((one) => one.vat_registration_number === value && one.uuid !== client) : undefined;
  return (
    <div className="grid gap-1">
      <Field
        label={t("client_vat")}
        value={value}
        onChange={(text) => onChange(westernNumber(text))}
        problem={wrong ? t(wrong) : problem}
        help={complete ? <span className="flex items-center gap-1 text-good"><Check size={14} aria-hidden />{t("client_vat_complete")}</span> : value ? t("client_vat_count", { count: value.length }) : t("client_vat_help")}
        ltr
        inputMode="numeric"
        autoComplete="off"
      />
      {same && <p className="text-xs text-wait">{t("client_vat_same")} <Link href={`/clients/${same.uuid}`} className="font-bold underline underline-offset-4">{pick(same.buyer_name_arabic, same.buyer_name)}</Link></p>}
    </div>
  );
}

/** Identification numbers, at most one of each type. */
function Identifications({ values, onChange, problemOf }: { values: Identification[]; onChange: (values: Identification[]) => void; problemOf: (path: string) => string | undefined }) {
  const { t, pick } = useWords();
  const types = useQuery(buyerIdTypesQuery).data ?? [];
  const used = new Set<string>(values.map((one) => one.type_id));
  const usual: Identification["type_id"][] = ["CRN", "700", "NAT", "IQA"];
  const free = [...usual, ...types.map((one) => one.code as Identification["type_id"])].find((code) => !used.has(code));
  const replace = (at: number, next: Partial<Identification>) => onChange(values.map((one, i) => (i === at ? { ...one, ...next } : one)));
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <legend className="mb-3 font-bold">{t("client_part_ids")}</legend>
      {values.map((one, i) => (
        <div key={i} className="grid grid-cols-[minmax(0,1fr)_2.5rem] items-start gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_2.5rem]">
          <div className="max-sm:col-span-2">
            <Choice label={t("client_id_type")} options={types.filter((type) => type.code === one.type_id || !used.has(type.code)).map((type) => ({ id: type.code, label: pick(type.description_ar, type.description) }))} value={one.type_id} onChange={(code) => replace(i, { type_id: code as Identification["type_id"] })} problem={problemOf(`additional_buyer_id[${i}].type_id`)} />
          </div>
          <Field label={t("client_id_value")} value={one.value} onChange={(text) => replace(i, { value: westernDigits(text) })} problem={problemOf(`additional_buyer_id[${i}].value`)} ltr />
          <Button aria-label={t("client_id_remove")} onPress={() => onChange(values.filter((_, at) => at !== i))} className="mt-6 grid size-10 place-items-center rounded-md text-muted hover:bg-sunken"><X size={16} aria-hidden /></Button>
        </div>
      ))}
      {free && (
        <Button onPress={() => onChange([...values, { type_id: free, value: "" }])} className="flex items-center gap-2 justify-self-start rounded-md font-bold text-accent"><Plus size={16} aria-hidden />{t("client_id_add")}</Button>
      )}
    </fieldset>
  );
}
