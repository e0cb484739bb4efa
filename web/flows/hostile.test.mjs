// Stores hostile texts in every field that a page shows, and opens every page: the texts
// are shown as text. The app cannot be framed by another site.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { api, createPerson, eventually, go, loaded, openBrowser, openPage, program, settled, signIn, startDemo } from "./harness.mjs";
import { open, places } from "./places.mjs";

// Each text counts in window.ran if it is run, and leaves a <hostile-text> if it is parsed.
const attack = `<script>ran++</script>"><img src=x onerror=ran++><hostile-text>\u200b😀 {{7*7}} javascript:ran++ '-ran++-'`;
const short = `"><img src=x onerror=ran++>`;
const word = "W".repeat(5_000);
/** From the worst to the mildest: the API refuses some of them in some fields. */
const texts = [`${attack}\u202e${word}`, `${attack}${word}`, `${attack}${"W".repeat(700)}`, `${attack}${"W".repeat(200)}`, attack, `<svg onload=ran++>\u202e${"W".repeat(60)}`, `<svg onload=ran++>${"W".repeat(60)}`, short, "<b onclick=ran++>", "{{7*7}}"];

let demo, browser, call;
const stored = {}; // by field, how bad a text it has accepted

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
  call = api(demo);
  await fill();
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

/**
 * Sends a body with a hostile text in each of the fields. A text that is refused is
 * replaced with a milder one.
 */
async function store(method, path, fields, body = {}, how) {
  const level = Object.fromEntries(fields.map((field) => [field, 0]));
  for (;;) {
    const filled = structuredClone(body);
    for (const field of fields) {
      if (level[field] >= texts.length) continue; // it takes no such text, and keeps what the body has
      const keys = field.split(".");
      const last = keys.pop();
      keys.reduce((at, key) => (at[key] ??= {}), filled)[last] = texts[level[field]];
    }
    const answer = await call(method, path, filled, how).catch((error) => error);
    if (!(answer instanceof Error)) {
      for (const field of fields) stored[`${path} ${field}`] = level[field];
      return answer;
    }
    assert.match(answer.message, /: (400|422|413) /, answer.message);
    const refused = fields.filter((field) => level[field] < texts.length && new RegExp(`["'\`.\\s]${field.replaceAll(".", "\\.")}["'\`\\s:]`).test(answer.message));
    if (refused.length === 0) {
      assert.ok(fields.some((field) => level[field] < texts.length), answer.message);
      refused.push(...fields.filter((field) => level[field] < texts.length));
    }
    for (const field of refused) level[field]++;
  }
}

const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Riyadh" }).format(new Date());

function invoice(buyer) {
  const { devices, organisation } = demo.credentials;
  return {
    device: devices[2].device_id, seller: organisation.uuid, buyer, type_code: 388, transaction_code: "0100000", supply_date: day, supply_end_date: day, currency: "SAR", exchange_rate: 1,
    payment_means_type_code: "10", notes: [{ language_id: "en", note: "note" }], lines: [],
    form_lines: [{ item_name: "item", item_net_price: "100.00", invoiced_quantity: 1, invoiced_quantity_unit_of_measure: "PCE", vat_category_code: "S", vat_rate: 15 }],
    document_level_allowances: [{ allowance_amount: "1.00", reason: "reason", vat_category_code: "S", vat_rate: 15 }],
  };
}

/** Fills the organisation. */
async function fill() {
  const address = ["street", "additional_street", "district", "city", "province_state"];
  const arabic = address.map((field) => `${field}_arabic`);
  const plain = { street: "Street", building_number: "1234", district: "District", city: "City", province_state: "Province", postal_code: "12345" };
  await store("PATCH", "/app/api/company/", ["name", "name_arabic", ...address, ...arabic]);
  await store("POST", "/app/api/branches/", ["name", ...address, ...arabic], { ...plain, additional_seller_id: { type_id: "CRN", value: "1010010001" } });
  await store("PATCH", "/app/api/person/", ["name"]);
  const reason = await store("POST", "/app/api/reasons/", ["description"]);
  await store("POST", "/app/api/devices/", ["common_name", "location", "unit_name", "serial_number"], { common_name: "Till", invoice_type: "1100", industry: "Retail" });
  await store("POST", "/app/api/keys/", ["title"], { role: "ViewInvoice" });
  await store("POST", "/app/api/views/", ["name", "query"], { list: "invoices", query: "invoice_status=NOT_CLEARED" });
  await call("POST", "/app/api/invitations/", { email: "a'onerror=ran@example.sa", role: "ViewInvoice", language: "en" });
  const [types, industries] = await Promise.all([call("GET", "/v1/api/business-types/"), call("GET", "/v1/api/industries/")]);
  const kinds = { business_type: types.B2B.uuid, industry: Object.values(industries)[0].uuid };
  const client = await store("POST", "/v1/api/onboarding/organizations/clients/", ["buyer_name", "buyer_name_arabic", ...address, ...arabic, "contact_name", "contact_phone", "plot_identification"], { ...plain, ...kinds, buyer_name: "Client", vat_registration_number: "311111111100003", contact_email: "x@example.sa" }, "form:client_data");
  await store("POST", "/v1/api/items/", ["item_name", "item_name_arabic", "description", "sku", "barcode"], { item_name: "Item", item_net_price: "10.00", unit_of_measure: "PCE", vat_category_code: "S", vat_rate: 15 }, "form:item_data");

  const fields = ["form_lines.0.item_name", "notes.0.note", "document_level_allowances.0.reason"];
  const { invoice_uuid: issued } = await store("POST", "/v1/api/invoices/", fields, invoice(client.uuid));
  await eventually(() => call("GET", `/v1/api/invoices/${issued}/`), (one) => one.authority_response_status === "CLEARED");
  await store("POST", "/v1/api/invoices/", fields, { ...invoice(client.uuid), form_lines: [{ ...invoice().form_lines[0], vat_rate: 10 }], document_level_allowances: [{ ...invoice().document_level_allowances[0], vat_rate: 10 }] }); // rejected
  const receipt = await store("POST", "/app/api/receipts/", ["note"], { buyer: client.uuid, currency: "SAR", amount: "113.85", payment_means_type_code: "10", allocations: [{ invoice: issued, amount: "113.85" }] });
  assert.ok(receipt.uuid);
  const reversed = await store("POST", "/app/api/receipts/", ["note"], { buyer: client.uuid, currency: "SAR", amount: "5.00", payment_means_type_code: "10" });
  await store("POST", `/app/api/receipts/${reversed.uuid}/reverse/`, ["reason"]);
  const { invoice_uuid: note } = await store("POST", "/v1/api/invoices/", ["form_lines.0.item_name", "notes.0.note"], { ...invoice(client.uuid), document_level_allowances: [], form_lines: [{ ...invoice().form_lines[0], item_net_price: "10.00" }], type_code: 381, reason_id: reason.uuid, original_invoice_reference: [issued] });
  await eventually(() => call("GET", `/v1/api/invoices/${note}/`), (one) => one.refund_due !== "0.00");
  await store("POST", "/app/api/refunds/", ["note"], { invoice: note, amount: "1.00", payment_means_type_code: "10" });
  await store("POST", "/app/api/earlier-invoices/", ["number"], { number: "OLD-1", issue_date: "2025-12-31", simplified: false, buyer: client.uuid, currency: "SAR", totals: [{ vat_category_code: "S", vat_rate: 15, taxable_amount: "100.00", vat_amount: "15.00" }] });

  const drafted = { invoice: invoice(client.uuid), recipient: { name: "Sara", email: "sara@example.sa", language: "en" } };
  const inDraft = ["invoice.form_lines.0.item_name", "invoice.notes.0.note", "invoice.document_level_allowances.0.reason", "recipient.name"];
  await store("POST", "/app/api/drafts/", inDraft, drafted);
  await decline(await store("POST", "/app/api/drafts/", ["invoice.notes.0.note", "recipient.name"], drafted));
  await upload("clients", `buyer_name,street,province_state,contact_name\n"${attack.replaceAll('"', '""')}","${short.replaceAll('"', '""')}",${word},${word}\n,<svg onload=ran++>,x,x\n`, kinds);
}

/** Shares a draft and declines it as its recipient. */
async function decline({ uuid }) {
  const { share_link: link } = await call("POST", `/app/api/drafts/${uuid}/share/`);
  const shared = `${demo.credentials.public_url}/api/public/shared/${link.split("/").pop()}`;
  const post = async (path, body) => {
    const response = await fetch(`${shared}/${path}/`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
  };
  await post("otp", {});
  const outbox = (...words) => execFileSync(program, ["outbox", ...words, "--data", demo.folder], { encoding: "utf8" });
  const ids = [...outbox("list").matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g)].map(([id]) => id);
  const code = ids.map((id) => /^\s*(\d{6})\s*$/m.exec(outbox("show", id))?.[1]).find(Boolean);
  assert.ok(code, "the outbox has no code");
  await post("decline", { name: "Sara {{7*7}}", code, comment: attack.replace("\u200b", "") });
}

/** Uploads a file of records. */
async function upload(kind, text, { business_type, industry }) {
  const form = new FormData();
  form.set("import_data", JSON.stringify({ kind, columns: [{ field: "business_type", value: business_type }, { field: "industry", value: industry }] }));
  form.set("file", new File([text], `${short.replaceAll('"', "")}.csv`, { type: "text/csv" }));
  await call("POST", "/app/api/imports/", form);
}

/** Opens a page in which a text that is run or parsed is a problem. */
async function guarded(options) {
  const opened = await openPage(browser, demo.url, options);
  opened.page.on("dialog", (dialog) => {
    opened.problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await opened.page.addInitScript(() => {
    globalThis.ran = 0;
  });
  return {
    ...opened,
    async look(name) {
      await settled(opened.page);
      for (const width of [320, 768, 1280]) {
        await opened.page.setViewportSize({ width, height: 900 });
        const found = await opened.page.evaluate(() => ({
          ran: globalThis.ran,
          made: document.querySelectorAll("hostile-text, [onerror], [onload], [onclick], img[src=x], #root script").length,
          links: [...document.querySelectorAll("a[href], form[action]")].filter((a) => /^\s*(javascript|data):/i.test(a.getAttribute("href") ?? a.action)).length,
          computed: /(^|[^\d])49([^\d]|$)/.test(document.title),
          over: document.documentElement.scrollWidth > innerWidth && [...document.querySelectorAll("body *")].filter((e) => Math.max(e.getBoundingClientRect().right - innerWidth, -e.getBoundingClientRect().left) > 1).slice(-3).map((e) => e.outerHTML.slice(0, 90)),
        }));
        if (Object.values(found).some(Boolean)) opened.problems.push(`${name} at ${width} px: ${JSON.stringify(found)}`);
      }
    },
  };
}

/** Returns what a page shows below the frame, which shows the name of the organisation. Runs in the page. */
function seen() {
  const main = document.querySelector("main");
  return [main.innerText, ...[...main.querySelectorAll("input, textarea")].map((field) => field.value)].join("\n");
}

for (const language of ["ar", "en"]) {
  test(`hostile texts on every page, ${language}`, async () => {
    const { page, problems, look, close } = await guarded({ language });
    // Filling the organisation has used many of the 200 calls that a person has in a minute.
    const person = createPerson(demo, `${language}@example.sa`, "Admin", attack);
    await signIn(page, person);
    let shown = 0;
    for (const place of await places(api(person), language === "ar" ? 3 : 1)) {
      await go(page, place);
      await page.waitForSelector("main h1, main [role=alert]").catch(async () => assert.fail(`${place} shows nothing: ${await page.locator("body").innerText()} ${problems.join("\n")}`));
      assert.equal(new URL(page.url()).pathname, place.split("?")[0]);
      await look(place);
      if ((await page.evaluate(seen)).includes("ran++")) shown++;
    }
    assert.ok(shown >= 25, `the texts are seen on ${shown} pages only: ${JSON.stringify(stored)}`);
    // The search finds them, and what is opened on top of a page shows them.
    await go(page, "/");
    await page.waitForSelector("main h2");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").locator("input").fill("<s");
    await loaded(page);
    await look("the search");
    assert.deepEqual(problems, []);
    await close();
  });
}

test("hostile codes and files in the tools", async () => {
  const { page, problems, look, close } = await guarded();
  await page.goto(`${demo.url}/tools/qr`);
  const text = Buffer.from(attack);
  await page.fill("textarea[name=code]", Buffer.concat([Buffer.from([1, text.length]), text]).toString("base64"));
  await page.locator("[data-tag='1']").waitFor();
  await look("a QR code");
  await page.goto(`${demo.url}/tools/invoice`);
  const [{ uuid }] = (await call("GET", "/v1/api/invoices/")).invoices;
  assert.ok(uuid);
  const files = {
    "page.xml": `<html xmlns="http://www.w3.org/1999/xhtml"><script>ran++</script><img src="x" onerror="ran++"/></html>`,
    "entity.xml": `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>`,
    "style.xml": `<?xml-stylesheet type="text/xsl" href="javascript:ran++"?><Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID xmlns="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">${attack.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</ID></Invoice>`,
  };
  for (const [name, content] of Object.entries(files)) {
    await page.setInputFiles("input[type=file]", { name: `${name}${short.replaceAll('"', "")}.xml`, mimeType: "text/xml", buffer: Buffer.from(content) });
    await page.waitForTimeout(500);
    await look(name);
  }
  for (const path of open) {
    await page.goto(`${demo.url}${path}?to=javascript:ran%2B%2B&x=${encodeURIComponent(attack)}#${encodeURIComponent(attack)}`);
    await look(path);
  }
  assert.deepEqual(problems.filter((p) => !/status of 4\d\d/.test(p)), []);
  await close();
});

test("another site cannot frame the app", async () => {
  for (const path of ["/", "/login", "/invoices", "/assets/", "/icon.svg"]) {
    const response = await fetch(demo.url + path);
    if (response.status === 404) continue;
    assert.match(response.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/, path);
    assert.equal(response.headers.get("x-frame-options"), "DENY", path);
  }
  const other = createServer((_, response) => response.setHeader("Content-Type", "text/html").end(`<title>x</title><iframe id="app" src="${demo.url}/invoices"></iframe>`));
  await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    const refused = [];
    page.on("console", (m) => refused.push(m.text()));
    // Another port is another origin; localhost is also another site.
    for (const host of ["127.0.0.1", "localhost"]) {
      refused.length = 0;
      await page.goto(`http://${host}:${other.address().port}/`);
      await page.waitForTimeout(500);
      const frame = page.frames().find((one) => one !== page.mainFrame());
      assert.ok(!frame || (await frame.locator("#root").count()) === 0, "the app is shown in a frame");
      assert.ok(refused.some((text) => text.includes("frame-ancestors")), refused.join("\n"));
    }
    await context.close();
  } finally {
    other.close();
  }
});
