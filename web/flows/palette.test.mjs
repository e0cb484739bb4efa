// Goes through the app with the keyboard alone.
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

/** Opens the palette, and waits until it takes what is typed. */
async function openPalette(page) {
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").waitFor();
  await page.waitForFunction(() => document.activeElement.closest("[role=dialog]") && document.activeElement.role === "combobox");
}

for (const language of ["ar", "en"]) {
  test(`the palette in ${language}`, async () => {
    const { page, problems, check, close } = await openPage(browser, demo.url, { language });
    await signIn(page, demo);
    const chosen = () => page.locator("[role=option][aria-selected=true]").textContent();
    await openPalette(page);
    await check();
    await page.keyboard.type(language === "ar" ? "الباقه" : "plan"); // with a common misspelling
    await page.keyboard.press("Enter");
    await page.waitForURL(`${demo.url}/plan`);
    await page.waitForFunction(() => document.activeElement.tagName === "H1");
    assert.match(await page.title(), language === "ar" ? / – ختم$/ : / – Khatm$/);

    await openPalette(page);
    await page.keyboard.type("INV-2026-000002");
    await page.getByRole("option", { name: "INV-2026-000002" }).waitFor();
    assert.match(await chosen(), /INV-2026-000002/);
    await check();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/invoices\/[0-9a-f-]{36}$/);

    await openPalette(page);
    await page.keyboard.type("Noor");
    const client = page.getByRole("group", { name: language === "ar" ? "العملاء" : "Clients" }).getByRole("option");
    await client.first().waitFor();
    while ((await client.first().getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${demo.url}/clients/${demo.credentials.buyers.with_vat}`);

    await openPalette(page);
    await page.keyboard.type("coffee");
    const item = page.getByRole("group", { name: language === "ar" ? "الأصناف" : "Items" }).getByRole("option");
    await item.first().waitFor();
    while ((await item.first().getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/items\/[0-9a-f-]{36}$/);

    await openPalette(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.deepEqual(problems.filter((p) => !/^\/(clients|items)\//.test(p)), []);
    await close();
  });
}

test("a question mark lists the keys, but not while typing", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.keyboard.press("Shift+Slash");
  await page.getByRole("dialog", { name: "اختصارات لوحة المفاتيح" }).waitFor();
  await check();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.goto(`${demo.url}/invoices`);
  await page.getByRole("searchbox").fill("x");
  await page.keyboard.press("Shift+Slash");
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test("a banner says that the server is not reached", async () => {
  const { page, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.waitForSelector("[data-figure=month]");
  await page.route("**/{app,v1}/api/**", (route) => route.abort());
  await page.getByRole("link", { name: "الفواتير", exact: true }).click();
  await page.getByText("ما تراه قد يكون قديمًا").waitFor({ timeout: 20_000 });
  await page.unroute("**/{app,v1}/api/**");
  await page.getByText("ما تراه قد يكون قديمًا").waitFor({ state: "detached", timeout: 20_000 });
  await page.waitForSelector("[data-row]");
  await close();
});
