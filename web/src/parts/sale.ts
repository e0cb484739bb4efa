import { add, type Decimal, decimal, divide, fixed2, less, multiply, percent, round2, subtract, zero } from "./money";

/** A line of a sale, with its numbers as texts such as 31.30. */
export interface SaleLine<C extends string> {
  price: string;
  quantity: string;
  category: C;
  rate: string;
  reason: string; // why no VAT applies; lines with different reasons have rows of their own
  inclusive: boolean; // the price includes VAT
}

/** A discount on all lines of a category and rate. */
export interface SaleDiscount {
  amount: string;
  category: string;
  rate: string;
}

/** A row of the VAT breakdown. */
export interface SaleRow<C extends string> {
  category: C;
  rate: string;
  taxable: string;
  vat: string;
}

/** The amounts of a sale, as texts with two decimals. */
export interface Sale<C extends string> {
  lines: ({ net: string; total: string } | null)[]; // null: the line cannot be computed
  rows: SaleRow<C>[];
  lineTotal: string;
  discounts: string;
  withoutVAT: string;
  vat: string;
  withVAT: string;
  rounding: string; // to reach the prices that include VAT
  total: string; // with VAT and rounding
}

const hundred: Decimal = { digits: 100n, places: 0 };

function amountsOf(line: SaleLine<string>) {
  const price = decimal(line.price);
  const quantity = decimal(line.quantity);
  const rate = decimal(line.rate);
  if (!price || !quantity || !rate) return null;
  const product = multiply(price, quantity);
  if (!line.inclusive) {
    const net = round2(product);
    const vat = round2(percent(net, rate));
    return { net, vat, total: add(net, vat), rate };
  }
  const net = divide(multiply(product, hundred), add(hundred, rate), 2);
  const total = round2(product);
  return { net, vat: subtract(total, net), total, rate };
}

interface Row<C> {
  category: C;
  rate: Decimal;
  taxable: Decimal;
  inclusive: { net: Decimal; vat: Decimal } | null; // of the lines with prices that include VAT
}

/** Returns a rate as text without zeros at its end. */
function plain(rate: Decimal): string {
  let { digits, places } = rate;
  while (places > 0 && digits % 10n === 0n) {
    digits /= 10n;
    places--;
  }
  const text = digits.toString().padStart(places + 1, "0");
  return places ? `${text.slice(0, -places)}.${text.slice(-places)}` : text;
}

/**
 * Computes a sale like the service: VAT is rounded once for each row of the
 * breakdown, and a difference to prices that include VAT becomes the rounding.
 */
export function computeSale<C extends string>(lines: SaleLine<C>[], discounts: SaleDiscount[] = []): Sale<C> {
  const rows = new Map<string, Row<C>>();
  let lineTotal = zero;
  const computed = lines.map((line) => {
    const amounts = amountsOf(line);
    if (!amounts) return null;
    lineTotal = add(lineTotal, amounts.net);
    const key = JSON.stringify([line.category, plain(amounts.rate), line.reason]);
    const row: Row<C> = rows.get(key) ?? { category: line.category, rate: amounts.rate, taxable: zero, inclusive: null };
    row.taxable = add(row.taxable, amounts.net);
    if (line.inclusive) row.inclusive = { net: add(row.inclusive?.net ?? zero, amounts.net), vat: add(row.inclusive?.vat ?? zero, amounts.vat) };
    rows.set(key, row);
    return { net: fixed2(amounts.net), total: fixed2(amounts.total) };
  });
  let discounted = zero;
  for (const discount of discounts) {
    const amount = decimal(discount.amount);
    const rate = decimal(discount.rate);
    if (!amount || !rate) continue;
    discounted = add(discounted, amount);
    let left = amount;
    for (const row of rows.values()) {
      if (row.category !== discount.category || plain(row.rate) !== plain(rate)) continue;
      const taken = less(row.taxable, left) ? row.taxable : left;
      row.taxable = subtract(row.taxable, taken);
      left = subtract(left, taken);
    }
  }
  let vat = zero;
  let difference = zero;
  const breakdown: SaleRow<C>[] = [];
  for (const row of rows.values()) {
    const own = round2(percent(row.taxable, row.rate));
    vat = add(vat, own);
    if (row.inclusive) {
      const others = round2(percent(subtract(row.taxable, row.inclusive.net), row.rate));
      difference = add(difference, subtract(add(row.inclusive.vat, others), own));
    }
    breakdown.push({ category: row.category, rate: plain(row.rate), taxable: fixed2(row.taxable), vat: fixed2(own) });
  }
  const withoutVAT = subtract(lineTotal, discounted);
  const withVAT = add(withoutVAT, vat);
  let rounding = less(zero, withVAT) ? difference : zero;
  if (less(add(withVAT, rounding), zero)) rounding = subtract(zero, withVAT);
  return {
    lines: computed,
    rows: breakdown,
    lineTotal: fixed2(lineTotal),
    discounts: fixed2(discounted),
    withoutVAT: fixed2(withoutVAT),
    vat: fixed2(vat),
    withVAT: fixed2(withVAT),
    rounding: fixed2(rounding),
    total: fixed2(add(withVAT, rounding)),
  };
}
