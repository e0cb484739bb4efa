// Opens every page as people of each role: a page that a role may not open says so, and
// no button makes a call that the role may not make.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { api, createPerson, go, loaded, openBrowser, openPage, signIn, startDemo } from "./harness.mjs";
import { places } from "./places.mjs";

const roles = ["ViewInvoice", "CreateInvoice", "Accountant", "Admin"];
const lowest = { "/drafts/new": "CreateInvoice", "/clients/new": "CreateInvoice", "/items/new": "CreateInvoice", "/imports": "Accountant", "/keys": "Admin", "/team": "Admin", "/letters": "Admin", "/trail": "Admin" };
const shares = 2; // people of each role, who share the pages; a person has 200 calls a minute

let demo, browser, all;

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
  const { buyers } = demo.credentials;
  const call = api(demo);
  const body = JSON.parse(readFileSync(`${demo.folder}/bodies/standard.json`, "utf8"));
  await call("POST", "/app/api/drafts/", { invoice: body, recipient: { name: "Sara", email: "sara@example.sa", language: "ar" } });
  await call("POST", "/app/api/receipts/", { buyer: buyers.with_vat, currency: "SAR", amount: "10.00", payment_means_type_code: "10" });
  await call("POST", "/app/api/invitations/", { email: "other@example.sa", role: "ViewInvoice", language: "ar" });
  all = await places(call);
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

/** Returns the lowest role of each call, from the published documents. */
function calls() {
  const found = [];
  for (const [file, base] of [["app.json", "/app"], ["openapi.json", "/v1"]]) {
    const { paths } = JSON.parse(readFileSync(new URL(`../../service/testdata/${file}`, import.meta.url), "utf8"));
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, call] of Object.entries(methods)) {
        const role = call["x-role"] ?? /[Rr]equires [^.]*role `(\w+)`/.exec(call.description ?? "")?.[1];
        if (role) found.push({ method: method.toUpperCase(), path: new RegExp(`^${base}${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`), role });
      }
    }
  }
  return found;
}

/** Opens pages as a person of a role. */
async function walk(role, share) {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, createPerson(demo, `${role.toLowerCase()}${share}@example.sa`, role));
  const known = calls();
  assert.ok(known.length > 80);
  const forbidden = (one) => roles.indexOf(one) > roles.indexOf(role);
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const call = known.find((one) => one.method === request.method() && one.path.test(pathname));
    if (call && forbidden(call.role)) problems.push(`${new URL(page.url()).pathname}: ${role} calls ${request.method()} ${pathname}, which needs ${call.role}`);
  });
  // Nothing is changed by the buttons that are pressed below.
  await page.route(/\/(app|v1)\/api\//, (route) => (route.request().method() === "GET" ? route.continue() : route.abort()));
  const menu = await page.$$eval("nav a", (links) => links.map((a) => a.getAttribute("href")));
  const every = [...new Set([...menu, ...all])];
  for (const place of every.filter((_, i) => i % shares === share)) {
    await go(page, place);
    await page.waitForSelector("main h1, main [role=alert], [data-forbidden]");
    assert.equal(new URL(page.url()).pathname, place.split("?")[0]);
    const needs = Object.entries(lowest).find(([path]) => place === path || (path !== "/drafts/new" && place.startsWith(`${path}/`)))?.[1];
    const shown = await page.locator("[data-forbidden]").count();
    assert.equal(shown, needs && forbidden(needs) ? 1 : 0, `${place} as ${role}`);
    assert.ok(!shown || !menu.includes(place), `the menu leads ${role} to ${place}`);
    await press(page, place);
  }
  if (share === 0) {
    await page.goto(`${demo.url}/trail`);
    await page.waitForSelector("[data-forbidden] h1");
    await check();
  }
  assert.deepEqual(problems.filter((p) => !p.includes("ERR_FAILED")), []);
  await close();
}

for (const role of roles.slice(0, 3)) {
  test(`every page as ${role}`, () => Promise.all(Array.from({ length: shares }, (_, share) => walk(role, share))));
}

/** Presses every button of a page, and those of the dialogs that they open. */
async function press(page, place) {
  const buttons = "main button:not([disabled])";
  const count = await page.locator(buttons).count();
  const address = page.url();
  for (let i = 0; i < Math.min(count, 30); i++) {
    await page.evaluate(
      async ([s, n]) => {
        document.querySelectorAll(s)[n]?.click();
        await new Promise((resolve) => setTimeout(resolve, 30));
        document.querySelector("[role=dialog] button[type=submit]")?.click();
      },
      [buttons, i],
    );
    await page.keyboard.press("Escape");
    if (page.url() !== address) await go(page, place);
  }
  await loaded(page);
}
