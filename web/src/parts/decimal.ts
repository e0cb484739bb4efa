/** Returns a text with Western digits: ١٢ becomes 12. */
export function westernDigits(text: string): string {
  return text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660)).replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0));
}

/**
 * Returns what was typed with Western digits and a point: ١٢٫٥ becomes 12.5, and 1,234.50
 * becomes 1234.50. A comma that separates no thousands stays, so that 12,5 is refused
 * instead of becoming 125.
 */
export function westernNumber(text: string): string {
  return westernDigits(text)
    .replace(/٫/g, ".")
    .replace(/[٬\s\u200e\u200f\u061c]/g, "")
    .replace(/(?<=^-?[1-9]\d*(,\d{3})*),(?=\d{3}(?:[,.]|$))/g, "");
}

/** Reports whether a text is a plain decimal, such as 12 or 0.5. */
export function isDecimal(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}
