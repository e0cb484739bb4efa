// Issues random documents, and compares every number of their pages with the API.
// DOCUMENTS=1000 issues a thousand.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openPage, signIn, startDemo } from "./harness.mjs";

const count = Number(process.env.DOCUMENTS ?? 40);
const seed = Number(process.env.SEED ?? 1);
let demo, browser;

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

let state = seed;
function random(n) {
  // xorshift, so that a failure can be repeated with its seed
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % n;
}
const pick = (list) => list[random(list.length)];
const decimal = (most, digits) => {
  const units = 1 + random(most * 10 ** digits - 1);
  return (units / 10 ** digits).toFixed(digits);
};

const categories = [
  { vat_category_code: "S", vat_rate: 15 },
  { vat_category_code: "S", vat_rate: 15 },
  { vat_category_code: "S", vat_rate: 5 },
  { vat_category_code: "Z", vat_rate: 0, vat_exemption_reason_code: "VATEX-SA-34-1", vat_exemption_reason_text: "International transport of goods" },
  { vat_category_code: "E", vat_rate: 0, vat_exemption_reason_code: "VATEX-SA-29", vat_exemption_reason_text: "Financial services" },
  { vat_category_code: "O", vat_rate: 0, vat_exemption_reason_code: "VATEX-SA-OOS", vat_exemption_reason_text: "Outside of the scope" },
];

function line(i, category) {
  const price = decimal(pick([5, 100, 99_999]), 2);
  return {
    item_name: `بند ${i} – item`,
    ...(random(4) === 0 ? { item_gross_price: price } : { item_net_price: price }),
    invoiced_quantity: pick([String(1 + random(20)), decimal(30, 3), decimal(3, 6), "1000000"]),
    invoiced_quantity_unit_of_measure: pick(["PCE", "KGM", "LTR", "MTR"]),
    vat_exemption_reason_code: "",
    vat_exemption_reason_text: "",
    ...category,
  };
}

function document(n) {
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Riyadh" }).format(new Date());
  const standard = random(2) === 0;
  // Out of scope stands alone on a document.
  const allowed = random(8) === 0 ? categories.slice(5) : categories.slice(0, 5);
  const lines = Array.from({ length: 1 + random(6) }, (_, i) => line(i, pick(allowed)));
  const currency = pick(["SAR", "SAR", "USD", "EUR"]);
  const discounted = lines.find((one) => Number(one.item_net_price ?? 0) * Number(one.invoiced_quantity) > 3);
  const allowances = discounted && random(3) === 0 ? [{ allowance_amount: decimal(2, 2), vat_category_code: discounted.vat_category_code, vat_rate: discounted.vat_rate, reason: "خصم خاص" }] : [];
  return {
    device: demo.credentials.devices[2].device_id,
    seller: demo.credentials.organisation.uuid,
    ...(standard ? { buyer: demo.credentials.buyers.with_vat } : {}),
    type_code: 388,
    transaction_code: standard ? "0100000" : "0200000",
    supply_date: day,
    supply_end_date: day,
    currency,
    exchange_rate: currency === "SAR" ? 1 : currency === "USD" ? "3.75" : `4.${1000 + n}`,
    payment_means_type_code: "10",
    form_lines: lines,
    lines: [],
    document_level_allowances: allowances,
    notes: [],
  };
}

const key = () => ({ Authorization: `Bearer ${demo.credentials.keys.Accountant}`, "Content-Type": "application/json" });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls the API, and waits if there were too many calls. */
async function call(path, init = {}) {
  for (;;) {
    const response = await fetch(`${demo.credentials.base_url}${path}`, { headers: key(), ...init });
    if (response.status !== 429) return response;
    await pause(1000 * Number(response.headers.get("Retry-After") ?? 5));
  }
}

const totals = [
  "ref_num", "counter", "currency", "supply_date", "exchange_rate", "invoice_total_line_net_amount", "invoice_total_document_level_allowance_amount", "invoice_total_amount_without_vat",
  "invoice_total_vat_amount", "invoice_total_vat_amount_sar", "invoice_total_amount_with_vat", "prepaid_amount", "payable_rounding_amount", "invoice_payable_amount",
];

test(`the numbers of ${count} documents are those of the API`, async () => {
  const issued = [];
  for (let n = 0; n < count; n++) {
    const body = document(n);
    const response = await call("/api/invoices/", { method: "POST", body: JSON.stringify(body) });
    const answer = await response.json();
    assert.equal(response.status, 202, `seed ${seed}, document ${n}: ${JSON.stringify(answer)} of ${JSON.stringify(body)}`);
    issued.push(answer.invoice_uuid);
  }

  const { page, problems, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  // Only the document itself is asked for, since a session has 200 calls a minute.
  await page.route("**/app/api/invoices/*/correct/", (route) => route.fulfill({ json: { invoice_uuid: "", draft_uuid: null, replaced_by_uuid: null, replaces_uuid: null, causes: [], changes: [] } }));
  await page.route("**/app/api/receipts/*", (route) => route.fulfill({ json: { receipts: [], total: 0, total_capped: false, next_cursor: null, num_pages: 0, current_page: 1 } }));
  await page.route("**/v1/api/invoices/*/notes/", (route) => route.fulfill({ json: { notes: [] } }));
  await page.route("**/v1/api/invoices/?*", (route) => route.fulfill({ json: { invoices: [], total: 0, total_capped: false, next_cursor: null, num_pages: 0, current_page: 1 } }));

  let compared = 0;
  for (const uuid of issued) {
    const begun = Date.now();
    const invoice = await (await call(`/api/invoices/${uuid}/`)).json();
    await page.evaluate((to) => history.pushState(null, "", to), `/invoices/${uuid}`);
    await page.waitForFunction((number) => document.querySelector("[data-paper] [data-field=ref_num]")?.textContent === number, invoice.ref_num);
    const shown = await page.evaluate(() => {
      // Grouping and the currency are for the reader; everything else must be the exact text.
      const plain = (element) => element.textContent.trim().replace(/^(USD|EUR)(?=-?\d)/, "").replace(/(?<=\d),(?=\d{3})/g, "");
      const fields = (root) => Object.fromEntries([...root.querySelectorAll("[data-field]")].map((e) => [e.dataset.field, plain(e)]));
      const paper = document.querySelector("[data-paper]");
      const inner = [...paper.querySelectorAll("[data-line], [data-vat], [data-allowance]")];
      const top = Object.fromEntries([...paper.querySelectorAll("[data-field]")].filter((e) => !inner.some((i) => i.contains(e))).map((e) => [e.dataset.field, plain(e)]));
      const all = (selector) => [...paper.querySelectorAll(selector)].map(fields);
      return { top, lines: all("[data-line]"), vat: all("[data-vat]"), allowances: all("[data-allowance]") };
    });
    const same = (got, want, where) => {
      for (const [field, text] of Object.entries(got)) {
        if (!(field in want)) continue;
        assert.equal(text, String(want[field]), `${invoice.ref_num} ${where} ${field}`);
        compared++;
      }
    };
    same(shown.top, Object.fromEntries(totals.map((f) => [f, invoice[f]])), "");
    for (const field of ["invoice_total_amount_without_vat", "invoice_total_vat_amount", "invoice_total_amount_with_vat", "invoice_payable_amount"]) assert.ok(field in shown.top, field);
    assert.equal("payable_rounding_amount" in shown.top, invoice.payable_rounding_amount !== "0.00");
    assert.equal("invoice_total_vat_amount_sar" in shown.top, invoice.currency !== "SAR");
    assert.equal(shown.lines.length, invoice.lines.length);
    shown.lines.forEach((one, i) => same(one, invoice.lines[i], `line ${i + 1}`));
    assert.equal(shown.vat.length, invoice.vat_breakdown.length);
    shown.vat.forEach((one, i) => same(one, invoice.vat_breakdown[i], `VAT ${i + 1}`));
    assert.equal(shown.allowances.length, invoice.document_level_allowances.length);
    shown.allowances.forEach((one, i) => same(one, invoice.document_level_allowances[i], `discount ${i + 1}`));
    await pause(Math.max(0, 400 - (Date.now() - begun)));
  }
  assert.ok(compared > count * 15, `${compared} numbers`);
  assert.deepEqual(problems, []);
  await close();
});
