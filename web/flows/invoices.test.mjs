// Works with issued documents: the page of one, the list, and their files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { choose, openBrowser, openPage, signIn, startDemo } from "./harness.mjs";

let demo, browser, token;

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
  const { email, password } = demo.credentials.admin;
  const session = await fetch(`${demo.url}/app/api/session/`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ email, password }) });
  token = (await session.json()).access_token;
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

async function call(path, { method = "GET", body, form } = {}) {
  const response = await fetch(demo.url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) },
    body: form ?? (body && JSON.stringify(body)),
  });
  const answer = await response.json();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

const byNumber = async (number) => (await call(`/v1/api/invoices/?search_text=${number}`)).invoices.find((i) => i.ref_num === number);
const bytesOf = async (download) => readFileSync(await download.path());

/** Chooses an entry of the menu that a button opens, and returns the file that it downloads. */
async function downloadOf(page, button, entry) {
  await page.getByRole("button", { name: button }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: entry, exact: true }).click()]);
  return download;
}

test("an accepted invoice: paper, files, note, link, print", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  const invoice = await byNumber("INV-2026-000001");
  await page.goto(`${demo.url}/invoices/${invoice.uuid}`);
  await page.waitForSelector("[data-step=answered]");
  await check();
  assert.match(await page.title(), /^INV-2026-000001 – ختم$/);
  assert.equal(await page.locator("[data-step]").count(), 3);
  assert.match(await page.locator("[data-step=created]").textContent(), /Demo office.*1/s);
  await page.getByRole("link", { name: "CRN-2026-000001" }).waitFor(); // the credit note on it

  for (const [entry, name] of [["PDF بالعربية والإنجليزية", "INV-2026-000001.pdf"], ["PDF بالعربية", "INV-2026-000001-ar.pdf"], ["إيصال 80 مم بالإنجليزية", "INV-2026-000001-80mm-en.pdf"]]) {
    const download = await downloadOf(page, "تنزيل", entry);
    assert.equal(download.suggestedFilename(), name);
    assert.equal((await bytesOf(download)).subarray(0, 5).toString(), "%PDF-");
  }
  const xml = (await bytesOf(await downloadOf(page, "تنزيل", "ملف XML المختوم"))).toString();
  assert.ok(xml.includes("<cbc:ID>INV-2026-000001</cbc:ID>"));

  await page.getByRole("button", { name: "إضافة ملاحظة" }).click();
  await check();
  await page.getByRole("dialog").getByRole("button", { name: "إضافة ملاحظة" }).click();
  await page.getByRole("dialog").locator("[data-invalid]").first().waitFor(); // an empty note is refused at its fields
  await page.getByLabel("العنوان").fill("تسليم");
  await page.getByLabel("النص").fill("تُركت عند البوابة.\nاستلمها الحارس.");
  await Promise.all([
    page.waitForResponse((r) => r.request().method() === "POST" && r.url().endsWith("/notes/")),
    page.getByRole("dialog").getByRole("button", { name: "إضافة ملاحظة" }).click(),
  ]);
  await page.getByText("استلمها الحارس.").waitFor();
  const { notes } = await call(`/v1/api/invoices/${invoice.uuid}/notes/`);
  assert.deepEqual(notes.map((n) => [n.title, n.details]), [["تسليم", "تُركت عند البوابة.\nاستلمها الحارس."]]);

  await page.getByRole("button", { name: "إلغاء الرابط" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "إلغاء الرابط" }).click();
  await page.getByRole("button", { name: "إنشاء رابط" }).waitFor();
  assert.equal((await call(`/v1/api/invoices/${invoice.uuid}/`)).share_link, null);
  await page.getByRole("button", { name: "إنشاء رابط" }).click();
  await page.getByRole("button", { name: "نسخ", exact: true }).waitFor();
  const { share_link } = await call(`/v1/api/invoices/${invoice.uuid}/`);
  assert.equal(await page.getByLabel("رابط المشاركة").inputValue(), share_link);
  assert.equal(await page.getByRole("link", { name: "واتساب" }).getAttribute("href"), `https://wa.me/?text=${encodeURIComponent(share_link)}`);

  // The print has the paper alone, and its QR code can be read.
  const form = new FormData();
  form.set("file", new Blob([await page.pdf({ preferCSSPageSize: true })], { type: "application/pdf" }), "print.pdf");
  const { qr_found, tags } = await call("/v1-3/api/public/parse-invoice/", { method: "POST", form });
  assert.ok(qr_found);
  assert.equal(tags.invoice_total_with_vat, invoice.invoice_total_amount_with_vat);
  assert.equal(tags.invoice_hash, invoice.invoice_hash);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("h1").isVisible(), false);
  assert.equal(await page.locator("[data-paper]").isVisible(), true);
  assert.deepEqual(problems.filter((p) => !p.includes("status of 400")), []);
  await close();
});

test("a rejected invoice is corrected at the faulty field", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  const invoice = await byNumber("INV-2026-000003");
  await page.goto(`${demo.url}/invoices/${invoice.uuid}`);
  await page.waitForSelector("[data-causes]");
  await check();
  const causes = await page.locator("[data-causes]").textContent();
  assert.match(causes, /BR-KSA-84/);
  assert.match(causes, /15%. بدلًا من .10%/);
  assert.doesNotMatch(causes, /vat_rate/);
  // On a phone, the cause comes before the paper.
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width: 390, height });
  const [cause, paper] = [await page.locator("[data-causes]").boundingBox(), await page.locator("[data-paper]").boundingBox()];
  assert.ok(cause.y + cause.height <= paper.y, `the cause at ${cause.y}, the paper at ${paper.y}`);
  await page.setViewportSize({ width, height });
  assert.match(await page.locator("[data-paper]").textContent(), /رفضتها الهيئة/);
  assert.equal(await page.getByRole("button", { name: "تنزيل" }).count(), 0);
  await page.getByRole("button", { name: "تصحيح وإصدار فاتورة جديدة" }).click();
  await page.waitForURL(/\/drafts\//);
  const { draft_uuid } = await call(`/app/api/invoices/${invoice.uuid}/correct/`);
  assert.equal(page.url(), `${demo.url}/drafts/${draft_uuid}?field=${encodeURIComponent("invoice.form_lines.0.vat_rate")}`);
  const draft = await call(`/app/api/drafts/${draft_uuid}/`);
  assert.equal(String(draft.invoice.form_lines[0].vat_rate), "15");
  await page.goto(`${demo.url}/invoices/${invoice.uuid}`);
  await page.getByRole("link", { name: "متابعة المسودة المصححة" }).waitFor();
  assert.deepEqual(problems.filter((p) => !p.startsWith("/drafts/")), []);
  await close();
});

test("the actions of an accepted invoice lead to the editor", async () => {
  const { page, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  const invoice = await byNumber("INV-2026-000001");
  for (const [entry, query] of [["إصدار إشعار دائن", `type=381&original=${invoice.uuid}`], ["إصدار إشعار مدين", `type=383&original=${invoice.uuid}`], ["إنشاء نسخة", `copy=${invoice.uuid}`]]) {
    await page.goto(`${demo.url}/invoices/${invoice.uuid}`);
    await page.getByRole("button", { name: "إجراءات أخرى" }).click();
    await page.getByRole("menuitem", { name: entry }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/drafts/"));
    if (page.url().includes("/drafts/new")) assert.equal(new URL(page.url()).search, `?${query}`);
  }
  await close();
});

test("the list: filters, sums, keys and the way back", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.goto(`${demo.url}/invoices`);
  await page.waitForSelector("[data-row]");
  await check();
  const numbers = () => page.$$eval("main table [data-row] a", (links) => links.map((a) => a.textContent));
  const wait = (count) => page.waitForFunction((n) => document.querySelectorAll("main table [data-row]").length === n, count);
  const { invoices } = await call("/v1/api/invoices/?page_size=50");
  assert.deepEqual(await numbers(), invoices.map((i) => i.ref_num));
  const halalas = (text) => BigInt(text.replace(".", ""));
  const sum = (field) => invoices.filter((i) => i.currency === "SAR" && !i.authority_response_status?.startsWith("NOT_")).reduce((total, i) => (i.type_code === 381 ? total - halalas(i[field]) : total + halalas(i[field])), 0n);
  const shown = async (selector) => BigInt((await page.locator(selector).textContent()).replaceAll(/[^\d-]/g, ""));
  assert.equal(await shown("[data-sum=SAR]"), sum("invoice_total_amount_with_vat"));
  assert.equal(await shown("[data-sum-vat=SAR]"), sum("invoice_total_vat_amount"));

  const filter = (name, option) => choose(page.getByRole("group", { name: "عوامل التصفية" }).getByLabel(name), option);
  await filter("الحالة", "مرفوضة من الهيئة");
  await wait(1);
  assert.deepEqual(await numbers(), ["INV-2026-000003"]);
  await filter("الحالة", "كل الحالات");
  await wait(invoices.length);
  await filter("النوع", "إشعار دائن");
  await wait(1);
  assert.deepEqual(await numbers(), ["CRN-2026-000001"]);
  await filter("النوع", "كل الأنواع");
  await filter("الفترة", "أمس");
  await page.getByText("لا نتائج").waitFor();
  await check();
  await filter("الفترة", "هذا الشهر");
  await wait(invoices.length);
  await filter("الدفع", "مدفوعة");
  await page.getByText("لا نتائج").waitFor();
  await page.getByRole("button", { name: "الكل" }).click();
  await wait(invoices.length);

  // A view is saved, renamed, deleted, and restored by undo.
  await filter("النوع", "فاتورة ضريبية مبسطة");
  await wait(1);
  await page.getByRole("button", { name: "حفظ العرض" }).click();
  await page.getByLabel("اسم العرض").fill("مبسطة");
  await page.getByRole("dialog").getByRole("button", { name: "حفظ" }).click();
  await page.getByRole("button", { name: "مبسطة", exact: true }).waitFor();
  const views = async () => (await call("/app/api/views/?list=invoices")).views.map((v) => [v.name, v.query]);
  assert.deepEqual(await views(), [["مبسطة", "type_code=388&transaction_code=0200000"]]);
  await page.getByRole("button", { name: "خيارات «مبسطة»" }).click();
  await page.getByRole("menuitem", { name: "إعادة تسمية العرض" }).click();
  await page.getByLabel("اسم العرض").fill("نقطة البيع");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "خيارات «نقطة البيع»" }).click();
  await page.getByRole("menuitem", { name: "حذف العرض" }).click();
  await page.getByRole("button", { name: "تراجع" }).click();
  await page.getByRole("button", { name: "نقطة البيع", exact: true }).waitFor();
  assert.deepEqual((await views()).map(([name]) => name), ["نقطة البيع"]);
  await page.getByRole("button", { name: "الكل" }).click();
  await wait(invoices.length);

  // The keyboard: down, down, select, open; the way back leads to the same row.
  await page.locator("h1").click();
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press("j");
  assert.equal(await focused(), invoices[0].ref_num);
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), invoices[1].ref_num);
  await page.keyboard.press("k");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.locator("[data-bulk]").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${demo.url}/invoices/${invoices[1].uuid}`);
  await page.waitForFunction(() => document.activeElement.tagName === "H1");
  await page.goBack();
  await page.waitForFunction((number) => document.activeElement.textContent === number, invoices[1].ref_num);
  await page.keyboard.press("/");
  await page.keyboard.type("CRN");
  await wait(1);
  assert.equal(new URL(page.url()).searchParams.get("q"), "CRN");
  assert.deepEqual(problems, []);
  await close();
});

test("selected documents as PDF, XML and CSV", async () => {
  const [types, industries] = await Promise.all([call("/v1/api/business-types/"), call("/v1/api/industries/")]);
  const form = new FormData();
  form.set("client_data", JSON.stringify({
    buyer_name: "=1+1", vat_registration_number: "311111111100003", business_type: types.B2B.uuid, industry: Object.values(industries)[0].uuid,
    street: "Prince Sultan Street", building_number: "4321", district: "Al Rawdah", city: "Jeddah", province_state: "Makkah", postal_code: "23435",
  }));
  const client = await call("/v1/api/onboarding/organizations/clients/", { method: "POST", form });
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Riyadh" }).format(new Date());
  await call("/v1/api/invoices/", {
    method: "POST",
    body: {
      device: demo.credentials.devices[2].device_id, seller: demo.credentials.organisation.uuid, buyer: client.uuid, type_code: 388, transaction_code: "0100000",
      supply_date: day, supply_end_date: day, currency: "SAR", exchange_rate: 1, payment_means_type_code: "10",
      form_lines: [{ item_name: "Laptop 15 inch", item_net_price: "4200.00", invoiced_quantity: 1, invoiced_quantity_unit_of_measure: "PCE", vat_category_code: "S", vat_rate: 15 }],
      lines: [], document_level_allowances: [], notes: [],
    },
  });
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.goto(`${demo.url}/invoices`);
  await page.waitForSelector("[data-row]");
  await page.getByRole("checkbox", { name: "تحديد كل المعروض" }).click();
  await check();
  const file = async (button) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
    return bytesOf(download);
  };
  const { invoices } = await call("/v1/api/invoices/?page_size=50");
  const table = (await file("تنزيل CSV")).toString();
  const lines = table.trim().split("\r\n");
  assert.equal(lines.length, invoices.length + 1);
  assert.ok(table.startsWith("\ufeff"));
  assert.ok(table.includes(",'=1+1,"), "a formula is guarded");
  for (const i of invoices) assert.ok(lines.some((line) => line.startsWith(`${i.ref_num},`) && line.includes(`,${i.invoice_total_amount_with_vat},`) && line.endsWith(i.uuid)));
  const accepted = invoices.filter((i) => i.authority_response_status === "CLEARED" || i.authority_response_status === "REPORTED");
  for (const [button, ending] of [["تنزيل PDF", "pdf"], ["تنزيل XML", "xml"]]) {
    const archive = await file(button);
    assert.equal(archive.subarray(0, 4).toString("latin1"), "PK\u0003\u0004");
    const text = archive.toString("latin1");
    for (const i of accepted) assert.ok(text.includes(`${i.ref_num}.${ending}`));
    assert.ok(!text.includes(`INV-2026-000003.${ending}`), "a rejected document has no file");
    assert.equal(archive.readUInt16LE(archive.length - 12), accepted.length);
  }
  assert.deepEqual(problems.filter((p) => !p.includes("status of 404")), []);
  await close();
});
