package simulator_test

import (
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"khatm/sample"
	"khatm/simulator"
)

// markup is a name that would run a script if a page did not escape it.
const markup = `"><img src=x onerror=alert(1)><script>alert(2)</script>`

// visited is what busyDay sent.
type visited struct {
	secrets []string // that no page may contain
	pages   []string // paths of the pages of all requests
	refused string   // path of the page of a refused document
}

// eventually waits until holds returns true, at most for a minute.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: did not happen within a minute", what)
		}
	}
}

// listed waits until the page lists so many requests, and returns their paths.
// A request is added after its answer, which the client may read before.
func (h *fixture) listed(count int) []string {
	h.t.Helper()
	var paths []string
	eventually(h.t, fmt.Sprintf("the page lists %d requests", count), func() bool {
		paths = nil
		for _, row := range strings.Split(h.view("GET", "/view/?lang=en", "").text, `href="/view/requests/`)[1:] {
			id, _, _ := strings.Cut(row, "?")
			paths = append(paths, "/view/requests/"+id)
		}
		return len(paths) == count
	})
	return paths
}

// busyDay sends requests of every kind: an onboarding, accepted, refused and
// repeated documents, wrong credentials, and faults.
func (h *fixture) busyDay() visited {
	h.t.Helper()
	d := h.onboard("simulation", "1100")
	otp := d.otp()
	wrong := h.device("sandbox", "1100")
	wrong.must(http.MethodPost, "/compliance", csid{}, "123345", map[string]string{"csr": "AAAA", "password": "hidden-in-body"})
	wrong.must(http.MethodPost, "/compliance", csid{}, otp, wrong.request())
	first := d.seal(sample.Simplified(), d.pcsid)
	d.submit(first, true)
	d.submit(first, true)
	d.submit(d.seal(sample.Invoice(), d.pcsid), false)
	d.must(http.MethodPost, "/invoices/reporting/single", csid{}, "", first)
	d.must(http.MethodPost, "/nowhere"+url.PathEscape(markup), d.pcsid, "", first)
	h.mustControl(http.MethodPost, "/mood/force", `{"knob":"server_error","times":1}`)
	d.submit(d.seal(sample.Invoice(), d.pcsid), false)
	hostile := d.seal(sample.Simplified(), d.pcsid)
	xml, err := base64.StdEncoding.DecodeString(hostile.XML)
	if err != nil {
		h.t.Fatal(err)
	}
	escaped := strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(markup)
	changed := strings.Replace(string(xml), "<cbc:ID>INV-", "<cbc:ID>"+escaped, 1)
	hostile.XML = base64.StdEncoding.EncodeToString([]byte(changed))
	if r, _ := d.submit(hostile, true); r.status != http.StatusBadRequest || changed == string(xml) {
		h.t.Fatalf("changed document: status %d, want 400", r.status)
	}
	day := visited{
		pages: h.listed(17),
		secrets: []string{
			otp, d.pcsid.Token, d.pcsid.Secret, d.ccsid.Token, d.ccsid.Secret, "hidden-in-body",
			base64.StdEncoding.EncodeToString([]byte(d.pcsid.Token + ":" + d.pcsid.Secret)),
		},
	}
	for _, path := range day.pages {
		if strings.Contains(h.view("GET", path, "").text, "invalid-invoice-hash") {
			day.refused = path
		}
	}
	return day
}

// shownPage is a response of the web page.
type shownPage struct {
	status int
	header http.Header
	text   string
}

// view requests a page with the given headers, as a browser does.
func (h *fixture) view(method, path, form string, headers ...string) shownPage {
	h.t.Helper()
	request, err := http.NewRequest(method, h.control+path, strings.NewReader(form))
	if err != nil {
		h.t.Fatal(err)
	}
	if form != "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
		}
		request.Header.Set(headers[i], headers[i+1])
	}
	r, err := client.Do(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return shownPage{r.StatusCode, r.Header, string(text)}
}

// withoutDocuments removes invoices in base64. They contain the certificate, and
// where it begins at a multiple of three bytes, its base64 is the device's token.
func withoutDocuments(page string) string {
	const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
	var left strings.Builder
	for page != "" {
		other := strings.IndexFunc(page, func(r rune) bool { return !strings.ContainsRune(base64Digits, r) })
		if other < 0 {
			other = len(page)
		}
		if other < 5000 {
			left.WriteString(page[:other])
		}
		page = page[other:]
		next := strings.IndexAny(page, base64Digits)
		if next < 0 {
			next = len(page)
		}
		left.WriteString(page[:next])
		page = page[next:]
	}
	return left.String()
}

// TestViewShowsNoSecretsAndNoMarkup reads every page after a busy day.
func TestViewShowsNoSecretsAndNoMarkup(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	day := h.busyDay()
	var all strings.Builder
	for _, path := range append(day.pages, "/view/") {
		for _, lang := range []string{"en", "ar"} {
			p := h.view("GET", path+"?lang="+lang, "")
			if p.status != http.StatusOK {
				t.Errorf("%s: status %d, want 200: %s", path, p.status, p.text)
			}
			all.WriteString(p.text)
		}
	}
	shown := withoutDocuments(html.UnescapeString(all.String()))
	for _, secret := range day.secrets {
		if strings.Contains(shown, secret) {
			t.Errorf("a page contains the secret %.20s", secret)
		}
	}
	for _, raw := range []string{"<img src=x", "<script>", "style=", " onerror=\"", "javascript:"} {
		if strings.Contains(all.String(), raw) {
			t.Errorf("a page contains %s", raw)
		}
	}
	for _, want := range []string{
		"&lt;script&gt;alert(2)", "310175397400003", "invalid-invoice-hash", "Duplicate-Invoice", "server_error", "مرفوضة من الهيئة", "Not reported",
		"بصمة الفاتورة في الطلب لا تطابق البصمة المحسوبة من المستند.", "Access denied", "Invalid-CSR",
	} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no page contains %q", want)
		}
	}
}

// TestViewIsSameOriginOnly checks who can read and change something.
func TestViewIsSameOriginOnly(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	for _, c := range []struct {
		name    string
		headers []string
		read    int
		change  int
	}{
		{"a program", nil, 200, 403},
		{"the address bar", []string{"Sec-Fetch-Site", "none"}, 200, 403},
		{"the page", []string{"Sec-Fetch-Site", "same-origin", "Origin", h.control}, 200, 303},
		{"the page in an old browser", []string{"Origin", h.control}, 200, 303},
		{"another site", []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://example.com"}, 403, 403},
		{"another site in an old browser", []string{"Origin", "https://example.com"}, 403, 403},
		{"a link on another site", []string{"Sec-Fetch-Site", "cross-site"}, 403, 403},
		{"another port", []string{"Sec-Fetch-Site", "same-site", "Origin", "http://127.0.0.1:1"}, 403, 403},
		{"a frame without origin", []string{"Sec-Fetch-Site", "cross-site", "Origin", "null"}, 403, 403},
		{"a wrong origin with the right site", []string{"Sec-Fetch-Site", "same-origin", "Origin", "null"}, 403, 403},
		{"a rebound name", []string{"Host", "example.com", "Origin", "http://example.com"}, 403, 403},
	} {
		if p := h.view("GET", "/view/", "", c.headers...); p.status != c.read {
			t.Errorf("%s reads: status %d, want %d", c.name, p.status, c.read)
		}
		for path, form := range map[string]string{
			"/view/mood": "mood=outage&lang=en", "/view/force": "fault=timeout&times=1&lang=en", "/view/settings": "setting=clearance&value=off&lang=en",
			"/view/reject": "code=BR-KSA-84&times=1&lang=en",
		} {
			p := h.view("POST", path, form, c.headers...)
			if p.status != c.change {
				t.Errorf("%s changes %s: status %d, want %d", c.name, path, p.status, c.change)
			}
		}
		changed := strings.Contains(string(h.mustControl(http.MethodGet, "/mood", "")), `"name": "outage"`)
		if changed != (c.change == 303) {
			t.Errorf("%s: the mood changed: %v", c.name, changed)
		}
		h.mustControl(http.MethodPost, "/reset", "")
	}
	for _, path := range []string{"/view/../reset", "/view/..%2freset", "/view//reset"} {
		if p := h.view("POST", path, "x=1", "Origin", h.control, "Sec-Fetch-Site", "same-origin"); p.status/100 == 2 {
			t.Errorf("POST %s: status %d: %s", path, p.status, p.text)
		}
	}
	if p := h.view("POST", "/reset", "", "Sec-Fetch-Site", "same-site"); p.status != http.StatusForbidden {
		t.Errorf("POST /reset from a web page without Origin: status %d, want 403", p.status)
	}
}

// TestViewHeaders checks the headers of every kind of page.
func TestViewHeaders(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	for path, status := range map[string]int{"/view/": 200, "/view/page.js": 200, "/view/page.css": 200, "/view/icon.svg": 200, "/view/requests/1": 404, "/view/requests/x": 404, "/view/requests/1/document": 404, "/view/nothing": 404} {
		p := h.view("GET", path, "")
		if p.status != status {
			t.Errorf("%s: status %d, want %d", path, p.status, status)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy":      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
			"X-Frame-Options":              "DENY",
			"X-Content-Type-Options":       "nosniff",
			"Cache-Control":                "no-store",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Access-Control-Allow-Origin":  "",
			"Set-Cookie":                   "",
		} {
			if got := p.header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
	}
	if p := h.view("GET", "/", "", "Accept", "text/html,*/*"); p.status != 303 || p.header.Get("Location") != "/view/" {
		t.Errorf("GET / of a browser: status %d to %q, want 303 to /view/", p.status, p.header.Get("Location"))
	}
	for accept, want := range map[string]string{"ar-SA,ar;q=0.9,en;q=0.8": `lang="ar" dir="rtl"`, "en-GB,ar": `lang="en" dir="ltr"`, "": `lang="en" dir="ltr"`} {
		if p := h.view("GET", "/view/", "", "Accept-Language", accept); !strings.Contains(p.text, "<html "+want) {
			t.Errorf("Accept-Language %q: the page is not %s", accept, want)
		}
	}
}

// TestViewForms checks the switches, and that a page that has not changed is not
// sent again.
func TestViewForms(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	own := []string{"Origin", h.control}
	before := h.view("GET", "/view/?lang=en", "")
	have := before.header.Get("X-Version")
	if again := h.view("GET", "/view/?lang=en&have="+have, ""); again.status != http.StatusNoContent || again.text != "" {
		t.Errorf("the same page again: status %d, want 204", again.status)
	}
	for _, c := range []struct {
		path, form string
		status     int
		shows      string // on the overview
	}{
		{"/view/mood", "mood=moody", 303, `value="moody" aria-pressed="true"`},
		{"/view/force", "fault=drop_after&times=3", 303, "still to be applied: <b>3</b>"},
		{"/view/reject", "code=BR-KSA-84&times=2", 303, `<code>BR-KSA-84</code> <span class="quiet">still to be rejected: <b>2</b>`},
		{"/view/reject", "code=BR-KSA-999&times=3", 400, "still to be rejected: <b>2</b>"},
		{"/view/reject", "code=BR-KSA-84&times=many", 400, "still to be rejected: <b>2</b>"},
		{"/view/settings", "setting=clearance&value=off", 303, "<br>off (303)</p>"},
		{"/view/settings", "setting=renewal&value=checks", 303, "<br>after checks</p>"},
		{"/view/mood", "mood=cheerful" + url.QueryEscape("<b>"), 400, `value="moody" aria-pressed="true"`},
		{"/view/mood", "mood=" + url.QueryEscape(`{"timeout":1}`), 400, `value="moody" aria-pressed="true"`},
		{"/view/mood", "", 400, `value="moody" aria-pressed="true"`},
		{"/view/force", "fault=drop_after&times=many", 400, "still to be applied: <b>3</b>"},
		{"/view/force", "fault=nothing&times=1", 400, "still to be applied: <b>3</b>"},
		{"/view/settings", "setting=clearance&value=maybe", 400, "<br>off (303)</p>"},
		{"/view/settings", "setting=clock&value=on", 400, "<br>off (303)</p>"},
		{"/view/mood", "mood=polite&x=" + strings.Repeat("x", 8<<10), 400, `value="moody" aria-pressed="true"`},
	} {
		p := h.view("POST", c.path, c.form, own...)
		if p.status != c.status || strings.Contains(p.text, "<b>") {
			t.Errorf("POST %s %.40s: status %d, want %d: %s", c.path, c.form, p.status, c.status, p.text)
		}
		if shown := h.view("GET", "/view/?lang=en&have="+have, ""); shown.status != 200 || !strings.Contains(shown.text, c.shows) {
			t.Errorf("after POST %s %.40s: the page does not contain %q", c.path, c.form, c.shows)
		}
	}
	h.mustControl(http.MethodPut, "/mood", `{"timeout":1}`)
	if p := h.view("GET", "/view/?lang=en", ""); !strings.Contains(p.text, "A plan of faults is active.") {
		t.Error("the page does not show that a plan of the user is active")
	}
}

// TestViewOfARequest checks the page of a refused document and the download.
func TestViewOfARequest(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "0100")
	doc := d.seal(sample.Simplified(), d.pcsid)
	doc.Hash = "x"
	d.submit(doc, true)
	h.listed(6)
	for lang, want := range map[string][]string{
		"en": {"Not reported", "invalid-invoice-hash", "It is", "Send the base64 of the SHA-256", "invoiceHash", doc.UUID, "Authorization", "not shown", "Accept-Version", "&lt;Invoice", "cbc:ProfileID"},
		"ar": {"مرفوضة من الهيئة", "invalid-invoice-hash", "بصمة الفاتورة في الطلب لا تطابق", "احسب SHA-256", "محجوب", doc.UUID},
	} {
		p := h.view("GET", "/view/requests/6?lang="+lang, "")
		for _, text := range want {
			if !strings.Contains(strings.ToLower(p.text), strings.ToLower(text)) {
				t.Errorf("%s page does not contain %q:\n%s", lang, text, p.text)
			}
		}
	}
	p := h.view("GET", "/view/requests/6/document", "")
	if xml, _ := base64.StdEncoding.DecodeString(doc.XML); p.text != string(xml) || !strings.HasPrefix(p.header.Get("Content-Disposition"), "attachment") {
		t.Errorf("download: %.80s with headers %v, want the document as an attachment", p.text, p.header)
	}
	h.mustControl(http.MethodPost, "/reset", "")
	if p := h.view("GET", "/view/requests/6", ""); p.status != 404 || !strings.Contains(p.text, "no longer kept") {
		t.Errorf("after a reset: status %d, want 404", p.status)
	}
}
