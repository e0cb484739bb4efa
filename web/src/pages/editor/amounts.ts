import { decimal, fixed2, multiply } from "../../parts/money";
import { computeSale, type Sale } from "../../parts/sale";
import { type Content, isEmpty } from "./model";

/** The amounts of a document in its currency, before advances are deducted. */
export interface Amounts extends Omit<Sale<string>, "lines" | "rows"> {
  lines: Map<string, { net: string; total: string }>; // by the key of the line
  vatInSAR: string;
}

/** Computes what is being written. */
export function compute(content: Content): Amounts {
  const written = content.lines.filter((line) => !isEmpty(line));
  const sale = computeSale(
    written.map((line) => ({ ...line, reason: line.category === "S" ? "" : `${line.reasonCode} ${line.reasonText}`, inclusive: content.inclusive })),
    content.allowances,
  );
  const lines: Amounts["lines"] = new Map();
  written.forEach((line, i) => {
    const amounts = sale.lines[i];
    if (amounts) lines.set(line.key, amounts);
  });
  const vat = decimal(sale.vat);
  const exchange = content.currency === "SAR" ? null : decimal(content.exchangeRate);
  return { ...sale, lines, vatInSAR: vat && exchange ? fixed2(multiply(vat, exchange)) : sale.vat };
}
