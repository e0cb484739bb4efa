import type { Word } from "../../words/ar";
import { type Content, isEmpty, type Line, positive } from "./model";

/** A problem that can be seen without the server. */
export interface Check {
  field: string;
  word: Word;
}

/** What the checks know of the chosen client. */
export interface ClientFacts {
  vatNumber: string;
  nationalId: boolean;
}

const standardRates = [15, 5];
const citizens = ["VATEX-SA-HEA", "VATEX-SA-EDU"];

/** Returns what is missing or cannot be accepted, in the order of the page. */
export function checks(content: Content, client: ClientFacts | null): Check[] {
  const found: Check[] = [];
  const add = (field: string, word: Word) => found.push({ field, word });
  const standard = content.transactionCode !== "0200000";
  const exported = content.transactionCode === "0100100";
  if (content.typeCode === 381 || content.typeCode === 383) {
    if (content.originals.length === 0) add("originals", "editor_need_original");
    if (!content.reason) add("reason", "editor_need_note_reason");
  }
  if (standard && !content.buyer) add("buyer", "editor_need_client");
  if (standard && !exported && content.buyer && client && !client.vatNumber) add("buyer", "editor_need_client_vat");
  if (content.currency !== "SAR" && !positive(content.exchangeRate)) add("exchangeRate", "editor_need_rate");
  if (content.paymentMeans === "30" && !content.reason && content.typeCode !== 381 && content.typeCode !== 383) add("reason", "editor_need_terms");
  const written = content.lines.filter((line) => !isEmpty(line));
  if (written.length === 0) add(`line.${content.lines[0]?.key ?? ""}.name`, "editor_need_line");
  for (const line of written) checkLine(line, content, client, add);
  for (const { key, amount } of content.allowances) {
    if (!positive(amount) || /\.\d{3,}$/.test(amount)) add(`allowance.${key}`, "editor_need_discount");
  }
  return found;
}

function checkLine(line: Line, content: Content, client: ClientFacts | null, add: (field: string, word: Word) => void) {
  const at = (name: string) => `line.${line.key}.${name}`;
  const letters = [...line.name.trim()].length;
  if (letters < 4) add(at("name"), "editor_name_short");
  if (letters > 50) add(at("name"), "editor_name_long");
  if (!positive(line.quantity)) add(at("quantity"), "editor_need_quantity");
  if (!positive(line.price)) add(at("price"), "editor_need_price");
  else if (/\.\d{3,}$/.test(line.price)) add(at("price"), "editor_price_places");
  if (line.category === "S" && !standardRates.includes(Number(line.rate))) add(at("tax"), "editor_need_standard_rate");
  if (line.category !== "S" && !line.reasonCode) add(at("exemption"), "editor_need_exemption");
  else if (line.category !== "S" && !line.reasonText.trim()) add(at("exemption"), "editor_need_exemption_text");
  if (citizens.includes(line.reasonCode) && line.category === "Z" && !client?.nationalId) add("buyer", "editor_need_national_id");
  if (content.transactionCode === "0100100" && line.reasonCode !== "VATEX-SA-32" && line.reasonCode !== "VATEX-SA-33") add(at("exemption"), "editor_need_export_reason");
}
