// Imports of clients and items, and earlier invoices, from files and by hand.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { choose, openBrowser, openPage, signIn, startDemo } from "./harness.mjs";

let demo, browser;

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

const read = (page, path) => page.evaluate(async (p) => (await fetch(p)).json(), path);
const csv = (name, text) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

test("clients are imported from a file", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.goto(`${demo.url}/imports`);
  await page.getByText("لا عمليات استيراد بعد").waitFor();
  await check();
  await page.getByRole("button", { name: "رفع ملف" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "فحص الملف" }).click();
  await dialog.getByText("اختر ملفًا.").waitFor();
  await check();
  const rows = Array.from({ length: 300 }, (_, i) => `شركة رقم ${i},شارع ${i},منطقة الرياض`);
  await page.setInputFiles("input[type=file]", csv("عملاء.csv", `الشركة,الشارع,المنطقة\n${rows.join("\n")}\nشركة رقم 0,شارع 0,منطقة الرياض\n,شارع,منطقة\n`));
  await dialog.getByRole("button", { name: "فحص الملف" }).click();

  // The headings that the server does not know are completed here.
  await dialog.getByText("لم نجد في الملف بعض الأعمدة المطلوبة.").waitFor();
  await check();
  await dialog.getByLabel("عنوان عمود «العميل» في ملفك").fill("الشركة");
  await choose(dialog.getByLabel("نوع التعامل لكل الصفوف"));
  await choose(dialog.getByLabel("النشاط لكل الصفوف"));
  await dialog.getByRole("button", { name: "فحص الملف" }).click();
  await page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);

  // Nothing is imported until it is run.
  await page.getByText("لم يُستورد شيء بعد.").waitFor();
  await page.getByRole("button", { name: /^جديدة 300/ }).waitFor();
  await check();
  assert.equal((await read(page, "/v1/api/buyers/")).total, 3);
  await page.getByRole("button", { name: /^مرفوضة 1/ }).click();
  await page.waitForFunction(() => document.querySelectorAll("main tbody tr").length === 1);
  await check();
  await page.getByRole("button", { name: /^استيراد \d+ عم/ }).click();
  await page.getByRole("link", { name: "عرض العملاء" }).waitFor();
  assert.equal((await read(page, "/v1/api/buyers/")).total, 303);
  await page.getByRole("button", { name: /^جديدة 300/ }).click();
  await page.locator("main td a").first().waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "تصدير" }).click().then(() => page.getByRole("menuitem", { name: "CSV" }).click()),
  ]);
  assert.match(file.suggestedFilename(), /\.csv$/);
  await page.getByRole("link", { name: "عرض العملاء" }).click();
  await page.getByText("303 عملاء").waitFor();
  await page.getByRole("button", { name: "التالي" }).click();
  await page.waitForURL(/cursor=/);
  await check();
  const expected = problems.filter((p) => p.startsWith("/imports (") && p.includes("status of 400")); // the missing columns
  assert.deepEqual(problems.filter((p) => !expected.includes(p)), []);
  await close();
});

test("the sample files are accepted, and an import can be cancelled", async () => {
  for (const language of ["ar", "en"]) {
    const { page, problems, close } = await openPage(browser, demo.url, { language });
    const ar = language === "ar";
    await signIn(page, demo);
    for (const kind of ["clients", "items"]) {
      await page.goto(`${demo.url}/imports?kind=${kind}`);
      const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: ar ? "تنزيل ملف نموذجي" : "Download a sample file" }).click()]);
      await page.setInputFiles("input[type=file]", { name: `${kind}.csv`, mimeType: "text/csv", buffer: readFileSync(await file.path()) });
      await page.getByRole("button", { name: ar ? "فحص الملف" : "Check file" }).click();
      await page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);
      await page.getByRole("button", { name: ar ? /^جديدة 1/ : /^New 1/ }).waitFor();
      await page.getByRole("button", { name: ar ? "إلغاء الاستيراد" : "Cancel import" }).click();
      await page.getByText(ar ? "أُلغي الاستيراد." : "The import was cancelled.").waitFor();
    }
    assert.deepEqual(problems, []);
    await close();
  }
});

test("earlier invoices are registered by hand and from a file", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.goto(`${demo.url}/earlier`);
  await page.getByText("لا فواتير سابقة").waitFor();
  await check();
  await page.getByRole("button", { name: "تسجيل فاتورة سابقة" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("رقم الفاتورة").fill("OLD-1");
  await dialog.getByRole("spinbutton").first().click();
  await page.keyboard.type("31122025", { delay: 30 }); // a full segment leads to the next one
  await dialog.getByLabel("المبلغ قبل الضريبة").fill("١٠٠٠٫١٠");
  assert.equal(await dialog.getByLabel("مبلغ الضريبة").inputValue(), "150.02");
  await dialog.getByRole("button", { name: "تسجيل فاتورة سابقة" }).click();
  await dialog.getByText("اختر العميل.").waitFor();
  await check();
  await dialog.getByLabel("العميل").fill("النور");
  await page.getByRole("option", { name: /النور/ }).first().click();
  await dialog.getByRole("button", { name: "تسجيل فاتورة سابقة" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("OLD-1").first().waitFor();
  const [one] = (await read(page, "/app/api/earlier-invoices/")).earlier_invoices;
  assert.equal(one.issue_date, "2025-12-31");
  assert.equal(one.buyer, demo.credentials.buyers.with_vat);
  assert.equal(one.total_with_vat, "1150.12");

  await page.getByRole("button", { name: "تسجيل من ملف" }).click();
  const [sample] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name: "تنزيل ملف نموذجي" }).click()]);
  const text = readFileSync(await sample.path(), "utf8");
  await page.setInputFiles("input[type=file]", csv("سابقة.csv", `${text}OLD-3,2025-12-31,غير معروف,,,SAR,S,15,10,1.50\n`));
  await dialog.getByRole("button", { name: "فحص الملف" }).click();
  await dialog.getByRole("button", { name: /^مرفوضة 1/ }).waitFor();
  await check();
  assert.equal((await read(page, "/app/api/earlier-invoices/")).total, 1);
  await dialog.getByRole("button", { name: "تسجيل فاتورة واحدة" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("OLD-2025-17").first().waitFor();
  await check();
  assert.equal((await read(page, "/app/api/earlier-invoices/")).total, 2);
  assert.deepEqual(problems, []);
  await close();
});
