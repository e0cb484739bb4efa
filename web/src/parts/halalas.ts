/** Returns an amount with at most two decimals in hundredths, or null if it is none. */
export function hundredths(text: string): bigint | null {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d+)(?:\.(\d{1,2})0*)?$/.exec(text) ?? [];
  if (!whole) return null;
  const value = BigInt(whole) * 100n + BigInt(rest.padEnd(2, "0") || "0");
  return sign ? -value : value;
}

/** Returns an amount in hundredths as text: 1050n becomes 10.50. */
export function amountText(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(3, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Returns the sum of amounts; what is not an amount counts as nothing. */
export function sum(amounts: string[]): bigint {
  return amounts.reduce((total, amount) => total + (hundredths(amount) ?? 0n), 0n);
}
