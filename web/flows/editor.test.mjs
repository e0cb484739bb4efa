// Writes documents as a person does, and compares what is issued with the API.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { api, choose, createPerson, eventually, generator, loadSource, openBrowser, openPage, signIn, startDemo } from "./harness.mjs";

let demo, browser, call;

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
  call = api(demo);
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

let opened = 0;
let person;

/** Opens the editor. The calls a minute are limited for each person, so several take turns. */
async function open(path, options) {
  if (opened++ % 4 === 0) person = createPerson(demo, `writer${opened}@example.sa`, "Admin");
  const tab = await openPage(browser, demo.url, options);
  await signIn(tab.page, person);
  await tab.page.goto(demo.url + path);
  await tab.page.waitForSelector('[data-field="buyer"]');
  return tab;
}

const field = (page, name) => page.locator(`[data-field="${name}"]`);
const cells = (page, name) => page.locator(`[data-field^="line."][data-field$=".${name}"]`);
const total = async (page) => (await page.locator("[data-total]").textContent()).replaceAll(/[^\d.]/g, "");

/** Chooses the first suggestion for a text. */
async function pick(page, name, text) {
  await field(page, name).locator("input").focus();
  await page.keyboard.type(text);
  await page.getByRole("option", { name: text }).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
}

const chooseIn = (page, name, text) => choose(field(page, name).locator("select"), text);

async function line(page, index, name, quantity, price) {
  await cells(page, "name").nth(index).locator("input").focus();
  await page.keyboard.type(name);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await page.keyboard.type(quantity);
  await page.keyboard.press("Enter");
  await page.keyboard.type(price);
}

/** Issues what is written with the keyboard, and returns it as the authority answered. */
async function issue(page) {
  await page.getByText("جاهزة للإصدار").waitFor();
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  return eventually(() => call("GET", `/v1/api/invoices/${id}/`), (invoice) => invoice.authority_response_status);
}

test("from a rejected invoice to its accepted correction", async () => {
  const begun = Date.now();
  const { page, problems, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.goto(`${demo.url}/attention`);
  await page.getByRole("button", { name: "تصحيح" }).first().click();
  await page.waitForURL(/\/drafts\//);
  await page.waitForFunction(() => document.activeElement.closest("[data-field]")?.dataset.field.endsWith(".tax"));
  const invoice = await issue(page);
  assert.equal(invoice.authority_response_status, "CLEARED");
  assert.ok(Date.now() - begun < 60_000);
  assert.deepEqual(problems, []);
  await close();
});

test("an invoice of twelve lines with the keyboard alone", async () => {
  const { page, problems, check, close } = await open("/drafts/new");
  await pick(page, "buyer", "النور");
  await cells(page, "name").first().locator("input").focus();
  for (let i = 1; i <= 12; i++) {
    await page.keyboard.type(`بند رقم ${i}`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await page.keyboard.type(String(i));
    await page.keyboard.press("Enter");
    await page.keyboard.type("١٠٫٣٣");
    if (i < 12) await page.keyboard.press("Enter", { delay: 50 });
  }
  const shown = await total(page);
  await check();
  const invoice = await issue(page);
  assert.equal(invoice.authority_response_status, "CLEARED");
  assert.equal(invoice.lines.length, 12);
  assert.deepEqual(invoice.lines.map((l) => [l.item_name, l.invoiced_quantity, l.item_net_price]), Array.from({ length: 12 }, (_, i) => [`بند رقم ${i + 1}`, String(i + 1), "10.33"]));
  assert.equal(invoice.invoice_payable_amount, shown);
  assert.deepEqual(problems, []);
  await close();
});

test("keys add, duplicate and move lines, and a removed line returns", async () => {
  const { page, problems, close } = await open("/drafts/new");
  await line(page, 0, "القهوة العربية", "2", "30");
  await page.keyboard.press("Control+d");
  assert.equal(await cells(page, "name").count(), 2);
  await page.keyboard.type("5");
  await page.keyboard.press("Alt+ArrowUp");
  assert.deepEqual(await cells(page, "quantity").locator("input").evaluateAll((all) => all.map((i) => i.value)), ["5", "2"]);
  await page.keyboard.press("Control+Enter");
  assert.equal(await cells(page, "name").count(), 3);
  await page.getByRole("button", { name: "حذف البند 1" }).click();
  assert.deepEqual(await cells(page, "quantity").locator("input").evaluateAll((all) => all.map((i) => i.value)), ["1", "2"]);
  await page.getByRole("button", { name: "تراجع" }).click();
  assert.equal(await cells(page, "quantity").first().locator("input").inputValue(), "5");
  assert.deepEqual(problems, []);
  await close();
});

test("a draft is saved by itself, with a line that is not finished", async () => {
  const { page, problems, close } = await open("/drafts/new");
  await line(page, 0, "حبوب البن", "3", "20.5");
  await page.keyboard.press("Enter", { delay: 50 });
  await page.keyboard.type("بن");
  await page.waitForURL(/\/drafts\/[0-9a-f-]{36}$/);
  await page.getByText("حُفظت المسودة").waitFor();
  await page.reload();
  await page.waitForSelector('[data-field="buyer"]');
  assert.deepEqual(await cells(page, "name").locator("input").evaluateAll((all) => all.map((i) => i.value)), ["حبوب البن", "بن"]);
  await page.goto(`${demo.url}/drafts`);
  await page.locator("main td a").first().waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("a simplified invoice with prices including VAT", async () => {
  const { page, problems, close } = await open("/drafts/new");
  await page.getByText("مبسطة", { exact: true }).click();
  await page.getByText("الأسعار شاملة الضريبة").first().click();
  await line(page, 0, "قهوة مختصة", "3", "10");
  assert.equal(await total(page), "30.00");
  const invoice = await issue(page);
  assert.equal(invoice.authority_response_status, "REPORTED");
  assert.equal(invoice.invoice_payable_amount, "30.00");
  assert.equal(invoice.payment_status, "Paid");
  assert.deepEqual(problems, []);
  await close();
});

test("an item by its barcode", async () => {
  await call("POST", "/v1/api/items/", { item_name: "Ceramic cup", item_name_arabic: "كوب خزفي", barcode: "6281000000017", item_net_price: "12.50", unit_of_measure: "PCE", vat_category_code: "S", vat_rate: "15" }, "form:item_data");
  const { page, problems, close } = await open("/drafts/new");
  await cells(page, "name").first().locator("input").focus();
  await page.keyboard.type("6281000000017");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll('[data-field$=".name"]').length === 2);
  assert.equal(await cells(page, "name").first().locator("input").inputValue(), "كوب خزفي");
  assert.equal(await total(page), "14.38");
  assert.deepEqual(problems, []);
  await close();
});

test("an advance and its deduction", async () => {
  const { page, problems, close } = await open("/drafts/new?type=386");
  await pick(page, "buyer", "النور");
  await line(page, 0, "دفعة مقدمة", "1", "100");
  const advance = await issue(page);
  assert.equal(advance.type_code, 386);
  await page.goto(`${demo.url}/drafts/new`);
  await page.waitForSelector('[data-field="buyer"]');
  await pick(page, "buyer", "النور");
  await line(page, 0, "مطحنة قهوة", "1", "400");
  await page.getByText("المزيد: الخصم والعملة").click();
  await pick(page, "advances", advance.ref_num);
  await page.waitForFunction(() => document.querySelector("[data-total]").textContent.includes("345.00"));
  const invoice = await issue(page);
  assert.deepEqual([invoice.invoice_total_amount_with_vat, invoice.prepaid_amount, invoice.invoice_payable_amount], ["460.00", "115.00", "345.00"]);
  assert.deepEqual(problems, []);
  await close();
});

test("a credit note on an invoice", async () => {
  const original = (await call("GET", "/v1/api/invoices/?invoice_status=CLEARED&type_code=388&page_size=1")).invoices[0];
  const { page, problems, close } = await open(`/drafts/new?type=381&original=${original.uuid}`);
  const reasons = await call("GET", "/app/api/autocomplete/reasons/");
  await pick(page, "reason", reasons.results[0].description);
  await page.getByText("جاهزة للإصدار").waitFor();
  const note = await issue(page);
  assert.equal(note.type_code, 381);
  assert.deepEqual(note.original_invoice_reference, [original.uuid]);
  assert.deepEqual(problems, []);
  await close();
});

test("a discount and a foreign currency", async () => {
  const { page, problems, close } = await open("/drafts/new");
  await pick(page, "buyer", "النور");
  await line(page, 0, "خدمات استشارية", "1", "1000");
  await page.getByText("المزيد: الخصم والعملة").click();
  await chooseIn(page, "currency", "USD");
  await field(page, "exchangeRate").locator("input").fill("3.75");
  await page.getByRole("button", { name: "إضافة خصم" }).click();
  await page.locator('[data-field^="allowance."] input').first().fill("50");
  assert.equal(await total(page), "1092.50");
  const invoice = await issue(page);
  assert.deepEqual([invoice.currency, invoice.invoice_payable_amount, invoice.invoice_total_vat_amount_sar], ["USD", "1092.50", "534.38"]);
  assert.deepEqual(problems, []);
  await close();
});

test("what is missing is said, and leads to its field", async () => {
  const { page, problems, check, close } = await open("/drafts/new");
  await line(page, 0, "قهوة", "1", "0");
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByText("اختر العميل. الفاتورة الضريبية").first().waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.closest("[data-field]")?.dataset.field), "buyer");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "أدخل سعرًا أكبر من صفر." }).click();
  await page.waitForFunction(() => document.activeElement.closest("[data-field]")?.dataset.field.endsWith(".price"));
  await check();
  assert.deepEqual(problems, []);
  await close();
});

test("the amounts of lines are under their heads, and a wrong rate is marked", async () => {
  const invoice = JSON.parse(readFileSync(join(demo.folder, "bodies", "rejected.json"), "utf8"));
  const { uuid } = await call("POST", "/app/api/drafts/", { invoice });
  for (const language of ["ar", "en"]) {
    const { page, problems, close } = await open(`/drafts/${uuid}`, { language });
    await cells(page, "tax").locator("select[aria-invalid=true]").waitFor();
    const [heads, row] = [page.locator("[aria-labelledby=lines-title] > [aria-hidden]"), page.locator("[aria-labelledby=lines-title] li > div").first()];
    const ends = (of) => of.evaluate((element) => [...element.children].map((child) => {
      const range = document.createRange();
      range.selectNodeContents(child.querySelector("input, bdi") ?? child);
      const field = child.querySelector("input");
      return Math.round(field ? field.getBoundingClientRect().right - parseFloat(getComputedStyle(field).paddingRight) - 1 : range.getBoundingClientRect().right);
    }));
    const [above, below] = [await ends(heads), await ends(row)];
    for (const column of [2, 4, 6]) assert.ok(Math.abs(above[column] - below[column]) <= 1, `${language}, column ${column}: ${above} above ${below}`);
    assert.deepEqual(problems, []);
    await close();
  }
});

test("a draft is shared for approval", async () => {
  const { page, problems, check, close } = await open("/drafts/new");
  await pick(page, "buyer", "النور");
  await line(page, 0, "خدمات استشارية", "1", "1000");
  await page.getByText("جاهزة للإصدار").waitFor();
  await page.getByRole("button", { name: "مشاركة للموافقة" }).click();
  await page.getByLabel("اسم المستلم").fill("سارة");
  await page.getByLabel("البريد الإلكتروني").fill("sara@alnoor.example");
  await check();
  await page.getByRole("button", { name: "إرسال الرابط" }).click();
  await page.getByText("أُرسل الرابط إلى sara@alnoor.example").waitFor();
  const link = await page.getByRole("dialog").locator("bdi").textContent();
  assert.equal((await fetch(link)).status, 200);
  await page.getByRole("button", { name: "إغلاق" }).first().click();
  await page.getByText("بانتظار موافقة سارة").waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("the editor computes random documents as the server does", async () => {
  const { compute } = await loadSource("/src/pages/editor/amounts.ts");
  const { blank, blankLine, newKey, toBody } = await loadSource("/src/pages/editor/model.ts");
  const { devices } = await call("GET", "/app/api/devices/");
  const device = devices.find((d) => d.device_status === "pcsid_generated" && d.invoice_type === "1100" && !d.is_retired);
  const random = generator(Number(process.env.SEED ?? 7));
  const taxes = [["S", "15", "", ""], ["S", "5", "", ""], ["Z", "0", "VATEX-SA-35", "الأدوية"], ["E", "0", "VATEX-SA-30", "عقارات"], ["O", "0", "VATEX-SA-OOS", "خارج النطاق"]];
  for (let n = 0; n < Number(process.env.DOCUMENTS ?? 60); n++) {
    const content = { ...blank(device.device_id, device.seller_id), transactionCode: "0200000", inclusive: random(2) === 1 };
    content.lines = Array.from({ length: 1 + random(12) }, () => {
      const [category, rate, reasonCode, reasonText] = taxes[random(3) ? 0 : random(taxes.length)];
      return { ...blankLine(), name: "بند للاختبار", price: `${1 + random(999)}.${String(random(100)).padStart(2, "0")}`, quantity: random(2) ? String(1 + random(50)) : `${random(9)}.${1 + random(999)}`, category, rate, reasonCode, reasonText };
    });
    if (random(3) === 0) {
      const { category, rate } = content.lines[0];
      content.allowances = [{ key: newKey(), amount: `0.${String(1 + random(99)).padStart(2, "0")}`, reason: "", category, rate }];
    }
    if (random(4) === 0) Object.assign(content, { currency: "USD", exchangeRate: `3.${7000 + random(999)}` });
    const { invoice } = await call("POST", "/v1/api/invoices/preview/", toBody(content, false).body);
    const { lines, ...amounts } = compute(content);
    assert.deepEqual(
      [[...lines.values()], amounts.lineTotal, amounts.discounts, amounts.withoutVAT, amounts.vat, amounts.vatInSAR, amounts.withVAT, amounts.rounding, amounts.total],
      [
        invoice.lines.map((l) => ({ net: l.line_net_amount, total: l.line_total_amount })),
        invoice.invoice_total_line_net_amount,
        invoice.invoice_total_document_level_allowance_amount,
        invoice.invoice_total_amount_without_vat,
        invoice.invoice_total_vat_amount,
        invoice.invoice_total_vat_amount_sar,
        invoice.invoice_total_amount_with_vat,
        invoice.payable_rounding_amount,
        invoice.invoice_payable_amount,
      ],
      JSON.stringify(content),
    );
  }
});
