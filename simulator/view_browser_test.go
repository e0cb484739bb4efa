package simulator_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"khatm/internal/browser"
	"khatm/internal/testtool"
	"khatm/sample"
	"khatm/simulator"
)

// sound checks that a page fits the window and is accessible.
func sound(t *testing.T, b *browser.Browser, what string) {
	t.Helper()
	if broken := b.JS(soundness); broken != "" {
		t.Errorf("%s: %s", what, broken)
	}
}

// soundness is an expression for the rules that a page breaks. A wide pre
// element scrolls, so what is in it may be outside the window.
const soundness = `(() => {
	const all = (selector) => [...document.querySelectorAll(selector)];
	const inside = (e) => { const r = e.getBoundingClientRect(); return r.width === 0 || r.left >= -1 && r.right <= window.innerWidth + 1 };
	const large = (e) => { const height = e.getBoundingClientRect().height; return height === 0 || height >= 40 };
	const rules = {
		"the page is wider than the window": document.documentElement.scrollWidth <= window.innerWidth,
		"an element is outside the window": all("body *:not(pre *, .hidden)").every(inside),
		"there is another script": document.scripts.length === 1 && document.scripts[0].src.endsWith("/view/page.js"),
		"there is not one h1 heading": all("h1").length === 1,
		"there is not one main element": all("main").length === 1,
		"a field has no label": all("input:not([type=hidden]), select").every(i => i.labels.length === 1),
		"ids are not unique": new Set(all("[id]").map(e => e.id)).size === all("[id]").length,
		"a button is too small": all("button, summary, .button, .tongue, .back").every(large),
		"the style is not applied": getComputedStyle(document.querySelector(".panel")).borderTopStyle === "solid",
		"the direction does not fit the language": document.documentElement.dir === (document.documentElement.lang === "ar" ? "rtl" : "ltr"),
		"markup of a document is used": all("img:not([src='/view/icon.svg'])").length === 0,
	};
	return Object.keys(rules).filter(name => !rules[name]).join("; ");
})()`

// until waits until an expression is true in the page.
func until(t *testing.T, b *browser.Browser, expression string) {
	t.Helper()
	eventually(t, expression, func() bool { return b.JS(expression) == "true" })
}

// TestViewInABrowser uses the page in both languages, on a desktop and on a
// phone: it must log nothing, request nothing from elsewhere and fit the window.
func TestViewInABrowser(t *testing.T) {
	t.Parallel()
	if !testtool.All() {
		t.Skip("runs with make check; other tests request the same pages without a browser")
	}
	b := browser.Open(t)
	h := open(t, simulator.Config{})
	visit := func(path, name string) {
		for _, lang := range []string{"en", "ar"} {
			b.Visit(h.control + path + "?lang=" + lang)
			sound(t, b, name+" in "+lang)
			b.Picture(strings.ReplaceAll(name+" in "+lang, " ", "-"))
		}
	}
	b.Width(360, false)
	visit("/view/", "empty page on a phone")
	if got := b.Text(".empty h3"); got != "لم يُرسل شيء بعد" {
		t.Errorf("heading of the empty page is %q", got)
	}
	day := h.busyDay()
	visit("/view/", "page on a phone")
	visit(day.refused, "refused document on a phone")
	b.Width(1280, false)
	visit("/view/", "page on a desk")
	if testtool.Torture() || os.Getenv("KHATM_PICTURES") != "" {
		visit(day.refused, "refused document on a desk")
		b.Width(1280, true)
		visit("/view/", "page on a desk at night")
		b.Width(360, true)
		visit(day.refused, "refused document on a phone at night")
		b.Width(1280, false)
	}

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
	until(t, b, `document.querySelector(".setting p").innerText.includes("off (303)")`)
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
