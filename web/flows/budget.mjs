// Measures the web app against its budgets and prints a row for each. Not a test: the
// figures depend on the machine.
//
//   node flows/budget.mjs [--parts loads,list,lighthouse] [--server URL] [--invoices SECONDS] [--lighthouse FOLDER]
//
// --server measures a running server, with the account of KHATM_EMAIL and KHATM_PASSWORD,
// instead of a new demo;
// --invoices creates invoices for that many seconds before the list of a demo is measured;
// --lighthouse names a folder in which npm install lighthouse was run.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { api, openBrowser, settled, signIn, startDemo } from "./harness.mjs";
import { places } from "./places.mjs";

const { values: flags } = parseArgs({ options: { server: { type: "string" }, parts: { type: "string", default: "loads,list" }, invoices: { type: "string", default: "20" }, lighthouse: { type: "string" } } });
const row = (what, measured, budget, within) => console.log(`| ${what} | ${measured} | ${budget} |${within ? "" : " OVER"}`);
const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

const { KHATM_EMAIL: email, KHATM_PASSWORD: password } = process.env;
const demo = flags.server ? { url: flags.server, credentials: { admin: { email, password } }, stop: () => {} } : await startDemo();
const call = api(demo);
const browser = await openBrowser();
try {
  const parts = flags.parts.split(",");
  console.log("| What | Measured | Budget |");
  if (parts.includes("loads")) await measureLoads();
  if (parts.includes("list")) await measureList(flags.server ? await countInvoices() : await createInvoices(Number(flags.invoices) * 1000));
  if (parts.includes("lighthouse")) await measureLighthouse();
} finally {
  await browser.close();
  demo.stop();
}

/** Measures what a browser with an empty cache loads for each page. */
async function measureLoads() {
  const signed = await browser.newContext();
  await signIn(await signed.newPage(), demo);
  const state = await signed.storageState();
  await signed.close();
  const load = async (path, wait = 0) => {
    const context = await browser.newContext({ storageState: state });
    const page = await context.newPage();
    const files = [];
    page.on("response", (response) => files.push(response));
    await page.goto(demo.url + path);
    await page.waitForSelector("main h1, main h2");
    await settled(page);
    const usable = files.length;
    await page.waitForTimeout(wait);
    const loaded = await Promise.all(files.filter((r) => new URL(r.url()).pathname.startsWith("/assets/")).map(async (r) => {
      const body = await r.body();
      return { url: r.url(), later: files.indexOf(r) >= usable, script: r.url().endsWith(".js"), font: r.url().endsWith(".woff2"), gzip: gzipSync(body, { level: 9 }).length, sent: (await r.request().sizes()).responseBodySize };
    }));
    const count = { files: files.slice(0, usable).filter((r) => !new URL(r.url()).pathname.startsWith("/app/") && !new URL(r.url()).pathname.startsWith("/v1/")).length, all: usable };
    await context.close();
    return { loaded, count };
  };
  const sum = (list, key) => list.reduce((total, one) => total + one[key], 0);
  const first = await load("/", 5_000); // the script of overlays is loaded after three seconds
  const scripts = first.loaded.filter((one) => one.script && !one.later);
  const later = first.loaded.filter((one) => one.script && one.later);
  row("script of the first page, gzip", kb(sum(scripts, "gzip")), "200 KB", sum(scripts, "gzip") <= 200_000);
  row("script of the first page, brotli as sent", kb(sum(scripts, "sent")), "", true);
  row("script that is loaded after the first page is shown, gzip", kb(sum(later, "gzip")), "", true);
  row("requests of the first page, files", first.count.files, "12", first.count.files <= 12);
  row("requests of the first page, with the API", first.count.all, "", true);
  const fonts = sum(first.loaded.filter((one) => one.font), "sent");
  row("fonts", kb(fonts), "60 KB", fonts <= 60_000);
  const had = new Set(first.loaded.map((one) => one.url));
  let most = { bytes: 0 };
  for (const path of await places(call)) {
    if (path === "/") continue;
    const { loaded } = await load(path);
    const bytes = sum(loaded.filter((one) => one.script && !had.has(one.url)), "gzip");
    if (bytes > most.bytes) most = { bytes, path };
    if (["/invoices", "/drafts/new"].includes(path)) row(`more script of ${path}, gzip`, kb(bytes), "60 KB", bytes <= 60_000);
  }
  row(`more script of the largest page (${most.path.replace(/[0-9a-f-]{36}/, "{id}")}), gzip`, kb(most.bytes), "60 KB", most.bytes <= 60_000);
}

/** Creates invoices for a time and returns how many there are. */
async function createInvoices(milliseconds) {
  const body = JSON.parse(readFileSync(join(demo.folder, "bodies", "simplified.json"), "utf8"));
  await call("GET", "/app/api/session/"); // signs in once for all
  const end = Date.now() + milliseconds;
  let number = 0;
  // The number of calls a minute is limited for each key.
  const work = async (_, index) => {
    const { key } = await call("POST", "/app/api/keys/", { title: `budget ${index}`, role: "CreateInvoice" });
    while (Date.now() < end) {
      const lines = [{ item_name: `item ${++number}`, item_net_price: `${10 + number}.50`, invoiced_quantity: 1, invoiced_quantity_unit_of_measure: "PCE", vat_category_code: "S", vat_rate: 15 }];
      const response = await fetch(`${demo.credentials.base_url}/api/invoices/`, { method: "POST", headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", "Idempotency-Key": `budget-${index}-${number}` }, body: JSON.stringify({ ...body, lines: [], form_lines: lines }) });
      if (response.status === 429) await new Promise((resolve) => setTimeout(resolve, Math.min(end - Date.now(), 1000 * Number(response.headers.get("Retry-After") ?? 1))));
      else if (!response.ok) throw new Error(await response.text());
      else await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 12 }, work));
  return countInvoices();
}

async function countInvoices() {
  const { total } = await call("GET", "/v1/api/invoices/?page_size=1");
  return total;
}

/** Measures the time from each interaction with the list of invoices to its next paint. */
async function measureList(count) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await signIn(page, demo);
  await page.addInitScript(() => {
    globalThis.interactions = new Map();
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries()) {
        if (interactionId) globalThis.interactions.set(interactionId, Math.max(duration, globalThis.interactions.get(interactionId) ?? 0));
      }
    }).observe({ type: "event", durationThreshold: 16 });
  });
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const durations = [];
  const waits = []; // from an interaction until its rows are shown
  const shown = async (act) => {
    const began = Date.now();
    const answered = page.waitForResponse((response) => response.url().includes("/v1/api/invoices/"));
    await act();
    await answered;
    await page.waitForFunction(() => !document.querySelector("main [aria-busy=true]"));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    waits.push(Date.now() - began);
    await settled(page);
  };
  // A click of a locator runs scripts in the page, which would be measured with it.
  const click = async (locator) => {
    await locator.scrollIntoViewIfNeeded();
    await page.waitForTimeout(300); // until the scrolled page is painted
    const { x, y, width, height } = await locator.boundingBox();
    await page.mouse.click(x + width / 2, y + height / 2);
  };
  for (let round = 0; round < 3; round++) {
    await page.goto(`${demo.url}/invoices`);
    await page.waitForSelector("[data-row]");
    await settled(page);
    const number = (await page.locator("[data-row] bdi").first().innerText()).slice(0, 9);
    await click(page.getByRole("searchbox").first());
    for (const key of number.slice(0, -1)) await page.keyboard.press(key);
    await settled(page);
    await shown(() => page.keyboard.press(number.at(-1)));
    for (let i = 0; i < number.length; i++) await page.keyboard.press("Backspace");
    await settled(page);
    if (count > 100) {
      await shown(() => click(page.getByRole("button", { name: "التالي" })));
      await click(page.getByRole("button", { name: "الصفحة الأولى" })); // it is still in memory
      await settled(page);
    }
    for (const filter of ["النوع", "الدفع"]) {
      await page.getByLabel(filter, { exact: true }).focus();
      await shown(() => page.keyboard.press("ArrowDown"));
    }
    durations.push(...(await page.evaluate(() => [...globalThis.interactions.values()])));
  }
  await context.close();
  const p95 = (all) => all.sort((a, b) => a - b)[Math.ceil(all.length * 0.95) - 1];
  const paint = p95(durations);
  row(`interaction to paint of the list, p95 of ${durations.length} at 4× CPU throttle, ${count} invoices`, `${paint} ms`, "150 ms", paint <= 150);
  row(`search, filter or page until its rows are shown, p95 of ${waits.length}`, `${p95(waits)} ms`, "", true);
}

/** Runs Lighthouse on the three most used pages, in a browser that is signed in. */
async function measureLighthouse() {
  const folder = mkdtempSync(join(tmpdir(), "khatm-lighthouse-"));
  const context = await chromium.launchPersistentContext(folder, { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--remote-debugging-port=9333"] });
  const page = await context.newPage();
  await signIn(page, demo);
  const devtools = await context.newCDPSession(page);
  for (const preset of ["desktop", "mobile"]) {
    for (const [name, path] of [["Home", "/"], ["Invoices", "/invoices"], ["New", "/drafts/new"]]) {
      await devtools.send("Network.clearBrowserCache");
      const report = join(folder, "report.json");
      const words = [demo.url + path, "--port=9333", "--disable-storage-reset", "--only-categories=performance,accessibility", "--output=json", `--output-path=${report}`, "--quiet"];
      if (preset === "desktop") words.push("--preset=desktop");
      await promisify(execFile)(join(flags.lighthouse, "node_modules", ".bin", "lighthouse"), words, { timeout: 120_000 });
      const { categories, audits } = JSON.parse(readFileSync(report, "utf8"));
      const scores = [categories.performance.score, categories.accessibility.score].map((score) => Math.round(score * 100));
      const paint = `LCP ${audits["largest-contentful-paint"].displayValue}, CLS ${audits["cumulative-layout-shift"].displayValue}, TBT ${audits["total-blocking-time"].displayValue}`;
      row(`Lighthouse ${name}, ${preset}: performance, accessibility (${paint})`, scores.join(", "), "95, 95", scores.every((score) => score >= 95));
    }
  }
  await context.close();
  rmSync(folder, { recursive: true, force: true });
}
