package servicetest

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/server"
)

// TokenOf returns the token of an invoice's share link.
func (t *Seller) TokenOf(id uuid.UUID) string {
	t.TB.Helper()
	link := fmt.Sprint(t.Full(id)["share_link"])
	_, token, found := strings.Cut(link, "/s/")
	if !found {
		t.TB.Fatalf("share_link = %q, want one with /s/", link)
	}
	return token
}

// Issued creates an accepted invoice and returns its id and the token of its
// link.
func (t *Seller) Issued(text string) (uuid.UUID, string) {
	t.TB.Helper()
	id := t.Accepted(t.Created(text))
	return id, t.TokenOf(id)
}

// SharedAt returns the path of a public endpoint of a share link.
func SharedAt(token, part string) string { return "/v1-3/api/public/shared/" + token + "/" + part }

// Page requests a page of a share link without credentials and without following
// redirects, and checks its security headers.
func (h *Instance) Page(method, path string, prepare ...func(*http.Request)) Answer {
	h.TB.Helper()
	r := h.Request(method, path, http.NoBody)
	for _, p := range prepare {
		p(r)
	}
	client := *h.HTTP.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	a := h.answer(&client, r)
	for name, want := range map[string]string{
		"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
	} {
		if got := a.Header.Get(name); got != want {
			h.TB.Errorf("%s of a share link's page: %s = %q, want %q", method, name, got, want)
		}
	}
	return a
}

// Filled returns a function that sets a URL-encoded form as the body.
func Filled(values ...string) func(*http.Request) {
	form := url.Values{}
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	return Typed("application/x-www-form-urlencoded", form.Encode())
}

// Typed returns a function that sets a body with a media type.
func Typed(media, text string) func(*http.Request) {
	return func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
		r.Header.Set("Content-Type", media)
	}
}

// Says checks that the body contains the given texts.
func (a Answer) Says(t testing.TB, what string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.Body, text) {
			t.Errorf("%s does not contain %q", what, text)
		}
	}
}

// WellFormed checks that all HTML elements are closed. Apart from void
// elements, the pages must parse as XML.
func WellFormed(t *testing.T, what, body string) {
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

// WrongCode returns a code other than code.
func WrongCode(code string) string {
	if code == "000000" {
		return "000001"
	}
	return "000000"
}

// FullInvoice returns a valid invoice with payment terms, notes and several
// lines.
func (t *Seller) FullInvoice() string {
	return t.Standard(Fields{
		"payment_means_type_code": "30", "reason_id": t.Reason.ID,
		"notes": []any{Fields{"language_id": "ar", "note": "شكرًا لتعاملكم معنا. التسليم في الرياض خلال يومي عمل."}, Fields{"language_id": "en", "note": "Two years of warranty."}},
		"form_lines": []any{
			t.Line(nil),
			t.Line(Fields{"item_name": "شاشة عرض مقاس 27 بوصة", "item_net_price": "1250.00", "invoiced_quantity": 1}),
			t.Line(Fields{"item_name": "Network cable, category 6, shielded", "item_net_price": "150.00", "invoiced_quantity": 4, "invoiced_quantity_unit_of_measure": "BOX"}),
		},
	})
}

// Approval returns the request body of an approval.
func Approval(name, code string) string { return `{"name":"` + name + `","code":"` + code + `"}` }

// Wide removes the rate limits of share links.
func Wide(c *server.Config) { c.Rates.PublicDaily, c.Rates.SharedHourly = 1<<30, 1<<30 }

// Shared calls a public endpoint of a share link without credentials.
func (h *Instance) Shared(method, token, part, body string) Answer {
	h.TB.Helper()
	return h.As("", method, SharedAt(token, part), body)
}
