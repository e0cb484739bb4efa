import { createContext, useContext } from "react";
import { useWords } from "../words";

/** Groups the digits of an exact decimal, which stays a text: 1234.50 becomes 1,234.50. */
export function grouped(amount: string): string {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? [];
  if (!whole) return amount;
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ",") + rest;
}

/** An amount, isolated from the direction of the text around it. */
export function Amount({ of, currency }: { of: string; currency?: string | undefined }) {
  const inHead = useContext(UnitInHead);
  const unit = currency && !inHead && <span className="me-[0.3em] font-normal"><Unit of={currency} /></span>;
  return <bdi dir="ltr" className="number whitespace-nowrap">{unit}{grouped(of)}</bdi>;
}

/** Set in a column whose head has the currency, so that its amounts leave it out. */
export const UnitInHead = createContext(false);

/** The sign or the code of a currency. */
export function Unit({ of }: { of: string }) {
  return of === "SAR" ? <Riyal /> : of;
}

/** The riyal sign as published by the Saudi Central Bank. Few fonts have U+20C1 yet. */
export function Riyal() {
  const { t } = useWords();
  return (
    <svg viewBox="0 0 1124.14 1256.39" role="img" aria-label={t("riyal")} fill="currentColor" className="inline-block h-[0.85em] w-[0.76em] align-[-0.05em]">
      <path d="M699.62 1113.02c-20.06 44.48-33.32 92.75-38.4 143.37l424.51-90.24c20.06-44.47 33.31-92.75 38.4-143.37z" />
      <path d="M1085.73 895.8c20.06-44.47 33.32-92.75 38.4-143.37l-330.68 70.33l0-135.2l292.27-62.11c20.06-44.47 33.32-92.75 38.4-143.37l-330.68 70.27l0-485.59c-50.67 28.45-95.67 66.32-132.25 110.99l0 403.35l-132.25 28.11l0-608.58c-50.67 28.44-95.67 66.32-132.25 110.99l0 525.69l-295.91 62.88c-20.06 44.47-33.33 92.75-38.42 143.37l334.33-71.05l0 170.26l-358.3 76.14c-20.06 44.47-33.32 92.75-38.4 143.37l375.04-79.7c30.53-6.35 56.77-24.4 73.83-49.24l68.78-101.97c7.14-10.55 11.3-23.27 11.3-36.97l0-149.98l132.25-28.11l0 270.4z" />
    </svg>
  );
}
