// Signs in to a running demo and takes pictures. Usage: look.mjs URL CREDENTIALS FOLDER
import { mkdirSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [url, credentials, folder] = process.argv.slice(2);
const { admin } = JSON.parse(readFileSync(credentials, "utf8"));
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const [language, theme, width] of [["ar", "light", 1280], ["en", "dark", 1280], ["ar", "light", 390]]) {
  const context = await browser.newContext({ viewport: { width, height: width < 500 ? 844 : 900 } });
  const page = await context.newPage();
  page.on("console", (m) => m.type() === "error" && console.log("console:", m.text()));
  page.on("pageerror", (e) => console.log("error:", e.message));
  await page.addInitScript(([l, t]) => { localStorage.setItem("khatm.language", l); localStorage.setItem("khatm.theme", t); }, [language, theme]);
  const shot = async (name) => {
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: `${folder}/${name}-${language}-${theme}-${width}.png`, fullPage: true });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) console.log(`overflow of ${over} px: ${name} ${width}`);
  };
  await page.goto(`${url}/`);
  await shot("login");
  await page.fill("input[name=email]", admin.email);
  await page.fill("input[name=password]", admin.password);
  await page.keyboard.press("Enter");
  await page.waitForSelector("h2");
  await shot("home");
  for (const name of ["attention", "invoices", "plan"]) {
    await page.goto(`${url}/${name}`);
    await page.waitForSelector("h1");
    await shot(name);
  }
  await page.goto(`${url}/invoices`);
  const link = page.locator(width < 500 ? "main li a" : "main td a").first();
  await link.click();
  await page.waitForSelector("h2");
  await shot("invoice");
  await context.close();
}
await browser.close();
