/** Returns a decimal text as a number of units of 10^-digits. The text must have no more decimals. */
export function units(text: string, digits = 2): bigint {
  const [, sign = "", whole = "0", rest = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const value = BigInt(whole + rest.padEnd(digits, "0").slice(0, digits));
  return sign ? -value : value;
}

/** Returns units of 10^-digits as a decimal text: 1234n becomes 12.34. */
export function decimal(value: bigint, digits = 2): string {
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, "0");
  return `${value < 0n ? "-" : ""}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Adds amounts with two decimals, without rounding. */
export function sum(amounts: string[]): string {
  return decimal(amounts.reduce((total, amount) => total + units(amount), 0n));
}
