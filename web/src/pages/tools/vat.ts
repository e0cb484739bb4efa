// VAT of a sale in exact decimals, rounded as the service rounds invoices.

/** A decimal: digits divided by ten to the power of places. */
interface Decimal {
  digits: bigint;
  places: number;
}

export const categories = ["S", "Z", "E", "O"] as const;
export type Category = (typeof categories)[number];

/** A line, with its numbers as texts such as 31.30. */
export interface Line {
  price: string;
  quantity: string;
  category: Category;
  rate: string;
  /** Whether the price includes VAT. */
  gross: boolean;
}

/** The amounts of a sale, as texts with two decimal places. */
export interface Sale {
  withoutVAT: string;
  vat: string;
  withVAT: string;
  /** Only if a price includes VAT. */
  rounding?: string;
  payable?: string;
  breakdown: { category: Category; rate: string; taxable: string; vat: string }[];
}

export type Part = "price" | "quantity" | "rate";

const pattern = /^\d{1,15}(\.\d{1,10})?$/;

/** Returns the parts of a line that cannot be computed with. */
export function wrongParts(line: Line): Part[] {
  const wrong: Part[] = [];
  if (!pattern.test(line.price)) wrong.push("price");
  if (!pattern.test(line.quantity) || parse(line.quantity).digits === 0n) wrong.push("quantity");
  if (line.category === "S") {
    const rate = pattern.test(line.rate) ? parse(line.rate) : null;
    if (!rate || rate.digits === 0n || rate.digits > 100n * power(rate.places)) wrong.push("rate");
  }
  return wrong;
}

/** Computes a sale whose lines have no wrong parts. */
export function compute(lines: Line[]): Sale {
  interface Row {
    category: Category;
    rate: Decimal;
    name: string;
    taxable: bigint; // in halalas, as all amounts below
    vat: bigint;
    shelf: { net: bigint; vat: bigint } | null; // of lines whose price includes VAT
  }
  const rows = new Map<string, Row>();
  for (const line of lines) {
    const rate = parse(line.category === "S" ? line.rate : "0");
    const name = plain(rate);
    const key = `${line.category} ${name}`;
    const row: Row = rows.get(key) ?? { category: line.category, rate, name, taxable: 0n, vat: 0n, shelf: null };
    rows.set(key, row);
    const product = times(parse(line.price), parse(line.quantity));
    if (line.gross && product.digits !== 0n) {
      const total = halalas(product);
      const net = withoutVAT(product, rate);
      row.taxable += net;
      row.shelf = { net: (row.shelf?.net ?? 0n) + net, vat: (row.shelf?.vat ?? 0n) + total - net };
    } else {
      row.taxable += halalas(product);
    }
  }
  let taxable = 0n;
  let vat = 0n;
  let difference = 0n; // between the stated prices and what the document comes to
  for (const row of rows.values()) {
    row.vat = percent(row.taxable, row.rate);
    taxable += row.taxable;
    vat += row.vat;
    if (row.shelf) difference += row.shelf.vat + percent(row.taxable - row.shelf.net, row.rate) - row.vat;
  }
  const total = taxable + vat;
  let rounding = total > 0n ? difference : 0n;
  if (total + rounding < 0n) rounding = -total;
  return {
    withoutVAT: amount(taxable),
    vat: amount(vat),
    withVAT: amount(total),
    ...(lines.some((line) => line.gross) && { rounding: amount(rounding), payable: amount(total + rounding) }),
    breakdown: [...rows.values()].map((row) => ({ category: row.category, rate: row.name, taxable: amount(row.taxable), vat: amount(row.vat) })),
  };
}

function power(places: number): bigint {
  return 10n ** BigInt(places);
}

function parse(text: string): Decimal {
  const [whole = "", rest = ""] = text.split(".");
  return { digits: BigInt(whole + rest), places: rest.length };
}

function plain({ digits, places }: Decimal): string {
  const text = digits.toString().padStart(places + 1, "0");
  const whole = text.slice(0, text.length - places);
  const rest = places ? text.slice(text.length - places).replace(/0+$/, "") : "";
  return rest ? `${whole}.${rest}` : whole;
}

function times(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, places: a.places + b.places };
}

/** Returns n ÷ d, rounded half up. Neither is negative. */
function divide(n: bigint, d: bigint): bigint {
  return (2n * n + d) / (2n * d);
}

function halalas(of: Decimal): bigint {
  return divide(of.digits * 100n, power(of.places));
}

/** Returns an amount including VAT without its VAT, in halalas and rounded once. */
function withoutVAT(gross: Decimal, rate: Decimal): bigint {
  return divide(gross.digits * 100n * 100n * power(rate.places), power(gross.places) * (100n * power(rate.places) + rate.digits));
}

/** Returns the VAT on an amount in halalas. */
function percent(of: bigint, rate: Decimal): bigint {
  return divide(of * rate.digits, 100n * power(rate.places));
}

function amount(of: bigint): string {
  const text = (of < 0n ? -of : of).toString().padStart(3, "0");
  return `${of < 0n ? "-" : ""}${text.slice(0, -2)}.${text.slice(-2)}`;
}
