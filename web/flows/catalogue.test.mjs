// Clients and items: created, changed and found in the app, and read back from the API.
import assert from "node:assert/strict";
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

async function read(path) {
  const response = await fetch(`${demo.credentials.base_url}${path}`, { headers: { Authorization: `Bearer ${demo.credentials.keys.Accountant}` } });
  assert.equal(response.status, 200, path);
  return response.json();
}

const picture = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

test("a client is created, changed and found", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.goto(`${demo.url}/clients`);
  await page.waitForSelector("main td a");
  await check();
  await page.getByRole("link", { name: "إضافة عميل" }).click();
  await page.getByLabel("الاسم بالعربية").fill("مؤسسة الريادة للمقاولات");
  await page.getByLabel("الاسم بالإنجليزية").fill("Riyada Contracting");

  const vat = page.getByLabel("الرقم الضريبي");
  await vat.fill("١٢٣");
  await page.getByText("يبدأ الرقم الضريبي بالرقم 3.").waitFor();
  await vat.fill("310122");
  await page.getByText("6 من 15 رقمًا").waitFor();
  await vat.fill("399999999800003");
  await page.getByText("يوجد عميل بهذا الرقم:").waitFor();
  await vat.fill("٣١٠١٢٢٣٩٣٥٠٠٠٠٣");
  await page.getByText("صيغة الرقم صحيحة").waitFor();
  assert.equal(await vat.inputValue(), "310122393500003");

  await page.getByRole("button", { name: "حفظ" }).click();
  await page.getByText("هذا الحقل مطلوب.").first().waitFor();
  await check();
  await page.getByLabel("المنطقة", { exact: true }).fill("منطقة الرياض");
  await page.getByLabel("المدينة", { exact: true }).fill("الرياض");
  await page.getByLabel("الحي", { exact: true }).fill("العليا");
  await page.getByLabel("الشارع", { exact: true }).fill("طريق الملك فهد");
  await page.getByLabel("رقم المبنى").fill("١٢٣٤");
  await page.getByLabel("الرمز البريدي").fill("12");
  await page.getByRole("button", { name: "إضافة رقم" }).click();
  await page.getByLabel("الرقم", { exact: true }).fill("1010010000");
  await page.setInputFiles("input[type=file]", { name: "logo.png", mimeType: "image/png", buffer: picture });
  await page.getByRole("button", { name: "حفظ" }).click();
  // The server refuses a postal code of two digits, and the form keeps what was typed.
  await page.getByText("يجب أن يتكون من 5 أرقام").waitFor();
  assert.equal(await page.getByLabel("الاسم بالإنجليزية").inputValue(), "Riyada Contracting");
  await page.getByLabel("الرمز البريدي").fill("12211");
  await page.getByRole("button", { name: "حفظ" }).click();
  await page.waitForURL(/\/clients\/[0-9a-f-]{36}$/);
  const id = page.url().split("/").pop();
  let client = await read(`/api/buyers/${id}/`);
  assert.equal(client.buyer_name_arabic, "مؤسسة الريادة للمقاولات");
  assert.equal(client.vat_registration_number, "310122393500003");
  assert.equal(client.street, "طريق الملك فهد");
  assert.equal(client.building_number, "1234");
  assert.deepEqual(client.additional_buyer_id, [{ type_id: "CRN", value: "1010010000" }]);
  assert.ok(client.logo_url);
  await page.getByRole("img", { name: "الشعار" }).waitFor();
  await check();

  await page.getByLabel("رقم الهاتف").fill("+966500000000");
  await page.getByRole("button", { name: "حفظ" }).click();
  await page.getByText("حُفظت التغييرات").waitFor();
  client = await read(`/api/buyers/${id}/`);
  assert.equal(client.contact_phone, "+966500000000");
  assert.equal(client.buyer_name, "Riyada Contracting");

  await page.goto(`${demo.url}/clients`);
  await page.getByRole("searchbox").fill("الرياده");
  await page.getByRole("link", { name: "مؤسسة الريادة للمقاولات" }).first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll("main tbody tr").length === 1);
  await page.getByRole("searchbox").fill("لا أحد بهذا الاسم");
  await page.waitForFunction(() => document.querySelectorAll("main tbody tr").length === 0);
  await check();
  assert.deepEqual(problems.filter((p) => !/\/clients\/new .*status of 4/.test(p)), []);
  await close();
});

test("an item is created, changed and found", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.goto(`${demo.url}/items`);
  await page.waitForSelector("main td a");
  await check();
  await page.getByRole("link", { name: "إضافة صنف" }).click();
  await page.getByLabel("الاسم بالعربية").fill("كتاب");
  await page.getByLabel("رمز الصنف").fill("BOOK-1");
  await page.getByLabel("السعر قبل الضريبة").fill("٩٥٫٥٠");
  await choose(page.getByLabel("فئة ضريبة القيمة المضافة"), /نسبة الصفر/);
  await page.getByRole("button", { name: "حفظ" }).click();
  await page.getByText("هذا الحقل مطلوب.").waitFor();
  await check();
  await choose(page.getByLabel("سبب عدم تطبيق الضريبة"));
  await page.getByLabel("الكمية المتوفرة").fill("١٢");
  await page.setInputFiles("input[type=file]", { name: "book.png", mimeType: "image/png", buffer: picture });
  await page.getByRole("button", { name: "حفظ" }).click();
  await page.waitForURL(/\/items\/[0-9a-f-]{36}$/);
  const id = page.url().split("/").pop();
  let item = await read(`/api/items/${id}/`);
  assert.equal(item.item_name, "كتاب");
  assert.equal(item.item_net_price, "95.50");
  assert.equal(item.vat_category_code, "Z");
  assert.ok(item.vat_exemption_reason_code && item.vat_exemption_reason_text);
  assert.equal(item.stock, "12");
  assert.equal(item.images.length, 1);
  await check();
  await page.getByText("متاح في الفواتير الجديدة").click();
  await page.getByLabel("رمز الصنف").fill("");
  await page.getByRole("button", { name: "حفظ" }).click();
  await page.getByText("حُفظت التغييرات").waitFor();
  item = await read(`/api/items/${id}/`);
  assert.equal(item.is_active, false);
  assert.equal(item.sku, "");
  await page.goto(`${demo.url}/items?q=${encodeURIComponent("كتاب")}`);
  await page.getByText("غير متاح").first().waitFor();
  await check();
  assert.deepEqual(problems, []);
  await close();
});

for (const [language, theme] of [["ar", "dark"], ["en", "light"]]) {
  test(`clients and items in ${language}, ${theme}`, async () => {
    const { page, problems, check, close } = await openPage(browser, demo.url, { language, theme });
    await signIn(page, demo);
    for (const path of ["/clients", "/clients/new", `/clients/${demo.credentials.buyers.foreign}`, "/items", "/items/new"]) {
      await page.goto(demo.url + path);
      await page.waitForSelector("main h1");
      await check();
    }
    assert.deepEqual(problems, []);
    await close();
  });
}

test("the pictures of a client and an item are set, replaced, removed and restored", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  // Other flows have created clients and items with pictures.
  const client = (await read("/api/buyers/")).buyers.find((buyer) => !buyer.logo_url);
  const item = (await read("/api/items/")).items.find((one) => one.images.length === 0);
  for (const { place, label, count } of [
    { place: `/clients/${client.uuid}`, label: "الشعار", count: async () => ((await read(`/api/buyers/${client.uuid}/`)).logo_url ? 1 : 0) },
    { place: `/items/${item.uuid}`, label: "الصورة", count: async () => (await read(`/api/items/${item.uuid}/`)).images.length },
  ]) {
    await page.goto(demo.url + place);
    const group = page.getByRole("group", { name: label, exact: true });
    await group.getByRole("button", { name: "اختيار صورة" }).waitFor();
    assert.equal(await count(), 0);
    await group.locator("input[type=file]").setInputFiles({ name: "picture.png", mimeType: "image/png", buffer: picture });
    await group.getByRole("button", { name: "استبدال الصورة" }).waitFor();
    await group.locator("img").waitFor();
    assert.equal(await count(), 1);
    await check();
    await group.locator("input[type=file]").setInputFiles({ name: "picture.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") });
    await group.getByRole("alert").waitFor();
    await check();
    await group.getByRole("button", { name: "إزالة الصورة" }).click();
    await group.getByRole("button", { name: "اختيار صورة" }).waitFor();
    assert.equal(await count(), 0);
    await page.getByRole("button", { name: "تراجع" }).last().click();
    await group.getByRole("button", { name: "استبدال الصورة" }).waitFor();
    assert.equal(await count(), 1);
  }
  assert.deepEqual(problems.filter((p) => !p.includes("status of 400")), []);
  await close();
});
