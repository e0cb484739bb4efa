// Compares the figures of Home with the API, and follows what waits for a person.
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

const list = async () => (await (await fetch(`${demo.credentials.base_url}/api/invoices/?page_size=100`, { headers: { Authorization: `Bearer ${demo.credentials.keys.Accountant}` } })).json()).invoices;

test("the figures are those of the API", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.waitForSelector("[data-figure=month]");
  // The organisation has its name in the language of the page.
  const session = await page.evaluate(async () => (await fetch("/app/api/session/")).json());
  const { name, name_arabic: arabic } = session.organisations[0];
  assert.notEqual(arabic, name);
  await page.locator("aside").getByText(arabic).waitFor();
  assert.equal(await page.locator("aside").getByText(name).count(), 0);
  const invoices = await list();
  const text = async (name) => (await page.locator(`[data-figure="${name}"]`).first().textContent()).replaceAll(/[^\d.-]/g, "");
  const count = (...statuses) => String(invoices.filter((i) => statuses.includes(i.authority_response_status)).length);
  for (const span of ["today", "month"]) {
    assert.equal(await text(span), String(invoices.length));
    assert.equal(await text(`${span}-accepted`), count("CLEARED", "REPORTED"));
    assert.equal(await text(`${span}-waiting`), count(null, "No response"));
    assert.equal(await text(`${span}-rejected`), count("NOT_CLEARED", "NOT_REPORTED"));
  }
  const halalas = (i) => BigInt(i.invoice_total_vat_amount_sar.replace(".", "")) * (i.type_code === 381 ? -1n : 1n);
  const vat = invoices.filter((i) => !String(i.authority_response_status).startsWith("NOT_")).reduce((sum, i) => sum + halalas(i), 0n);
  assert.equal(BigInt((await text("vat")).replace(".", "")), vat);

  // Behind each plot is its table.
  for (const button of await page.getByRole("button", { name: "جدول" }).all()) await button.waitFor();
  await page.getByRole("button", { name: "جدول" }).first().click();
  await page.getByRole("button", { name: "جدول" }).first().click();
  await check();
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Riyadh" }).format(new Date());
  const row = await page.locator("tr", { has: page.locator("th", { hasText: day }) }).first().locator("td").allTextContents();
  assert.deepEqual(row, [count("CLEARED", "REPORTED"), count(null, "No response"), count("NOT_CLEARED", "NOT_REPORTED")]);
  assert.deepEqual(problems, []);
  await close();
});

test("an entry leads to the corrected draft at the faulty field", async () => {
  const { page, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.goto(`${demo.url}/attention`);
  await page.getByText(/المقترح: .15%. بدلًا من .10%.\./).waitFor();
  await check();
  await page.getByRole("button", { name: "تصحيح" }).click();
  await page.waitForURL(/\/drafts\/[0-9a-f-]{36}\?field=invoice\.form_lines\.0\.vat_rate$/);
  await page.goto(`${demo.url}/attention`);
  await page.getByRole("link", { name: "متابعة التصحيح" }).waitFor();
  await close();
});

const entry = (kind, type, more = {}) => ({ kind, level: "warning", subject: type && { type, uuid: "01a1eac5-ec89-7e21-840a-38e513b31c42", name: "X" }, since: null, message: kind, message_ar: `تنبيه ${kind}`, fix: "Fix.", fix_ar: "الحل.", causes: [], changes: [], trouble: null, draft_uuid: null, ...more });

test("every kind of entry has its way", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  const id = "01a1eac5-ec89-7e21-840a-38e513b31c42";
  const ways = [
    [entry("unanswered", "invoice"), `/invoices/${id}`],
    [entry("held", "invoice"), `/invoices/${id}`],
    [entry("unstamped", "invoice"), `/invoices/${id}`],
    [entry("corrupted", "invoice"), `/invoices/${id}`],
    [entry("device", "device"), `/devices/${id}`],
    [entry("certificate", "device"), `/devices/${id}`],
    [entry("unproven_chain", null), "/devices"],
    [entry("approved", "draft"), `/drafts/${id}`],
    [entry("declined", "draft"), `/drafts/${id}`],
    [entry("letter", "letter"), "/letters"],
    [entry("allowance", null), "/plan"],
    [entry("rejected", "invoice", { draft_uuid: id, causes: [{ rule_id: "R", source: "request", needs_person: true, message: "m", message_ar: "م", fix: "f", fix_ar: "ح", path: "invoice.buyer" }] }), `/drafts/${id}?field=invoice.buyer`],
  ];
  await page.route("**/app/api/attention/", (route) => route.fulfill({ json: { verdict: "action", entries: ways.map(([one]) => one), more: [] } }));
  await page.goto(`${demo.url}/attention`);
  await page.waitForSelector("main li");
  assert.deepEqual(await page.$$eval("main li", (items) => items.map((item) => item.querySelector("a")?.getAttribute("href"))), ways.map(([, to]) => to));
  await check();
  assert.deepEqual(problems, []);
  await close();
});

test("the first sentence says what the authority rejected or has not answered", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  const says = async (title, text) => {
    await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
    await page.getByText(text, { exact: true }).waitFor();
    await check();
  };
  await says("رفضت الهيئة مستندًا واحدًا", "تجد السبب والحل أدناه.");
  const waits = async (entries, more, title, text) => {
    await page.unrouteAll();
    await page.route("**/app/api/attention/", (route) => route.fulfill({ json: { verdict: "action", entries, more } }));
    await page.goto(`${demo.url}/`);
    await says(title, text);
  };
  const rejected = Array.from({ length: 20 }, () => entry("rejected", "invoice"));
  const info = entry("approved", "draft", { level: "info" });
  await waits([...rejected, entry("device", "device"), entry("unanswered", "invoice"), info], [], "رفضت الهيئة 20 مستندًا", "وبانتظارك أمران آخران.");
  await waits([...rejected, entry("letter", "letter")], ["rejected", "letter"], "رفضت الهيئة أكثر من 20 مستندًا", "تجد السبب والحل أدناه.");
  await waits([entry("unanswered", "invoice"), entry("unanswered", "invoice")], [], "لم ترد الهيئة على مستندين بعد", "لا توجد مستندات مرفوضة تحتاج إلى تصحيح.");
  await waits([entry("device", "device"), info], [], "توجد أمور بانتظار إجراء منك", "لا توجد مستندات مرفوضة تحتاج إلى تصحيح.");
  assert.deepEqual(problems, []);
  await close();
});
