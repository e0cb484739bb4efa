/** Groups the digits of an exact decimal, which stays a text: 1234.50 becomes 1,234.50. */
export function grouped(amount: string): string {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? [];
  if (!whole) return amount;
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ",") + rest;
}

/** An amount, isolated from the direction of the text around it. */
export function Amount({ of, currency }: { of: string; currency?: string }) {
  const unit = currency && currency !== "SAR" ? currency : currency ? "\u20c1" : "";
  return <bdi dir="ltr" className="number whitespace-nowrap">{unit && <span className="me-1 font-normal text-muted">{unit}</span>}{grouped(of)}</bdi>;
}
