// A program that uses the generated TypeScript client for every kind of document.
// Usage: client.js BASE_URL KEY
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";
import type { paths as publicPaths } from "./public.js";

declare const process: { argv: string[] };

type Body = components["schemas"]["InvoiceBody"];
type Line = components["schemas"]["FormLineBody"];
type Invoice = components["schemas"]["Invoice"];

const [baseUrl = "http://127.0.0.1:8080/v1", key = "svc_"] = process.argv.slice(2);
const khatm = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const lookups = createClient<publicPaths>({ baseUrl });

function assert(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

// The data of a response, or an error with the body of the refusal.
function got<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data === undefined) throw new Error(`${answer.response.url}: ${answer.response.status} ${JSON.stringify(answer.error)}`);
  assert(answer.response.headers.get("X-Khatm-Environment") === "simulator", "X-Khatm-Environment is missing");
  assert(answer.response.headers.get("X-Khatm-Ignored") === null, "fields were ignored");
  return answer.data;
}

const picture = new Blob([Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="), (c) => c.charCodeAt(0))], { type: "image/png" });

async function client(country: "SA" | "AE"): Promise<components["schemas"]["Buyer"]> {
  const business = got(await lookups.GET("/api/business-types/"))["B2B"];
  const industry = Object.values(got(await lookups.GET("/api/industries/")))[0];
  assert(business !== undefined && industry !== undefined, "no business types or industries");
  const saudi = country === "SA";
  const client_data: components["schemas"]["ClientData"] = {
    buyer_name: saudi ? "Al Noor Trading" : "Gulf Trading",
    vat_registration_number: saudi ? "311111111100003" : "",
    business_type: business.uuid, industry: industry.uuid,
    street: "King Fahd Road", building_number: "1234", district: "Al Olaya", city: "Riyadh",
    province_state: "Riyadh Province", postal_code: "12345", country_code: country,
    additional_buyer_id: [saudi ? { type_id: "CRN", value: "1010010000" } : { type_id: "OTH", value: "100200300400003" }],
  };
  const made = got(await khatm.POST("/api/onboarding/organizations/clients/", {
    body: { client_data, file: picture },
    bodySerializer(body) {
      const form = new FormData();
      form.set("client_data", JSON.stringify(body.client_data));
      if (body.file !== undefined) form.set("file", body.file, "logo.png");
      return form;
    },
  }));
  const params = { path: { buyer_id: made.uuid } };
  got(await khatm.PATCH("/api/buyers/{buyer_id}/", { params, body: { contact_name: "Noura Al Harbi" } }));
  const read = got(await khatm.GET("/api/buyers/{buyer_id}/", { params }));
  assert(read.contact_name === "Noura Al Harbi" && read.logo_url !== null, "the client was not changed");
  const found = got(await khatm.GET("/api/buyers/", { params: { query: { search_text: read.buyer_name, page_size: 100 } } }));
  assert(found.buyers.some((b) => b.uuid === read.uuid), "the client is not in the list");
  return read;
}

async function item(): Promise<components["schemas"]["Item"]> {
  const made = got(await khatm.POST("/api/items/", {
    body: {
      item_data: { item_name: "Laptop 15 inch", item_net_price: "4200.00", unit_of_measure: "PCE", vat_category_code: "S", vat_rate: 15, stock: 10 },
      files: [picture],
    },
    bodySerializer(body) {
      const form = new FormData();
      form.set("item_data", JSON.stringify(body.item_data));
      for (const [n, file] of (body.files ?? []).entries()) form.set(`image${n}`, file, `${n}.png`);
      return form;
    },
  }));
  const params = { path: { item_id: made.uuid } };
  got(await khatm.PATCH("/api/items/{item_id}/", { params, body: { item_net_price: "4100.00" } }));
  const read = got(await khatm.GET("/api/items/{item_id}/", { params }));
  assert(read.item_net_price === "4100.00" && read.images.length === 1, "the item was not changed");
  assert(got(await khatm.GET("/api/items/", {})).items.some((i) => i.uuid === read.uuid), "the item is not in the list");
  return read;
}

const devices = got(await khatm.GET("/api/devices/", { params: { query: { search_text: "" } } })).devices;
const device = devices.find((d) => d.device_status === "pcsid_generated" && d.invoice_type === "1100");
assert(device !== undefined, "no device for both kinds");
const buyer = await client("SA");
const foreign = await client("AE");
const goods = await item();

const today = new Date(Date.now() + 3 * 3600_000).toISOString().slice(0, 10);
const standard: Body = {
  device: device.device_id, seller: device.seller_id, buyer: buyer.uuid, type_code: 388, transaction_code: "0100000",
  supply_date: today, supply_end_date: today, currency: "SAR", exchange_rate: 1, payment_means_type_code: "10",
  notes: [{ language_id: "ar", note: "شكرًا لتعاملكم معنا" }], form_lines: [], lines: [], document_level_allowances: [],
};
const line: Line = {
  item_name: "Laptop 15 inch", item_net_price: "4200.00", invoiced_quantity: 2, invoiced_quantity_unit_of_measure: "PCE", vat_category_code: "S", vat_rate: 15,
};
const shelf: Line = {
  item_name: "Mineral water", item_gross_price: "10.00", invoiced_quantity: 10, invoiced_quantity_unit_of_measure: "PCE", vat_category_code: "S", vat_rate: 15,
};

// No operation lists the reasons, but the refusal of an unknown one does.
async function reason(): Promise<string> {
  const { error, response } = await khatm.POST("/api/invoices/preview/", { body: { ...standard, form_lines: [line], reason_id: crypto.randomUUID() } });
  assert(response.status === 400 && error !== undefined && "reasons" in error, `the refusal has no reasons: ${JSON.stringify(error)}`);
  const first = error.reasons?.[0];
  assert(first !== undefined, "no active reason");
  return first.uuid;
}

async function final(invoice_id: string): Promise<Invoice> {
  for (let tries = 0; tries < 120; tries++) {
    const read = got(await khatm.GET("/api/invoices/{invoice_id}/", { params: { path: { invoice_id } } }));
    switch (read.authority_response_status) {
      case "CLEARED":
      case "REPORTED":
      case "NOT_CLEARED":
      case "NOT_REPORTED":
        return read;
      case "No response":
      case null:
        await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  throw new Error(`${invoice_id} has no answer`);
}

// openapi-fetch has no usable type for a Blob in data, so the response is read itself.
async function pdf(invoice_id: string, kind: string): Promise<void> {
  const params = { path: { invoice_id } };
  const whole = await khatm.GET("/api/invoices/{invoice_id}/pdf-a3/", { params, parseAs: "stream" });
  const drawn = await khatm.POST("/api/invoices/{invoice_id}/pdf-a3/", { params, body: { language: "ar", paper: "80mm" }, parseAs: "stream" });
  for (const { response } of [whole, drawn]) {
    const file = await response.blob();
    assert(response.ok && (await file.slice(0, 5).text()) === "%PDF-", `${kind}: not a PDF`);
  }
}

// Previews, creates and reads a document, its PDF and its entry in the list.
async function issue(kind: string, body: Body): Promise<Invoice> {
  const shown = got(await khatm.POST("/api/invoices/preview/", { body })).invoice;
  const none: null | string = shown.uuid;
  assert(none === null, `${kind}: the preview has a uuid`);
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const made = got(await khatm.POST("/api/invoices/", { params: { header: headers }, body }));
  const again = got(await khatm.POST("/api/invoices/", { params: { header: headers }, body }));
  assert(made.invoice_uuid === again.invoice_uuid, `${kind}: the second request created another invoice`);
  const read = await final(made.invoice_uuid);
  const id: string = read.uuid;
  const accepted = read.transaction_code === "0200000" ? "REPORTED" : "CLEARED";
  assert(read.authority_response_status === accepted, `${kind}: ${JSON.stringify(read.authority_response_data?.validationResults)}`);
  assert(read.invoice_payable_amount === shown.invoice_payable_amount, `${kind}: the preview shows another amount`);
  await pdf(id, kind);
  const list = got(await khatm.GET("/api/invoices/", { params: { query: { uuid: [id], invoice_status: ["CLEARED", "REPORTED"] } } }));
  const row = list.invoices[0];
  assert(row !== undefined && !("corrupted" in row) && row.device === device?.device_id, `${kind}: not in the list`);
  console.log(`${kind}: ${read.ref_num} ${read.authority_response_status} ${read.invoice_payable_amount}`);
  return read;
}

const reason_id = await reason();
const first = await issue("standard invoice", { ...standard, form_lines: [line] });
await issue("simplified invoice", { ...standard, buyer: null, transaction_code: "0200000", form_lines: [line] });
await issue("export invoice", {
  ...standard, buyer: foreign.uuid, transaction_code: "0100100",
  form_lines: [{ ...line, vat_category_code: "Z", vat_rate: 0, vat_exemption_reason_code: "VATEX-SA-32", vat_exemption_reason_text: "Export of goods" }],
});
const note = { ...standard, reason_id, original_invoice_reference: [first.uuid], form_lines: [{ ...line, invoiced_quantity: 1 }] };
await issue("credit note", { ...note, type_code: 381 });
await issue("debit note", { ...note, type_code: 383 });
const advance = await issue("advance payment", { ...standard, type_code: 386, form_lines: [{ ...line, item_name: "Advance payment", item_net_price: "1000.00", invoiced_quantity: 1 }] });
const deduction = { ...standard, form_lines: [line], add_prepaid_amount: true, prepaid_invoices: [advance.uuid] };
const part = await issue("part of an advance", { ...deduction, prepaid_amounts: [{ prepaid_invoice: advance.uuid, vat_category_code: "S", vat_rate: 15, amount: "400.00" }] });
assert(part.prepaid_amounts[0]?.amount === "400.00", "another amount was deducted");
await issue("rest of an advance", deduction);
await issue("catalogue lines", { ...standard, lines: [{ item_id: goods.uuid, quantity: 2 }] });
const till = await issue("shelf prices", { ...standard, buyer: null, transaction_code: "0200000", form_lines: [shelf] });
assert(till.invoice_payable_amount === "100.00" && till.lines[0]?.item_gross_price === "10.00", "not the shelf price");
await issue("foreign currency", { ...standard, currency: "USD", exchange_rate: "3.75", form_lines: [line] });
await issue("discount", { ...standard, form_lines: [line], document_level_allowances: [{ allowance_amount: "100.00", vat_category_code: "S", vat_rate: 15 }] });

// Refusals: the code is one of those that the document lists for the operation.
const refused = await khatm.PATCH("/api/invoices/{invoice_id}/clearance-reporting/", { params: { path: { invoice_id: first.uuid } } });
assert(refused.response.status === 409 && refused.error?.code === "invoice_answered", "an answered invoice was sent again");
const wrong = await khatm.POST("/api/invoices/", { body: { ...standard, form_lines: [line], payment_means_type_code: "30" } });
assert(wrong.response.status === 400 && wrong.error?.code === "payment_terms_required", `payment means 30 without terms: ${wrong.error?.code}`);

const invoice = { params: { path: { invoice_id: first.uuid } } };
got(await khatm.POST("/api/invoices/{invoice_id}/notes/", { ...invoice, body: { title: "Delivery", details: "Left at the gate." } }));
assert(got(await khatm.GET("/api/invoices/{invoice_id}/notes/", invoice)).notes[0]?.title === "Delivery", "the note is missing");
assert(got(await khatm.GET("/api/usage/current/")).invoices_allowed, "no invoices are allowed");
got(await khatm.GET("/api/invoices/payment-means-types/"));
got(await khatm.GET("/api/invoices/units-of-measure/"));
got(await khatm.GET("/api/invoices/vat-categories/"));
got(await khatm.GET("/api/invoices/vat-exemption-reasons/", { params: { query: { category: "Z" } } }));
got(await khatm.GET("/api/invoices/invoice-allowances-codes/"));
assert("S" in got(await khatm.GET("/api/invoices/vat/", { params: { query: { vat_category_code: "S" } } })), "no rates of S");

// Requests that the document does not allow must not compile.
export function mistakes(): void {
  // @ts-expect-error unknown transaction code
  void ({ ...standard, transaction_code: "0300000" } satisfies Body);
  // @ts-expect-error unknown VAT category
  void ({ ...line, vat_category_code: "A" } satisfies Line);
  // @ts-expect-error unknown status
  void khatm.GET("/api/invoices/", { params: { query: { invoice_status: ["DONE"] } } });
  // @ts-expect-error a client must have a name
  void ({ business_type: "", industry: "", street: "", province_state: "" } satisfies components["schemas"]["ClientData"]);
  // @ts-expect-error this path has no POST
  void khatm.POST("/api/buyers/", {});
}
console.log("TypeScript: all documents issued");
