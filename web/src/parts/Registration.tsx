import { useQuery } from "@tanstack/react-query";
import { sellerIdTypesQuery } from "../data/lists";
import { useWords } from "../words";
import { Choice } from "./Choice";
import { westernNumber } from "./decimal";
import { Field } from "./Field";

export interface RegistrationNumber {
  type_id: string;
  value: string;
}

interface Props {
  value: RegistrationNumber;
  onChange: (value: RegistrationNumber) => void;
  problem: (name: string) => string | undefined;
}

/** The paths that its fields ask for. */
export const registrationPaths = ["additional_seller_id", "additional_seller_id.type_id", "additional_seller_id.value"];

/** The registration number of a seller or branch: its type and value. */
export function Registration({ value, onChange, problem }: Props) {
  const { t, pick } = useWords();
  const types = useQuery(sellerIdTypesQuery);
  const options = Object.values(types.data ?? {}).map((type) => ({ id: type.code, label: pick(type.description_ar, type.description) }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
      <Choice label={t("company_registration_type")} options={options} value={value.type_id} onChange={(type_id) => onChange({ ...value, type_id })} problem={problem("additional_seller_id.type_id")} />
      <Field label={t("company_registration")} value={value.value} onChange={(text) => onChange({ ...value, value: westernNumber(text) })} problem={problem("additional_seller_id.value") ?? problem("additional_seller_id")} isRequired ltr />
    </div>
  );
}
