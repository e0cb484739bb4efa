package guest_test

import (
	"os"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// observer views links in a browser.
type observer struct {
	*browser
	home string
}

// opens opens a link and checks the page with sound.
func (v observer) opens(token, query string) {
	v.t.Helper()
	v.visit(v.home + "/s/" + token + query)
	v.sound()
}

// sound checks that the page fits the window, runs no scripts and is accessible.
func (v observer) sound() {
	v.t.Helper()
	for what, holds := range map[string]string{
		"the page fits the window":        `document.documentElement.scrollWidth <= window.innerWidth`,
		"the page has no script":          `document.scripts.length === 0`,
		"the page has one h1 heading":     `document.querySelectorAll("h1").length === 1`,
		"every field has its label":       `[...document.querySelectorAll("input:not([type=hidden])")].every(i => i.labels.length === 1)`,
		"the page has one main element":   `document.querySelectorAll("main").length === 1`,
		"ids are unique":                  `new Set([...document.querySelectorAll("[id]")].map(e => e.id)).size === document.querySelectorAll("[id]").length`,
		"buttons are large enough":        `[...document.querySelectorAll("button, nav a")].every(e => e.getBoundingClientRect().height >= 40)`,
		"the style is applied":            `getComputedStyle(document.querySelector(".sheet")).borderTopStyle === "solid"`,
		"the direction fits the language": `document.documentElement.dir === (document.documentElement.lang === "ar" ? "rtl" : "ltr")`,
	} {
		if got := v.js(holds); got != "true" {
			v.t.Errorf("%s: not true on page %q", what, v.js(`document.title`))
		}
	}
}

// everywhere takes screenshots on a desktop and on phones, in light and dark mode.
func (v observer) everywhere(token, name string) {
	v.t.Helper()
	v.on(map[string]int{"desk": 1024, "phone": 375, "small": 320}, true, token, name)
}

// twoWidths is everywhere, but only on a desktop and on the smallest phone and in light
// mode, unless screenshots are saved.
func (v observer) twoWidths(token, name string) {
	v.t.Helper()
	if testtool.Torture() || os.Getenv("KHATM_PICTURES") != "" {
		v.everywhere(token, name)
		return
	}
	v.on(map[string]int{"desk": 1024, "small": 320}, false, token, name)
}

// on opens a link in both languages in windows of the given widths, and also in dark
// mode.
func (v observer) on(devices map[string]int, dark bool, token, name string) {
	v.t.Helper()
	for _, lang := range []string{"ar", "en"} {
		for device, pixels := range devices {
			v.width(pixels, false)
			v.opens(token, "?lang="+lang)
			v.picture(name + "-" + lang + "-" + device)
		}
		if dark {
			v.width(1024, true)
			v.opens(token, "?lang="+lang)
			v.picture(name + "-" + lang + "-night")
		}
	}
	v.width(1024, false)
}

func TestInterface_4_7_LinksInABrowser(t *testing.T) {
	t.Parallel()
	b := browse(t)
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.SharedHourly = 1 << 30 })
	d := h.DraftSharing()
	v := observer{b, h.HTTP.URL}

	id, invoice := d.Issued(d.FullInvoice())
	v.everywhere(invoice, "invoice")
	v.opens(invoice, "?lang=ar")
	servicetest.Equal(t, "sheets of paper", v.printed("invoice"), 1)
	if code := v.scanned(); code != "" {
		servicetest.Same(t, "the code that a scanner reads", any(code), d.Full(id)["qr_code"])
	}
	servicetest.Equal(t, "title in Arabic", v.text("h1"), "فاتورة ضريبية")
	servicetest.Equal(t, "status in Arabic", strings.Fields(v.text(".status")), []string{"الحالة:", "معتمدة", "من", "الهيئة"})
	v.loads(func() { v.press(".tongue") })
	servicetest.Equal(t, "title in English", v.text("h1"), "Tax Invoice")
	servicetest.Equal(t, "due", strings.Fields(v.text(".due dd")), []string{"SAR", "11,787.50"})
	v.quiet()

	draft, token := d.Shared()
	v.twoWidths(token, "draft")
	v.opens(token, "?lang=en")
	if !strings.Contains(v.text(".mark"), "DRAFT – not a tax invoice") {
		t.Errorf("the mark is %q, want the draft mark", v.text(".mark"))
	}
	v.loads(func() { v.press(".approval li:first-child button") })
	v.sound()
	servicetest.Equal(t, "after asking", v.text(".notice"), "A code was created for you. If you receive no e-mail, ask the sender.")
	servicetest.Equal(t, "focus after reading", v.js(`document.activeElement.id`), "notice")
	servicetest.Equal(t, "title after asking", v.js(`document.title.split(" ")[0]`), "Done")
	code := d.LastCode()
	v.write("#name", "نورة القحطاني")
	v.write("#code", servicetest.WrongCode(code))
	v.loads(func() { v.press(".approval .main") })
	v.sound()
	servicetest.Equal(t, "beside the field", v.text("#code-wrong"), "The code is wrong. You can try 4 more times.")
	servicetest.Equal(t, "the name stays", v.js(`document.querySelector("#name").value`), "نورة القحطاني")
	servicetest.Equal(t, "where typing goes on", v.js(`document.activeElement.id`), "code")
	v.complained("status of 400")
	v.width(375, false)
	v.picture("wrong-en-phone")
	v.width(1024, false)
	v.write("#code", code)
	v.loads(func() { v.press(".approval .main") })
	v.sound()
	servicetest.Equal(t, "approved", v.text("#approval-title"), "This draft is approved")
	servicetest.Equal(t, "by", v.text(".approval dd bdi"), "نورة القحطاني")
	if got := d.Again(draft).Approval; got == nil || got.Name != "نورة القحطاني" {
		t.Errorf("stored approval is %+v, want the name of the recipient", got)
	}
	v.twoWidths(token, "approved")
	v.approvesInArabic(d)
	v.visit(v.home + "/s/nothing")
	v.sound()
	v.picture("gone")
	v.complained("status of 404")
	v.quiet()
}

// approvesInArabic approves a draft in Arabic, after an attempt on an outdated
// page.
func (v observer) approvesInArabic(d *servicetest.DraftSharing) {
	v.t.Helper()
	made, err := d.Sharer().Create(d.Ctx, d.By, d.Request("1800.00"), share.Recipient{Name: "نورة", Email: "noura@buyer.example", Language: "ar"})
	d.Must(err)
	draft, err := d.Sharer().Share(d.Ctx, d.By, made.ID)
	d.Must(err)
	token := d.Token(draft)
	v.width(375, false)
	v.opens(token, "?lang=ar")
	v.loads(func() { v.press(".approval li:first-child button") })
	v.sound()
	servicetest.Equal(v.t, "after asking", v.text(".notice"), "أُنشئ لكم رمز. إذا لم تصلكم رسالة بالبريد الإلكتروني فتواصلوا مع المرسل.")
	_, err = d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("1900.00"), draft.Recipient)
	d.Must(err)
	v.write("#name", "نورة القحطاني")
	v.write("#code", "123456")
	v.loads(func() { v.press(".approval .main") })
	v.sound()
	servicetest.Equal(v.t, "once it was changed", v.text(".notice"), "عُدّلت المسودة. راجعوها من جديد.")
	servicetest.Equal(v.t, "focus after reading", v.js(`document.activeElement.id`), "notice")
	servicetest.Equal(v.t, "it is seen", v.js(`document.activeElement.getBoundingClientRect().top < window.innerHeight`), "true")
	v.complained("status of 409")
	v.picture("changed-ar-phone")
	v.loads(func() { v.press(".approval li:first-child button") })
	v.write("#name", "نورة القحطاني")
	v.write("#code", arabicDigits(d.LastCode()))
	v.loads(func() { v.press(".approval .main") })
	v.sound()
	servicetest.Equal(v.t, "approved", v.text("#approval-title"), "وافق المستلم على هذه المسودة")
	servicetest.Equal(v.t, "thanks", v.text(".notice"), "شكرًا لكم. يمكن للبائع الآن إصدار المستند.")
	servicetest.Equal(v.t, "title", v.js(`document.title.split(" ")[0]`), "تم")
	servicetest.Equal(v.t, "the approved version", d.Again(draft).Approval.Version, 2)
	v.width(1024, false)
}

// complained checks that the browser logged exactly one message with these
// words, and clears it.
func (b *browser) complained(words string) {
	b.t.Helper()
	if len(b.said) != 1 || !strings.Contains(b.said[0], words) {
		b.t.Errorf("the browser logged %s, want only %q", b.said, words)
	}
	b.said = nil
}
