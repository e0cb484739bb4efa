package service_test

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/server"
	"khatm/service/internal/share"
)

// dead are tokens that open nothing, by why they do not.
func (d *desk) dead() map[string]string {
	d.t.Helper()
	ended, over := d.shared()
	_, err := d.sharer().Unshare(d.ctx, d.by, ended.ID)
	d.must(err)
	id, revoked := d.issued(d.standard(fields{"notes": note("revoked")}))
	d.must(d.sharer().RevokeInvoice(d.ctx, d.by, id))
	id, replaced := d.issued(d.standard(fields{"notes": note("replaced")}))
	_, _, err = d.sharer().RenewInvoice(d.ctx, d.by, id)
	d.must(err)
	_, expired := d.issued(d.standard(fields{"notes": note("expired")}))
	_, expiredDraft := d.shared()
	d.clock.Advance(share.Life)
	waiting := d.tokenOf(d.created(d.standard(fields{"notes": note("waiting")})))
	return map[string]string{
		"unknown": strings.Repeat("A", 43), "withdrawn": over, "revoked": revoked, "replaced": replaced, "expired": expired, "expired draft": expiredDraft,
		"not cleared": waiting, "too short": "A", "too long": strings.Repeat("A", 2000), "no token at all": "%20", "a path": "..%2F..%2Fetc",
		"no UTF-8": "%FF%FE", "a zero byte": "A%00B", "a quote": "'%20OR%20'1'='1", "Arabic": "%D8%B1%D8%A7%D8%A8%D8%B7", "almost": expired[:42] + "%0A",
	}
}

// plain are the headers of an answer that anybody could compare.
func plain(a answer) http.Header {
	h := a.header.Clone()
	for _, name := range []string{"X-Request-Id", "Date", "X-Ratelimit-Remaining"} {
		h.Del(name)
	}
	return h
}

func TestInterface_7_5_ShareTokenUnknownExpiredOrRevoked(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		dead := h.desk().dead()
		for part, send := range map[string]func(token string) answer{
			"view": func(token string) answer { return h.shared(http.MethodGet, token, "", "") },
			"pdf":  func(token string) answer { return h.shared(http.MethodGet, token, "pdf/", "") },
			"otp":  func(token string) answer { return h.shared(http.MethodPost, token, "otp/", "") },
			"approve": func(token string) answer {
				return h.shared(http.MethodPost, token, "approve/", approval("Noura", "123456"))
			},
		} {
			first := send(dead["unknown"])
			for what, token := range dead {
				got := send(token)
				noLink.wants(t, part+" of "+what, got)
				same(t, "headers of "+part+" of "+what, plain(got), plain(first))
			}
		}
	})
}

// The page says it to people, in both languages at once, and to all the same.
func TestK7_PagesOfDeadLinksAreTheSameBytes(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		dead := h.desk().dead()
		want := h.page(http.MethodGet, "/s/"+dead["unknown"])
		want.says(t, "the page", "هذا الرابط لم يعد متاحًا", "This link is no longer available", `lang="ar" dir="rtl"`, `lang="en" dir="ltr"`)
		for what, token := range dead {
			for name, got := range map[string]answer{
				"page": h.page(http.MethodGet, "/s/"+token), "in English": h.page(http.MethodGet, "/s/"+token+"?lang=en"), "pdf": h.page(http.MethodGet, "/s/"+token+"/pdf"),
				"code": h.page(http.MethodPost, "/s/"+token+"/code"), "approve": h.page(http.MethodPost, "/s/"+token+"/approve", filled("name", "x", "code", "1")),
			} {
				if got.status != http.StatusNotFound || got.body != want.body {
					t.Errorf("%s of %s: %d, the same bytes: %v", name, what, got.status, got.body == want.body)
				}
				same(t, "headers of "+name+" of "+what, plain(got), plain(want))
			}
		}
	})
}

func TestInterface_8_SharedLinkExpiresAfter30Days(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		_, invoice := d.issued(d.standard())
		_, draft := d.shared()
		h.clock.Advance(30*24*time.Hour - time.Millisecond)
		for _, token := range []string{invoice, draft} {
			h.shared(http.MethodGet, token, "", "").wants(t, http.StatusOK)
			equal(t, "the page in the last millisecond", h.page(http.MethodGet, "/s/"+token).status, http.StatusOK)
		}
		h.clock.Advance(time.Millisecond)
		for _, token := range []string{invoice, draft} {
			noLink.wants(t, "after 30 days", h.shared(http.MethodGet, token, "", ""))
			equal(t, "the page after 30 days", h.page(http.MethodGet, "/s/"+token).status, http.StatusNotFound)
		}
	})
}

// spentHour is the answer beyond sixty an hour.
var spentHour = refusal{http.StatusTooManyRequests, `{"current":60,"detail":"The hourly limit of 60 requests is used up.","limit":60,"window":"hourly"}` + "\n"}

func TestInterface_8_SixtyAnHourPerLink(t *testing.T) {
	onSQLiteWith(t, func(c *server.Config) { c.Rates.PublicDaily = 1 << 30 }, func(t *testing.T, h *house) {
		d := h.desk()
		_, token := d.shared()
		_, other := d.shared()
		ways := []func(token string) answer{
			func(token string) answer { return h.shared(http.MethodGet, token, "", "") },
			func(token string) answer { return h.page(http.MethodGet, "/s/"+token) },
			func(token string) answer { return h.shared(http.MethodPost, token, "otp/", "") },
			func(token string) answer { return h.page(http.MethodHead, "/s/"+token) },
			func(token string) answer { return h.shared(http.MethodPost, token, "approve/", approval("Noura", "x")) },
			func(token string) answer { return h.page(http.MethodPost, "/s/"+token+"/code") },
			func(token string) answer { return h.shared(http.MethodPost, token, "approve/", `{"name":7}`) },
			func(token string) answer { return h.shared(http.MethodPost, token, "approve/", `{`) },
		}
		for n := range 60 {
			if got := ways[n%len(ways)](token); got.status == http.StatusTooManyRequests {
				t.Fatalf("call %d: %d %s", n+1, got.status, got.body)
			}
		}
		for _, part := range []string{"", "pdf/"} {
			a := h.shared(http.MethodGet, token, part, "")
			spentHour.wants(t, "the sixty-first", a)
			if got, want := windowOf(a), (window{"60", "0", "3600", "3600"}); got != want {
				t.Errorf("headers: got %+v, want %+v", got, want)
			}
		}
		spentHour.wants(t, "otp", h.shared(http.MethodPost, token, "otp/", ""))
		spentHour.wants(t, "approve", h.shared(http.MethodPost, token, "approve/", approval("Noura", "123456")))
		for path, method := range map[string]string{"": "GET", "/pdf": "GET", "/code": "POST", "/approve": "POST"} {
			a := h.page(method, "/s/"+token+path)
			equal(t, "page "+path, []any{a.status, a.header.Get("Retry-After")}, []any{http.StatusTooManyRequests, "3600"})
			a.says(t, "the page", "تجاوز الرابط الحد المسموح من الزيارات", "Too many visits")
		}
		h.shared(http.MethodGet, other, "", "").wants(t, http.StatusOK)
		h.clock.Advance(time.Hour)
		h.shared(http.MethodGet, token, "", "").wants(t, http.StatusOK)
	})
}

// Pages and endpoints that open say how their window stands.
func TestInterface_8_RateHeadersOfLinks(t *testing.T) {
	h := open(t, nil)
	_, token := h.desk().shared()
	for n, path := range []string{"", "/pdf", ""} {
		a := h.page(http.MethodGet, "/s/"+token+path)
		if got, want := windowOf(a), (window{"60", strconv.Itoa(59 - n), "3600", ""}); got != want {
			t.Errorf("page %d: got %+v, want %+v", n, got, want)
		}
	}
	if got := windowOf(h.shared(http.MethodGet, token, "", "")); got.limit == "" || got.remaining == "" || got.reset != "60" {
		t.Errorf("endpoint: got %+v", got)
	}
}

// Whoever cuts a link, or adds to it, is a person too.
func TestGuest_AddressesBelowLinksArePages(t *testing.T) {
	h := open(t, wide)
	_, token := h.desk().shared()
	want := h.page(http.MethodGet, "/s/nothing")
	for _, path := range []string{"", token + "/", token + "/pdf/", token + "/else", token + "/approve/", token + "/code/more/", "a/b/c/d"} {
		got := h.page(http.MethodGet, "/s/"+path)
		same(t, path, []any{got.status, got.body, got.header.Get("Content-Type")}, []any{http.StatusNotFound, want.body, "text/html; charset=utf-8"})
		equal(t, "posted "+path, h.page(http.MethodPost, "/s/"+path, filled()).body, want.body)
	}
	for path, to := range map[string]string{
		token + "/approve": "/s/" + token, token + "/code": "/s/" + token, token + "/code?lang=ar": "/s/" + token + "?lang=ar", token + "/code?lang=%3Cb": "/s/" + token,
		"nothing/approve": "/s/nothing",
	} {
		got := h.page(http.MethodGet, "/s/"+path)
		equal(t, path, []any{got.status, got.header.Get("Location")}, []any{http.StatusSeeOther, to})
	}
	if strings.Contains(h.log.String(), token) {
		t.Error("the log has a token")
	}
}

func TestC7_ExactlySixtyOfAHundredAtOnce(t *testing.T) {
	eachWith(t, func(c *server.Config) { c.Rates.PublicDaily = 1 << 30 }, func(t *testing.T, h *house) {
		_, token := h.desk().shared()
		var turn, passed atomic.Int64
		for _, a := range at100(func() answer {
			if turn.Add(1)%2 == 0 {
				return h.page(http.MethodGet, "/s/"+token)
			}
			return h.shared(http.MethodGet, token, "", "")
		}) {
			if a.status == http.StatusOK {
				passed.Add(1)
			}
		}
		equal(t, "let in", passed.Load(), 60)
	})
}

func TestInterface_8_TenADayOnTheEndpointsAndNotOnThePage(t *testing.T) {
	onSQLiteWith(t, func(*server.Config) {}, func(t *testing.T, h *house) {
		d := h.desk()
		_, token := d.issued(d.standard())
		for range 5 {
			h.shared(http.MethodGet, token, "", "").wants(t, http.StatusOK)
			noLink.wants(t, "nothing", h.shared(http.MethodGet, "nothing", "", ""))
		}
		a := h.shared(http.MethodGet, token, "", "")
		refusal{http.StatusTooManyRequests, `{"current":10,"detail":"The daily limit of 10 requests is used up.","limit":10,"window":"daily"}` + "\n"}.wants(t, "the eleventh", a)
		equal(t, "Retry-After", a.header.Get("Retry-After"), "86400")
		for range 55 { // five were taken from the link's hour above; the sixth to tenth opened nothing
			equal(t, "the page", h.page(http.MethodGet, "/s/"+token).status, http.StatusOK)
		}
		equal(t, "the page beyond its hour", h.page(http.MethodGet, "/s/"+token).status, http.StatusTooManyRequests)
	})
}

// Who tries tokens on the page is counted by address, and links that are there
// are not.
func TestInterface_8_UnknownTokensOnThePageCountByAddress(t *testing.T) {
	onSQLiteWith(t, func(c *server.Config) { c.Rates.IP = 3 }, func(t *testing.T, h *house) {
		d := h.desk()
		_, token := d.issued(d.standard())
		for range 3 {
			equal(t, "unknown", h.page(http.MethodGet, "/s/nothing").status, http.StatusNotFound)
		}
		a := h.page(http.MethodGet, "/s/nothing")
		equal(t, "the fourth", []any{a.status, a.header.Get("Retry-After")}, []any{http.StatusTooManyRequests, "60"})
		equal(t, "a link that is there", h.page(http.MethodGet, "/s/"+token).status, http.StatusOK)
	})
}

func TestK7_RandomTokensFindNothing(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		d.shared()
		d.issued(d.standard())
		tokens := 10_000
		if h.database != "" {
			tokens = 1_000 // each is counted over the network
		}
		var found atomic.Int64
		var all sync.WaitGroup
		ask := func(path string) {
			w := httptest.NewRecorder()
			h.service.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			if w.Code != http.StatusNotFound {
				found.Add(1)
			}
		}
		for range 4 {
			all.Go(func() {
				for range tokens / 4 {
					var raw [32]byte
					_, _ = rand.Read(raw[:])
					token := base64.RawURLEncoding.EncodeToString(raw[:])
					ask("/s/" + token)
					ask(sharedAt(token, ""))
				}
			})
		}
		all.Wait()
		equal(t, "found", found.Load(), 0)
	})
}

// Neither a link nor a code stands in the log, in metrics or in the trail,
// however they are used.
func TestK7_NoTokenInLogs(t *testing.T) {
	onSQLiteWith(t, wide, func(t *testing.T, h *house) {
		d := h.desk()
		_, token := d.shared()
		_, invoice := d.issued(d.standard())
		secrets := canaries{"a draft's token": token, "an invoice's token": invoice, "an unknown token": "canary-token-3141592653589793238462643383279"}
		for _, one := range secrets {
			for _, part := range []string{"", "pdf/", "otp/", "approve/", "nothing/"} {
				for _, method := range []string{"GET", "POST", "PUT"} {
					h.send(method, sharedAt(one, part), jsonBody(`{"name":"Noura","code":"314159"}`))
					h.send(method, strings.TrimSuffix(sharedAt(one, part), "/"))
				}
			}
			for _, path := range []string{"", "/", "/pdf", "/code", "/approve", "/nothing", "?lang=en"} {
				for _, method := range []string{"GET", "POST", "PUT", "HEAD"} {
					r := h.request(method, "/s/"+one+path, http.NoBody)
					filled("name", "Noura", "code", "314159")(r)
					response, err := h.server.Client().Do(r)
					if err != nil {
						t.Fatal(err)
					}
					_ = response.Body.Close()
				}
			}
		}
		secrets["a code"] = d.lastCode()
		h.shared(http.MethodPost, token, "approve/", approval("Noura", secrets["a code"]))
		h.server.Close()
		log := h.log.String()
		secrets.wantNone(t, "the log", log)
		secrets.wantNone(t, "/metrics", h.ask("/metrics").body)
		for _, path := range []string{`"/v1-3/api/public/shared/{token}/"`, `"/s/{token}"`, `"/s/{token}/approve"`} {
			if !strings.Contains(log, path) {
				t.Errorf("the log does not name %s", path)
			}
		}
		events, err := h.service.Store().Events(t.Context(), d.of(), 1000)
		d.must(err)
		for _, e := range events {
			secrets.wantNone(t, "the trail", e.Action+" "+e.Subject+" "+e.Details)
		}
	})
}
