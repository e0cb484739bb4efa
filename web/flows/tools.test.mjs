// The public tools, without sign-in, and the link that signs in to the demo.
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { generator, loadSource, openBrowser, openPage, startDemo } from "./harness.mjs";

let demo, browser;

before(async () => {
  demo = await startDemo();
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  demo?.stop();
});

/** Posts to a tool from one of the addresses of this machine, each of which has its own limit. */
function post(path, body, from = "127.0.0.1") {
  return new Promise((resolve, reject) => {
    const sent = request(`${demo.credentials.public_url}/api/public${path}`, { method: "POST", localAddress: from, headers: { "Content-Type": "application/json" } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => (text += part)).on("end", () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    });
    sent.on("error", reject).end(JSON.stringify(body));
  });
}

test("the calculator computes 300 random sales as the service does", async () => {
  const { compute, wrongParts } = await loadSource("/src/pages/tools/vat.ts");
  const random = generator(20261117);
  const decimal = (whole, places) => `${random(whole)}${places ? `.${String(random(10 ** places)).padStart(places, "0")}` : ""}`;
  for (let n = 0; n < 300; n++) {
    const lines = Array.from({ length: 1 + random(6) }, () => {
      const category = "SSSSZEO"[random(7)];
      return { price: decimal(n % 10 === 0 ? 1 : 5000, random(5)), quantity: random(3) ? String(1 + random(20)) : `${random(9)}.${1 + random(999)}`, category, rate: category === "S" ? ["15", "5", "15.00", "7.5", "12.345"][random(5)] : "0", gross: random(2) === 1 };
    });
    assert.deepEqual(lines.flatMap(wrongParts), []);
    const sale = compute(lines);
    const { status, body } = await post(
      "/calculate-vat/",
      { lines: lines.map((l, i) => ({ item_name: `item ${i}`, invoiced_quantity: l.quantity, [l.gross ? "item_gross_price" : "item_net_price"]: l.price, vat_rate: l.rate, vat_category_code: l.category })) },
      `127.0.0.${2 + (n % 5)}`,
    );
    assert.equal(status, 200, JSON.stringify(body));
    const theirs = {
      withoutVAT: body.invoice_total_amount_without_vat,
      vat: body.invoice_total_vat_amount,
      withVAT: body.invoice_gross_total,
      ...(body.payable_rounding_amount !== undefined && { rounding: body.payable_rounding_amount, payable: body.invoice_payable_amount }),
      breakdown: body.vat_breakdown.map((row) => ({ category: row.vat_category_code, rate: row.vat_rate, taxable: row.vat_category_taxable_amount, vat: row.vat_category_tax_amount })),
    };
    assert.deepEqual(sale, theirs, JSON.stringify(lines));
  }
});

test("the calculator on the page, with Arabic digits", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await page.goto(`${demo.url}/tools`);
  await page.waitForSelector("main h1");
  await check();
  await page.locator("[data-line='1'] input[name=price]").fill("١٠٫٠٠");
  await page.getByRole("radio", { name: "شاملة الضريبة" }).click();
  await page.getByRole("button", { name: "إضافة بند" }).click();
  await page.locator("[data-line='2'] input[name=price]").fill("31.30");
  const { body } = await post("/calculate-vat/", { lines: ["10.00", "31.30"].map((price) => ({ item_name: "x", item_gross_price: price, vat_rate: "15" })) });
  assert.equal(await page.locator("[data-result=with]").textContent(), body.invoice_gross_total);
  assert.equal(await page.locator("[data-result=payable]").textContent(), body.invoice_payable_amount);
  await page.locator("[data-line='2'] input[name=quantity]").fill("0");
  await page.keyboard.press("Tab");
  await page.getByText("اكتب كمية أكبر من الصفر.").waitFor();
  await check();
  assert.deepEqual(problems, []);
  await close();
});

test("the reader of QR codes explains every tag and shows hostile text as text", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url, { language: "en", theme: "dark" });
  const list = await (await fetch(`${demo.credentials.base_url}/api/invoices/`, { headers: { Authorization: `Bearer ${demo.credentials.keys.Accountant}` } })).json();
  const code = list.invoices.find((i) => i.transaction_code === "0200000").qr_code;
  await page.goto(`${demo.url}/tools/qr`);
  await page.fill("textarea[name=code]", code);
  await page.waitForSelector("[data-tag='9']");
  await check();
  const { body } = await post("/scan-qr-code/", { qr_base64: code });
  const shown = await page.$$eval("[data-tag] dd", (cells) => cells.map((c) => c.textContent.replaceAll(/[\u20c1,]/g, "").trim()));
  const t = body.tags;
  assert.deepEqual(shown, [t.seller_name, t.vat_registration_number, t.timestamp, t.invoice_total_with_vat, t.vat_amount, t.invoice_hash, t.invoice_hash_signature, t.egs_public_key, t.zatca_ca_signature_of_egs_csr].map((v) => v.replaceAll(",", "")));

  const hostile = Buffer.from("<img src=x onerror=alert(1)>\u202e");
  await page.fill("textarea[name=code]", Buffer.concat([Buffer.from([1, hostile.length]), hostile, Buffer.from([77, 2, 255, 0])]).toString("base64"));
  await page.locator("[data-tag='77']").waitFor();
  assert.equal(await page.locator("[data-tag='1'] dd").textContent(), hostile.toString());
  assert.equal(await page.locator("main img").count(), 0);
  for (const [text, want] of [["hello!", "base64"], ["AQ1L", "tag 1"], [Buffer.from([1, 1, 65, 1, 1, 66]).toString("base64"), "twice"], [Buffer.from([1, 1, 255]).toString("base64"), "valid text"]]) {
    await page.fill("textarea[name=code]", text);
    await page.getByText(want).last().waitFor();
  }
  await page.setInputFiles("input[type=file]", "public/icon.svg");
  await page.locator("main [role=alert]").waitFor(); // this browser reads no pictures, or there is no code in it
  await check();
  assert.deepEqual(problems, []);
  await close();
});

test("the checker reads and judges XML and PDF", async () => {
  const { page, problems, check, close } = await openPage(browser, demo.url);
  await page.goto(`${demo.url}/tools/invoice`);
  await page.waitForSelector("main h1");
  await check();
  const auth = { Authorization: `Bearer ${demo.credentials.keys.Accountant}` };
  const list = await (await fetch(`${demo.credentials.base_url}/api/invoices/`, { headers: auth })).json();
  const cleared = list.invoices.find((i) => i.authority_response_status === "CLEARED" && i.type_code === 388);
  const pdf = Buffer.from(await (await fetch(`${demo.credentials.base_url}/api/invoices/${cleared.uuid}/pdf-a3/`, { headers: auth })).arrayBuffer());
  await page.setInputFiles("input[type=file]", { name: "invoice.pdf", mimeType: "application/pdf", buffer: pdf });
  await page.waitForSelector("[data-verdict=ok]");
  await page.getByText(cleared.ref_num).first().waitFor();
  // The tools say how many of their calls are left; a check takes two.
  const told = (text) => Number(text.replaceAll(/\D/g, ""));
  const before = told(await page.locator("main [data-left]").textContent());
  assert.ok(before > 2, String(before));
  await check();

  // The same document with another VAT rate, and a name that would be markup.
  const written = await fetch(`${demo.credentials.public_url}/api/public/export/`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      format: "ubl-xml",
      invoice: {
        ref_num: "INV-1", issue_date: "2026-01-15", lines: [{ item_name: "<img src=x onerror=alert(1)>", item_net_price: "31.30", invoiced_quantity: 2 }],
        seller: { name_arabic: "شركة ختم التجريبية", vat_registration_number: "310175397400003", additional_seller_id: { type_id: "CRN", value: "1010183482" }, street: "طريق الملك فهد", building_number: "8091", district: "حي العليا", city: "الرياض", postal_code: "12214" },
      },
    }),
  });
  const xml = await written.text();
  assert.equal(written.status, 200, xml);
  const wrong = xml.replaceAll(/(<cbc:Percent>)15(\.00)?/g, "$110");
  assert.notEqual(wrong, xml);
  await page.getByRole("button", { name: "فحص ملف آخر" }).click();
  await page.setInputFiles("input[type=file]", { name: "wrong.xml", mimeType: "application/xml", buffer: Buffer.from(wrong) });
  await page.waitForSelector("[data-verdict=failed]");
  await page.getByText("BR-KSA-84").first().waitFor();
  const left = Number(written.headers.get("X-RateLimit-Remaining-Day"));
  assert.equal(told(await page.locator("main [data-left]").textContent()), Math.floor((left - 2) / 2));
  await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
  assert.equal(await page.locator("main img").count(), 0);
  await check();

  await page.getByRole("button", { name: "فحص ملف آخر" }).click();
  await page.setInputFiles("input[type=file]", { name: "not.xml", mimeType: "application/xml", buffer: Buffer.from("<html>") });
  await page.locator("main [role=alert]").waitFor();
  await check();
  assert.deepEqual(problems.filter((p) => !p.includes("status of 400")), []);
  await close();
});

test("the link that khatm demo prints signs in once", async () => {
  const [link] = /http\S+\/login#\S+/.exec(demo.printed) ?? [];
  assert.ok(link, demo.printed);
  const first = await openPage(browser, demo.url);
  await first.page.goto(link);
  await first.page.waitForSelector("main h2");
  assert.equal(first.page.url(), `${demo.url}/`);
  assert.deepEqual(first.problems, []);
  await first.close();
  const second = await openPage(browser, demo.url);
  await second.page.goto(link);
  await second.page.locator("main [role=alert]").waitFor();
  assert.equal(second.page.url(), `${demo.url}/login`);
  assert.deepEqual(second.problems.filter((p) => !p.includes("status of 404")), []);
  await second.close();
});
