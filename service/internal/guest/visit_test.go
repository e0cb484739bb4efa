package guest_test

import (
	"os"
	"strings"
	"testing"

	"khatm/internal/browser"
	"khatm/internal/testtool"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// observer views links in a browser.
type observer struct {
	*browser.Browser
	t    testing.TB
	home string
}

// opens opens a link and checks the page with sound.
func (v observer) opens(token, query string) {
	v.t.Helper()
	v.Visit(v.home + "/s/" + token + query)
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
		if got := v.JS(holds); got != "true" {
			v.t.Errorf("%s: not true on page %q", what, v.JS(`document.title`))
		}
	}
}

// everywhere takes screenshots on a desktop and on phones, in light and dark mode, or
// without testtool.All only on the smallest phone.
func (v observer) everywhere(token, name string) {
	v.t.Helper()
	if !testtool.All() {
		v.on(map[string]int{"small": 320}, false, token, name)
		return
	}
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
	widths := map[string]int{"small": 320}
	if testtool.All() {
		widths["desk"] = 1024
	}
	v.on(widths, false, token, name)
}

// on opens a link in both languages in windows of the given widths, and also in dark
// mode.
func (v observer) on(devices map[string]int, dark bool, token, name string) {
	v.t.Helper()
	for _, lang := range []string{"ar", "en"} {
		for device, pixels := range devices {
			v.Width(pixels, false)
			v.opens(token, "?lang="+lang)
			v.Picture(name + "-" + lang + "-" + device)
		}
		if dark {
			v.Width(1024, true)
			v.opens(token, "?lang="+lang)
			v.Picture(name + "-" + lang + "-night")
		}
	}
	v.Width(1024, false)
}

func TestInterface_4_7_LinksInABrowser(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.SharedHourly = 1 << 30 })
	d := h.DraftSharing()
	v := observer{b, t, h.HTTP.URL}

	id, invoice := d.Issued(d.FullInvoice())
	v.everywhere(invoice, "invoice")
	v.opens(invoice, "?lang=ar")
	servicetest.Equal(t, "sheets of paper", v.Printed("invoice"), 1)
	if code := v.Scanned(); code != "" {
		servicetest.Same(t, "the code that a scanner reads", any(code), d.Full(id)["qr_code"])
	}
	servicetest.Equal(t, "title in Arabic", v.Text("h1"), "فاتورة ضريبية")
	servicetest.Equal(t, "status in Arabic", strings.Fields(v.Text(".status")), []string{"الحالة:", "معتمدة", "من", "الهيئة"})
	v.Loads(func() { v.Press(".tongue") })
	servicetest.Equal(t, "title in English", v.Text("h1"), "Tax Invoice")
	servicetest.Equal(t, "due", strings.Fields(v.Text(".due dd")), []string{"SAR", "11,787.50"})
	v.Quiet()

	draft, token := d.Shared()
	v.twoWidths(token, "draft")
	v.opens(token, "?lang=en")
	if !strings.Contains(v.Text(".mark"), "DRAFT – not a tax invoice") {
		t.Errorf("the mark is %q, want the draft mark", v.Text(".mark"))
	}
	v.Loads(func() { v.Press(".approval li:first-child button") })
	v.sound()
	servicetest.Equal(t, "after asking", v.Text(".notice"), "A code was created for you. If you receive no e-mail, ask the sender.")
	servicetest.Equal(t, "focus after reading", v.JS(`document.activeElement.id`), "notice")
	servicetest.Equal(t, "title after asking", v.JS(`document.title.split(" ")[0]`), "Done")
	code := d.LastCode()
	v.Write("#name", "نورة القحطاني")
	v.Write("#code", servicetest.WrongCode(code))
	v.Loads(func() { v.Press(".approval .main") })
	v.sound()
	servicetest.Equal(t, "beside the field", v.Text("#code-wrong"), "The code is wrong. You can try 4 more times.")
	servicetest.Equal(t, "the name stays", v.JS(`document.querySelector("#name").value`), "نورة القحطاني")
	servicetest.Equal(t, "where typing goes on", v.JS(`document.activeElement.id`), "code")
	v.Complained("status of 400")
	v.Width(375, false)
	v.Picture("wrong-en-phone")
	v.Width(1024, false)
	v.Write("#code", code)
	v.Loads(func() { v.Press(".approval .main") })
	v.sound()
	servicetest.Equal(t, "approved", v.Text("#approval-title"), "This draft is approved")
	servicetest.Equal(t, "by", v.Text(".approval dd bdi"), "نورة القحطاني")
	if got := d.Again(draft).Approval; got == nil || got.Name != "نورة القحطاني" {
		t.Errorf("stored approval is %+v, want the name of the recipient", got)
	}
	v.twoWidths(token, "approved")
	v.approvesInArabic(d)
	v.Visit(v.home + "/s/nothing")
	v.sound()
	v.Picture("gone")
	v.Complained("status of 404")
	v.Quiet()
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
	v.Width(375, false)
	v.opens(token, "?lang=ar")
	v.Loads(func() { v.Press(".approval li:first-child button") })
	v.sound()
	servicetest.Equal(v.t, "after asking", v.Text(".notice"), "أُنشئ لكم رمز. إذا لم تصلكم رسالة بالبريد الإلكتروني فتواصلوا مع المرسل.")
	_, err = d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("1900.00"), draft.Recipient)
	d.Must(err)
	v.Write("#name", "نورة القحطاني")
	v.Write("#code", "123456")
	v.Loads(func() { v.Press(".approval .main") })
	v.sound()
	servicetest.Equal(v.t, "once it was changed", v.Text(".notice"), "عُدّلت المسودة. راجعوها من جديد.")
	servicetest.Equal(v.t, "focus after reading", v.JS(`document.activeElement.id`), "notice")
	servicetest.Equal(v.t, "it is seen", v.JS(`document.activeElement.getBoundingClientRect().top < window.innerHeight`), "true")
	v.Complained("status of 409")
	v.Picture("changed-ar-phone")
	v.Loads(func() { v.Press(".approval li:first-child button") })
	v.Write("#name", "نورة القحطاني")
	v.Write("#code", arabicDigits(d.LastCode()))
	v.Loads(func() { v.Press(".approval .main") })
	v.sound()
	servicetest.Equal(v.t, "approved", v.Text("#approval-title"), "وافق المستلم على هذه المسودة")
	servicetest.Equal(v.t, "thanks", v.Text(".notice"), "شكرًا لكم. يمكن للبائع الآن إصدار المستند.")
	servicetest.Equal(v.t, "title", v.JS(`document.title.split(" ")[0]`), "تم")
	servicetest.Equal(v.t, "the approved version", d.Again(draft).Approval.Version, 2)
	v.Width(1024, false)
}
