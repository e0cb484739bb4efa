// Sets up an empty installation in the browser, from the link to the first invoice,
// then lets people join it and sign up.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choose, openBrowser, openPage, startEmpty } from "./harness.mjs";

const password = "correct horse battery";

/** Leaves out the lines that Chromium writes for responses that a test provokes. */
const unexpected = (problems) => problems.filter((p) => !/the server responded with a status of 4(00|04)/.test(p));

let server, browser;

before(async () => {
  server = await startEmpty();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  server?.stop();
});

async function organisation(page, vat) {
  await page.getByLabel("اسم المنشأة بالعربية").fill("شركة ختم للتجارة");
  await page.getByLabel("الرقم الضريبي").fill(vat);
  await page.getByLabel("رقم التسجيل", { exact: true }).fill("1010010000");
  await page.getByLabel("رقم المبنى").fill("١٢٣٤");
  await page.getByLabel("الرمز البريدي").fill("12345");
  await page.getByLabel("الشارع بالعربية", { exact: true }).fill("طريق الملك فهد");
  await page.getByLabel("الشارع بالإنجليزية").fill("King Fahd Road");
  await page.getByLabel("الحي بالعربية").fill("العليا");
  await page.getByLabel("المدينة بالعربية").fill("الرياض");
}

async function addDevice(page) {
  await page.getByLabel("اسم الجهاز").fill("كاشير 1");
  await choose(page.getByLabel("النشاط"), "التجارة الإلكترونية");
  await page.getByRole("button", { name: "إضافة الجهاز" }).click();
  await page.getByRole("button", { name: "ربط الجهاز بالهيئة" }).waitFor();
}

test("from the link to the first invoice", async () => {
  const { page, problems, check, close } = await openPage(browser, server.url);
  const json = async (path) => (await page.request.get(server.url + path)).json();
  const next = () => page.getByRole("button", { name: "التالي" }).click();

  await page.goto(`${server.url}/setup`);
  await page.getByText("khatm setup-link").waitFor();
  await check();

  await page.goto(server.link());
  await page.getByLabel("الاسم").waitFor();
  assert.equal(page.url(), `${server.url}/setup`, "the token is no longer in the address");
  await page.reload();
  await next();
  await page.getByText("هذا الحقل مطلوب.").waitFor();
  await check();
  await page.getByLabel("الاسم").fill("نورة");
  await page.getByLabel("البريد الإلكتروني").fill("noura@example.sa");
  await page.getByLabel("كلمة المرور").fill(password);
  await next();

  const vat = page.getByLabel("الرقم الضريبي");
  await vat.fill("١٢");
  await page.getByText("يبدأ الرقم الضريبي بالرقم 3.").waitFor();
  await vat.fill("399999999900004");
  await page.getByText("ينتهي الرقم الضريبي بالرقم 3.").waitFor();
  await next();
  await check();
  await organisation(page, "399999999900003");
  await next();

  // What was typed survives a reload, except the password.
  await page.getByRole("radio", { name: /المحاكي المحلي/ }).waitFor();
  await page.reload();
  assert.equal(await page.getByLabel("البريد الإلكتروني").inputValue(), "noura@example.sa");
  assert.equal(await page.getByLabel("كلمة المرور").inputValue(), "");
  await page.getByLabel("كلمة المرور").fill(password);
  await next();
  assert.equal(await vat.inputValue(), "399999999900003");
  await next();
  await page.getByRole("button", { name: "إنشاء الحساب والمنشأة" }).click();
  await page.getByText("اختر البيئة.").waitFor();
  await page.getByText("هذا الاختيار نهائي").waitFor();
  await check();
  await page.getByText("المحاكي المحلي", { exact: true }).click();
  await page.getByRole("button", { name: "إنشاء الحساب والمنشأة" }).click();

  await page.getByLabel("اسم الجهاز").waitFor();
  await check();
  const company = await json("/app/api/company/");
  assert.deepEqual(
    [company.name, company.name_arabic, company.street, company.street_arabic, company.city, company.city_arabic, company.building_number],
    ["شركة ختم للتجارة", "شركة ختم للتجارة", "King Fahd Road", "طريق الملك فهد", "الرياض", "الرياض", "1234"],
  );
  await page.getByRole("button", { name: "إضافة الجهاز" }).click();
  assert.equal(await page.getByText("هذا الحقل مطلوب.").count(), 2);
  await addDevice(page);

  // The set-up continues at the first missing step.
  await page.reload();
  await page.getByRole("button", { name: "ربط الجهاز بالهيئة" }).waitFor();
  await check();
  // A password that the authority refuses, sent by another client.
  const { devices } = await json("/app/api/devices/");
  await page.evaluate((id) => fetch(`/app/api/devices/${id}/onboard/`, { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"otp":"000000"}' }), devices[0].device_id);
  await page.waitForTimeout(1_000);
  await page.reload();
  await page.getByText("لم تقبل الهيئة رمز التحقق (OTP)").waitFor();
  await check();
  await page.getByRole("button", { name: "إعادة المحاولة" }).click();
  await page.locator("ol[aria-live] li[data-state=done]").nth(4).waitFor();
  await page.getByLabel("اسم العميل").waitFor();
  await page.reload();
  await page.getByLabel("اسم العميل").waitFor();
  await check();

  await page.getByRole("button", { name: "إصدار الفاتورة" }).click();
  await page.getByText("هذا الحقل مطلوب.").first().waitFor();
  await page.getByLabel("اسم العميل").fill("مؤسسة النور");
  await page.getByLabel("الرقم الضريبي للعميل").fill("311111111100003");
  await page.getByLabel("رقم المبنى").fill("4321");
  await page.getByLabel("الرمز البريدي").fill("23435");
  await page.getByLabel("الشارع").fill("شارع الأمير سلطان");
  await page.getByLabel("الحي").fill("الروضة");
  await page.getByLabel("المدينة").fill("جدة");
  await page.getByLabel("الاسم", { exact: true }).fill("حاسب محمول");
  await page.getByLabel("الكمية").fill("٠");
  await page.getByLabel("السعر قبل الضريبة").fill("٤٢٠٠٫٥");
  await page.getByRole("button", { name: "إصدار الفاتورة" }).click();
  // The invoice is refused, but the client exists now and is not created again.
  await page.getByRole("alert").or(page.locator("[aria-invalid=true]")).first().waitFor();
  await page.getByLabel("اسم العميل").waitFor({ state: "detached" });
  await page.getByLabel("الكمية").fill("2");
  await page.getByRole("button", { name: "إصدار الفاتورة" }).click();
  await page.getByText("معتمدة من الهيئة").waitFor();
  await check();
  const { invoices } = await json("/v1/api/invoices/");
  const { buyers } = await json("/v1/api/buyers/");
  assert.deepEqual([invoices.length, buyers.length], [1, 1]);
  assert.equal(invoices[0].authority_response_status, "CLEARED");
  assert.equal(invoices[0].invoice_total_amount_with_vat, "9661.15");
  await page.reload();
  await page.getByText("كل شيء جاهز").waitFor();
  await page.getByRole("link", { name: "عرض الفاتورة" }).click();
  await page.waitForURL(`${server.url}/invoices/${invoices[0].uuid}`);
  assert.deepEqual(unexpected(problems), []);
  await close();
});

test("a sign-up", async () => {
  const { page, problems, check, close } = await openPage(browser, server.url);
  await page.goto(`${server.url}/login`);
  await page.getByRole("link", { name: "ليس لديك حساب؟ أنشئ حسابًا" }).click();
  await page.getByLabel("البريد الإلكتروني").fill("huda@example.sa");
  await page.getByRole("button", { name: "إرسال الرابط" }).click();
  await page.getByRole("status").waitFor();
  await check();
  await page.goto(server.letter("huda@example.sa"));
  await page.getByLabel("الاسم", { exact: true }).fill("هدى");
  await page.getByLabel("كلمة المرور").fill(password);
  await page.getByRole("button", { name: "إنشاء الحساب والمنشأة" }).click();
  await page.getByText("هذا الحقل مطلوب.").first().waitFor();
  await check();
  await organisation(page, "310000000000003");
  await page.getByRole("button", { name: "إنشاء الحساب والمنشأة" }).click();
  await page.waitForURL(`${server.url}/setup`);
  await page.getByLabel("اسم الجهاز").waitFor();
  assert.deepEqual(unexpected(problems), []);
  await close();
});

test("an invitation, with a new account and with one that exists", async () => {
  const session = await openPage(browser, server.url);
  const admin = session.page;
  await admin.goto(`${server.url}/login`);
  await admin.fill("input[name=email]", "noura@example.sa");
  await admin.fill("input[name=password]", password);
  await admin.keyboard.press("Enter");
  await admin.waitForSelector("main h2");
  const invite = (email, role) =>
    admin.evaluate(async (body) => (await fetch("/app/api/invitations/", { method: "POST", headers: { "Content-Type": "application/json" }, body })).status, JSON.stringify({ email, role, language: "ar" }));
  assert.equal(await invite("sara@example.sa", "CreateInvoice"), 201);
  const link = server.letter("sara@example.sa");

  for (const [language, theme] of [["en", "dark"], ["ar", "light"]]) {
    const { page, problems, check, close } = await openPage(browser, server.url, { language, theme });
    await page.goto(`${server.url}/invitation`);
    await page.waitForSelector("main h1");
    await check();
    await page.goto(`${server.url}/invitation#none`);
    await page.getByText(language === "ar" ? "الدعوة غير صالحة" : "This invitation is not valid").waitFor();
    await check();
    await page.goto(link);
    await page.waitForSelector("input[name=password]");
    assert.equal(page.url(), `${server.url}/invitation`);
    await check();
    if (language === "ar") {
      await page.fill("input[name=name]", "سارة");
      await page.fill("input[name=password]", "short");
      await page.getByRole("button", { name: "قبول الدعوة" }).click();
      await page.locator("[aria-invalid=true]").waitFor();
      await page.fill("input[name=password]", password);
      await page.getByRole("button", { name: "قبول الدعوة" }).click();
      await page.waitForURL(`${server.url}/`);
      const { organisations } = await (await page.request.get(`${server.url}/app/api/session/`)).json();
      assert.deepEqual(organisations.map((o) => o.role), ["CreateInvoice"]);
    }
    assert.deepEqual(unexpected(problems), []);
    await close();
  }

  // She has an organisation of her own, and continues in the one that she joined.
  assert.equal(await invite("huda@example.sa", "Accountant"), 201);
  const { page, problems, check, close } = await openPage(browser, server.url);
  await page.goto(server.letter("huda@example.sa"));
  await page.getByText("لهذا البريد حساب").waitFor();
  await check();
  await page.getByRole("link", { name: "تسجيل الدخول" }).click();
  await page.fill("input[name=email]", "huda@example.sa");
  await page.fill("input[name=password]", password);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "قبول الدعوة" }).click();
  await page.waitForURL(`${server.url}/`);
  await page.waitForSelector("main h2");
  const { organisations } = await (await page.request.get(`${server.url}/app/api/session/`)).json();
  assert.deepEqual(organisations.map((o) => o.role).sort(), ["Accountant", "Admin"]);
  const active = await page.evaluate(() => localStorage.getItem("khatm.organisation"));
  assert.equal(organisations.find((o) => o.uuid === active)?.role, "Accountant");
  await page.goto(`${server.url}/company`);
  await page.waitForSelector("main dl");
  await check();
  assert.deepEqual(problems, []);
  await close();
  await session.close();
});
