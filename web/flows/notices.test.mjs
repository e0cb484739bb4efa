// Notices appear in the top bar, lead to their page, and are read once.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { openBrowser, openPage, program, signIn, startDemo } from "./harness.mjs";

let demo, browser;

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

test("a plan that is used up is noticed", async () => {
  execFileSync(program, ["plan", "set", "business", "--invoices", "5", "--data", demo.folder]);
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.getByRole("button", { name: "التنبيهات، غير المقروء منها 1" }).click();
  const notice = page.getByRole("dialog").getByRole("link");
  await notice.waitFor();
  await check();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "التنبيهات، غير المقروء منها 0" }).click();
  await notice.click();
  await page.waitForURL(`${demo.url}/plan`);
  assert.deepEqual(problems, []);
  await close();
});
