// One pass through the app: sign in with the demo's link, and issue an invoice.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openPage, startDemo } from "./harness.mjs";

let demo, browser;

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

test("from the demo's link to an issued invoice", async () => {
  const { page, problems, close } = await openPage(browser, demo.url);
  await page.goto(/\S+\/login#\S+/.exec(demo.printed)[0]);
  await page.waitForURL(`${demo.url}/`);
  await page.goto(`${demo.url}/drafts/new`);
  await page.getByText("مبسطة", { exact: true }).click();
  await page.locator('[data-field$=".name"] input').focus();
  await page.keyboard.type("قهوة مختصة");
  await page.locator('[data-field$=".price"] input').fill("10");
  await page.getByText("جاهزة للإصدار").waitFor();
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/);
  await page.getByText("أُبلغت بها الهيئة").first().waitFor();
  assert.deepEqual(problems, []);
  await close();
});
