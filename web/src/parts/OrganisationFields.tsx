import type { NewOrganisation } from "../data/setup";
import { useWords } from "../words";
import type { Word } from "../words/ar";
import { type Address, addressPaths, AddressFields, emptyAddress } from "./AddressFields";
import { Field } from "./Field";
import { Registration, type RegistrationNumber, registrationPaths } from "./Registration";
import { VatNumber, vatNumberProblem } from "./VatNumber";

/** What is typed about a new organisation. */
export interface OrganisationForm {
  name: string;
  name_arabic: string;
  vat_registration_number: string;
  additional_seller_id: RegistrationNumber;
  address: Address;
}

export const emptyOrganisation: OrganisationForm = {
  name: "",
  name_arabic: "",
  vat_registration_number: "",
  additional_seller_id: { type_id: "CRN", value: "" },
  address: emptyAddress,
};

/** The paths that the fields of an organisation ask for. */
export const organisationPaths = ["name", "name_arabic", "vat_registration_number", ...registrationPaths, ...addressPaths].map((path) => `organisation.${path}`);

const twice = ["street", "district", "city"] as const; // in Arabic or in Latin letters

/** Returns the organisation to create. A text that was typed in one script only is used for both. */
export function newOrganisation({ address, ...form }: OrganisationForm): NewOrganisation {
  return {
    name: form.name.trim() || form.name_arabic.trim(),
    name_arabic: form.name_arabic.trim() || null,
    vat_registration_number: form.vat_registration_number,
    additional_seller_id: form.additional_seller_id,
    street: address.street.trim() || address.street_arabic.trim(),
    building_number: address.building_number,
    district: address.district.trim() || address.district_arabic.trim(),
    city: address.city.trim() || address.city_arabic.trim(),
    postal_code: address.postal_code,
    street_arabic: address.street_arabic.trim() || null,
    district_arabic: address.district_arabic.trim() || null,
    city_arabic: address.city_arabic.trim() || null,
  };
}

/** Returns the problems of what is typed, by field. */
export function organisationProblems({ address, ...form }: OrganisationForm): Record<string, Word> {
  const problems: Record<string, Word> = {};
  const arabic = /\p{Script=Arabic}/u;
  if (!form.name.trim() && !form.name_arabic.trim()) problems["name"] = "company_required";
  if (form.name_arabic.trim() && !arabic.test(form.name_arabic)) problems["name_arabic"] = "company_arabic_letters";
  if (form.vat_registration_number.length !== 15) problems["vat_registration_number"] = "company_vat_help";
  const wrong = vatNumberProblem(form.vat_registration_number);
  if (wrong) problems["vat_registration_number"] = wrong;
  if (!/^[0-9A-Za-z]+$/.test(form.additional_seller_id.value)) problems["additional_seller_id.value"] = "company_registration_help";
  if (!/^\d{4}$/.test(address.building_number)) problems["building_number"] = "company_building_help";
  if (!/^\d{5}$/.test(address.postal_code)) problems["postal_code"] = "company_postal_help";
  for (const name of twice) {
    const own = address[`${name}_arabic`].trim();
    if (!address[name].trim() && !own) problems[name] = "company_required";
    if (own && !arabic.test(own)) problems[`${name}_arabic`] = "company_arabic_letters";
  }
  return problems;
}

interface Props {
  value: OrganisationForm;
  onChange: (value: OrganisationForm) => void;
  problem: (name: string) => string | undefined;
}

/** The fields of a new organisation. */
export function OrganisationFields({ value, onChange, problem }: Props) {
  const { t, language } = useWords();
  // What is missing in both scripts is said at the field of the reader's language.
  const placed = (name: string): string | undefined => {
    if (language === "en") return problem(name);
    const base = name.replace(/_arabic$/, "");
    const double = base === "name" || (twice as readonly string[]).includes(base);
    const typed = base === "name" ? value.name : double ? value.address[base as (typeof twice)[number]] : "";
    if (!double || typed) return problem(name);
    return name === base ? undefined : (problem(name) ?? problem(base));
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
        <Field label={t("company_name_ar")} value={value.name_arabic} onChange={(name_arabic) => onChange({ ...value, name_arabic })} problem={placed("name_arabic")} autoComplete="organization" />
        <Field label={t("company_name")} value={value.name} onChange={(name) => onChange({ ...value, name })} problem={placed("name")} ltr />
      </div>
      <VatNumber value={value.vat_registration_number} onChange={(vat_registration_number) => onChange({ ...value, vat_registration_number })} problem={problem("vat_registration_number")} />
      <Registration value={value.additional_seller_id} onChange={(additional_seller_id) => onChange({ ...value, additional_seller_id })} problem={problem} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line pt-6">
        <div>
          <h3 className="font-bold">{t("company_address")}</h3>
          <p className="text-muted">{t("company_address_help")}</p>
        </div>
        <AddressFields value={value.address} onChange={(address) => onChange({ ...value, address })} problem={placed} short />
      </div>
    </div>
  );
}
