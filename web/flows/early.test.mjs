// What happens before the script of the app has arrived: the frame that is shown, the
// calls that are made, and that nothing moves or loses the focus when the rest follows.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { createPerson, openBrowser, openPage, program, settled, signIn, startDemo } from "./harness.mjs";

let demo, browser, admin;

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
  admin = demo.credentials.admin;
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

const khatm = (...words) => execFileSync(program, [...words, "--data", demo.folder], { stdio: ["ignore", "pipe", "inherit"] }).toString().trim();

function createOrganisation(name, vat) {
  return khatm("org", "create", "--name", name, "--name-arabic", `منشأة ${name}`, "--vat", vat, "--id-value", vat.slice(0, 10), "--street", "King Fahd Road", "--building", "1234", "--district", "Olaya", "--city", "Riyadh", "--postal-code", "12345");
}

/** Returns the calls to the API that a page makes from now on. */
function callsOf(page) {
  const calls = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/(app|v1)\/api\//.test(pathname)) calls.push({ method: request.method(), address: pathname + search, organisation: request.headers()["x-active-org"] ?? null });
  });
  return calls;
}

const session = "/app/api/session/";

async function enter(page, { email, password }) {
  await page.fill("input[name=email]", email);
  await page.fill("input[name=password]", password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${demo.url}/`);
  await settled(page);
}

const signOut = async (page) => {
  await page.getByRole("button", { name: "تسجيل الخروج" }).first().click();
  await page.waitForURL(`${demo.url}/login`);
};

/** Holds the requests to a pattern until they are released. */
async function hold(page, pattern) {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  let ask;
  const asked = new Promise((resolve) => (ask = resolve));
  await page.route(pattern, async (route) => {
    ask();
    await held;
    await route.continue();
  });
  return { release, asked };
}

const app = "**/assets/index-*.js";

test("without a session nothing is called, and an ended one is one error", async () => {
  const { page, problems, close } = await openPage(browser, demo.url);
  const files = [];
  page.on("request", (request) => files.push(new URL(request.url()).pathname));
  let calls = callsOf(page);
  for (const path of ["/", "/invoices", "/drafts/new", "/login", "/tools"]) {
    await page.goto(demo.url + path);
    await settled(page);
  }
  assert.deepEqual(calls.filter((one) => !/^\/app\/api\/(setup|status)\//.test(one.address)), []);
  files.length = 0;
  await page.goto(demo.url);
  await page.waitForURL(`${demo.url}/login`);
  await settled(page);
  assert.deepEqual(files.filter((path) => path.startsWith("/assets/home-")), [], "the script of Home is loaded for the sign-in");
  assert.deepEqual(problems, []);

  await signIn(page, demo);
  assert.deepEqual(problems, []);
  for (const path of ["/", "/invoices", "/drafts/new", "/plan"]) {
    await page.evaluate(() => localStorage.setItem("khatm.signedIn", "1"));
    await page.context().clearCookies();
    problems.length = 0;
    calls = callsOf(page);
    await page.goto(demo.url + path);
    await page.waitForURL(/\/login/);
    await settled(page);
    assert.deepEqual(calls.filter((one) => one.address !== "/app/api/setup/").map((one) => one.address), [session]);
    assert.equal(problems.length, 1, problems.join("\n"));
    assert.match(problems[0], /status of 401/);
  }
  // The pages without a frame do not ask for the session.
  for (const path of ["/login", "/tools"]) {
    await page.evaluate(() => localStorage.setItem("khatm.signedIn", "1"));
    calls = callsOf(page);
    await page.goto(demo.url + path);
    await settled(page);
    assert.deepEqual(calls.filter((one) => one.address === session), []);
  }
  await close();
});

test("calls are made once, for the organisation of the person", async () => {
  const second = createOrganisation("Second", "310000000000003");
  const third = createOrganisation("Third", "320000000000003");
  const person = createPerson(demo, "several@example.sa", "Admin").credentials.admin;
  for (const org of [second, third]) khatm("user", "join", "--org", org, "--role", "Admin", person.email);
  const reader = createPerson(demo, "reader@example.sa", "ViewInvoice").credentials.admin;
  const { page, problems, close } = await openPage(browser, demo.url);
  const visit = async (path, of) => {
    const calls = callsOf(page);
    await page.goto(demo.url + path);
    await page.waitForSelector("aside");
    await settled(page);
    const first = calls.filter((one) => !/\/(setup|preview)\//.test(one.address));
    assert.deepEqual(first.map((one) => one.address).filter((one, i, all) => all.indexOf(one) !== i), [], `called twice on ${path}`);
    const named = first.filter((one) => one.address !== session);
    assert.ok(named.length > 1);
    assert.deepEqual(named.filter((one) => one.organisation !== of), [], `calls for another organisation on ${path}`);
    assert.equal(await page.evaluate(() => globalThis.khatmEarly?.size ?? 0), 0, `a call of ${path} was not needed`);
  };
  const paths = ["/", "/invoices", "/invoices?invoice_status=NOT_CLEARED", "/drafts/new", "/plan"];
  await page.goto(`${demo.url}/login`);
  await enter(page, person);
  const { organisations } = await page.evaluate(async () => (await fetch("/app/api/session/")).json());
  assert.equal(organisations.length, 3);
  const first = organisations[0].uuid;
  for (const path of paths) {
    await page.evaluate(() => {
      for (const storage of [localStorage, sessionStorage]) storage.removeItem("khatm.organisation");
    });
    await visit(path, first);
  }
  const chosen = organisations.at(-1).uuid;
  await page.locator("aside select").selectOption(chosen);
  await page.waitForURL(`${demo.url}/`);
  await settled(page);
  for (const path of paths) await visit(path, chosen);

  // Another person has signed in to this browser: in another tab, or here.
  const others = await browser.newContext();
  const other = await others.newPage();
  await signIn(other, { url: demo.url, credentials: { admin: reader } });
  await page.context().addCookies(await others.cookies());
  const own = demo.credentials.organisation.uuid;
  await visit("/", own);
  await others.close();
  await signOut(page);
  const calls = callsOf(page);
  await enter(page, admin);
  assert.deepEqual(calls.filter((one) => one.organisation), []);
  assert.deepEqual(problems, []);
  await close();
});

test("responses for one person are not shown to the next", async () => {
  const fourth = createOrganisation("Fourth", "330000000000003");
  const next = { email: "next@example.sa", password: "a password of the flows" };
  execFileSync(program, ["user", "create", "--data", demo.folder, "--org", fourth, "--email", next.email, "--name", "Next", "--role", "Admin", "--password-stdin"], { input: `${next.password}\n`, stdio: ["pipe", "ignore", "inherit"] });
  const viewer = createPerson(demo, "viewer@example.sa", "ViewInvoice");
  const { page, problems, close } = await openPage(browser, demo.url);
  await signIn(page, viewer);
  await settled(page);
  // The role may not write, so that what was called for the page is not used.
  await page.goto(`${demo.url}/drafts/new`);
  await page.waitForSelector("main h1");
  assert.ok(await page.evaluate(() => [...(globalThis.khatmEarly?.keys() ?? [])].some((key) => key.includes("/devices/"))), "no response is left");
  await signOut(page);
  const calls = callsOf(page);
  await enter(page, next);
  await page.evaluate(() => history.pushState(null, "", "/drafts/new"));
  await page.waitForSelector('[data-field="buyer"], main a[href="/devices"]');
  await settled(page);
  assert.ok(calls.some((one) => one.address.startsWith("/app/api/devices/")), "the devices of the first person are shown");
  assert.deepEqual(problems, []);
  await close();
});

// While a call is repeated, Home keeps what it shows.
test("a call of Home that fails is repeated once for each part of the page", async () => {
  const { page, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  for (const path of ["**/app/api/devices/?**", "**/v1/api/invoices/?page_size=5"]) {
    let calls = 0;
    await page.route(path, (route) => {
      calls++;
      return route.fulfill({ status: 400, json: { message: "not now", errors: [] } });
    });
    await page.goto(demo.url);
    await page.waitForSelector("main h1");
    await page.waitForTimeout(2_000); // many calls, if they are repeated without end
    assert.ok(calls >= 1 && calls <= 4, `${path} was called ${calls} times`);
    await page.waitForSelector("main h1");
    await page.unrouteAll();
  }
  await close();
});

test("the frame says so if the app does not arrive", async () => {
  const { page, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.route(app, (route) => route.abort());
  await page.clock.install();
  await page.goto(demo.url);
  const again = page.getByRole("link", { name: "إعادة المحاولة" });
  assert.equal(await again.isVisible(), false);
  await page.clock.fastForward(16_000);
  await again.waitFor();
  await page.unrouteAll();
  await again.click();
  await page.waitForSelector("#content h1");
  await close();
});

test("without the script of tooltips and notices the page stays", async () => {
  const { page, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.route("**/assets/overlays-*.js", (route) => route.abort());
  await page.goto(demo.url);
  await page.waitForSelector("#content h1");
  await page.locator("aside").getByRole("button", { name: "المظهر" }).hover();
  await page.waitForTimeout(600); // longer than a tooltip waits
  assert.ok(await page.locator("#content h1").isVisible());
  await page.locator('button[aria-haspopup="dialog"]').first().click();
  await page.getByText("لا يمكن الوصول إلى الخادم").first().waitFor();
  assert.ok(await page.locator("#content h1").isVisible());
  await close();
});

for (const [language, width] of [["ar", 1280], ["en", 390], ["ar", 320]]) {
  test(`nothing on Home moves, whichever call is late, in ${language} at ${width} px`, async () => {
    const person = createPerson(demo, `still${width}@example.sa`, "Admin");
    const { page, problems, close } = await openPage(browser, demo.url, { language, width });
    await signIn(page, person);
    await page.addInitScript(() => {
      globalThis.shifts = [];
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries()) globalThis.shifts.push({ value, of: sources.map(({ node, previousRect, currentRect }) => `${node?.nodeName} ${node?.className}: ${previousRect.y} to ${currentRect.y}`) });
      }).observe({ type: "layout-shift", buffered: true });
    });
    for (const late of ["attention", "devices", "summary", "plan", "notices"]) {
      const open = new Set();
      const follow = (request) => open.add(request.url());
      const end = (request) => open.delete(request.url());
      page.on("request", follow);
      page.on("requestfinished", end);
      page.on("requestfailed", end);
      const { release, asked } = await hold(page, `**/app/api/${late}/**`);
      await page.goto(demo.url, { waitUntil: "commit" });
      await asked;
      await page.waitForSelector("main > div");
      await page.evaluate(() => document.fonts.ready);
      while (open.size > 1) await page.waitForTimeout(20);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      release();
      await page.waitForSelector("[data-figure=month]");
      await settled(page);
      const shifts = await page.evaluate(() => globalThis.shifts);
      assert.ok(shifts.reduce((sum, one) => sum + one.value, 0) < 0.005, `${late} is late: ${JSON.stringify(shifts)}`);
      await page.unrouteAll();
      page.off("request", follow);
      page.off("requestfinished", end);
      page.off("requestfailed", end);
    }
    assert.deepEqual(problems, []);
    await close();
  });
}

test("a button keeps the focus when the script of its tooltip arrives", async () => {
  const { page, problems, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  const { release, asked } = await hold(page, "**/assets/overlays-*.js");
  await page.goto(demo.url);
  const theme = page.locator("aside").getByRole("button", { name: "المظهر" });
  await theme.waitFor();
  await page.keyboard.press("Tab");
  await theme.focus();
  await theme.evaluate((button) => (globalThis.focused = button));
  await asked;
  release();
  await page.getByRole("tooltip").waitFor();
  const same = () => page.evaluate(() => document.activeElement === globalThis.focused && globalThis.focused.isConnected);
  assert.ok(await same());
  await page.keyboard.press("Escape");
  await page.getByRole("tooltip").waitFor({ state: "detached" });
  assert.ok(await same());
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  assert.ok(await same());
  // The tooltip follows the pointer, which can also rest on the tooltip.
  await theme.hover();
  await page.getByRole("tooltip").hover();
  await page.waitForTimeout(400); // longer than a tooltip stays
  assert.equal(await page.getByRole("tooltip").count(), 1);
  await theme.hover();
  await page.waitForTimeout(700); // longer than a tooltip stays that the pointer has left
  assert.equal(await page.getByRole("tooltip").count(), 1);
  await page.mouse.move(600, 10);
  await page.getByRole("tooltip").waitFor({ state: "detached" });
  assert.deepEqual(problems, []);
  await close();
});

for (const [language, theme, width] of [["ar", "light", 320], ["en", "dark", 320], ["en", "light", 1280], ["ar", "dark", 1280]]) {
  test(`the frame before the script in ${language}, ${theme}, at ${width} px`, async () => {
    const { page, problems, close } = await openPage(browser, demo.url, { language, theme, width });
    await signIn(page, demo);
    const look = () =>
      page.evaluate(() => {
        const { lang, dir, dataset } = document.documentElement;
        return { lang, dir, theme: dataset.theme, ground: getComputedStyle(document.body).backgroundColor, over: Math.max(0, document.documentElement.scrollWidth - innerWidth), band: document.querySelector(".band")?.getBoundingClientRect().height, top: Math.round(document.querySelector("main").getBoundingClientRect().y) };
      });
    for (const path of ["/", "/invoices/00000000-0000-4000-8000-000000000000"]) {
      const { release } = await hold(page, app);
      await page.goto(demo.url + path, { waitUntil: "commit" });
      await page.waitForFunction(() => document.querySelector("[data-early]")?.checkVisibility() && getComputedStyle(document.body).backgroundColor !== "rgba(0, 0, 0, 0)"); // the style sheet has arrived
      const early = await look();
      assert.deepEqual({ ...early, ground: undefined, band: undefined, top: undefined }, { lang: language, dir: language === "ar" ? "rtl" : "ltr", theme, over: 0, ground: undefined, band: undefined, top: undefined });
      const brands = await page.locator("[data-early] span[lang]").evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.lang));
      assert.deepEqual([...new Set(brands)], [language]);
      release();
      await page.waitForSelector("#content h1");
      await settled(page);
      assert.equal(await page.locator("[data-early]").count(), 0);
      assert.deepEqual(await look(), early, `the frame of ${path} changes`);
      await page.unrouteAll();
    }
    for (const path of theme === "dark" ? ["/login", "/tools", "/signup", "/setup"] : ["/forgotten", "/tools/qr", "/password", "/invitation"]) {
      const { release } = await hold(page, app);
      await page.goto(demo.url + path, { waitUntil: "commit" });
      await page.waitForFunction(() => document.querySelector("[data-early]") && document.styleSheets.length > 0);
      assert.equal(await page.locator("[data-early]").isVisible(), false, `${path} has no frame`);
      release();
      await page.waitForSelector("main");
      await settled(page);
      await page.unrouteAll();
    }
    assert.deepEqual(problems.filter((one) => !/status of 404/.test(one)), []);
    await close();
  });
}
