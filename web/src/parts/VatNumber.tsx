import { useWords } from "../words";
import type { Word } from "../words/ar";
import { westernNumber } from "./decimal";
import { Field } from "./Field";

/** Returns what is wrong with a VAT number as far as it is typed. */
export function vatNumberProblem(text: string): Word | null {
  if (/\D/.test(text)) return "company_vat_digits";
  if (text && !text.startsWith("3")) return "company_vat_first";
  if (text.length > 15) return "company_vat_long";
  if (text.length === 15 && !text.endsWith("3")) return "company_vat_last";
  return null;
}

interface Props {
  value: string;
  onChange: (value: string) => void;
  problem?: string | undefined;
  label?: string;
  help?: string;
  isDisabled?: boolean;
  isRequired?: boolean;
}

/** A VAT number, checked while it is typed. */
export function VatNumber({ value, onChange, problem, label, help, isDisabled = false, isRequired = true }: Props) {
  const { t } = useWords();
  const wrong = vatNumberProblem(value);
  const progress = value.length === 15 ? t("company_vat_right") : value ? t("company_vat_count", { count: value.length }) : t("company_vat_help");
  return (
    <Field
      label={label ?? t("company_vat")}
      value={value}
      onChange={(text) => onChange(westernNumber(text))}
      problem={wrong ? t(wrong) : problem}
      help={help ?? (wrong || problem ? undefined : progress)}
      inputMode="numeric"
      autoComplete="off"
      isDisabled={isDisabled}
      isRequired={isRequired}
      ltr
    />
  );
}
