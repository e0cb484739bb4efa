// Writes pictures of every page and state, in both languages, on three screens, light and
// dark: node flows/pictures.mjs FOLDER [NAME …]. A name is a part of the path of a
// picture, such as ar-1280-light or en-390-dark/home; without names all are written.
// Names that begin with a minus leave pictures out, such as -error.
// KHATM_DEMO is the credentials.json of a demo that runs, and KHATM_PAGES the address of
// pages served elsewhere.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { api, openBrowser, program, signIn, startDemo, startEmpty } from "./harness.mjs";

const [folder, ...parts] = process.argv.slice(2);
const names = parts.filter((part) => !part.startsWith("-"));
const without = parts.filter((part) => part.startsWith("-"));
if (!folder) throw new Error("usage: node flows/pictures.mjs FOLDER [NAME …]");

process.env.KHATM_RATE_LIMIT_PUBLIC_DAILY ??= "1000";
const demo = process.env.KHATM_DEMO ? running(process.env.KHATM_DEMO) : await startDemo();
const data = demo.folder;
const pages = process.env.KHATM_PAGES ?? demo.url;
const call = api(demo);
const known = await prepare();

/** Returns a demo that was started elsewhere and is not stopped. */
function running(path) {
  const credentials = JSON.parse(readFileSync(path, "utf8"));
  return { url: credentials.app_url, folder: dirname(path), credentials, stop() {} };
}

/** Adds what the demo lacks: documents that wait, payments, an import, drafts. */
async function prepare() {
  const body = (name, quantity = 3) => {
    const invoice = JSON.parse(readFileSync(join(data, "bodies", `${name}.json`), "utf8"));
    for (const line of invoice.form_lines) line.invoiced_quantity = quantity;
    if (invoice.lines[0]) invoice.lines = [{ ...invoice.lines[0], quantity }];
    return invoice;
  };
  const list = async (query) => (await call("GET", `/v1/api/invoices/?page_size=100${query}`)).invoices;
  const { with_vat: buyer } = demo.credentials.buyers;
  const issue = (name, quantity) => call("POST", "/v1/api/invoices/", body(name, quantity));
  const unanswered = async () => (await list("")).find((i) => !i.authority_response_status || i.authority_response_status === "No response");
  if (!(await call("GET", "/app/api/drafts/")).drafts.length) {
    const [open] = (await list("&invoice_status=CLEARED")).filter((i) => i.balance !== "0.00");
    await call("POST", "/app/api/receipts/", { buyer, currency: "SAR", amount: "10000.00", payment_means_type_code: "10", allocations: [{ invoice: open.uuid, amount: "4000.00" }] });
    await call("POST", "/app/api/earlier-invoices/", { number: "OLD-2025-17", issue_date: "2025-12-31", simplified: true, currency: "SAR", totals: [{ vat_category_code: "S", vat_rate: 15, taxable_amount: "1000.00", vat_amount: "150.00" }] });
    const form = new FormData();
    form.append("file", new Blob(["الشركة,الشارع,المنطقة\nمؤسسة الأفق,شارع التحلية,مكة المكرمة\nشركة الواحة,طريق الملك فهد,الرياض\nشركة الواحة,طريق الملك فهد,الرياض\n,شارع,منطقة\n"]), "clients.csv");
    form.append("import_data", JSON.stringify({ kind: "clients", columns: [["buyer_name", "الشركة"], ["street", "الشارع"], ["province_state", "المنطقة"]].map(([field, heading]) => ({ field, heading })).concat({ field: "industry", value: "OTHER" }, { field: "business_type", value: "B2B" }) }));
    await call("POST", "/app/api/imports/", form);
    for (const [i, name] of ["simplified", "standard", "simplified", "standard", "simplified"].entries()) await issue(name, i + 2);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await call("POST", "/app/api/drafts/", { invoice: body("rejected") });
    await call("POST", "/app/api/drafts/", { invoice: body("standard") });
  }
  // A demo that is started again answers what waited.
  if (!(await unanswered())) {
    execFileSync(program, ["mood", "outage", "--data", data], { stdio: "pipe" });
    for (const name of ["simplified", "standard"]) await issue(name, 12);
  }
  const first = async (path, key, id = "uuid") => (await call("GET", path))[key][0]?.[id];
  const drafts = (await call("GET", "/app/api/drafts/")).drafts;
  return {
    buyer,
    cleared: (await list("&invoice_status=CLEARED&type_code=388"))[0].uuid,
    rejected: (await list("&invoice_status=NOT_CLEARED"))[0].uuid,
    waiting: (await unanswered()).uuid,
    note: (await list("&type_code=381"))[0].uuid,
    item: demo.credentials.items.unlimited,
    device: demo.credentials.devices[0].device_id,
    receipt: await first("/app/api/receipts/", "receipts"),
    import: await first("/app/api/imports/", "imports"),
    draft: drafts[0].uuid,
    wrong: drafts[1].uuid,
  };
}

const main = (page) => page.locator("main div:has(> h1) > div").last().locator("a, button").last().click();
const press = (selector) => (page) => page.locator(selector).first().click();
const slow = (path) => Object.assign((page) => page.route(path, () => undefined), { wait: 1_200 });
const broken = (path) => (page) => page.route(path, (route) => route.abort());
const failing = (path) => (page) => page.route(path, (route) => (route.request().method() === "GET" ? route.fulfill({ status: 500, contentType: "application/json", body: "{}" }) : route.continue()));
/** Changes answers of the server, for what a demo of a few minutes cannot have. */
const changed = (path, change) => {
  const begin = (page) =>
    page.route(path, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      change(json);
      await route.fulfill({ response, json });
    });
  return Object.assign(begin, { wait: 1_500 });
};
const aged = (hours) => changed("**/v1/api/invoices/?**0200000**", ({ invoices }) => invoices.forEach((one) => (one.created_at = new Date(Date.now() - hours * 3_600_000).toISOString())));
const endings = [["expiring", 5], ["expiring", 30], ["expired", 0]].map(([expiry_status, days]) => ({ expiry_status, days_until_expiry: days, not_valid_after: new Date(Date.now() + days * 86_400_000).toISOString() }));
const ending = changed("**/{v1,app}/api/devices/**", (json) => (json.devices ?? [json]).forEach((one, i) => one.PSIDCertificateData && Object.assign(one.PSIDCertificateData, endings[i % 3])));
const key = (keys) => (page) => page.keyboard.press(keys);

const paths = { payments: "receipts", earlier: "earlier-invoices", team: "members", letters: "outbox" };

/** Name, path, what is done before the page opens, and after. */
const states = [
  ...["attention", "invoices", "drafts", "clients", "items", "payments", "imports", "earlier", "devices", "company", "team", "keys", "reasons", "letters", "trail", "plan", "account"].map((name) => [name, `/${name}`]),
  ["home", "/"],
  ["refunds", "/payments/refunds"],
  ["ageing", "/payments/ageing"],
  ...["cleared", "rejected", "waiting", "note"].map((name) => [`invoice-${name}`, `/invoices/${known[name]}`]),
  ...["", "/statement"].map((part) => [`client${part.replace("/", "-")}`, `/clients/${known.buyer}${part}`]),
  ["client-new", "/clients/new"],
  ["item", `/items/${known.item}`],
  ["item-new", "/items/new"],
  ["device", `/devices/${known.device}`],
  ["receipt", `/payments/receipts/${known.receipt}`],
  ["import", `/imports/${known.import}`],
  ["editor-new", "/drafts/new"],
  ["editor-lines", `/drafts/${known.draft}`],
  ["editor-problems", `/drafts/${known.wrong}`],
  ["editor-more", `/drafts/${known.draft}`, null, press("main section:last-of-type button[aria-expanded=false][slot=trigger]")],
  ["editor-issue", `/drafts/${known.draft}`, null, (page) => page.waitForTimeout(1_500).then(() => page.keyboard.press("Control+Shift+Enter"))],
  ["invoices-selected", "/invoices", null, press("main :is(tbody, ul) input[type=checkbox]:visible")],
  ["invoices-none", "/invoices?q=nothing+like+this"],
  ["invoices-loading", "/invoices", slow("**/v1/api/invoices/?**")],
  ["invoices-error", "/invoices", broken("**/v1/api/invoices/?**")],
  ["home-aged", "/", async (page) => (await ending(page), await aged(13.7)(page))],
  ["home-late", "/", aged(25.2)],
  ["home-error", "/", failing("**/{v1,app}/api/{invoices,attention,devices,plan,figures}/**")],
  ["home-idle", "/", changed("**/{v1,app}/api/devices/?**", (json) => (json.devices = []))],
  ["devices-ending", "/devices", ending],
  ["device-ending", `/devices/${known.device}`, ending],
  ["home-loading", "/", slow("**/app/api/{figures,attention}/**")],
  ["invoice-loading", `/invoices/${known.cleared}`, slow(`**/v1/api/invoices/${known.cleared}/`)],
  ["clients-loading", "/clients", slow("**/v1/api/buyers/**")],
  ["items-error", "/items", broken("**/v1/api/items/**")],
  ["invoice-error", `/invoices/${known.cleared}`, failing(`**/v1/api/invoices/${known.cleared}/`)],
  ["client-loading", `/clients/${known.buyer}`, slow("**/v1/api/buyers/**")],
  ["client-error", `/clients/${known.buyer}`, broken("**/v1/api/buyers/**")],
  ["statement-loading", `/clients/${known.buyer}/statement`, slow("**/statement/**")],
  ["statement-error", `/clients/${known.buyer}/statement`, broken("**/statement/**")],
  ["ageing-error", "/payments/ageing", broken("**/app/api/ageing/**")],
  ["attention-loading", "/attention", slow("**/app/api/attention/**")],
  ["attention-error", "/attention", broken("**/app/api/attention/**")],
  ["device-loading", `/devices/${known.device}`, slow("**/{v1,app}/api/devices/**")],
  ["device-error", `/devices/${known.device}`, broken("**/{v1,app}/api/devices/**")],
  ["editor-loading", `/drafts/${known.draft}`, slow("**/app/api/drafts/**")],
  ["editor-error", `/drafts/${known.draft}`, broken("**/app/api/drafts/**")],
  ["company-loading", "/company", slow("**/app/api/company/**")],
  ["company-error", "/company", broken("**/app/api/company/**")],
  ...["payments", "imports", "earlier", "team", "keys", "reasons", "letters", "trail", "plan"].flatMap((name) => [
    [`${name}-loading`, `/${name}`, slow(`**/app/api/${paths[name] ?? name}/**`)],
    [`${name}-error`, `/${name}`, broken(`**/app/api/${paths[name] ?? name}/**`)],
  ]),
  ...["payments", "payments/refunds", "imports", "earlier", "devices", "team", "keys", "reasons"].map((name) => [`${name.split("/").at(-1)}-dialog`, `/${name}`, null, main]),
  ["trail-dialog", "/trail", null, press("main tbody button:visible, main li button:visible")],
  ["palette", "/", null, key("Control+k")],
  ["keys-help", "/", null, key("?")],
  ["menu", "/", null, press("header button[aria-expanded]"), 390],
  ["not-found", "/invoices/nothing/here"],
  ...["", "/qr", "/invoice"].map((part) => [`tools${part.replace("/", "-")}`, `/tools${part}`]),
  ["tools-checked", "/tools/invoice", null, async (page) => page.setInputFiles("input[type=file]", join(data, "documents", "INV-2026-000001.xml"))],
  ["login", "/login", (page) => page.context().clearCookies()],
  ["forgotten", "/forgotten"],
];

/** Takes the pictures of one look whose names are wanted. */
async function take(browser, look, all, start) {
  const [language, width, theme] = look.split("-");
  const wanted = all.filter(([name, , , , only]) => (!only || only === Number(width)) && (names.length === 0 || names.some((part) => `${look}/${name}`.includes(part))) && !without.some((part) => `-${look}/-${name}`.includes(part)));
  if (wanted.length === 0) return;
  const context = await browser.newContext({ viewport: { width: Number(width), height: width === "1280" ? 800 : 844 }, reducedMotion: "reduce" });
  await context.addInitScript(([l, t]) => (localStorage.setItem("khatm.language", l), localStorage.setItem("khatm.theme", t)), [language, theme]);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await start(page);
  for (const [name, path, before, after] of wanted) {
    await page.unrouteAll();
    await before?.(page);
    await page.goto(new URL(path, await page.evaluate(() => location.origin)).href);
    await page.waitForSelector("main", { timeout: 10_000 });
    await page.waitForTimeout(before ? (before.wait ?? 5_000) : 900);
    await after?.(page).catch((error) => console.error(`${look}/${name}: ${error.message.split("\n")[0]}`));
    if (after) await page.waitForTimeout(900);
    const over = await page.evaluate(() => [...document.querySelectorAll("html, main section, main table, [role=dialog]")].filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "auto").map((e) => `${e.tagName} ${e.getAttribute("aria-label") ?? ""} ${e.scrollWidth} > ${e.clientWidth}`));
    if (over.length > 0) console.log(`${look}/${name}: cut off: ${over.join("; ")}`);
    await page.screenshot({ path: join(folder, look, `${name}.png`), fullPage: !(await page.locator("[role=dialog]").count()) });
  }
  await context.close();
}

const looks = ["ar", "en"].flatMap((language) => ["1280", "390", "320"].flatMap((width) => ["light", "dark"].map((theme) => `${language}-${width}-${theme}`)));
const browser = await openBrowser();
for (const look of looks) await take(browser, look, states, (page) => signIn(page, { ...demo, url: pages }));
demo.stop();

// The set-up of an empty installation, and the pages of an organisation without documents.
const empty = await startEmpty();
const link = empty.link();
const begun = [["setup-begin", link.slice(empty.url.length)], ["setup-none", "/setup"], ["signup", "/signup"]];
for (const look of looks) await take(browser, look, begun, (page) => page.goto(`${empty.url}/login`));
const account = { email: "noura@example.sa", name: "نورة", password: "correct horse battery" };
const organisation = { name: "شركة ختم للتجارة", name_arabic: "شركة ختم للتجارة", vat_registration_number: "399999999900003", additional_seller_id: { type_id: "CRN", value: "1010010000" }, street: "طريق الملك فهد", building_number: "1234", district: "العليا", city: "الرياض", postal_code: "12345" };
await fetch(`${empty.url}/app/api/setup/`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token: link.split("#")[1], account, organisation, environment: "simulator" }) });
const nothing = ["", "attention", "invoices", "drafts", "clients", "items", "payments", "payments/refunds", "payments/ageing", "imports", "earlier", "devices", "team", "keys", "reasons", "letters", "trail", "plan"].map((name) => [`empty-${name.split("/").at(-1) || "home"}`, `/${name}`]);
for (const look of looks) await take(browser, look, [["setup-device", "/setup"], ...nothing], (page) => signIn(page, { url: empty.url, credentials: { admin: account } }));
empty.stop();
await browser.close();
