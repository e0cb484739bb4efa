import { decimal, less, zero } from "../../parts/money";
import { computeSale, type SaleRow } from "../../parts/sale";

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
  breakdown: SaleRow<Category>[];
}

export type Part = "price" | "quantity" | "rate";

const pattern = /^\d{1,15}(\.\d{1,10})?$/;
const hundred = { digits: 100n, places: 0 };

/** Returns the parts of a line that cannot be computed with. */
export function wrongParts(line: Line): Part[] {
  const number = (text: string) => (pattern.test(text) ? decimal(text) : null);
  const wrong: Part[] = [];
  if (!number(line.price)) wrong.push("price");
  if (!less(zero, number(line.quantity) ?? zero)) wrong.push("quantity");
  const rate = number(line.rate) ?? zero;
  if (line.category === "S" && (!less(zero, rate) || less(hundred, rate))) wrong.push("rate");
  return wrong;
}

/** Computes a sale whose lines have no wrong parts. */
export function compute(lines: Line[]): Sale {
  const sale = computeSale(lines.map((line) => ({ ...line, rate: line.category === "S" ? line.rate : "0", reason: "", inclusive: line.gross && /[1-9]/.test(line.price) })));
  return {
    withoutVAT: sale.withoutVAT,
    vat: sale.vat,
    withVAT: sale.withVAT,
    ...(lines.some((line) => line.gross) && { rounding: sale.rounding, payable: sale.total }),
    breakdown: sale.rows,
  };
}
