/** An exact decimal: digits divided by 10 to the power of places. */
export interface Decimal {
  digits: bigint;
  places: number;
}

export const zero: Decimal = { digits: 0n, places: 0 };

/** Returns the decimal of a text such as 12.50, or null. */
export function decimal(text: string): Decimal | null {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (!whole) return null;
  return { digits: BigInt(sign + whole + rest), places: rest.length };
}

const power = (places: number) => 10n ** BigInt(places);

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const places = Math.max(a.places, b.places);
  return [a.digits * power(places - a.places), b.digits * power(places - b.places), places];
}

export function add(a: Decimal, b: Decimal): Decimal {
  const [x, y, places] = aligned(a, b);
  return { digits: x + y, places };
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, { digits: -b.digits, places: b.places });
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, places: a.places + b.places };
}

/** Reports whether a is less than b. */
export function less(a: Decimal, b: Decimal): boolean {
  const [x, y] = aligned(a, b);
  return x < y;
}

/** Returns a ÷ b, rounded once, half away from zero. */
export function divide(a: Decimal, b: Decimal, places: number): Decimal {
  let top = a.digits * power(places + b.places);
  const bottom = b.digits * power(a.places);
  const negative = top < 0n !== bottom < 0n;
  if (top < 0n) top = -top;
  const under = bottom < 0n ? -bottom : bottom;
  const quotient = (top * 2n + under) / (under * 2n);
  return { digits: negative ? -quotient : quotient, places };
}

const one: Decimal = { digits: 1n, places: 0 };

/** Returns the amount in halalas, rounded half away from zero. */
export function round2(a: Decimal): Decimal {
  return divide(a, one, 2);
}

/** Returns rate percent of an amount, exactly. */
export function percent(a: Decimal, rate: Decimal): Decimal {
  return { digits: a.digits * rate.digits, places: a.places + rate.places + 2 };
}

/** Returns an amount with two decimals: 12.50. */
export function fixed2(a: Decimal): string {
  const { digits } = round2(a);
  const text = String(digits < 0n ? -digits : digits).padStart(3, "0");
  return `${digits < 0n ? "-" : ""}${text.slice(0, -2)}.${text.slice(-2)}`;
}

/** Returns an amount with at most two decimals in hundredths, or null if the text is not one. */
export function hundredths(text: string): bigint | null {
  const amount = decimal(text);
  if (!amount) return null;
  const { digits } = round2(amount);
  return digits * power(amount.places) === amount.digits * 100n ? digits : null;
}

/** Returns an amount in hundredths as text: 1050n becomes 10.50. */
export function amountText(value: bigint): string {
  return fixed2({ digits: value, places: 2 });
}

/** Returns the sum of amounts in hundredths; what is not an amount counts as nothing. */
export function sum(amounts: string[]): bigint {
  return amounts.reduce((total, amount) => total + (hundredths(amount) ?? 0n), 0n);
}
