package guest_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"khatm/service/internal/limit"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// acceptLanguage sets the Accept-Language header.
func acceptLanguage(text string) func(*http.Request) {
	return servicetest.Header("Accept-Language", text)
}

func TestGuest_PageOfAnInvoice(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		id, token := shop.Issued(shop.FullInvoice())
		arabic, english := h.Page(http.MethodGet, "/s/"+token+"?lang=ar"), h.Page(http.MethodGet, "/s/"+token+"?lang=en")
		for what, a := range map[string]servicetest.Answer{"Arabic": arabic, "English": english} {
			servicetest.Equal(t, what, []any{a.Status, a.Header.Get("Content-Type")}, []any{http.StatusOK, "text/html; charset=utf-8"})
			servicetest.WellFormed(t, what, a.Body)
			a.Says(t, what, servicetest.TextIn(shop.Full(id), "ref_num"), shop.Org.VATNumber, shop.Buyer.VATNumber, "Laptop 15 inch", "شاشة عرض مقاس 27 بوصة",
				"9,660.00", "11,787.50", "10,250.00", "15%", "Two years of warranty.", `<svg role="img"`, "Payment within 30 days", `href="/s/`+token+`/pdf?lang=`)
			for _, inner := range []string{shop.Device.ID.String(), shop.Buyer.ID.String(), shop.Org.ID.String(), id.String(), "<script", "javascript:", " style=", " onclick"} {
				if strings.Contains(a.Body, inner) {
					t.Errorf("%s page contains %q", what, inner)
				}
			}
		}
		arabic.Says(t, "Arabic", `<html lang="ar" dir="rtl">`, "فاتورة ضريبية", "شركة ختم", "معتمدة من الهيئة", "المبلغ المستحق", "الرقم الضريبي", "15 نوفمبر 2026", "ر.س", `href="/s/`+token+`?lang=en"`, "تجريبية – ليست فاتورة ضريبية")
		english.Says(t, "English", `<html lang="en" dir="ltr">`, "Tax Invoice", "Khatm Trading", "Cleared", "Amount due", "VAT number", "15 November 2026", "SAR", `href="/s/`+token+`?lang=ar"`, "TEST – not a tax invoice")
		if strings.Contains(arabic.Body+english.Body, "<form") {
			t.Error("the page of an invoice has a form")
		}
		pdf := h.Page(http.MethodGet, "/s/"+token+"/pdf")
		servicetest.Equal(t, "the PDF", pdf.Body, shop.PDF(http.MethodGet, id, "").Body)
		for _, path := range []string{"/code", "/approve"} {
			servicetest.Equal(t, path+" of an invoice", h.Page(http.MethodPost, "/s/"+token+path, servicetest.Filled("name", "x", "code", "123456")).Status, http.StatusBadRequest)
		}
		for _, path := range []string{"", "/pdf"} {
			head, whole := h.Page(http.MethodHead, "/s/"+token+path), h.Page(http.MethodGet, "/s/"+token+path)
			servicetest.Equal(t, "HEAD "+path, []any{head.Status, head.Body, head.Header.Get("Content-Length")}, []any{http.StatusOK, "", whole.Header.Get("Content-Length")})
		}
	})
}

func TestGuest_LanguageOfAPage(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, servicetest.Wide)
	d := h.DraftSharing()
	_, invoice := d.Issued(d.Standard())
	_, draft := d.Shared() // its recipient's language is English
	for _, c := range []struct{ name, token, query, prefers, want string }{
		{"URL in English", invoice, "?lang=en", "ar", "en"},
		{"URL in Arabic", invoice, "?lang=ar", "en", "ar"},
		{"URL in an unsupported language", invoice, "?lang=fr", "en", "en"},
		{"browser in English", invoice, "", "en-GB,en;q=0.9,ar;q=0.8", "en"},
		{"browser in Arabic", invoice, "", "ar-SA,ar;q=0.9,en;q=0.8", "ar"},
		{"browser with weights", invoice, "", "fr;q=0.9,en;q=0.3,ar;q=0.7", "ar"},
		{"browser in unsupported languages", invoice, "", "fr,de", "ar"},
		{"no preference", invoice, "", "", "ar"},
		{"invalid header", invoice, "", ";;q=,,**", "ar"},
		{"recipient's language", draft, "", "", "en"},
		{"recipient with a browser in another language", draft, "", "ar", "ar"},
	} {
		a := h.Page(http.MethodGet, "/s/"+c.token+c.query, acceptLanguage(c.prefers))
		dir := map[string]string{"ar": "rtl", "en": "ltr"}[c.want]
		a.Says(t, c.name, `<html lang="`+c.want+`" dir="`+dir+`">`)
		servicetest.Equal(t, "Vary", a.Header.Get("Vary"), "Accept-Language")
	}
}

func TestK7_HeadersOfPages(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, servicetest.Wide)
	d := h.DraftSharing()
	_, token := d.Shared()
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	for path, method := range map[string]string{"/s/" + token: "GET", "/s/nothing": "GET", "/s/" + token + "/approve": "POST"} {
		a := h.Page(method, path, servicetest.Filled())
		found := style.FindAllStringSubmatch(a.Body, -1)
		if len(found) != 1 {
			t.Fatalf("%s has %d style elements, want 1", path, len(found))
		}
		digest := sha256.Sum256([]byte(found[0][1]))
		servicetest.Equal(t, "policy of "+path, a.Header.Get("Content-Security-Policy"),
			"default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(digest[:])+"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		a.Says(t, path, `<meta name="robots" content="noindex, nofollow">`, `<meta name="referrer" content="no-referrer">`)
		if a.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s sets a cookie", path)
		}
	}
}

// markups are texts that would be harmful if they were not escaped.
var markups = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onfocus='alert(1)`, `</style><b>`, `{{.Style}}`, "&lt;b&gt;", "\u202Egnp.exe", "\u2066a\u2067b", "javascript:alert(1)",
}

// straight removes characters that change the text direction.
func straight(text string) string {
	return strings.NewReplacer("\u202E", "", "\u2066", "", "\u2067", "").Replace(text)
}

// TestX8_TextsOnPagesAreEscaped checks that texts entered by others are escaped
// on every page and cannot change the text direction.
func TestX8_TextsOnPagesAreEscaped(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, servicetest.Wide)
	for _, text := range markups {
		o := h.Org
		d := h.DraftSharing()
		d.Buyer = h.Client(o, "Buyer "+text)
		r := d.Request("4200.00")
		r.Buyer = d.Buyer.ID
		r.FormLines[0].Name = "Item " + text
		r.Notes = append(r.Notes, noteOf("Note "+text))
		name := strings.ReplaceAll(straight(text), ".", " ") // a dot could make it an address, which is refused as a name
		made, err := d.Sharer().Create(d.Ctx, d.By, r, share.Recipient{Name: "Noura " + name, Email: "noura@buyer.example", Language: "en"})
		d.Must(err)
		made, err = d.Sharer().Share(d.Ctx, d.By, made.ID)
		d.Must(err)
		token := d.Token(made)
		before := h.Page(http.MethodGet, "/s/"+token)
		wrongly := h.Page(http.MethodPost, "/s/"+token+"/approve", servicetest.Filled("name", text, "code", "12345"))
		_, err = d.Sharer().Approve(d.Ctx, token, name, d.Code(token), share.From{})
		d.Must(err)
		after := h.Page(http.MethodGet, "/s/"+token+"?said="+url.QueryEscape(text)+"&lang="+url.QueryEscape(text))
		for what, a := range map[string]servicetest.Answer{"before": before, "wrongly": wrongly, "after": after} {
			servicetest.WellFormed(t, what+" of "+text, a.Body)
			for _, raw := range []string{"<script", "<img", "onerror=alert(1)>", "</style><b>", `<b>`, "\u202E", "\u2066", "\u2067", ` onfocus='`} {
				if strings.Contains(a.Body, raw) {
					t.Errorf("page %s: %q is not escaped: it contains %q", what, text, raw)
				}
			}
			servicetest.Equal(t, what+": "+text+": styles", strings.Count(a.Body, "<style>"), 1)
		}
	}
}

// TestGuest_RateLimiterUnavailable checks that a page returns 503 with Retry-After
// if its visit cannot be counted.
func TestGuest_RateLimiterUnavailable(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) {
		server.Count(c, servicetest.BrokenCounter{Counter: limit.NewMemory(), Fails: []string{"ip", "public", "person", "link", limit.Key}})
	})
	d := h.DraftSharing()
	_, token := d.Shared()
	a := h.Page(http.MethodGet, "/s/"+token)
	servicetest.Equal(t, "the page", []any{a.Status, a.Header.Get("Retry-After")}, []any{http.StatusServiceUnavailable, "2"})
	a.Says(t, "the page", "الخدمة غير متاحة حاليًا", "Not available at the moment")
	servicetest.Equal(t, "a link that does not work", h.Page(http.MethodGet, "/s/nothing").Status, http.StatusNotFound)
	h.HTTP.Close()
	if !strings.Contains(h.Log.String(), "the counter is unavailable") {
		t.Error("the log does not contain the cause")
	}
}

// The page of an invoice offers to send its link, and shows a payment status only
// when a payment is recorded.
func TestGuest_PageSendsItsLink(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, token := d.Issued(d.FullInvoice())
		a := h.Page(http.MethodGet, "/s/"+token+"?lang=en")
		link := url.QueryEscape("http://127.0.0.1:8080/s/" + token)
		a.Says(t, "the page", `href="https://wa.me/?text=Tax%20Invoice%20`, `href="mailto:?subject=Tax%20Invoice%20`, "body="+link, `class="riyal"`)
		if strings.Contains(a.Body, "Payment status") {
			t.Error("the page shows a payment status, although no payment is recorded")
		}
		_, shared := d.Shared()
		if draft := h.Page(http.MethodGet, "/s/"+shared+"?lang=en"); strings.Contains(draft.Body, "wa.me") {
			t.Error("the page of a draft offers to send its link to others")
		}
	})
}
