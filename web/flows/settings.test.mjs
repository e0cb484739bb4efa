// Keys, team, reasons, e-mails, audit trail and account, as an Admin uses them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { choose, openBrowser, openPage, signIn, startDemo } from "./harness.mjs";

let demo, browser;

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

/** Calls the API with the session of the page. */
async function api(page, method, path, body) {
  return page.evaluate(
    async ([m, p, b]) => {
      const response = await fetch(`/app/api${p}`, { method: m, ...(b && { body: JSON.stringify(b), headers: { "Content-Type": "application/json" } }) });
      return { status: response.status, body: await response.json() };
    },
    [method, path, body],
  );
}

/** Returns the code that an authenticator app shows for a secret. */
function oneTimeCode(secret, at = Date.now()) {
  const bits = [...secret.replaceAll(" ", "")].map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((b) => Number.parseInt(b, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const digest = createHmac("sha1", key).update(counter).digest();
  const offset = digest[19] & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

test("the ready calls of a new key issue invoices, until it is revoked", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.goto(`${demo.url}/keys`);
  await page.waitForSelector("main tbody tr");
  await check();
  await page.getByRole("button", { name: "إنشاء مفتاح" }).click();
  await page.fill("input[name=title]", "المتجر الإلكتروني");
  await check();
  await page.keyboard.press("Enter");
  const key = await page.locator("[data-key]").textContent();
  assert.match(key, /^svc_/);
  await page.waitForSelector("[data-call=curl]");
  await check();
  const folder = mkdtempSync(join(tmpdir(), "khatm-calls-"));
  const numbers = new Set();
  const programs = { curl: ["call.sh", "sh"], JavaScript: ["call.mjs", process.execPath], Python: ["call.py", "python3"] };
  try {
    for (const [language, [file, program]] of Object.entries(programs)) {
      await page.getByRole("tab", { name: language, exact: true }).click();
      const text = await page.locator(`[data-call="${language}"]`).textContent();
      assert.ok(text.includes(key) && text.includes(demo.credentials.organisation.uuid) && text.includes(`${demo.url}/v1/api/invoices/`), text);
      if (language !== "curl" && spawnSync(program, ["--version"]).error) continue;
      // Each call is made as if it were the first: the same Idempotency-Key would return the same invoice.
      writeFileSync(join(folder, file), text.replace("first-call-", `first-${language}-`));
      const ran = spawnSync(program, [join(folder, file)], { encoding: "utf8" });
      assert.match(ran.stdout, /202/, `${language}: ${ran.stdout}${ran.stderr}`);
      numbers.add(/INV-\d+-\d+/.exec(ran.stdout)[0]);
    }
    assert.ok(numbers.size >= 2, [...numbers].join());
    for (const language of ["PHP", "C#"]) {
      await page.getByRole("tab", { name: language, exact: true }).click();
      assert.ok((await page.locator(`[data-call="${language}"]`).textContent()).includes(key));
    }
    await page.getByRole("button", { name: "حفظتُ المفتاح" }).click();
    assert.equal(await page.locator("[data-key]").count(), 0);
    await page.getByRole("button", { name: "إلغاء المفتاح المتجر الإلكتروني" }).first().click();
    await check();
    await page.getByRole("dialog").getByRole("button", { name: "إلغاء المفتاح" }).click();
    await page.getByText("مُلغى").first().waitFor();
    const refused = await fetch(`${demo.url}/v1/api/invoices/`, { headers: { Authorization: `Bearer ${key}` } });
    assert.equal(refused.status, 401);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  assert.deepEqual(problems, []);
  await close();
});

test("a key that is restricted to reading gets a call that reads", async () => {
  const { page, problems, close } = await openPage(browser, demo.url, { language: "en" });
  await signIn(page, demo);
  await page.goto(`${demo.url}/keys`);
  await page.getByRole("button", { name: "Create key" }).click();
  await page.fill("input[name=title]", "Reports");
  await page.getByText("Everything the role allows").click();
  await page.getByText("Read and preview invoices").click();
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.getByRole("button", { name: "Create key" }).click();
  await page.fill("input[name=title]", "Reports");
  await page.getByText("Everything the role allows").click();
  await page.getByText("Read and preview invoices").click();
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  const text = await page.locator("[data-call=curl]").textContent();
  const ran = spawnSync("sh", ["-c", text], { encoding: "utf8" });
  assert.match(ran.stdout, /^HTTP\/1.1 200/, ran.stdout + ran.stderr);
  const { body } = await api(page, "GET", "/keys/");
  assert.deepEqual(body.keys.find((k) => k.title === "Reports").scopes, ["invoice.get"]);
  assert.deepEqual(problems, []);
  await close();
});

test("the team: invite and revoke; the last Admin stays one; the text of an invitation is withheld", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url, { theme: "dark" });
  await signIn(page, demo);
  await page.goto(`${demo.url}/team`);
  await page.waitForSelector("main tbody tr");
  await check();
  await page.getByRole("button", { name: "دعوة عضو" }).click();
  await page.fill("input[name=email]", "sara@example.sa");
  await check();
  await page.keyboard.press("Enter");
  await page.getByRole("table", { name: "الدعوات بانتظار القبول" }).getByText("sara@example.sa").waitFor();
  assert.deepEqual((await api(page, "GET", "/invitations/")).body.invitations.map((i) => [i.email, i.role]), [["sara@example.sa", "CreateInvoice"]]);
  await check();

  // The last Admin stays one, and the reason is said.
  await choose(page.getByLabel(/صلاحية Demo Admin/).first(), "محاسب");
  await page.locator("main [role=alert]").waitFor();
  problems.splice(0, problems.length, ...problems.filter((p) => !p.includes("status of 409")));

  // The e-mail of the invitation is listed, and its text is withheld.
  await page.goto(`${demo.url}/letters`);
  await page.getByRole("link", { name: "sara@example.sa" }).first().click();
  await page.waitForSelector("main h2");
  await check();
  assert.equal(await page.locator("main pre").count(), 0);

  await page.goto(`${demo.url}/team`);
  await page.getByRole("button", { name: "إلغاء دعوة sara@example.sa" }).first().click();
  await page.getByText("الدعوات بانتظار القبول").waitFor({ state: "detached" });
  assert.equal((await api(page, "GET", "/invitations/")).body.total, 0);
  assert.deepEqual(problems, []);
  await close();
});

test("reasons: create, change, deactivate and undo", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.goto(`${demo.url}/reasons`);
  await page.waitForSelector("main tbody tr");
  await check();
  await page.getByRole("button", { name: "إضافة نص" }).click();
  await page.fill("input[name=description]", "الدفع خلال 45 يومًا");
  await page.fill("input[name=due_days]", "٤٥٠");
  await page.keyboard.press("Enter");
  await page.getByText("اكتب عددًا صحيحًا من 0 إلى 365").waitFor();
  await check();
  await page.fill("input[name=due_days]", "٤٥");
  await page.keyboard.press("Enter");
  await page.getByRole("table").getByText("الدفع خلال 45 يومًا").waitFor();
  const find = async (text) => (await api(page, "GET", "/reasons/")).body.reasons.find((r) => r.description === text);
  assert.equal((await find("الدفع خلال 45 يومًا")).due_days, 45);
  await page.getByRole("button", { name: "تعديل: الدفع خلال 45 يومًا" }).first().click();
  await page.fill("input[name=description]", "الدفع خلال 60 يومًا");
  await page.fill("input[name=due_days]", "60");
  await page.keyboard.press("Enter");
  await page.getByRole("table").getByText("الدفع خلال 60 يومًا").waitFor();
  assert.equal((await find("الدفع خلال 60 يومًا")).due_days, 60);
  await page.getByRole("button", { name: "تعطيل: الدفع خلال 60 يومًا" }).first().click();
  await page.getByRole("button", { name: "تفعيل: الدفع خلال 60 يومًا" }).first().waitFor();
  assert.equal((await find("الدفع خلال 60 يومًا")).is_active, false);
  await page.getByRole("button", { name: "تراجع" }).click();
  await page.getByRole("button", { name: "تعطيل: الدفع خلال 60 يومًا" }).first().waitFor();
  assert.equal((await find("الدفع خلال 60 يومًا")).is_active, true);
  assert.deepEqual(problems, []);
  await close();
});

test("the audit trail: filter, page, open an entry, export", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url, { language: "en" });
  await signIn(page, demo);
  await page.goto(`${demo.url}/trail`);
  await page.waitForSelector("main tbody tr");
  await check();
  await page.getByRole("button", { name: "Next" }).click();
  await page.waitForURL(/cursor=/);
  await page.getByRole("button", { name: "First page" }).waitFor();
  // Entries name the document that they are about, also those that only have its UUID.
  for (const action of ["invoice.create", "invoice.answer"]) {
    await page.goto(`${demo.url}/trail?action=${action}`);
    await page.getByRole("table").getByRole("link", { name: "INV-2026-000001" }).waitFor();
    const { body } = await api(page, "GET", `/trail/?action=${action}`);
    assert.deepEqual(await page.locator("main tbody a").evaluateAll((links) => links.map((link) => link.getAttribute("href"))), body.entries.map((entry) => `/invoices/${entry.subject}`));
  }
  await page.goto(`${demo.url}/trail?action=client.create`);
  await page.getByRole("table").getByRole("link", { name: "Al Noor Cafes Company" }).waitFor();
  await page.goto(`${demo.url}/trail?action=session.opened`);
  await page.waitForSelector("main tbody tr");
  const { body } = await api(page, "GET", "/trail/?action=session.opened");
  assert.equal(await page.locator("main tbody tr").count(), body.entries.length);
  await page.locator("main tbody button").first().click();
  await page.getByRole("dialog").getByText("127.0.0.1").waitFor();
  await check();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV table" }).click();
  const file = readFileSync(await (await download).path(), "utf8");
  assert.equal(file.trim().split("\n").length, body.entries.length + 1);
  assert.deepEqual(problems, []);
  await close();
});

test("the actions to filter by are those that the service records", () => {
  const ours = [...readFileSync("src/pages/trail/actions.ts", "utf8").matchAll(/\["([a-z_.]+)", "([^"]+)", "([^"]+)"\]/g)].map((m) => m.slice(1));
  const theirs = [...readFileSync("../codes/action.go", "utf8").matchAll(/\{"([a-z_.]+)", "([^"]+)", "([^"]+)"\}/g)].map((m) => m.slice(1));
  const ofInstallation = /^(backup|vault|secret|setup|signup|sign_in)\.|^plan\.set$/;
  assert.deepEqual(ours, theirs.filter(([action]) => !ofInstallation.test(action)));
});

test("the account: name, second factor, recovery codes, password, sign out everywhere", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await signIn(page, demo);
  await page.goto(`${demo.url}/account`);
  await page.getByRole("button", { name: "تفعيل التحقق بخطوتين" }).waitFor();
  await check();
  await page.fill("input[name=name]", "نورة الحربي");
  await page.getByRole("button", { name: "حفظ", exact: true }).click();
  await page.getByText("حُفظت التغييرات").waitFor();
  assert.equal((await api(page, "GET", "/session/")).body.person.name, "نورة الحربي");

  await page.getByRole("button", { name: "تفعيل التحقق بخطوتين" }).click();
  await page.getByRole("dialog").locator("input[name=password]").fill(demo.credentials.admin.password);
  await page.keyboard.press("Enter");
  const secret = await page.locator("[data-secret]").textContent();
  await check();
  await page.fill("input[name=code]", oneTimeCode(secret));
  await page.keyboard.press("Enter");
  await page.waitForSelector("[data-codes] li");
  await check();
  const codes = await page.locator("[data-codes] li").allTextContents();
  assert.equal(codes.length, 10);
  await page.getByRole("button", { name: "حفظتُ الرموز" }).click();
  assert.equal((await api(page, "GET", "/person/second-factor/")).body.active, true);
  await page.getByRole("button", { name: "إيقاف التحقق بخطوتين" }).click();
  await page.getByRole("dialog").locator("input[name=password]").fill(demo.credentials.admin.password);
  await page.getByRole("dialog").locator("input[name=code]").fill(codes[0]);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "تفعيل التحقق بخطوتين" }).waitFor();
  assert.equal((await api(page, "GET", "/person/second-factor/")).body.active, false);

  await page.fill("input[name=current_password]", "not the password");
  await page.fill("input[name=new_password]", "another horse battery");
  await page.keyboard.press("Enter");
  await page.locator("main [role=alert], main [slot=errorMessage]").first().waitFor();
  assert.equal(await page.inputValue("input[name=new_password]"), "another horse battery");
  problems.splice(0, problems.length, ...problems.filter((p) => !p.includes("status of 403")));
  await page.fill("input[name=current_password]", demo.credentials.admin.password);
  await page.getByRole("button", { name: "تغيير كلمة المرور" }).click();
  await page.getByText("تغيّرت كلمة المرور").waitFor();
  demo.credentials.admin.password = "another horse battery";

  await page.getByRole("button", { name: "تسجيل الخروج من كل الأجهزة" }).click();
  await page.waitForURL(`${demo.url}/login`);
  assert.equal((await api(page, "GET", "/session/")).status, 401);
  problems.splice(0, problems.length, ...problems.filter((p) => !p.includes("status of 401")));
  await signIn(page, demo);
  assert.deepEqual(problems, []);
  await close();
});
