import type { Problem } from "../data/client";
import { useWords } from "../words";
import type { Word } from "../words/ar";

const fields: Record<string, Word> = {
  additional_buyer_id: "field_additional_buyer_id",
  additional_seller_id: "field_additional_seller_id",
  additional_street: "client_street2_latin",
  allowance_amount: "field_allowance_amount",
  amount: "receipt_amount",
  barcode: "item_barcode",
  building_number: "field_building_number",
  buyer: "field_buyer",
  buyer_name: "field_buyer_name",
  buyer_name_arabic: "client_name_arabic",
  city: "field_city",
  city_arabic: "company_city_ar",
  common_name: "device_name",
  country_code: "field_country_code",
  currency: "field_currency",
  device: "editor_device",
  district: "field_district",
  district_arabic: "company_district_ar",
  document_level_allowances: "field_document_level_allowances",
  due_days: "company_due_days",
  email: "email",
  exchange_rate: "field_exchange_rate",
  expected_payable_amount: "field_expected_payable_amount",
  form_lines: "field_lines",
  iban: "company_iban",
  industry: "device_industry",
  invoice_type: "device_kind",
  invoiced_quantity: "field_invoiced_quantity",
  invoiced_quantity_unit_of_measure: "editor_unit",
  issue_date: "field_issue_date",
  issue_time: "field_issue_time",
  item_gross_price: "editor_price_inclusive",
  item_name: "field_item_name",
  item_net_price: "field_item_net_price",
  lines: "field_lines",
  location: "device_location",
  name: "setup_name",
  name_arabic: "client_name_arabic",
  notes: "paper_notes",
  original_invoice_reference: "field_original_invoice_reference",
  otp: "device_otp",
  paid_on: "refund_date",
  password: "password",
  payment_means_type_code: "field_payment_means_type_code",
  phone: "company_phone",
  plot_identification: "client_plot",
  postal_code: "field_postal_code",
  prepaid_invoices: "field_prepaid_invoices",
  price: "editor_price",
  province_state: "client_province",
  quantity: "editor_quantity",
  reason: "field_reason",
  reason_id: "field_reason_id",
  received_on: "receipt_date",
  ref_num: "field_ref_num",
  seller: "field_seller",
  serial_number: "device_serial",
  sku: "item_sku",
  stock: "item_stock",
  street: "field_street",
  street_arabic: "company_street_ar",
  supply_date: "field_supply_date",
  supply_end_date: "field_supply_end_date",
  transaction_code: "field_transaction_code",
  type_code: "field_type_code",
  type_id: "field_type_id",
  unit_of_measure: "editor_unit",
  vat_breakdown: "paper_breakdown",
  vat_category_code: "field_vat_category_code",
  vat_exemption_reason_code: "field_vat_exemption_reason_code",
  vat_exemption_reason_text: "field_vat_exemption_reason_text",
  vat_rate: "field_vat_rate",
  vat_registration_number: "field_vat_registration_number",
};

/** A field of the API between backticks, or a bare name with an underscore. */
const named = /`([^`]+)`|\b([a-z]+(?:_[a-z]+)+)\b/g;

/** A remark in brackets that only names fields of the API or elements of the XML. */
const remark = /\s*\((?:العنصر\s+[^()]*|(?:element\s+)?c[ab]c:[^()]*|(?:`[^`]+`|[a-z]+(?:_[a-z]+)+)(?:(?:\s*[،,]\s*|\s+(?:أو|or|and)\s+|\s+و)(?:`[^`]+`|[a-z]+(?:_[a-z]+)+))*)\)/g;

/** Returns the name on screen of the field at a path, or an empty text. */
export function useFieldName(): (path: string) => string {
  const { t } = useWords();
  return (path) => {
    const word = fields[/(\w+)(?:\[\d+\])?$/.exec(path)?.[1] ?? ""];
    return word ? t(word) : "";
  };
}

/** A percentage, whose sign Arabic text would otherwise put before the number. */
const percentage = /\d+(?:\.\d+)?%/g;

/** Isolates a text from left to right. */
const isolated = (text: string) => `\u2066${text}\u2069`;

/** Returns the value of a field as people write it. */
export function valueOf(path: string, value: string): string {
  return path.endsWith("vat_rate") && value ? isolated(`${value}%`) : value;
}

/** Returns a text of the API for people: a field gets its name on screen. */
export function usePlain(): (text: string) => string {
  const { language } = useWords();
  const nameOf = useFieldName();
  return (text) =>
    text.replace(remark, "").replace(percentage, isolated).replace(named, (whole, quoted: string | undefined) => {
      const shown = nameOf(quoted ?? whole) || (quoted ?? "").replaceAll("_", " ");
      if (!shown) return whole;
      return language === "ar" ? `«${shown}»` : `“${shown}”`;
    });
}

/** Problems whose fix tells a program how to repeat its request. */
const forPrograms = new Set([
  "validation_failed",
  "invalid_value",
  "field_required",
  "unknown_field",
  "duplicate_field",
  "wrong_type",
  "invalid_format",
  "unknown_value",
  "too_short",
  "too_long",
  "out_of_range",
  "too_many_decimals",
  "too_few_items",
  "too_many_items",
  "invalid_characters",
  "invalid_json",
  "body_too_large",
  "file_too_large",
  "sku_taken",
  "barcode_taken",
  "permission_denied",
  "rate_limited",
  "server_busy",
  "too_many_streams",
  "issuing_stopped",
  "not_issued",
  "outcome_unknown",
  "draft_version_conflict",
  "import_columns",
  "member_has_keys",
  "unusable_input",
]);

/** A text that only makes sense to a program. */
const technical = /^(?:أرسل|اقرأ|Send|Read|Get)\s|[a-z]_[a-z]|Retry-After|Idempotency-Key|\bGET\b|\[\]/;

/** Returns what a problem says to a person: what is wrong and, if that helps, what to do. */
export function useProblemText(): (problem: Problem) => string {
  const { t, pick, language } = useWords();
  const plain = usePlain();
  return ({ code, message, message_ar, fix, fix_ar }) => {
    if (code === "field_required") return t("company_required");
    const what = sentence(plain(pick(message_ar, message)));
    const how = plain(pick(fix_ar, fix));
    const helps = how && !forPrograms.has(code ?? "") && !code?.endsWith("_not_found") && !technical.test(how) && !(language === "ar" && !fix_ar);
    return helps ? `${what} ${how}` : what;
  };
}

/** Returns a text with a capital and a full stop. */
function sentence(text: string): string {
  if (!text) return "";
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?؟…]$/.test(text) ? "" : ".");
}
