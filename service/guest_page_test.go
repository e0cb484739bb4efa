package service_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"khatm/service/internal/limit"
	"khatm/service/internal/server"
	"khatm/service/internal/share"
)

// acceptLanguage is what a browser prefers.
func acceptLanguage(text string) func(*http.Request) { return header("Accept-Language", text) }

func TestGuest_PageOfAnInvoice(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		shop := h.till()
		id, token := shop.issued(shop.showpiece())
		arabic, english := h.page(http.MethodGet, "/s/"+token+"?lang=ar"), h.page(http.MethodGet, "/s/"+token+"?lang=en")
		for what, a := range map[string]answer{"Arabic": arabic, "English": english} {
			equal(t, what, []any{a.status, a.header.Get("Content-Type")}, []any{http.StatusOK, "text/html; charset=utf-8"})
			wellFormed(t, what, a.body)
			a.says(t, what, textIn(shop.full(id), "ref_num"), shop.org.VATNumber, shop.buyer.VATNumber, "Laptop 15 inch", "شاشة عرض مقاس 27 بوصة",
				"9,660.00", "11,787.50", "10,250.00", "15%", "Two years of warranty.", `<svg role="img"`, "Payment within 30 days", `href="/s/`+token+`/pdf?lang=`)
			for _, inner := range []string{shop.device.ID.String(), shop.buyer.ID.String(), shop.org.ID.String(), id.String(), "<script", "javascript:", " style=", " onclick"} {
				if strings.Contains(a.body, inner) {
					t.Errorf("%s has %q in it", what, inner)
				}
			}
		}
		arabic.says(t, "Arabic", `<html lang="ar" dir="rtl">`, "فاتورة ضريبية", "شركة ختم", "معتمدة", "المبلغ المستحق", "الرقم الضريبي", "15 نوفمبر 2026", "ر.س", `href="/s/`+token+`?lang=en"`, "تجريبية – ليست فاتورة ضريبية")
		english.says(t, "English", `<html lang="en" dir="ltr">`, "Tax Invoice", "Khatm Trading", "Cleared", "Amount due", "VAT number", "15 November 2026", "SAR", `href="/s/`+token+`?lang=ar"`, "TEST – not a tax invoice")
		if strings.Contains(arabic.body+english.body, "<form") {
			t.Error("an invoice asks for something")
		}
		pdf := h.page(http.MethodGet, "/s/"+token+"/pdf")
		equal(t, "the PDF", pdf.body, shop.pdf(http.MethodGet, id, "").body)
		for _, path := range []string{"/code", "/approve"} {
			equal(t, path+" of an invoice", h.page(http.MethodPost, "/s/"+token+path, filled("name", "x", "code", "123456")).status, http.StatusBadRequest)
		}
		for _, path := range []string{"", "/pdf"} {
			head, whole := h.page(http.MethodHead, "/s/"+token+path), h.page(http.MethodGet, "/s/"+token+path)
			equal(t, "HEAD "+path, []any{head.status, head.body, head.header.Get("Content-Length")}, []any{http.StatusOK, "", whole.header.Get("Content-Length")})
		}
	})
}

// wellFormed demands that every element is closed where it should be. Of void
// elements HTML has a few; the rest reads as XML does.
func wellFormed(t *testing.T, what, body string) {
	t.Helper()
	body = regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(body, "")
	body = regexp.MustCompile(`<(meta|input|br)\b([^>]*[^/>])?>`).ReplaceAllString(body, "")
	body = strings.NewReplacer("<!doctype html>", "", " required", ` required=""`, " autofocus", ` autofocus=""`).Replace(body)
	d := xml.NewDecoder(strings.NewReader(body))
	d.Entity = xml.HTMLEntity
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
	}
}

func TestGuest_LanguageOfAPage(t *testing.T) {
	h := open(t, wide)
	d := h.desk()
	_, invoice := d.issued(d.standard())
	_, draft := d.shared() // its recipient reads English
	for _, c := range []struct{ name, token, query, prefers, want string }{
		{"the address", invoice, "?lang=en", "ar", "en"},
		{"the address in Arabic", invoice, "?lang=ar", "en", "ar"},
		{"an address in no language of ours", invoice, "?lang=fr", "en", "en"},
		{"the browser", invoice, "", "en-GB,en;q=0.9,ar;q=0.8", "en"},
		{"the browser in Arabic", invoice, "", "ar-SA,ar;q=0.9,en;q=0.8", "ar"},
		{"the better of two", invoice, "", "fr;q=0.9,en;q=0.3,ar;q=0.7", "ar"},
		{"neither", invoice, "", "fr,de", "ar"},
		{"nothing", invoice, "", "", "ar"},
		{"nonsense", invoice, "", ";;q=,,**", "ar"},
		{"a recipient", draft, "", "", "en"},
		{"a recipient whose browser is another", draft, "", "ar", "ar"},
	} {
		a := h.page(http.MethodGet, "/s/"+c.token+c.query, acceptLanguage(c.prefers))
		dir := map[string]string{"ar": "rtl", "en": "ltr"}[c.want]
		a.says(t, c.name, `<html lang="`+c.want+`" dir="`+dir+`">`)
		equal(t, "Vary", a.header.Get("Vary"), "Accept-Language")
	}
}

func TestK7_HeadersOfPages(t *testing.T) {
	h := open(t, wide)
	d := h.desk()
	_, token := d.shared()
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	for path, method := range map[string]string{"/s/" + token: "GET", "/s/nothing": "GET", "/s/" + token + "/approve": "POST"} {
		a := h.page(method, path, filled())
		found := style.FindAllStringSubmatch(a.body, -1)
		if len(found) != 1 {
			t.Fatalf("%s has %d styles", path, len(found))
		}
		digest := sha256.Sum256([]byte(found[0][1]))
		equal(t, "policy of "+path, a.header.Get("Content-Security-Policy"),
			"default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(digest[:])+"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		a.says(t, path, `<meta name="robots" content="noindex, nofollow">`, `<meta name="referrer" content="no-referrer">`)
		if a.header.Get("Set-Cookie") != "" {
			t.Errorf("%s sets a cookie", path)
		}
	}
}

// markups are texts that mean something elsewhere.
var markups = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onfocus='alert(1)`, `</style><b>`, `{{.Style}}`, "&lt;b&gt;", "\u202Egnp.exe", "\u2066a\u2067b", "javascript:alert(1)",
}

// straight is a text without what turns the writing around.
func straight(text string) string {
	return strings.NewReplacer("\u202E", "", "\u2066", "", "\u2067", "").Replace(text)
}

// what somebody else wrote is text, on every page, and turns nothing around.
func TestX8_TextsOnPagesAreEscaped(t *testing.T) {
	h := open(t, wide)
	for _, text := range markups {
		o := h.org
		d := h.desk()
		d.buyer = h.client(o, "Buyer "+text)
		r := d.request("4200.00")
		r.Buyer = d.buyer.ID
		r.FormLines[0].Name = "Item " + text
		r.Notes = append(r.Notes, noteOf("Note "+text))
		name := strings.ReplaceAll(straight(text), ".", " ") // with a dot it could be an address, which is no name
		made, err := d.sharer().Create(d.ctx, d.by, r, share.Recipient{Name: "Noura " + name, Email: "noura@buyer.example", Language: "en"})
		d.must(err)
		made, err = d.sharer().Share(d.ctx, d.by, made.ID)
		d.must(err)
		token := d.token(made)
		before := h.page(http.MethodGet, "/s/"+token)
		wrongly := h.page(http.MethodPost, "/s/"+token+"/approve", filled("name", text, "code", "12345"))
		_, err = d.sharer().Approve(d.ctx, token, name, d.code(token), share.From{})
		d.must(err)
		after := h.page(http.MethodGet, "/s/"+token+"?said="+url.QueryEscape(text)+"&lang="+url.QueryEscape(text))
		for what, a := range map[string]answer{"before": before, "wrongly": wrongly, "after": after} {
			wellFormed(t, what+" of "+text, a.body)
			for _, raw := range []string{"<script", "<img", "onerror=alert(1)>", "</style><b>", `<b>`, "\u202E", "\u2066", "\u2067", ` onfocus='`} {
				if strings.Contains(a.body, raw) {
					t.Errorf("%s: %q comes through as %q", what, text, raw)
				}
			}
			equal(t, what+": "+text+": styles", strings.Count(a.body, "<style>"), 1)
		}
	}
}

// A page that cannot be counted is not shown, and says when to come back.
func TestGuest_RateLimiterUnavailable(t *testing.T) {
	h := open(t, func(c *server.Config) {
		server.Count(c, brokenCounter{limit.NewMemory(), []string{"ip", "public", "person", "link", limit.Key}})
	})
	d := h.desk()
	_, token := d.shared()
	a := h.page(http.MethodGet, "/s/"+token)
	equal(t, "the page", []any{a.status, a.header.Get("Retry-After")}, []any{http.StatusServiceUnavailable, "2"})
	a.says(t, "the page", "الخدمة غير متاحة حاليًا", "Not available at the moment")
	equal(t, "one that opens nothing", h.page(http.MethodGet, "/s/nothing").status, http.StatusNotFound)
	h.server.Close()
	if !strings.Contains(h.log.String(), "the counter is away") {
		t.Error("the log does not say why")
	}
}
