// Opens every page in both languages and themes.
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

for (const [language, theme] of [["ar", "light"], ["ar", "dark"], ["en", "light"], ["en", "dark"]]) {
  test(`pages in ${language}, ${theme}`, async () => {
    const { page, problems, check, close } = await openPage(browser, demo.url, { language, theme });
    await page.goto(demo.url);
    await page.waitForURL(`${demo.url}/login`);
    await check();
    await page.goto(`${demo.url}/forgotten`);
    await check();
    await signIn(page, demo);
    await check();
    for (const path of ["/attention", "/invoices", "/invoices?invoice_status=NOT_CLEARED,NOT_REPORTED", "/invoices?q=nothing+like+this", "/plan", "/invoices/none"]) {
      await page.goto(demo.url + path);
      await page.waitForSelector("main h1, main [role=alert]");
      await check();
    }
    await page.goto(`${demo.url}/invoices`);
    await page.locator("main td a").first().click();
    await page.waitForSelector("main h2");
    await check();
    assert.equal((await page.goto(`${demo.url}/nothing`)).status(), 404);
    await page.waitForSelector('main a[href="/"]');
    await check();
    const expected = problems.filter((p) => p.startsWith("/invoices/none") && p.includes("status of 400") || p.startsWith("/nothing") && p.includes("status of 404"));
    assert.deepEqual(problems.filter((p) => !expected.includes(p)), []);
    await close();
  });
}

test("the numbers of a list are those of the API", async () => {
  const { page, problems, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.goto(`${demo.url}/invoices`);
  await page.waitForSelector("main td a");
  const shown = await page.$$eval("main tbody tr", (rows) => rows.map((r) => [r.querySelector("a").textContent, r.querySelector("td:last-child").textContent.replaceAll(/[^\d.]/g, "")]));
  const list = await (await fetch(`${demo.credentials.base_url}/api/invoices/`, { headers: { Authorization: `Bearer ${demo.credentials.keys.Accountant}` } })).json();
  assert.deepEqual(shown, list.invoices.map((i) => [i.ref_num, i.invoice_total_amount_with_vat]));
  assert.deepEqual(problems, []);
  await close();
});
