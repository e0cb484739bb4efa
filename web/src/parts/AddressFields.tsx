import { useWords } from "../words";
import { westernNumber } from "./decimal";
import { Field } from "./Field";

/** A Saudi address as the API takes it, with empty texts for what is missing. */
export interface Address {
  street: string;
  street_arabic: string;
  additional_street: string;
  additional_street_arabic: string;
  building_number: string;
  plot_identification: string;
  district: string;
  district_arabic: string;
  city: string;
  city_arabic: string;
  province_state: string;
  province_state_arabic: string;
  postal_code: string;
}

export const emptyAddress: Address = {
  street: "",
  street_arabic: "",
  additional_street: "",
  additional_street_arabic: "",
  building_number: "",
  plot_identification: "",
  district: "",
  district_arabic: "",
  city: "",
  city_arabic: "",
  province_state: "",
  province_state_arabic: "",
  postal_code: "",
};

/** The paths that the fields of an address ask for. */
export const addressPaths = Object.keys(emptyAddress);

/** Returns the address of a record. */
export function addressOf(record: Address): Address {
  const names = Object.keys(emptyAddress) as (keyof Address)[];
  return Object.fromEntries(names.map((name) => [name, record[name]])) as unknown as Address;
}

interface Props {
  value: Address;
  onChange: (value: Address) => void;
  problem: (name: string) => string | undefined;
  /** Leaves out what an address can do without. */
  short?: boolean;
}

/** The fields of an address, in Arabic and in Latin letters. */
export function AddressFields({ value, onChange, problem, short }: Props) {
  const { t } = useWords();
  const set = (name: keyof Address) => (text: string) => onChange({ ...value, [name]: text });
  const number = (name: keyof Address) => (text: string) => onChange({ ...value, [name]: westernNumber(text) });
  const arabic = (name: keyof Address, label: string, required = false) => <Field label={label} value={value[name]} onChange={set(name)} problem={problem(name)} isRequired={required} />;
  const latin = (name: keyof Address, label: string, required = true) => <Field label={label} value={value[name]} onChange={set(name)} problem={problem(name)} isRequired={required} ltr />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
      <Field label={t("company_building")} help={!problem("building_number") && t("company_building_help")} value={value.building_number} onChange={number("building_number")} problem={problem("building_number")} inputMode="numeric" isRequired ltr />
      <Field label={t("company_postal")} help={!problem("postal_code") && t("company_postal_help")} value={value.postal_code} onChange={number("postal_code")} problem={problem("postal_code")} inputMode="numeric" isRequired ltr />
      {arabic("street_arabic", t("company_street_ar"))}
      {latin("street", t("company_street"))}
      {!short && arabic("additional_street_arabic", t("company_street2_ar"))}
      {!short && latin("additional_street", t("company_street2"), false)}
      {arabic("district_arabic", t("company_district_ar"))}
      {latin("district", t("company_district"))}
      {arabic("city_arabic", t("company_city_ar"))}
      {latin("city", t("company_city"))}
      {!short && arabic("province_state_arabic", t("company_province_ar"))}
      {!short && latin("province_state", t("company_province"), false)}
      {!short && <Field label={t("company_plot")} value={value.plot_identification} onChange={number("plot_identification")} problem={problem("plot_identification")} ltr />}
    </div>
  );
}
