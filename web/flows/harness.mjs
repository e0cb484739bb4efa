// Runs the real program with its simulator, and opens pages in Chromium. A page fails
// on a console error, a violation of the content security policy, a request to another
// host, content that overflows or is cut off, a word in the other language, or a serious
// accessibility problem.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const widths = [320, 768, 1280];

/** The program under test. */
export const program = process.env.KHATM ?? fileURLToPath(new URL("../../bin/khatm", import.meta.url));

/** Starts a program that chose a free port, and starts it again if another program has taken the port since. */
async function untilItListens(start) {
  for (let left = 3; ; left--) {
    try {
      return await start();
    } catch (error) {
      if (left === 0 || !/address already in use/.test(error.message)) throw error;
    }
  }
}

/** Starts khatm demo on a free port. */
export const startDemo = () => untilItListens(runDemo);

/** Starts khatm serve in an empty folder. */
export const startEmpty = () => untilItListens(runEmpty);

async function runDemo() {
  const folder = mkdtempSync(join(tmpdir(), "khatm-flows-"));
  const child = spawn(program, ["demo", "--addr", "127.0.0.1:0"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, KHATM_RATE_LIMIT_PUBLIC_DAILY: "1000" } });
  let text = "";
  await new Promise((resolve, reject) => {
    child.stdout.on("data", (part) => {
      text += part;
      if (text.includes("Serving;")) resolve();
    });
    child.stderr.on("data", (part) => {
      text += part;
      process.stderr.write(part);
    });
    child.on("close", (code) => reject(new Error(`khatm demo ended with ${code}:\n${text}`)));
  });
  const credentials = JSON.parse(readFileSync(join(folder, "khatm-demo", "credentials.json"), "utf8"));
  return {
    url: credentials.app_url,
    folder: join(folder, "khatm-demo"),
    credentials,
    printed: text,
    /** Stops the program, and removes its data when it has ended. */
    stop() {
      child.removeAllListeners("close");
      child.on("exit", () => rmSync(folder, { recursive: true, force: true }));
      child.kill();
    },
  };
}

async function runEmpty() {
  const folder = mkdtempSync(join(tmpdir(), "khatm-setup-"));
  const data = ["--data", join(folder, "data")];
  const port = await new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
  const address = ["--addr", `127.0.0.1:${port}`];
  // The mail server is never reached, so that e-mails stay in the outbox.
  const mail = ["--signup", "open", "--smtp", "smtp://127.0.0.1:9", "--mail-from", "invoices@example.sa"];
  const child = spawn(program, ["serve", ...data, ...address, ...mail, "--operations", "off", "--marks", join(folder, "marks")], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  await new Promise((resolve, reject) => {
    let text = "";
    const read = (part) => {
      text += part;
      if (text.includes('"msg":"serving"')) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("close", (code) => reject(new Error(`khatm serve ended with ${code}:\n${text}`)));
  });
  const run = (...args) => execFileSync(program, [...args, ...data], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] }).toString();
  return {
    url: `http://127.0.0.1:${port}`,
    link: () => run("setup-link", ...address).trim(),
    /** Returns the link in the newest e-mail to an address. */
    letter(to) {
      const line = run("outbox", "list").split("\n").find((one) => one.includes(to));
      if (!line) throw new Error(`no e-mail to ${to}`);
      return /http\S+#\S+/.exec(run("outbox", "show", /[0-9a-f]{8}-[0-9a-f-]{27}|^\d+/.exec(line)[0]))[0];
    },
    stop() {
      child.removeAllListeners("close");
      child.on("exit", () => rmSync(folder, { recursive: true, force: true }));
      child.kill();
    },
  };
}

/** Opens a browser. */
export function openBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

/** Opens a page whose problems are collected. */
export async function openPage(browser, url, { language = "ar", theme = "light", width = 1280 } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const problems = [];
  const where = () => `${new URL(page.url()).pathname} (${language}, ${theme}, ${page.viewportSize().width} px)`;
  page.on("console", (m) => m.type() === "error" && problems.push(`${where()}: console: ${m.text()}`));
  page.on("pageerror", (e) => problems.push(`${where()}: ${e.message}`));
  page.on("request", (r) => {
    if (!r.url().startsWith(`${url}/`) && !r.url().startsWith("blob:")) problems.push(`${where()}: request to ${r.url()}`);
  });
  watch(page);
  page.on("response", (r) => r.status() === 429 && problems.push(`${where()}: 429 of ${r.url()}`));
  await page.addInitScript(
    ([l, t]) => {
      localStorage.setItem("khatm.language", l);
      localStorage.setItem("khatm.theme", t);
      addEventListener("securitypolicyviolation", (e) => console.error(`policy violation: ${e.effectiveDirective} ${e.blockedURI} ${e.sample}`));
    },
    [language, theme],
  );
  return {
    page,
    problems,
    /** Checks what is shown at every width. */
    async check() {
      await settled(page);
      const seen = new Set();
      for (const w of widths) {
        await page.setViewportSize({ width: w, height: 900 });
        await laidOut(page);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) problems.push(`${where()}: overflows by ${over} px`);
        for (const one of await page.evaluate(cutOff)) problems.push(`${where()}: cut off: ${one}`);
        for (const one of await page.evaluate(foreign, [language, names])) {
          if (seen.has(one)) continue;
          seen.add(one);
          problems.push(`${where()}: not translated: ${one}`);
        }
        await page.evaluate(axe);
        const found = await page.evaluate(async () => {
          const result = await globalThis.axe.run(document, { resultTypes: ["violations"] });
          return result.violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join("; ").slice(0, 300)}`);
        });
        for (const one of found) problems.push(`${where()}: ${one}`);
      }
      await page.setViewportSize({ width, height: 900 });
    },
    close: () => context.close(),
  };
}

/** Chooses the option of a select whose text is, or matches, another text; the first option if none is given. */
export async function choose(box, text = /./) {
  const labels = await box.locator("option:enabled").allTextContents();
  const label = labels.find((one) => (text instanceof RegExp ? text.test(one) : one.replaceAll(/[\u2068\u2069]/g, "") === text));
  if (!label) throw new Error(`no option ${text} in ${labels.join(", ")}`);
  await box.selectOption({ label });
}

/** Waits until a page has loaded its data and fonts. */
export async function settled(page) {
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => !document.querySelector("[aria-busy=true]") && document.fonts.status === "loaded");
  await laidOut(page);
}

/** Waits until a page has followed a change of its data or of its width. */
async function laidOut(page) {
  await page.evaluate((w) => new Promise((resolve) => {
    const look = () => (innerWidth === w ? requestAnimationFrame(() => requestAnimationFrame(resolve)) : requestAnimationFrame(look));
    look();
  }), page.viewportSize().width);
}

/** Reads until what was read is done, and returns it. Calls a minute are limited, so it reads twice a second. */
export async function eventually(read, done) {
  for (const end = Date.now() + 60_000; ; ) {
    const found = await read();
    if (done(found)) return found;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const pending = new WeakMap(); // the requests of a page that have not ended, and how many it has made

function watch(page) {
  const state = { open: new Set(), made: 0 };
  pending.set(page, state);
  page.on("request", (request) => {
    state.open.add(request);
    state.made++;
  });
  for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => state.open.delete(request));
}

/** Opens another page of the app as its links do, without loading the app again, and waits for its data. */
export async function go(page, path) {
  await page.evaluate((to) => history.pushState(null, "", to), path);
  await loaded(page);
}

/** Waits until a page that openPage has opened waits for no response. */
export async function loaded(page) {
  const state = pending.get(page);
  const end = Date.now() + 30_000;
  for (;;) {
    const { made } = state;
    await settled(page);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50))); // a response may lead to another request
    if (state.open.size === 0 && state.made === made) return;
    if (Date.now() > end) throw new Error(`${page.url()} still waits for ${[...state.open].map((one) => one.url()).join(", ")}`);
    if (state.open.size > 0) await page.waitForTimeout(20);
  }
}

/** Creates a person of the demo's organisation. */
export function createPerson(demo, email, role, name = role) {
  const password = "a password of the flows";
  execFileSync(program, ["user", "create", "--data", demo.folder, "--org", demo.credentials.organisation.uuid, "--email", email, "--name", name, "--role", role, "--password-stdin"], { input: `${password}\n`, stdio: ["pipe", "ignore", "inherit"] });
  return { url: demo.url, credentials: { admin: { email, password } } };
}

/** Returns the elements that hide a part of their content. Runs in the page. */
export function cutOff() {
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    if (style.overflowX !== "hidden" && style.overflowX !== "clip") continue;
    const { clientWidth, scrollWidth } = element;
    const hidden = clientWidth <= 1 || style.display === "inline"; // for screen readers only
    const shortened = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
    if (!hidden && !shortened && scrollWidth > clientWidth + 1) found.push(`${scrollWidth - clientWidth} px of ${element.outerHTML.slice(0, 120)}`);
  }
  return found;
}

// Names that are written in Latin letters in both languages.
export const names = ["API", "CSV", "Excel", "JSON", "OTP", "PDF", "QR", "SKU", "UUID", "XLSX", "XML", "ZATCA", "Enter", "Ctrl", "curl", "JavaScript", "Python", "PHP", "C#"];

/**
 * Returns the visible texts that are in the other language and not marked as data, which
 * <bdi>, <code> and dir do. Runs in the page.
 */
export function foreign([language, names]) {
  const found = [];
  const marked = "bdi, code, kbd, pre, textarea, [dir]:not(html), [lang]:not(html), script, style";
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.data.trim();
    if (element.closest(marked) || !element.checkVisibility()) continue;
    if (language === "en") {
      if (/\p{Script=Arabic}/u.test(text)) found.push(text.slice(0, 80));
    } else if (/[A-Za-z]/.test(text) && !/\p{Script=Arabic}/u.test(text)) {
      const words = text.match(/[A-Za-z][A-Za-z#]*/g);
      if (!words.every((word) => names.includes(word))) found.push(text.slice(0, 80));
    }
  }
  return found;
}

const sessions = new Map(); // cookies of people who have signed in, since an address can sign in ten times a minute

/** Signs in as the administrator of the demo, with the session of an earlier test if it still works. */
export async function signIn(page, demo) {
  const { email, password } = demo.credentials.admin;
  const key = `${demo.url} ${email}`;
  if (sessions.has(key)) await page.context().addCookies(sessions.get(key));
  const works = sessions.has(key) && (await page.context().request.get(`${demo.url}/app/api/session/`)).ok();
  await page.goto(`${demo.url}/login`);
  if (works) {
    await page.evaluate(() => localStorage.setItem("khatm.signedIn", "1"));
    await page.goto(demo.url);
    await page.waitForSelector("main h2");
    return;
  }
  await page.fill("input[name=email]", email);
  await page.fill("input[name=password]", password);
  await page.keyboard.press("Enter");
  await page.waitForSelector("main h2");
  sessions.set(key, await page.context().cookies());
}

/** Returns a function that calls the API as the administrator of the demo. */
export function api(demo) {
  let token;
  return async (method, path, body, how = "json") => {
    if (!token) {
      const { email, password } = demo.credentials.admin;
      const session = await fetch(`${demo.url}/app/api/session/`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ email, password }) });
      token = (await session.json()).access_token;
    }
    const headers = { Authorization: `Bearer ${token}` };
    let content;
    if (how.startsWith("form:")) {
      content = new FormData();
      content.append(how.slice(5), JSON.stringify(body));
    } else if (body instanceof FormData) {
      content = body;
    } else if (body) {
      headers["Content-Type"] = "application/json";
      content = JSON.stringify(body);
    }
    const response = await fetch(demo.url + path, { method, headers, body: content });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

/** Imports a module of the app, which is written in TypeScript. */
export async function loadSource(path) {
  const { createServer } = await import("vite");
  const server = await createServer({ root: fileURLToPath(new URL("../", import.meta.url)), configFile: false, logLevel: "error", server: { middlewareMode: true, watch: null, ws: false }, optimizeDeps: { noDiscovery: true } });
  const module = await server.ssrLoadModule(path);
  await server.close();
  return module;
}

/** Returns random numbers that are the same in every run. */
export function generator(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
