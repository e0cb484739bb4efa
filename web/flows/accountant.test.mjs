// The accountant's work on the page of a document: payments, refunds, and counted texts.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { api, eventually, openBrowser, openPage, signIn, startDemo } from "./harness.mjs";

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

/** Issues a document of the demo's client, and returns it once the authority has answered. */
async function issue(changes) {
  const { devices } = await call("GET", "/app/api/devices/?page_size=100");
  const device = devices.find((one) => one.device_status === "pcsid_generated" && one.invoice_type !== "0100" && !one.is_retired);
  const day = new Date().toISOString().slice(0, 10);
  const body = {
    device: device.device_id, seller: device.seller_id, buyer: demo.credentials.buyers.with_vat,
    type_code: 388, transaction_code: "0100000", supply_date: day, supply_end_date: day, currency: "SAR", exchange_rate: 1,
    payment_means_type_code: "10", notes: [], lines: [], document_level_allowances: [],
    form_lines: [{ item_name: "حبوب البن", item_net_price: "100.00", invoiced_quantity: String(1 + Math.floor(Math.random() * 1_000_000) / 1_000_000), invoiced_quantity_unit_of_measure: "KGM", vat_category_code: "S", vat_rate: 15 }],
    ...changes,
  };
  const { location } = await call("POST", "/v1/api/invoices/", body);
  const id = location.split("/").filter(Boolean).at(-1);
  return eventually(() => call("GET", `/v1/api/invoices/${id}/`), (invoice) => invoice.authority_response_status);
}

test("a payment and a refund on the page of the document", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  const invoice = await issue({});
  assert.notEqual(invoice.balance, "0.00");
  await page.goto(`${demo.url}/invoices/${invoice.uuid}`);
  await page.getByText("لا تُعدَّل الفاتورة الصادرة ولا تُحذف.").waitFor();
  await page.getByRole("button", { name: "تسجيل دفعة" }).click();
  const dialog = page.getByRole("dialog");
  assert.equal(await dialog.getByLabel("المبلغ", { exact: true }).inputValue(), invoice.balance);
  assert.equal(await dialog.getByLabel(`المسدد من الفاتورة ${invoice.ref_num}`).inputValue(), invoice.balance);
  await check();
  await dialog.getByRole("button", { name: "تسجيل دفعة" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("مدفوعة", { exact: true }).waitFor();
  assert.equal((await call("GET", `/v1/api/invoices/${invoice.uuid}/`)).balance, "0.00");
  assert.equal(await page.getByRole("button", { name: "تسجيل دفعة" }).count(), 0);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^تنزيل سند القبض/ }).click()]);
  assert.match(file.suggestedFilename(), /\.pdf$/);
  await check();

  const { reasons } = await call("GET", "/app/api/reasons/?page_size=100");
  const note = await issue({
    type_code: 381, original_invoice_reference: [invoice.uuid], reason_id: reasons[0].uuid,
    form_lines: invoice.lines.map((line) => ({ item_name: line.item_name, item_net_price: line.item_net_price, invoiced_quantity: line.invoiced_quantity, invoiced_quantity_unit_of_measure: "KGM", vat_category_code: "S", vat_rate: 15 })),
  });
  await page.goto(`${demo.url}/invoices/${note.uuid}`);
  await page.getByText("ولا يصدر عليه إشعار آخر").waitFor();
  await page.getByRole("button", { name: "تسجيل ردّ مبلغ" }).click();
  assert.equal(await dialog.getByLabel("المبلغ", { exact: true }).inputValue(), note.refund_due);
  await dialog.getByLabel("المبلغ", { exact: true }).fill("999999");
  await dialog.getByRole("button", { name: "تسجيل ردّ مبلغ" }).click();
  await dialog.getByText("المبلغ أكبر مما بقي للرد.").waitFor();
  await check();
  await dialog.getByLabel("المبلغ", { exact: true }).fill(note.refund_due);
  await dialog.getByRole("button", { name: "تسجيل ردّ مبلغ" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.waitForFunction(() => ![...document.querySelectorAll("button")].some((one) => one.textContent.includes("تسجيل ردّ مبلغ")));
  const { refunds } = await call("GET", `/app/api/refunds/?invoice=${note.uuid}`);
  assert.deepEqual(refunds.map((one) => one.amount), [note.refund_due]);
  await page.getByRole("link", { name: refunds[0].number }).waitFor();
  await check();
  assert.deepEqual(problems, []);
  await close();
});

test("counted texts have the forms of Arabic and English", async () => {
  const { page, problems, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  const counts = { 1: "عميل واحد", 2: "عميلان", 3: "3 عملاء", 11: "11 عميلًا", 100: "100 عميل", 1303: "1,303 عملاء" };
  let total = 0;
  await page.route("**/v1/api/buyers/?*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), total, total_capped: false } });
  });
  for (const [count, text] of Object.entries(counts)) {
    total = Number(count);
    await page.goto(`${demo.url}/clients`);
    await page.getByText(text, { exact: true }).waitFor();
  }
  // An empty list says so itself, and its title has no count.
  await page.unrouteAll();
  await page.route("**/v1/api/buyers/?*", (route) => route.fulfill({ json: { buyers: [], total: 0, total_capped: false, num_pages: 1, current_page: 1, next_cursor: null } }));
  await page.goto(`${demo.url}/clients`);
  await page.getByText("لا عملاء بعد", { exact: true }).waitFor();
  assert.equal(await page.locator("main").getByText("لا عملاء", { exact: true }).count(), 0);
  const english = await openPage(browser, demo.url, { language: "en" });
  await signIn(english.page, demo);
  await english.page.goto(`${demo.url}/devices`);
  await english.page.getByText(/^\d+ devices?$/).waitFor();
  assert.deepEqual([...problems, ...english.problems], []);
  await english.close();
  await close();
});

test("a refused form names what no field shows, without the words of programs", async () => {
  const { page, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.route("**/app/api/reasons/", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 400, json: { code: "validation_failed", message: ["x"], errors: [
          { path: "description", code: "too_short", message: "must have at least 3 characters", message_ar: "يجب ألا يقل عدد الحروف عن 3.", fix: "Send a longer text.", fix_ar: "أرسل نصًا أطول." },
          { path: "vat_rate", code: "field_required", message: "Field required", message_ar: "حقل مطلوب غير موجود أو فارغ.", fix: "Send the field.", fix_ar: "أرسل هذا الحقل." },
        ] } })
      : route.continue(),
  );
  await page.goto(`${demo.url}/reasons`);
  await page.getByRole("button", { name: "إضافة نص" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("النص").fill("ب");
  await dialog.getByRole("button", { name: "حفظ" }).click();
  await dialog.getByText("يجب ألا يقل عدد الحروف عن 3.", { exact: true }).waitFor();
  await dialog.getByText("نسبة الضريبة: هذا الحقل مطلوب.", { exact: true }).waitFor();
  assert.equal(await dialog.getByText("أرسل").count(), 0);
  await close();
});
