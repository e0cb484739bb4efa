package service_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// tokenOf is the token of an invoice's link.
func (t *till) tokenOf(id uuid.UUID) string {
	t.t.Helper()
	link := fmt.Sprint(t.full(id)["share_link"])
	_, token, found := strings.Cut(link, "/s/")
	if !found {
		t.t.Fatalf("share_link is %q", link)
	}
	return token
}

// issued is an invoice that the authority has accepted, and the token of its link.
func (t *till) issued(text string) (uuid.UUID, string) {
	t.t.Helper()
	id := t.accepted(t.created(text))
	return id, t.tokenOf(id)
}

// sharedAt is the address of a link's public endpoint.
func sharedAt(token, part string) string { return "/v1-3/api/public/shared/" + token + "/" + part }

// page asks for a page of a link, as a browser does: it follows nothing and
// brings no credential.
func (h *house) page(method, path string, prepare ...func(*http.Request)) answer {
	h.t.Helper()
	r := h.request(method, path, http.NoBody)
	for _, p := range prepare {
		p(r)
	}
	client := *h.server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	a := answer{response.StatusCode, response.Header, string(body)}
	for name, want := range map[string]string{
		"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
	} {
		if got := a.header.Get(name); got != want {
			h.t.Errorf("%s of a link's page: %s is %q, want %q", method, name, got, want)
		}
	}
	return a
}

// filled posts a form.
func filled(values ...string) func(*http.Request) {
	form := url.Values{}
	for i := 0; i < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	return typed("application/x-www-form-urlencoded", form.Encode())
}

// typed sends a body of a type.
func typed(media, text string) func(*http.Request) {
	return func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
		r.Header.Set("Content-Type", media)
	}
}

// says demands that a page has texts in it.
func (a answer) says(t testing.TB, what string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.body, text) {
			t.Errorf("%s does not say %q", what, text)
		}
	}
}
