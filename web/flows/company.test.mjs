// Changes the record of the company, its logo and its branches.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openPage, signIn, startDemo } from "./harness.mjs";

let demo, browser;

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

test("the record of the company", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  const read = async () => (await page.request.get(`${demo.url}/app/api/company/`)).json();
  await signIn(page, demo);
  await page.goto(`${demo.url}/company`);
  await page.getByText("لا يمكن تغيير الرقم الضريبي").waitFor();
  assert.ok(await page.getByLabel("الرقم الضريبي").isDisabled());
  await check();
  const before = await read();
  await page.getByLabel("الشارع بالعربية", { exact: true }).fill("شارع التحلية");
  await page.getByLabel("رقم الآيبان").fill("SA1");
  await page.getByLabel("مهلة السداد بالأيام").fill("٤٠٠");
  await page.getByRole("button", { name: "حفظ" }).click();
  await page.getByText("أدخل عددًا صحيحًا من 0 إلى 365.").waitFor();
  await page.getByLabel("مهلة السداد بالأيام").fill("٤٥");
  await page.getByRole("button", { name: "حفظ" }).click();
  await page.getByText("يجب أن يكون رقم آيبان صحيحًا").waitFor();
  await check();
  assert.equal(await page.getByLabel("الشارع بالعربية", { exact: true }).inputValue(), "شارع التحلية");
  await page.getByLabel("رقم الآيبان").fill("SA03 8000 0000 6080 1016 7519");
  await page.getByText("طباعة المبلغ بالحروف").click();
  await page.getByRole("button", { name: "حفظ" }).click();
  await page.getByText("حُفظت التغييرات").waitFor();
  const after = await read();
  assert.deepEqual(after, { ...before, street_arabic: "شارع التحلية", settings: { ...before.settings, amount_in_words: false, due_days: 45 } });
  assert.deepEqual(problems.filter((p) => !p.includes("status of 400")), []);
  await close();
});

test("the logo", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  const has = async () => (await (await page.request.get(`${demo.url}/app/api/company/`)).json()).logo_url !== null;
  await signIn(page, demo);
  await page.goto(`${demo.url}/company`);
  await page.getByText("لا شعار بعد.").waitFor();
  const choose = async (file) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: /رفع شعار|تغيير الشعار/ }).click();
    await (await chooser).setFiles(file);
  };
  await choose({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from("not a picture") });
  await page.getByText("يجب أن تكون الصورة بصيغة").waitFor();
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 80 } });
  await choose({ name: "logo.png", mimeType: "image/png", buffer: picture });
  await page.getByAltText("الشعار").waitFor();
  assert.ok(await has());
  await check();
  await page.getByRole("button", { name: "إزالة الشعار" }).click();
  await page.getByText("لا شعار بعد.").waitFor();
  assert.ok(!(await has()));
  await page.getByRole("button", { name: "تراجع" }).click();
  await page.getByAltText("الشعار").waitFor();
  assert.ok(await has());
  assert.deepEqual(problems.filter((p) => !p.includes("status of 400")), []);
  await close();
});

test("branches", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  const read = async () => (await (await page.request.get(`${demo.url}/app/api/branches/`)).json()).branches;
  await signIn(page, demo);
  await page.goto(`${demo.url}/company`);
  await page.getByRole("button", { name: "إضافة فرع" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "إضافة فرع" }).click();
  await dialog.locator("[aria-invalid=true]").first().waitFor();
  await check();
  await dialog.getByLabel("اسم الفرع").fill("فرع جدة");
  await dialog.getByLabel("رقم التسجيل", { exact: true }).fill("4030000000");
  await dialog.getByLabel("رقم المبنى").fill("1111");
  await dialog.getByLabel("الرمز البريدي").fill("23434");
  for (const [arabic, latin, ar, en] of [["الشارع بالعربية", "الشارع بالإنجليزية", "شارع التحلية", "Tahlia Street"], ["الحي بالعربية", "الحي بالإنجليزية", "الروضة", "Al Rawdah"], ["المدينة بالعربية", "المدينة بالإنجليزية", "جدة", "Jeddah"]]) {
    await dialog.getByLabel(arabic, { exact: true }).fill(ar);
    await dialog.getByLabel(latin, { exact: true }).fill(en);
  }
  await dialog.getByRole("button", { name: "إضافة فرع" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.locator("td", { hasText: "فرع جدة" }).waitFor();
  await check();
  assert.deepEqual((await read()).map((one) => [one.name, one.city, one.city_arabic, one.is_active]), [["فرع جدة", "Jeddah", "جدة", true]]);

  await page.locator("td").getByRole("button", { name: "فرع جدة" }).click();
  await dialog.getByLabel("اسم الفرع").fill("فرع جدة الرئيسي");
  await dialog.getByRole("button", { name: "حفظ" }).click();
  await page.locator("td", { hasText: "فرع جدة الرئيسي" }).waitFor();

  await page.locator("td").getByRole("button", { name: "تعطيل الفرع" }).click();
  await page.locator("td", { hasText: "غير نشط" }).waitFor();
  assert.equal((await read())[0].is_active, false);
  await page.getByRole("button", { name: "تراجع" }).click();
  await page.locator("td").getByRole("button", { name: "تعطيل الفرع" }).waitFor();
  assert.deepEqual((await read()).map((one) => [one.name, one.is_active]), [["فرع جدة الرئيسي", true]]);
  assert.deepEqual(problems.filter((p) => !p.includes("status of 400")), []);
  await close();
});

for (const [language, theme] of [["ar", "dark"], ["en", "light"], ["en", "dark"]]) {
  test(`the company in ${language}, ${theme}`, async () => {
    const { page, problems, check, close } = await openPage(browser, demo.url, { language, theme });
    await signIn(page, demo);
    await page.goto(`${demo.url}/company`);
    await page.waitForSelector("main form");
    await check();
    assert.deepEqual(problems, []);
    await close();
  });
}
