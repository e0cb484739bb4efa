// Payments: recorded, split, reversed and refunded in the app, and read back from the API.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually, openBrowser, openPage, signIn, startDemo } from "./harness.mjs";

let demo, browser;

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

/** Reads the API with the session of the page. */
const read = (page, path) => page.evaluate(async (p) => (await fetch(p)).json(), path);

test("a payment is recorded, used and reversed", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  const buyer = demo.credentials.buyers.with_vat;
  await page.goto(`${demo.url}/payments`);
  await page.getByText("لا سندات قبض بعد").waitFor();
  await check();
  const { invoices } = await read(page, `/v1/api/invoices/?buyer=${buyer}&page_size=100`);
  const [open] = invoices.filter((one) => one.balance !== "0.00");
  assert.ok(open, "the demo has an open invoice");

  // A part of the invoice.
  await page.getByRole("button", { name: "تسجيل دفعة" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "تسجيل دفعة" }).click();
  await dialog.getByText("اختر العميل.").waitFor();
  await check();
  await dialog.getByLabel("العميل").fill("النور");
  await page.getByRole("option", { name: /النور/ }).click();
  await dialog.getByLabel("المبلغ", { exact: true }).fill("١٠٠٠");
  await dialog.getByText(open.ref_num).waitFor();
  assert.equal(await dialog.getByLabel(`المسدد من الفاتورة ${open.ref_num}`).inputValue(), "1000.00");
  await check();
  await dialog.getByRole("button", { name: "تسجيل دفعة" }).click();
  await page.waitForURL(/\/payments\/receipts\//);
  await page.getByText(open.ref_num).first().waitFor();
  await check();
  const first = await read(page, `/app/api/receipts/${page.url().split("/").pop()}/`);
  assert.equal(first.amount, "1000.00");
  assert.equal(first.unallocated, "0.00");
  assert.deepEqual(first.allocations.map((one) => [one.invoice, one.amount]), [[open.uuid, "1000.00"]]);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "تنزيل السند" }).click()]);
  assert.match(file.suggestedFilename(), /\.pdf$/);

  // More than is owed: the rest is credit. Typed twice, it is recorded once.
  await page.goto(`${demo.url}/clients/${buyer}/statement`);
  await page.getByRole("row", { name: "الرصيد الختامي" }).waitFor();
  await check();
  // The opening and the closing balance are in the column of the balances.
  const ends = await page.locator("main tbody tr td:last-child bdi").evaluateAll((amounts) => amounts.map((amount) => Math.round(amount.getBoundingClientRect().right)));
  assert.ok(ends.length > 2);
  assert.deepEqual([...new Set(ends)].length, 1, String(ends));
  await page.getByRole("button", { name: "تسجيل دفعة" }).click();
  await dialog.getByLabel("المبلغ", { exact: true }).fill("100000");
  await dialog.getByText("يبقى رصيدًا للعميل:").waitFor();
  await dialog.getByLabel(`المسدد من الفاتورة ${open.ref_num}`).fill("999999");
  await dialog.getByRole("button", { name: "تسجيل دفعة" }).click();
  await dialog.getByText("المبلغ أكبر من الرصيد المتبقي.").waitFor();
  await dialog.getByLabel(`المسدد من الفاتورة ${open.ref_num}`).fill("500");
  await dialog.getByRole("button", { name: "تسجيل دفعة" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("رصيد للعميل لم يُستخدم:").waitFor();
  const { receipts } = await read(page, `/app/api/receipts/?buyer=${buyer}`);
  assert.equal(receipts.length, 2);
  assert.equal(receipts[0].unallocated, "99500.00");
  await check();
  const [sheet] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "تصدير" }).click().then(() => page.getByRole("menuitem", { name: /XLSX/ }).click()),
  ]);
  assert.match(sheet.suggestedFilename(), /\.xlsx$/);

  // The credit pays the rest of the invoice.
  await page.goto(`${demo.url}/payments/receipts/${receipts[0].uuid}`);
  await page.getByRole("button", { name: "تسديد فواتير من الرصيد" }).click();
  await dialog.getByText(open.ref_num).waitFor();
  await dialog.getByRole("button", { name: "تسديد فواتير من الرصيد" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal((await read(page, `/v1/api/invoices/${open.uuid}/`)).payment_status, "Paid");

  // The reversal needs a reason and opens the invoice again.
  await page.getByRole("button", { name: "عكس السند" }).click();
  await dialog.getByRole("button", { name: "عكس السند" }).click();
  await dialog.getByText("اكتب السبب.").waitFor();
  await check();
  await dialog.getByLabel("السبب").fill("سُجّلت بالخطأ");
  await dialog.getByRole("button", { name: "عكس السند" }).click();
  await page.getByText("ملغى بقيد عكسي").waitFor();
  await check();
  const reversed = await read(page, `/app/api/receipts/${receipts[0].uuid}/`);
  assert.equal(reversed.reversal.reason, "سُجّلت بالخطأ");
  assert.equal((await read(page, `/v1/api/invoices/${open.uuid}/`)).payment_status, "Partially Paid");

  await page.goto(`${demo.url}/payments`);
  await page.waitForSelector("main td a");
  await check();
  await page.goto(`${demo.url}/payments/ageing`);
  await page.waitForSelector("main td a");
  await check();
  const [csv] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "تصدير" }).click().then(() => page.getByRole("menuitem", { name: "CSV" }).click()),
  ]);
  assert.match(csv.suggestedFilename(), /\.csv$/);
  assert.deepEqual(problems, []);
  await close();
});

test("a refund on a credit note is recorded and reversed", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  const buyer = demo.credentials.buyers.with_vat;
  // The invoice is paid in full, so that its credit note is to be paid back.
  const { invoices } = await read(page, `/v1/api/invoices/?buyer=${buyer}&page_size=100`);
  const paid = invoices.find((one) => one.type_code === 388 && one.balance !== "0.00");
  await page.goto(`${demo.url}/clients/${buyer}/statement`);
  await page.getByRole("button", { name: "تسجيل دفعة" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("المبلغ", { exact: true }).fill(paid.balance);
  await dialog.getByText(paid.ref_num).waitFor();
  await dialog.getByRole("button", { name: "تسجيل دفعة" }).click();
  await dialog.waitFor({ state: "detached" });
  const note = await issueNote(paid.uuid);
  const { ref_num: number, refund_due: due } = await eventually(() => read(page, `/v1/api/invoices/${note}/`), (one) => one.refund_due !== "0.00");

  await page.goto(`${demo.url}/payments/refunds`);
  await page.getByText("لا مبالغ مردودة بعد").waitFor();
  await check();
  await page.getByRole("button", { name: "تسجيل ردّ مبلغ" }).click();
  await dialog.getByLabel("الإشعار الدائن").fill(number);
  await page.getByRole("option", { name: number }).click();
  assert.equal(await dialog.getByLabel("المبلغ", { exact: true }).inputValue(), due);
  await check();
  await dialog.getByLabel("المبلغ", { exact: true }).fill("1");
  await dialog.getByRole("button", { name: "تسجيل ردّ مبلغ" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.locator("main td a").first().click();
  await page.waitForURL(/\/payments\/refunds\/./);
  await page.getByText(number).first().waitFor();
  await check();
  await page.getByRole("button", { name: "عكس ردّ المبلغ" }).click();
  await dialog.getByLabel("السبب").fill("لم يستلمه العميل");
  await dialog.getByRole("button", { name: "عكس ردّ المبلغ" }).click();
  await page.getByText("ملغى بقيد عكسي").waitFor();
  const { refunds } = await read(page, `/app/api/refunds/?invoice=${note}`);
  assert.deepEqual(refunds.map((one) => [one.amount, one.reversal.reason]), [["1.00", "لم يستلمه العميل"]]);
  assert.deepEqual(problems, []);
  await close();
});

/** Issues a credit note for a part of an invoice. */
async function issueNote(invoice) {
  const { credentials } = demo;
  const device = credentials.devices.find((one) => one.invoice_type === "1100");
  const day = new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 10);
  const response = await fetch(`${credentials.base_url}/api/invoices/`, {
    method: "POST",
    headers: { Authorization: `Bearer ${credentials.keys.Accountant}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      device: device.device_id,
      seller: device.seller_id,
      buyer: credentials.buyers.with_vat,
      type_code: 381,
      transaction_code: "0100000",
      supply_date: day,
      supply_end_date: day,
      currency: "SAR",
      exchange_rate: 1,
      payment_means_type_code: "30",
      notes: [],
      form_lines: [{ item_name: "بن هرري أخضر", item_net_price: "42.50", invoiced_quantity: 2, invoiced_quantity_unit_of_measure: "KGM", vat_category_code: "S", vat_rate: 15, vat_exemption_reason_code: "", vat_exemption_reason_text: "" }],
      lines: [],
      document_level_allowances: [],
      add_prepaid_amount: false,
      prepaid_invoices: [],
      reason_id: credentials.reasons.active,
      original_invoice_reference: [invoice],
    }),
  });
  const answer = await response.json();
  assert.equal(response.ok, true, JSON.stringify(answer));
  return answer.invoice_uuid;
}
