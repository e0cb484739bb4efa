import { add, type Decimal, decimal, divide, fixed2, less, multiply, percent, round2, subtract, zero } from "../../parts/money";
import type { Category, Content, Line } from "./model";
import { isEmpty } from "./model";

interface LineAmounts {
  net: Decimal;
  vat: Decimal;
  total: Decimal;
}

/** A row of the VAT breakdown. */
interface Row {
  category: Category;
  rate: Decimal;
  taxable: Decimal;
  vat: Decimal;
}

/** The amounts of a document in its currency, before advances are deducted. */
export interface Amounts {
  lines: Map<string, { net: string; total: string }>; // by the key of the line
  lineTotal: string;
  allowances: string;
  withoutVAT: string;
  vat: string;
  vatInSAR: string;
  withVAT: string;
  rounding: string;
  total: string; // with VAT and rounding
}

const hundred = decimal("100") ?? zero;

function amountsOf(line: Line, inclusive: boolean): LineAmounts | null {
  const price = decimal(line.price);
  const quantity = decimal(line.quantity);
  const rate = decimal(line.rate);
  if (!price || !quantity || !rate) return null;
  const product = multiply(price, quantity);
  if (!inclusive) {
    const net = round2(product);
    const vat = round2(percent(net, rate));
    return { net, vat, total: add(net, vat) };
  }
  const net = divide(multiply(product, hundred), add(hundred, rate), 2);
  const total = round2(product);
  return { net, vat: subtract(total, net), total };
}

/**
 * Computes the amounts like the server: VAT is rounded once for each row of the
 * breakdown, and a difference to prices including VAT becomes the rounding.
 */
export function compute(content: Content): Amounts {
  const rows = new Map<string, Row>();
  const inclusiveRows = new Map<string, { net: Decimal; vat: Decimal }>();
  const lines: Amounts["lines"] = new Map();
  let lineTotal = zero;
  for (const line of content.lines) {
    if (isEmpty(line)) continue;
    const amounts = amountsOf(line, content.inclusive);
    const rate = decimal(line.rate);
    if (!amounts || !rate) continue;
    lines.set(line.key, { net: fixed2(amounts.net), total: fixed2(amounts.total) });
    lineTotal = add(lineTotal, amounts.net);
    const reasoned = line.category !== "S";
    const key = JSON.stringify([line.category, fixed2(rate), reasoned ? line.reasonCode : "", reasoned ? line.reasonText : ""]);
    const row = rows.get(key) ?? { category: line.category, rate, taxable: zero, vat: zero };
    row.taxable = add(row.taxable, amounts.net);
    rows.set(key, row);
    if (content.inclusive) {
      const sum = inclusiveRows.get(key) ?? { net: zero, vat: zero };
      inclusiveRows.set(key, { net: add(sum.net, amounts.net), vat: add(sum.vat, amounts.vat) });
    }
  }
  let allowances = zero;
  for (const allowance of content.allowances) {
    const amount = decimal(allowance.amount);
    const rate = decimal(allowance.rate);
    if (!amount || !rate) continue;
    allowances = add(allowances, amount);
    let left = amount;
    for (const row of rows.values()) {
      if (row.category !== allowance.category || fixed2(row.rate) !== fixed2(rate)) continue;
      const taken = less(row.taxable, left) ? row.taxable : left;
      row.taxable = subtract(row.taxable, taken);
      left = subtract(left, taken);
    }
  }
  let vat = zero;
  let difference = zero;
  for (const [key, row] of rows) {
    row.vat = round2(percent(row.taxable, row.rate));
    vat = add(vat, row.vat);
    const inclusive = inclusiveRows.get(key);
    if (inclusive) {
      const others = round2(percent(subtract(row.taxable, inclusive.net), row.rate));
      difference = add(difference, subtract(add(inclusive.vat, others), row.vat));
    }
  }
  const withoutVAT = subtract(lineTotal, allowances);
  const withVAT = add(withoutVAT, vat);
  let rounding = less(zero, withVAT) ? difference : zero;
  if (less(add(withVAT, rounding), zero)) rounding = subtract(zero, withVAT);
  const exchange = content.currency === "SAR" ? null : decimal(content.exchangeRate);
  return {
    lines,
    lineTotal: fixed2(lineTotal),
    allowances: fixed2(allowances),
    withoutVAT: fixed2(withoutVAT),
    vat: fixed2(vat),
    vatInSAR: fixed2(exchange ? multiply(vat, exchange) : vat),
    withVAT: fixed2(withVAT),
    rounding: fixed2(rounding),
    total: fixed2(add(withVAT, rounding)),
  };
}
