import { useWords } from "../words";
import type { Word } from "../words/ar";

const fields: Record<string, Word> = {
  additional_buyer_id: "field_additional_buyer_id",
  additional_seller_id: "field_additional_seller_id",
  allowance_amount: "field_allowance_amount",
  building_number: "field_building_number",
  buyer: "field_buyer",
  buyer_name: "field_buyer_name",
  city: "field_city",
  country_code: "field_country_code",
  currency: "field_currency",
  district: "field_district",
  document_level_allowances: "field_document_level_allowances",
  exchange_rate: "field_exchange_rate",
  expected_payable_amount: "field_expected_payable_amount",
  form_lines: "field_lines",
  invoiced_quantity: "field_invoiced_quantity",
  issue_date: "field_issue_date",
  issue_time: "field_issue_time",
  item_name: "field_item_name",
  item_net_price: "field_item_net_price",
  lines: "field_lines",
  original_invoice_reference: "field_original_invoice_reference",
  payment_means_type_code: "field_payment_means_type_code",
  postal_code: "field_postal_code",
  prepaid_invoices: "field_prepaid_invoices",
  reason: "field_reason",
  reason_id: "field_reason_id",
  ref_num: "field_ref_num",
  seller: "field_seller",
  street: "field_street",
  supply_date: "field_supply_date",
  supply_end_date: "field_supply_end_date",
  transaction_code: "field_transaction_code",
  type_code: "field_type_code",
  type_id: "field_type_id",
  vat_category_code: "field_vat_category_code",
  vat_exemption_reason_code: "field_vat_exemption_reason_code",
  vat_exemption_reason_text: "field_vat_exemption_reason_text",
  vat_rate: "field_vat_rate",
  vat_registration_number: "field_vat_registration_number",
};

/** Returns a text of the API for people: a field named between backticks gets its name on screen. */
export function usePlain(): (text: string) => string {
  const { t, language } = useWords();
  return (text) =>
    text.replace(/`([^`]+)`/g, (_, name: string) => {
      const word = fields[name];
      const shown = word ? t(word) : name.replaceAll("_", " ");
      return language === "ar" ? `«${shown}»` : `“${shown}”`;
    });
}
