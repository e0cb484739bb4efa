// Nothing that was typed is lost or issued twice, whatever happens while it is written.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { api, createPerson, openBrowser, openPage, signIn, startDemo } from "./harness.mjs";

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

const saved = "حُفظت المسودة";

let times = 0;
let person;

/** Opens a page. The calls a minute are limited for each person, so several take turns. */
async function open(path) {
  if (times++ % 3 === 0) person = createPerson(demo, `keeper${times}@example.sa`, "Admin");
  const opened = await openPage(browser, demo.url);
  await signIn(opened.page, person);
  await show(opened.page, path);
  return opened;
}

async function show(page, path) {
  await page.goto(demo.url + path);
  await page.waitForSelector('[data-field="buyer"]');
}

const cells = (page, name) => page.locator(`[data-field^="line."][data-field$=".${name}"] input`);
const values = (page, name) => cells(page, name).evaluateAll((all) => all.map((input) => input.value));
const drafts = async () => (await call("GET", "/app/api/drafts/?page_size=100")).drafts;
const lineOf = async (id) => (await call("GET", `/app/api/drafts/${id}/`)).invoice.form_lines[0];

async function write(page, name, price) {
  await cells(page, "name").first().fill(name);
  await page.keyboard.press("Escape");
  await cells(page, "price").first().fill(price);
}

async function simplified(page, name, price) {
  await page.getByText("مبسطة", { exact: true }).click();
  await write(page, name, price);
}

async function savedDraft(page, name, price) {
  await simplified(page, name, price);
  await page.waitForURL(/\/drafts\/[0-9a-f-]{36}$/);
  await page.getByText(saved).waitFor();
  return new URL(page.url()).pathname.split("/").at(-1);
}

test("signing out leaves nothing of a draft in the browser", async () => {
  const { page, problems, close } = await open("/drafts/new");
  await page.route("**/app/api/drafts/**", (route) => route.request().method() === "GET" && route.continue()); // never saved
  await simplified(page, "بند سري", "12.5");
  const kept = () => page.evaluate(() => Object.values(localStorage).join());
  await page.waitForFunction(() => Object.values(localStorage).join().includes("بند سري"));
  await page.getByRole("button", { name: "تسجيل الخروج" }).first().click();
  await page.waitForURL(`${demo.url}/login`);
  assert.ok(!(await kept()).includes("بند سري"));
  assert.deepEqual(problems, []);
  await close();
});

test("a tab that is closed at once loses nothing", async () => {
  const { page, problems, close } = await open("/drafts/new");
  await page.route("**/app/api/drafts/**", (route) => route.request().method() === "GET" && route.continue()); // closed before it is saved
  await simplified(page, "بند جديد", "12.5");
  await page.close();
  const again = await page.context().newPage();
  await show(again, "/drafts/new");
  assert.deepEqual(await values(again, "name"), ["بند جديد"]);
  assert.deepEqual(await values(again, "price"), ["12.5"]);
  await again.waitForURL(/\/drafts\/[0-9a-f-]{36}$/);
  const id = new URL(again.url()).pathname.split("/").at(-1);
  await again.getByText(saved).waitFor();
  await again.route("**/app/api/drafts/**", (route) => route.request().method() === "GET" && route.continue());
  await cells(again, "price").first().fill("13.75");
  await again.close();
  const third = await page.context().newPage();
  await show(third, `/drafts/${id}`);
  assert.deepEqual(await values(third, "price"), ["13.75"]);
  await show(third, "/drafts/new");
  assert.deepEqual(await values(third, "name"), [""]);
  assert.deepEqual(problems, []);
  await close();
});

test("a page that is left at once saves its draft, and the back button returns to it", async () => {
  const { page, problems, close } = await open("/drafts/new");
  const count = (await drafts()).length;
  await simplified(page, "بند قبل الخروج", "10");
  await page.getByRole("link", { name: "المسودات" }).click();
  await page.waitForFunction(() => location.pathname === "/drafts");
  for (let i = 0; i < 50 && (await drafts()).length === count; i++) await page.waitForTimeout(50);
  assert.equal((await drafts()).length, count + 1);
  assert.equal(new URL(page.url()).pathname, "/drafts");
  await show(page, "/drafts/new");
  const id = await savedDraft(page, "بند محفوظ", "20");
  await page.getByRole("link", { name: "المسودات" }).click();
  await page.locator('main a[href="/drafts/new"]').first().click();
  await page.waitForURL(/\/drafts\/new$/);
  await page.waitForSelector('[data-field="buyer"]');
  assert.deepEqual(await values(page, "name"), [""]);
  await page.goBack();
  await page.goBack();
  await page.waitForURL(new RegExp(`/drafts/${id}$`));
  await page.waitForSelector('[data-field="buyer"]');
  assert.deepEqual(await values(page, "name"), ["بند محفوظ"]);
  assert.deepEqual(problems, []);
  await close();
});

test("lines that are restored are lines of their own", async () => {
  const { page, problems, close } = await open("/drafts/new");
  await savedDraft(page, "بند أول", "20");
  for (const name of ["بن", "شا", "ما"]) {
    await cells(page, "quantity").last().focus();
    await page.keyboard.press("Control+Enter");
    await cells(page, "name").last().fill(name);
  }
  await page.reload();
  await page.waitForSelector('[data-field="buyer"]');
  assert.deepEqual(await values(page, "name"), ["بند أول", "بن", "شا", "ما"]);
  for (let i = 0; i < 3; i++) await page.getByRole("button", { name: "إضافة بند" }).click();
  await cells(page, "name").last().fill("بند أخير");
  assert.deepEqual(await values(page, "name"), ["بند أول", "بن", "شا", "ما", "", "", "بند أخير"]);
  assert.deepEqual(problems, []);
  await close();
});

test("what is typed without a connection is saved when it returns", async () => {
  const { page, problems, close } = await open("/drafts/new");
  const id = await savedDraft(page, "بند متصل", "20");
  await page.context().setOffline(true);
  await cells(page, "price").first().fill("30");
  await page.getByText("لم تُحفظ المسودة").waitFor();
  await page.context().setOffline(false);
  await page.getByText(saved).waitFor({ timeout: 20_000 });
  assert.equal((await lineOf(id)).item_net_price, "30");
  assert.deepEqual(problems.filter((one) => !one.includes("ERR_INTERNET_DISCONNECTED")), []);
  await close();
});

test("a session that ends while writing loses nothing", async () => {
  const { page, close } = await openPage(browser, demo.url);
  const { email, password } = demo.credentials.admin;
  const enter = async () => {
    await page.fill("input[name=email]", email);
    await page.fill("input[name=password]", password);
    await page.keyboard.press("Enter");
  };
  await page.goto(`${demo.url}/login`);
  await enter();
  await page.waitForSelector("main h2");
  await show(page, "/drafts/new");
  await simplified(page, "بند بلا جلسة", "44");
  await page.context().clearCookies();
  await page.waitForURL(/\/login\?to=/);
  await enter();
  await page.waitForSelector('[data-field="buyer"]');
  assert.deepEqual(await values(page, "name"), ["بند بلا جلسة"]);
  assert.deepEqual(await values(page, "price"), ["44"]);
  await close();
});

test("a draft that another tab has changed is not issued unseen", async () => {
  const { page, close } = await open("/drafts/new");
  const id = await savedDraft(page, "بند مشترك", "50");
  const other = await page.context().newPage();
  await show(other, `/drafts/${id}`);
  await cells(other, "price").first().fill("500");
  await other.getByText("جارٍ الحفظ").waitFor();
  await other.getByText(saved).waitFor();
  await page.bringToFront();
  await page.getByText("جاهزة للإصدار").waitFor();
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("تغيّرت هذه المسودة في مكان آخر").waitFor();
  assert.equal((await call("GET", `/app/api/drafts/${id}/`)).state, "open");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "تحميل النسخة الأحدث" }).click();
  await page.waitForFunction(() => document.querySelector('[data-field$=".price"] input')?.value === "500");
  await cells(other, "price").first().fill("600");
  await other.getByText("جارٍ الحفظ").waitFor();
  await other.getByText(saved).waitFor();
  await cells(page, "price").first().fill("70");
  await page.getByRole("button", { name: "حفظ ما كُتب هنا" }).click();
  await page.getByText(saved).waitFor();
  assert.equal((await lineOf(id)).item_net_price, "70");
  await close();
});

test("Enter twice issues one invoice", async () => {
  const { page, problems, close } = await open("/drafts/new");
  const before = (await call("GET", "/v1/api/invoices/?page_size=1")).total;
  await simplified(page, "بند مرتين", "10");
  await page.keyboard.press("Control+Shift+Enter"); // before the server has confirmed the amounts
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/);
  await page.waitForTimeout(500);
  assert.equal((await call("GET", "/v1/api/invoices/?page_size=1")).total, before + 1);
  assert.deepEqual(problems, []);
  await close();
});

test("a credit note has the discount of its invoice", async () => {
  const { page, problems, close } = await open("/drafts/new");
  await simplified(page, "بند مخفّض", "100");
  await page.getByText("المزيد: الخصم والعملة").click();
  await page.getByRole("button", { name: "إضافة خصم" }).click();
  const discount = page.locator('[data-field^="allowance."] input').first();
  await discount.fill("2,5");
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByText("اكتب مبلغ الخصم").first().waitFor();
  await discount.fill("20");
  await page.getByText("جاهزة للإصدار").waitFor();
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  for (let i = 0; i < 100 && !(await call("GET", `/v1/api/invoices/${id}/`)).authority_response_status; i++) await page.waitForTimeout(100);
  await show(page, `/drafts/new?type=381&original=${id}`);
  assert.equal((await page.locator("[data-total]").textContent()).replaceAll(/[^\d.]/g, ""), "92.00");
  assert.deepEqual(problems, []);
  await close();
});

test("a draft that was deleted by mistake returns", async () => {
  const { page, problems, close } = await open("/drafts/new");
  const id = await savedDraft(page, "بند محذوف", "20");
  await page.getByRole("button", { name: "حذف المسودة" }).click();
  await page.getByRole("button", { name: "تراجع" }).click();
  await page.waitForURL(/\/drafts\/[0-9a-f-]{36}$/);
  await page.waitForSelector('[data-field="buyer"]');
  assert.notEqual(new URL(page.url()).pathname, `/drafts/${id}`);
  assert.deepEqual(await values(page, "name"), ["بند محذوف"]);
  assert.deepEqual(problems, []);
  await close();
});
