package service_test

import (
	"strings"
	"testing"

	"khatm/service/internal/server"
	"khatm/service/internal/share"
)

// onlooker looks at links in a browser.
type onlooker struct {
	*browser
	home string
}

// opens opens a link, and demands of the page what holds for all of them.
func (v onlooker) opens(token, query string) {
	v.t.Helper()
	v.visit(v.home + "/s/" + token + query)
	v.sound()
}

// sound demands of a page that it fits its window, that it runs nothing, and
// that whoever cannot see it finds their way.
func (v onlooker) sound() {
	v.t.Helper()
	for what, holds := range map[string]string{
		"it fits the window":            `document.documentElement.scrollWidth <= window.innerWidth`,
		"it has no script":              `document.scripts.length === 0`,
		"it has one heading above all":  `document.querySelectorAll("h1").length === 1`,
		"every field has its label":     `[...document.querySelectorAll("input:not([type=hidden])")].every(i => i.labels.length === 1)`,
		"it has one main part":          `document.querySelectorAll("main").length === 1`,
		"ids are given once":            `new Set([...document.querySelectorAll("[id]")].map(e => e.id)).size === document.querySelectorAll("[id]").length`,
		"what is pressed can be hit":    `[...document.querySelectorAll("button, nav a")].every(e => e.getBoundingClientRect().height >= 40)`,
		"the style is applied":          `getComputedStyle(document.querySelector(".sheet")).borderTopStyle === "solid"`,
		"its direction is its language": `document.documentElement.dir === (document.documentElement.lang === "ar" ? "rtl" : "ltr")`,
	} {
		if got := v.js(holds); got != "true" {
			v.t.Errorf("%s: not of %s", what, v.js(`document.title`))
		}
	}
}

// everywhere takes pictures at a desk and on a telephone, by day and by night.
func (v onlooker) everywhere(token, name string) {
	v.t.Helper()
	for _, lang := range []string{"ar", "en"} {
		for device, pixels := range map[string]int{"desk": 1024, "phone": 375, "small": 320} {
			v.width(pixels, false)
			v.opens(token, "?lang="+lang)
			v.picture(name + "-" + lang + "-" + device)
		}
		v.width(1024, true)
		v.opens(token, "?lang="+lang)
		v.picture(name + "-" + lang + "-night")
	}
	v.width(1024, false)
}

func TestInterface_4_7_LinksInABrowser(t *testing.T) {
	b := browse(t)
	h := open(t, func(c *server.Config) { c.Rates.SharedHourly = 1 << 30 })
	d := h.desk()
	v := onlooker{b, h.server.URL}

	id, invoice := d.issued(d.showpiece())
	v.everywhere(invoice, "invoice")
	v.opens(invoice, "?lang=ar")
	equal(t, "sheets of paper", v.printed("invoice"), 1)
	if code := v.scanned(); code != "" {
		same(t, "the code that a scanner reads", any(code), d.full(id)["qr_code"])
	}
	equal(t, "title in Arabic", v.text("h1"), "فاتورة ضريبية")
	equal(t, "status in Arabic", strings.Fields(v.text(".status")), []string{"الحالة:", "معتمدة"})
	v.loads(func() { v.press(".tongue") })
	equal(t, "title in English", v.text("h1"), "Tax Invoice")
	equal(t, "due", v.text(".due dd"), "11,787.50 SAR")
	v.quiet()

	draft, token := d.shared()
	v.everywhere(token, "draft")
	v.opens(token, "?lang=en")
	if !strings.Contains(v.text(".mark"), "DRAFT – not a tax invoice") {
		t.Errorf("the mark says %q", v.text(".mark"))
	}
	v.loads(func() { v.press(".approval li:first-child button") })
	v.sound()
	equal(t, "after asking", v.text(".notice"), "A code was made for you. If no e-mail comes, ask the sender.")
	equal(t, "where reading goes on", v.js(`document.activeElement.id`), "notice")
	equal(t, "title after asking", v.js(`document.title.split(" ")[0]`), "Done")
	code := d.lastCode()
	v.write("#name", "نورة القحطاني")
	v.write("#code", wrongCode(code))
	v.loads(func() { v.press(".approval .main") })
	v.sound()
	equal(t, "beside the field", v.text("#code-wrong"), "This code is not right, not valid any more, or was tried too often. Check it; ten minutes after a code was sent you can ask for a new one.")
	equal(t, "the name stays", v.js(`document.querySelector("#name").value`), "نورة القحطاني")
	equal(t, "where typing goes on", v.js(`document.activeElement.id`), "code")
	v.complained("status of 400")
	v.width(375, false)
	v.picture("wrong-en-phone")
	v.width(1024, false)
	v.write("#code", code)
	v.loads(func() { v.press(".approval .main") })
	v.sound()
	equal(t, "approved", v.text("#approval-title"), "This draft is approved")
	equal(t, "by", v.text(".approval dd bdi"), "نورة القحطاني")
	if got := d.again(draft).Approval; got == nil || got.Name != "نورة القحطاني" {
		t.Errorf("kept: %+v", got)
	}
	v.everywhere(token, "approved")
	v.approvesInArabic(d)
	v.visit(v.home + "/s/nothing")
	v.sound()
	v.picture("gone")
	v.complained("status of 404")
	v.quiet()
}

// approvesInArabic does once in Arabic what was done in English, and once on a
// page that is over.
func (v onlooker) approvesInArabic(d *desk) {
	v.t.Helper()
	made, err := d.sharer().Create(d.ctx, d.by, d.request("1800.00"), share.Recipient{Name: "نورة", Email: "noura@buyer.example", Language: "ar"})
	d.must(err)
	draft, err := d.sharer().Share(d.ctx, d.by, made.ID)
	d.must(err)
	token := d.token(draft)
	v.width(375, false)
	v.opens(token, "?lang=ar")
	v.loads(func() { v.press(".approval li:first-child button") })
	v.sound()
	equal(v.t, "after asking", v.text(".notice"), "أُنشئ لكم رمز. إذا لم تصلكم رسالة بالبريد الإلكتروني فيمكنكم التواصل مع المرسل.")
	_, err = d.sharer().Change(d.ctx, d.by, draft.ID, 0, d.request("1900.00"), draft.Recipient)
	d.must(err)
	v.write("#name", "نورة القحطاني")
	v.write("#code", "123456")
	v.loads(func() { v.press(".approval .main") })
	v.sound()
	equal(v.t, "once it was changed", v.text(".notice"), "عُدّلت المسودة. يُرجى مراجعتها من جديد.")
	equal(v.t, "where reading goes on", v.js(`document.activeElement.id`), "notice")
	equal(v.t, "it is seen", v.js(`document.activeElement.getBoundingClientRect().top < window.innerHeight`), "true")
	v.complained("status of 409")
	v.picture("changed-ar-phone")
	v.loads(func() { v.press(".approval li:first-child button") })
	v.write("#name", "نورة القحطاني")
	v.write("#code", arabicDigits(d.lastCode()))
	v.loads(func() { v.press(".approval .main") })
	v.sound()
	equal(v.t, "approved", v.text("#approval-title"), "اعتُمدت هذه المسودة")
	equal(v.t, "thanks", v.text(".notice"), "شكرًا لكم. يمكن للبائع الآن إصدار الفاتورة.")
	equal(v.t, "title", v.js(`document.title.split(" ")[0]`), "تم")
	equal(v.t, "the approved version", d.again(draft).Approval.Version, 2)
	v.width(1024, false)
}

// complained demands that the browser said one thing, and forgets it.
func (b *browser) complained(words string) {
	b.t.Helper()
	if len(b.said) != 1 || !strings.Contains(b.said[0], words) {
		b.t.Errorf("the browser says %s, want %q alone", b.said, words)
	}
	b.said = nil
}

// wrongCode is another code.
func wrongCode(code string) string {
	if code == "000000" {
		return "000001"
	}
	return "000000"
}

// showpiece is an invoice with something of everything.
func (t *till) showpiece() string {
	return t.standard(fields{
		"payment_means_type_code": "30", "reason_id": t.reason.ID,
		"notes": []any{fields{"language_id": "ar", "note": "شكرًا لتعاملكم معنا. التسليم في الرياض خلال يومي عمل."}, fields{"language_id": "en", "note": "Two years of warranty."}},
		"form_lines": []any{
			t.line(nil),
			t.line(fields{"item_name": "شاشة عرض مقاس 27 بوصة", "item_net_price": "1250.00", "invoiced_quantity": 1}),
			t.line(fields{"item_name": "Network cable, category 6, shielded", "item_net_price": "150.00", "invoiced_quantity": 4, "invoiced_quantity_unit_of_measure": "BOX"}),
		},
	})
}
