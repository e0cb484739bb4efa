package api_test

import (
	"bytes"
	"image"
	"image/color"
	"net/http"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

const homeURL = "http://127.0.0.1:8080" // default URL of the service

// logo returns the path of a record's logo.
func logo(t testing.TB, r servicetest.Record) string {
	t.Helper()
	url, _ := r["logo_url"].(string)
	at, ours := strings.CutPrefix(url, homeURL)
	if !ours || at != "/v1/api/buyers/"+servicetest.IDOf(r)+"/logo/" {
		t.Fatalf("logo_url = %q, want the path of the client's logo", url)
	}
	return at
}

func TestInterface_4_3_LogoIsReadAtItsURLByTheOrganisationAndNobodyElse(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		made := h.AddClient(t, servicetest.GoodClient(), servicetest.Part{Field: "file", Filename: "logo.png", Content: servicetest.APNG(t)})
		at := logo(t, made)
		servicetest.Same(t, "record", h.Read(t, "/api/buyers/"+servicetest.IDOf(made)+"/"), wantBuyer(made["uuid"], servicetest.Record{"logo_url": made["logo_url"]}))
		servicetest.Same(t, "logo_url after a change", h.Change("/api/buyers/"+servicetest.IDOf(made)+"/", `{"logo_url":null,"city":"Abha"}`).Wants(t, http.StatusOK)["logo_url"], made["logo_url"])
		for name, key := range map[string]string{"the same key": h.Key, "a viewer's": h.NewKey(h.Org, org.ViewInvoice), "of its scope": h.NewKey(h.Org, org.ViewInvoice, org.ClientGet)} {
			a := h.As(key, http.MethodGet, at, "")
			pixels, kind, err := image.Decode(strings.NewReader(a.Body))
			if a.Status != http.StatusOK || err != nil || kind != "png" || a.Header.Get("Content-Type") != "image/png" {
				t.Errorf("logo read by %s: status %d, type %s, decoded as %s, %v; want 200 and a PNG", name, a.Status, a.Header.Get("Content-Type"), kind, err)
				continue
			}
			if pixels.Bounds() != servicetest.Drawing().Bounds() || color.NRGBAModel.Convert(pixels.At(5, 7)) != servicetest.Drawing().At(5, 7) {
				t.Errorf("logo read by %s: picture with bounds %v differs from the uploaded one", name, pixels.Bounds())
			}
			if a.Header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(a.Header.Get("Content-Security-Policy"), "default-src 'none'") {
				t.Errorf("logo read by %s: headers allow a browser to sniff or run it: %v", name, a.Header)
			}
		}
		_, stranger := h.Stranger()
		servicetest.NoBuyer.Wants(t, "another organisation", h.As(stranger, http.MethodGet, at, ""))
		servicetest.NoToken.Wants(t, "nobody", h.As("", http.MethodGet, at, ""))
		servicetest.NoRight.Wants(t, "a key with another scope", h.As(h.NewKey(h.Org, org.ViewInvoice, org.ItemGet), http.MethodGet, at, ""))
		plain := servicetest.IDOf(h.AddClient(t, leastClient()))
		servicetest.Refusal{Status: http.StatusNotFound, Body: `{"message":"Logo not found"}` + "\n"}.Wants(t, "no logo", h.Call(http.MethodGet, "/v1/api/buyers/"+plain+"/logo/", ""))
		files := h.Pictures(t)
		if len(files) != 1 || path.Dir(files[0]) != "org/"+h.Org.ID.String()+"/logo" {
			t.Errorf("stored files = %q, want one in the logo folder of the organisation", files)
		}
	})
}

func TestInterface_4_3_LogosOfEveryKindAreCleaned(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	const secret = "PK\x03\x04 <script>alert(1)</script>"
	cases := []struct{ name, content, want string }{
		{"PNG", servicetest.APNG(t), "image/png"},
		{"JPEG", servicetest.AJPEG(t), "image/jpeg"},
		{"WebP", servicetest.AWebP(), "image/jpeg"},
		{"PNG that is also an archive and an HTML page", servicetest.APNG(t) + secret, "image/png"},
		{"JPEG that is also an HTML page", servicetest.AJPEG(t) + secret, "image/jpeg"},
		{"PNG with the file name of an HTML page", servicetest.APNG(t), "image/png"},
	}
	for _, c := range cases {
		a := h.Call(http.MethodGet, logo(t, h.AddClient(t, servicetest.GoodClient(), servicetest.Part{Field: "file", Filename: c.name + ".html", Content: c.content})), "")
		if a.Status != http.StatusOK || a.Header.Get("Content-Type") != c.want || strings.Contains(a.Body, "<script>") {
			t.Errorf("%s: status %d, type %s; want %s", c.name, a.Status, a.Header.Get("Content-Type"), c.want)
		}
		if _, _, err := image.Decode(bytes.NewReader([]byte(a.Body))); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestInterface_4_3_WhatIsNoLogoIsRefusedByTheNameOfItsPart(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		for _, c := range noPictures(t) {
			servicetest.Same(t, c.name, h.TryClient(servicetest.GoodClient(), servicetest.Part{Field: "file", Filename: "logo.png", Content: c.content}).Problems(t), []string{"file: " + c.want})
		}
		servicetest.Same(t, "two logos", h.TryClient(servicetest.GoodClient(), servicetest.Part{Field: "file", Filename: "a.png", Content: servicetest.APNG(t)}, servicetest.Part{Field: "file", Filename: "b.png", Content: servicetest.APNG(t)}).Problems(t), []string{"file: must not be given twice"})
		servicetest.Same(t, "a valid logo and an invalid client", h.TryClient(servicetest.With(t, servicetest.GoodClient(), servicetest.Record{"city": ""}), servicetest.Part{Field: "file", Filename: "a.png", Content: servicetest.APNG(t)}).Problems(t),
			[]string{"client_data.city: Field required for a Saudi client with a VAT number"})
		servicetest.Same(t, "number of clients", h.Read(t, "/api/buyers/")["total"], any(servicetest.Number(0)))
		servicetest.Same(t, "files left behind", h.Pictures(t), []string(nil))
	})
}

func TestLogosAtOnceWaitForTheirTurn(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			if a := h.TryClient(servicetest.GoodClient(), servicetest.Part{Field: "file", Filename: "logo.png", Content: servicetest.APNG(t)}); a.Status != http.StatusCreated {
				t.Errorf("concurrent logo: status %d, body %s; want 201", a.Status, a.Body)
			}
		})
	}
	all.Wait()
	servicetest.Same(t, "number of files", len(h.Pictures(t)), 12)
}

// Of many uploads at once, each is answered with 201, or with 503 if it exceeds
// what an organisation may upload at a time.
func TestManyLogosAtOnceAreAnswered(t *testing.T) {
	t.Parallel()
	r := servicetest.Run(t, func(c *server.Config) { c.Rates = servicetest.HighLimits() })
	picture := servicetest.APNG(t)
	picture += strings.Repeat("x", 2<<20-len(picture)) // the largest size
	send := servicetest.FormBody(t, servicetest.Part{Field: "client_data", Content: servicetest.GoodClient()}, servicetest.Part{Field: "file", Filename: "logo.png", Content: picture})
	var all sync.WaitGroup
	var created, busy atomic.Int64
	for range 60 {
		all.Go(func() {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+r.Address+"/v1/api/onboarding/organizations/clients/", http.NoBody)
			if err != nil {
				t.Error(err)
				return
			}
			request.Header.Set("Authorization", "Bearer "+r.Key)
			send(request)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = response.Body.Close() }()
			switch response.StatusCode {
			case http.StatusCreated:
				created.Add(1)
			case http.StatusServiceUnavailable:
				busy.Add(1)
			default:
				t.Errorf("status %d, want 201 or 503", response.StatusCode)
			}
		})
	}
	all.Wait()
	if created.Load() == 0 {
		t.Error("no logo was stored")
	}
	t.Logf("%d uploads answered with 201, %d with 503", created.Load(), busy.Load())
}

func TestLogoURLIsBelowThePublicURL(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { c.URL = "https://invoices.example.sa" })
	made := h.AddClient(t, servicetest.GoodClient(), servicetest.Part{Field: "file", Filename: "logo.png", Content: servicetest.APNG(t)})
	if got, want := made["logo_url"], "https://invoices.example.sa/v1/api/buyers/"+servicetest.IDOf(made)+"/logo/"; got != want {
		t.Errorf("logo_url = %q, want %q", got, want)
	}
}
