// Adds a device, onboards it through a failure, renews it, resumes it and releases it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { choose, openBrowser, openPage, program, signIn, startDemo } from "./harness.mjs";

let demo, browser;

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

test("the life of a device", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.goto(`${demo.url}/devices`);
  await page.waitForSelector("main td a");
  await check();
  await page.getByLabel("بحث في أجهزة الفوترة").fill("nothing like this");
  await page.getByText("لا نتائج").waitFor();
  await page.getByLabel("بحث في أجهزة الفوترة").fill("");

  await page.getByRole("button", { name: "إضافة جهاز" }).click();
  await page.getByLabel("اسم الجهاز").fill("كاشير @");
  await choose(page.getByLabel("النشاط"), "التجارة الإلكترونية");
  await page.getByRole("button", { name: "إضافة الجهاز" }).click();
  await page.locator("[aria-invalid=true]").waitFor();
  await check();
  await page.getByLabel("اسم الجهاز").fill("كاشير 9");
  await page.getByRole("button", { name: "إضافة الجهاز" }).click();
  await page.waitForURL(/\/devices\/.+/);
  const id = page.url().split("/").pop();
  const read = async () => (await page.request.get(`${demo.url}/app/api/devices/${id}/`)).json();
  const post = (action, body) => page.evaluate(async ([id, action, body]) => (await fetch(`/app/api/devices/${id}/${action}/`, { method: "POST", headers: { "Content-Type": "application/json" }, body })).status, [id, action, JSON.stringify(body)]);

  await page.getByRole("button", { name: "ربط الجهاز بالهيئة" }).waitFor();
  assert.equal(await post("onboard", { otp: "000000" }), 202);
  await page.waitForTimeout(1_000);
  await page.reload();
  await page.getByText("لم تقبل الهيئة رمز التحقق (OTP)").waitFor();
  assert.equal(await page.locator("li[data-state=failed]").count(), 1);
  await check();
  await page.getByRole("button", { name: "إعادة المحاولة" }).click();
  await page.locator("li[data-state=done]").nth(4).waitFor();
  await page.getByText("نشط", { exact: true }).waitFor();
  assert.equal((await read()).device_status, "pcsid_generated");

  await page.reload();
  await page.getByRole("button", { name: "تجديد شهادة الختم التشفيري" }).click();
  const before = (await read()).PSIDCertificateData.not_valid_before;
  await page.waitForTimeout(1_000); // certificates are valid from a full second
  await page.getByRole("button", { name: "تجديد شهادة الختم التشفيري" }).click();
  await page.getByText("صدرت شهادة ختم تشفيري جديدة.").waitFor();
  await check();
  assert.notEqual((await read()).PSIDCertificateData.not_valid_before, before);

  await page.getByRole("button", { name: "إيقاف الجهاز نهائيًا" }).click();
  await page.getByText("لا رجعة في هذا الإجراء.").waitFor();
  await check();
  await page.getByRole("button", { name: "إلغاء" }).click();
  assert.equal((await read()).is_retired, false);
  await page.getByRole("button", { name: "إيقاف الجهاز نهائيًا" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "إيقاف الجهاز نهائيًا" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.equal((await read()).is_retired, true);
  await page.getByRole("button", { name: /تجديد|إيقاف الجهاز/ }).first().waitFor({ state: "detached" });
  await check();
  assert.deepEqual(problems.filter((p) => !p.includes("status of 400")), []);
  await close();
});

test("a parked device is resumed", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  const mood = (name) => execFileSync(program, ["mood", name, "--data", demo.folder]);
  const plan = join(demo.folder, "refuse.json");
  writeFileSync(plan, '{"unauthorised":"100%"}');
  mood(plan);
  const { devices } = await (await page.request.get(`${demo.url}/app/api/devices/`)).json();
  const { invoices } = await (await page.request.get(`${demo.url}/v1/api/invoices/`)).json();
  const device = devices.find((one) => one.invoice_type === "0100" && !one.is_retired);
  assert.ok(device && invoices.length > 0);
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Riyadh" }).format(new Date());
  const created = await page.request.post(`${demo.credentials.base_url}/api/invoices/`, {
    headers: { Authorization: `Bearer ${demo.credentials.keys.Accountant}` },
    data: {
      device: device.device_id, seller: device.seller_id, type_code: 388, transaction_code: "0200000", supply_date: day, supply_end_date: day,
      currency: "SAR", exchange_rate: 1, payment_means_type_code: "10", notes: [], lines: [], document_level_allowances: [],
      form_lines: [{ item_name: "قهوة عربية", item_net_price: "10.00", invoiced_quantity: 1, invoiced_quantity_unit_of_measure: "PCE", vat_category_code: "S", vat_rate: 15 }],
    },
  });
  assert.equal(created.status(), 202);
  const state = async () => (await (await page.request.get(`${demo.url}/app/api/devices/${device.device_id}/`)).json()).submission_state;
  for (let i = 0; i < 40 && (await state()) !== "parked"; i++) await page.waitForTimeout(250);
  await page.goto(`${demo.url}/devices`);
  await page.locator("td", { hasText: "الهيئة ترفض بياناته" }).waitFor();
  await check();
  await page.goto(`${demo.url}/devices/${device.device_id}`);
  await page.getByText("لم يُفقد شيء").waitFor();
  await check();
  mood("polite");
  await page.getByRole("button", { name: "استئناف الإرسال" }).click();
  await page.getByText("نشط", { exact: true }).waitFor();
  assert.equal(await state(), "ok");
  assert.deepEqual(problems, []);
  await close();
});

for (const [language, theme] of [["ar", "dark"], ["en", "light"], ["en", "dark"]]) {
  test(`devices in ${language}, ${theme}`, async () => {
    const { page, problems, check, close } = await openPage(browser, demo.url, { language, theme });
    await signIn(page, demo);
    await page.goto(`${demo.url}/devices`);
    await page.waitForSelector("main td a");
    await check();
    await page.locator("main td a").last().click();
    await page.waitForSelector("main dl");
    await check();
    assert.deepEqual(problems, []);
    await close();
  });
}
