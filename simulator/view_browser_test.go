package simulator_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"khatm/internal/browser"
	"khatm/sample"
	"khatm/simulator"
)

// sound checks that a page fits the window and is accessible.
func sound(t *testing.T, b *browser.Browser, what string) {
	t.Helper()
	for rule, holds := range map[string]string{
		"the page fits the window":        `document.documentElement.scrollWidth <= window.innerWidth && [...document.querySelectorAll("body *:not(pre *, pre, .hidden)")].every(e => { const r = e.getBoundingClientRect(); return r.width === 0 || r.left >= -1 && r.right <= window.innerWidth + 1 })`,
		"the only script is the page's":   `document.scripts.length === 1 && document.scripts[0].src.endsWith("/view/page.js")`,
		"the page has one h1 heading":     `document.querySelectorAll("h1").length === 1`,
		"every field has its label":       `[...document.querySelectorAll("input:not([type=hidden]), select")].every(i => i.labels.length === 1)`,
		"the page has one main element":   `document.querySelectorAll("main").length === 1`,
		"ids are unique":                  `new Set([...document.querySelectorAll("[id]")].map(e => e.id)).size === document.querySelectorAll("[id]").length`,
		"buttons are large enough":        `[...document.querySelectorAll("button, summary, .button, .tongue, .back")].every(e => e.getBoundingClientRect().height === 0 || e.getBoundingClientRect().height >= 40)`,
		"the style is applied":            `getComputedStyle(document.querySelector(".panel")).borderTopStyle === "solid"`,
		"the direction fits the language": `document.documentElement.dir === (document.documentElement.lang === "ar" ? "rtl" : "ltr")`,
		"no markup of a document is used": `document.querySelectorAll("img:not([src='/view/icon.svg'])").length === 0`,
	} {
		if got := b.JS(holds); got != "true" {
			t.Errorf("%s: %s: not true", what, rule)
		}
	}
}

// until waits until an expression is true in the page.
func until(t *testing.T, b *browser.Browser, expression string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); b.JS(expression) != "true"; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not true within a minute", expression)
		}
	}
}

// TestViewInABrowser uses the page in both languages, on a desktop and on a
// phone: it must log nothing, request nothing from elsewhere and fit the window.
func TestViewInABrowser(t *testing.T) {
	t.Parallel()
	b := browser.Open(t)
	h := open(t, simulator.Config{})
	everywhere := func(path, name string) {
		for _, lang := range []string{"en", "ar"} {
			for width, device := range map[int]string{1280: "desk", 360: "phone"} {
				b.Width(width, false)
				b.Visit(h.control + path + "?lang=" + lang)
				what := fmt.Sprintf("%s in %s on a %s", name, lang, device)
				sound(t, b, what)
				b.Picture(strings.ReplaceAll(what, " ", "-"))
				if os.Getenv("KHATM_PICTURES") != "" {
					b.Width(width, true)
					b.Picture(strings.ReplaceAll(what, " ", "-") + "-at-night")
				}
			}
		}
		b.Width(1280, false)
	}
	everywhere("/view/", "empty page")
	if got := b.Text(".empty h3"); got != "لم يُرسل شيء بعد" {
		t.Errorf("heading of the empty page is %q", got)
	}
	day := h.busyDay()
	everywhere("/view/", "page")
	everywhere(day.refused, "refused document")

	b.Visit(h.control + "/view/?lang=en")
	b.JS(`window.stayed = true`)
	b.Press("#mood-nod")
	until(t, b, `document.querySelector("#mood-nod").getAttribute("aria-pressed") === "true"`)
	if got := h.mustControl(http.MethodGet, "/mood", ""); !strings.Contains(string(got), `"name": "nod"`) {
		t.Errorf("the mood after pressing the button is %s", got)
	}
	if got := b.JS(`document.activeElement.id`); got != "mood-nod" {
		t.Errorf("the focus after pressing the button is on %q, want the button", got)
	}
	d := h.onboard("production", "0100")
	d.submit(d.seal(sample.Simplified(), d.pcsid), true)
	until(t, b, `document.querySelectorAll(".device").length === 2 && document.querySelector(".list .pill").innerText === "Reported"`)
	b.Press("#faults summary")
	b.Press("#force")
	until(t, b, `document.querySelector(".counts").innerText.includes("still to be applied: 1")`)
	b.Press("#settings summary")
	b.Press("#set-clearance")
	until(t, b, `document.querySelector(".setting").innerText.includes("off: 303")`)
	if got := b.JS(`window.stayed`); got != "true" {
		t.Error("a form left the page")
	}
	b.Loads(func() { b.Press(".list a") })
	if got := b.Text("h1"); got != "Reported" {
		t.Errorf("heading of the request's page is %q, want Reported", got)
	}
	b.Loads(func() { b.Press(".tongue") })
	if got := b.Text("h1"); got != "أُبلغت بها الهيئة" {
		t.Errorf("heading in Arabic is %q", got)
	}
	b.Quiet()
	b.Stayed(h.control)
}
