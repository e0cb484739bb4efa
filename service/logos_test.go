package service_test

import (
	"bytes"
	"image"
	"image/color"
	"net/http"
	"path"
	"strings"
	"sync"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
)

const homeURL = "http://127.0.0.1:8080" // what a house that was told nothing calls itself

// logo reads the address of a record's logo, below the house.
func logo(t testing.TB, r record) string {
	t.Helper()
	url, _ := r["logo_url"].(string)
	at, ours := strings.CutPrefix(url, homeURL)
	if !ours || at != "/v1/api/buyers/"+idOf(r)+"/logo/" {
		t.Fatalf("logo_url is %q", url)
	}
	return at
}

func TestInterface_4_3_LogoIsReadAtItsURLByTheOrganisationAndNobodyElse(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		made := h.addClient(t, goodClient(), part{"file", "logo.png", aPNG(t)})
		at := logo(t, made)
		same(t, "the record", h.read(t, "/api/buyers/"+idOf(made)+"/"), wantBuyer(made["uuid"], record{"logo_url": made["logo_url"]}))
		same(t, "a change leaves it", h.change("/api/buyers/"+idOf(made)+"/", `{"logo_url":null,"city":"Abha"}`).wants(t, http.StatusOK)["logo_url"], made["logo_url"])
		for name, key := range map[string]string{"the same key": h.key, "a viewer's": h.newKey(h.org, org.ViewInvoice), "of its scope": h.newKey(h.org, org.ViewInvoice, org.ClientGet)} {
			a := h.as(key, http.MethodGet, at, "")
			pixels, kind, err := image.Decode(strings.NewReader(a.body))
			if a.status != http.StatusOK || err != nil || kind != "png" || a.header.Get("Content-Type") != "image/png" {
				t.Errorf("%s: %d %s, a %s, %v", name, a.status, a.header.Get("Content-Type"), kind, err)
				continue
			}
			if pixels.Bounds() != drawing().Bounds() || color.NRGBAModel.Convert(pixels.At(5, 7)) != drawing().At(5, 7) {
				t.Errorf("%s: another picture: %v", name, pixels.Bounds())
			}
			if a.header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(a.header.Get("Content-Security-Policy"), "default-src 'none'") {
				t.Errorf("%s: a browser may guess or run it: %v", name, a.header)
			}
		}
		_, stranger := h.stranger()
		noBuyer.wants(t, "another organisation", h.as(stranger, http.MethodGet, at, ""))
		noToken.wants(t, "nobody", h.as("", http.MethodGet, at, ""))
		noRight.wants(t, "a key of another scope", h.as(h.newKey(h.org, org.ViewInvoice, org.ItemGet), http.MethodGet, at, ""))
		plain := idOf(h.addClient(t, leastClient()))
		refusal{http.StatusNotFound, `{"message":"Logo not found"}` + "\n"}.wants(t, "no logo", h.call(http.MethodGet, "/v1/api/buyers/"+plain+"/logo/", ""))
		files := h.pictures(t)
		if len(files) != 1 || path.Dir(files[0]) != "org/"+h.org.ID.String()+"/logo" {
			t.Errorf("kept as %q", files)
		}
	})
}

func TestInterface_4_3_LogosOfEveryKindAreCleaned(t *testing.T) {
	h := open(t, nil)
	const secret = "PK\x03\x04 <script>alert(1)</script>"
	cases := []struct{ name, content, want string }{
		{"PNG", aPNG(t), "image/png"},
		{"JPEG", aJPEG(t), "image/jpeg"},
		{"WebP", aWebP(t), "image/jpeg"},
		{"PNG and archive and page at once", aPNG(t) + secret, "image/png"},
		{"JPEG and page at once", aJPEG(t) + secret, "image/jpeg"},
		{"PNG by the name of a page", aPNG(t), "image/png"},
	}
	for _, c := range cases {
		a := h.call(http.MethodGet, logo(t, h.addClient(t, goodClient(), part{"file", c.name + ".html", c.content})), "")
		if a.status != http.StatusOK || a.header.Get("Content-Type") != c.want || strings.Contains(a.body, "<script>") {
			t.Errorf("%s: %d %s, want %s", c.name, a.status, a.header.Get("Content-Type"), c.want)
		}
		if _, _, err := image.Decode(bytes.NewReader([]byte(a.body))); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestInterface_4_3_WhatIsNoLogoIsRefusedByTheNameOfItsPart(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		for _, c := range noPictures(t) {
			same(t, c.name, h.tryClient(goodClient(), part{"file", "logo.png", c.content}).problems(t), []string{"file: " + c.want})
		}
		same(t, "two logos", h.tryClient(goodClient(), part{"file", "a.png", aPNG(t)}, part{"file", "b.png", aPNG(t)}).problems(t), []string{"file: Key given twice"})
		same(t, "a good logo and a bad client", h.tryClient(with(t, goodClient(), record{"city": ""}), part{"file", "a.png", aPNG(t)}).problems(t),
			[]string{"client_data.city: Field required for a Saudi client with a VAT number"})
		same(t, "clients", h.read(t, "/api/buyers/")["total"], any(number(0)))
		same(t, "files left behind", h.pictures(t), []string(nil))
	})
}

func TestLogosAtOnceWaitForTheirTurn(t *testing.T) {
	h := open(t, nil)
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			if a := h.tryClient(goodClient(), part{"file", "logo.png", aPNG(t)}); a.status != http.StatusCreated {
				t.Errorf("got %d %s", a.status, a.body)
			}
		})
	}
	all.Wait()
	same(t, "files", len(h.pictures(t)), 12)
}

func TestLogoURLIsHowCallersReachUs(t *testing.T) {
	h := open(t, func(c *server.Config) { c.URL = "https://invoices.example.sa" })
	made := h.addClient(t, goodClient(), part{"file", "logo.png", aPNG(t)})
	if got, want := made["logo_url"], "https://invoices.example.sa/v1/api/buyers/"+idOf(made)+"/logo/"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
