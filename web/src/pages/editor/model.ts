import type { paths } from "../../data/app";
import type { Invoice } from "../../data/queries";
import { today } from "../../parts/days";
import { isDecimal } from "../../parts/decimal";

export type Draft = paths["/api/drafts/{draft_id}/"]["get"]["responses"]["200"]["content"]["application/json"];
export type Body = NonNullable<paths["/api/drafts/"]["post"]["requestBody"]>["content"]["application/json"]["invoice"];
export type Category = Body["form_lines"][number]["vat_category_code"];
export type TypeCode = Body["type_code"];
export type TransactionCode = Body["transaction_code"];
type Means = Body["payment_means_type_code"];

/** The item of the catalogue that a line was filled from. */
export interface ItemOfLine {
  id: string;
  name: string;
  price: string;
  unit: string;
  category: Category;
  rate: string;
  reasonCode: string;
  reasonText: string;
}

/** A line as it is being written. Numbers are texts as typed, with Western digits. */
export interface Line {
  key: string;
  item: ItemOfLine | null;
  name: string;
  price: string;
  quantity: string;
  unit: string;
  category: Category;
  rate: string;
  reasonCode: string;
  reasonText: string;
  originalLine: string | null; // on a note
}

export interface Allowance {
  key: string;
  amount: string;
  reason: string;
  category: Category;
  rate: string;
}

/** A record that the document refers to, with the text that is shown for it. */
export interface Reference {
  uuid: string;
  text: string;
}

/** A document as it is being written. */
export interface Content {
  typeCode: TypeCode;
  transactionCode: TransactionCode;
  device: string;
  seller: string;
  buyer: Reference | null;
  supplyDate: string;
  supplyEndDate: string;
  currency: string;
  exchangeRate: string;
  paymentMeans: Means;
  inclusive: boolean; // prices include VAT
  lines: Line[];
  allowances: Allowance[];
  advances: Reference[];
  reason: Reference | null;
  originals: Reference[];
  noteAr: string;
  noteEn: string;
  paidOnIssue: boolean | null; // null: as the service decides
}

/** Reports whether a document is a credit or debit note. */
export const isNote = ({ typeCode }: Pick<Content, "typeCode">) => typeCode === 381 || typeCode === 383;

let last = 0;

export function newKey(): string {
  return `k${++last}`;
}

export function blankLine(): Line {
  return { key: newKey(), item: null, name: "", price: "", quantity: "1", unit: "PCE", category: "S", rate: "15", reasonCode: "", reasonText: "", originalLine: null };
}

export function blank(device: string, seller: string): Content {
  const date = today();
  return {
    typeCode: 388,
    transactionCode: "0100000",
    device,
    seller,
    buyer: null,
    supplyDate: date,
    supplyEndDate: date,
    currency: "SAR",
    exchangeRate: "1",
    paymentMeans: "10",
    inclusive: false,
    lines: [blankLine()],
    allowances: [],
    advances: [],
    reason: null,
    originals: [],
    noteAr: "",
    noteEn: "",
    paidOnIssue: null,
  };
}

/** Reports whether nothing was written into a line. */
export function isEmpty(line: Line): boolean {
  return line.name.trim() === "" && line.price === "";
}

/** Reports whether a text is a decimal above zero. */
export function positive(text: string): boolean {
  return isDecimal(text) && /[1-9]/.test(text) && !text.startsWith("-");
}

/** Reports whether a line can be stored in a draft. */
export function isStorable(line: Line): boolean {
  return line.name.trim().length >= 4 && positive(line.price) && positive(line.quantity);
}

function isItem(line: Line): boolean {
  const { item } = line;
  return item !== null && item.name === line.name && item.price === line.price && item.unit === line.unit && item.category === line.category && item.rate === line.rate && item.reasonCode === line.reasonCode && item.reasonText === line.reasonText;
}

/** Reports whether the lines are sent as items of the catalogue, which takes their stock. */
export function fromCatalogue(content: Content): boolean {
  const written = content.lines.filter((line) => !isEmpty(line));
  return !content.inclusive && written.length > 0 && written.every(isItem);
}

export interface Sent {
  body: Body;
  /** The line of the content at each position of the lines that were sent. */
  keys: string[];
}

/** Returns the body of the API. With onlyStorable, lines that a draft would refuse are left out. */
export function toBody(content: Content, onlyStorable: boolean): Sent {
  const lines = content.lines.filter((line) => !isEmpty(line) && (!onlyStorable || isStorable(line)));
  const catalogue = fromCatalogue(content);
  const notes: Body["notes"] = [];
  if (content.noteAr.trim()) notes.push({ language_id: "ar", note: content.noteAr });
  if (content.noteEn.trim()) notes.push({ language_id: "en", note: content.noteEn });
  const note = isNote(content);
  const advances = content.typeCode === 388 ? content.advances.map((a) => a.uuid) : [];
  return {
    keys: lines.map((line) => line.key),
    body: {
      device: content.device,
      seller: content.seller,
      buyer: content.buyer?.uuid ?? null,
      type_code: content.typeCode,
      transaction_code: content.transactionCode,
      supply_date: content.supplyDate,
      supply_end_date: content.supplyEndDate,
      currency: content.currency,
      exchange_rate: content.currency === "SAR" ? "1" : positive(content.exchangeRate) ? content.exchangeRate : "0",
      payment_means_type_code: content.paymentMeans,
      notes,
      form_lines: catalogue ? [] : lines.map((line) => formLine(line, content.inclusive, note)),
      lines: catalogue ? lines.map((line) => ({ item_id: line.item?.id ?? "", quantity: line.quantity || "0", invoice_line_id: note ? line.originalLine : null })) : [],
      document_level_allowances: content.allowances
        .filter((a) => positive(a.amount))
        .map((a) => ({ allowance_amount: a.amount, reason_code: "", reason: a.reason, vat_category_code: a.category, vat_rate: a.rate })),
      add_prepaid_amount: advances.length > 0,
      prepaid_invoices: advances,
      reason_id: content.reason?.uuid ?? null,
      original_invoice_reference: note ? content.originals.map((o) => o.uuid) : [],
    },
  };
}

function formLine(line: Line, inclusive: boolean, note: boolean): Body["form_lines"][number] {
  return {
    item_name: line.name.trim(),
    ...(inclusive ? { item_gross_price: line.price || null } : { item_net_price: line.price || null }),
    invoiced_quantity: line.quantity || "0",
    invoiced_quantity_unit_of_measure: line.unit,
    vat_category_code: line.category,
    vat_rate: line.rate,
    vat_exemption_reason_code: line.category === "S" ? "" : line.reasonCode,
    vat_exemption_reason_text: line.category === "S" ? "" : line.reasonText,
    invoice_line_id: note ? line.originalLine : null,
  };
}

/** What a draft refers to, read from the API. */
export interface Known {
  buyer: Reference | null;
  reason: Reference | null;
  originals: Reference[];
  advances: Reference[];
  items: Map<string, ItemOfLine>;
}

/** Returns a rate without zeros at its end: 15.00 becomes 15. */
function plain(rate: string): string {
  return rate.includes(".") ? rate.replace(/\.?0+$/, "") : rate;
}

function allowanceOf(a: Invoice["document_level_allowances"][number]): Allowance {
  return { key: newKey(), amount: a.allowance_amount, reason: a.reason, category: a.vat_category_code, rate: plain(a.vat_rate) };
}

/** Returns the content of a stored draft. */
export function ofDraft(draft: Draft, known: Known): Content {
  const { invoice } = draft;
  const written: Line[] = invoice.form_lines.map((line) => ({
    ...blankLine(),
    name: line.item_name,
    price: line.item_gross_price ?? line.item_net_price ?? "",
    quantity: line.invoiced_quantity,
    unit: line.invoiced_quantity_unit_of_measure,
    category: line.vat_category_code,
    rate: plain(line.vat_rate),
    reasonCode: line.vat_exemption_reason_code,
    reasonText: line.vat_exemption_reason_text,
    originalLine: line.invoice_line_id,
  }));
  for (const line of invoice.lines) {
    const item = known.items.get(line.item_id);
    written.push({ ...blankLine(), ...(item && { ...withoutId(item), item }), quantity: line.quantity, originalLine: line.invoice_line_id });
  }
  return {
    typeCode: invoice.type_code,
    transactionCode: invoice.transaction_code as TransactionCode,
    device: invoice.device,
    seller: invoice.seller,
    buyer: known.buyer,
    supplyDate: invoice.supply_date,
    supplyEndDate: invoice.supply_end_date,
    currency: invoice.currency,
    exchangeRate: invoice.exchange_rate,
    paymentMeans: invoice.payment_means_type_code,
    inclusive: invoice.form_lines.some((line) => line.item_gross_price !== null),
    lines: written.length > 0 ? written : [blankLine()],
    allowances: invoice.document_level_allowances.map(allowanceOf),
    advances: known.advances,
    reason: known.reason,
    originals: known.originals,
    noteAr: invoice.notes.find((n) => n.language_id === "ar")?.note ?? "",
    noteEn: invoice.notes.find((n) => n.language_id === "en")?.note ?? "",
    paidOnIssue: draft.paid_on_issue,
  };
}

/** Returns the values that a line takes from an item. */
export function withoutId(item: ItemOfLine): Pick<Line, "name" | "price" | "unit" | "category" | "rate" | "reasonCode" | "reasonText"> {
  const { id: _, ...values } = item;
  return values;
}

/** Returns a new document like an issued one, or a note on it. */
export function likeInvoice(invoice: Invoice, type: TypeCode, buyerName: string): Content {
  const note = type === 381 || type === 383;
  const date = today();
  return {
    ...blank(invoice.device.device_id, invoice.seller.uuid),
    typeCode: type,
    transactionCode: invoice.transaction_code,
    buyer: invoice.buyer && { uuid: invoice.buyer.uuid, text: buyerName },
    supplyDate: note ? invoice.supply_date : date,
    supplyEndDate: note ? invoice.supply_end_date : date,
    currency: invoice.currency,
    exchangeRate: invoice.exchange_rate,
    paymentMeans: invoice.payment_means_type_code,
    inclusive: invoice.lines.some((line) => line.item_gross_price !== null),
    lines: invoice.lines.map((line) => ({
      ...blankLine(),
      name: line.item_name,
      price: line.item_gross_price ?? line.item_net_price,
      quantity: line.invoiced_quantity,
      unit: line.invoiced_quantity_unit_of_measure,
      category: line.vat_category_code,
      rate: plain(line.vat_rate),
      reasonCode: line.vat_exemption_reason_code,
      reasonText: line.vat_exemption_reason_text,
      originalLine: note ? line.uuid : null,
    })),
    allowances: invoice.document_level_allowances.map(allowanceOf),
    originals: note ? [{ uuid: invoice.uuid, text: invoice.ref_num }] : [],
  };
}
