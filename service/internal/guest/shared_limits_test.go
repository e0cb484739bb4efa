package guest_test

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

	"khatm/internal/testtool"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// dead returns tokens that do not work, by reason.
func dead(d *servicetest.DraftSharing) map[string]string {
	d.TB.Helper()
	ended, over := d.Shared()
	_, err := d.Sharer().Unshare(d.Ctx, d.By, ended.ID)
	d.Must(err)
	id, revoked := d.Issued(d.Standard(servicetest.Fields{"notes": servicetest.Note("revoked")}))
	d.Must(d.Sharer().RevokeInvoice(d.Ctx, d.By, id))
	id, replaced := d.Issued(d.Standard(servicetest.Fields{"notes": servicetest.Note("replaced")}))
	_, _, err = d.Sharer().RenewInvoice(d.Ctx, d.By, id)
	d.Must(err)
	_, expired := d.Issued(d.Standard(servicetest.Fields{"notes": servicetest.Note("expired")}))
	_, expiredDraft := d.Shared()
	d.Clock.Advance(share.Life)
	waiting := d.TokenOf(d.Created(d.Standard(servicetest.Fields{"notes": servicetest.Note("waiting")})))
	return map[string]string{
		"unknown": strings.Repeat("A", 43), "withdrawn": over, "revoked": revoked, "replaced": replaced, "expired": expired, "expired draft": expiredDraft,
		"not cleared": waiting, "too short": "A", "too long": strings.Repeat("A", 2000), "blank": "%20", "a path": "..%2F..%2Fetc",
		"invalid UTF-8": "%FF%FE", "a zero byte": "A%00B", "a quote": "'%20OR%20'1'='1", "Arabic": "%D8%B1%D8%A7%D8%A8%D8%B7", "truncated with a line break": expired[:42] + "%0A",
	}
}

// plain returns the headers of a response without those that differ between any
// two responses.
func plain(a servicetest.Answer) http.Header {
	h := a.Header.Clone()
	for _, name := range []string{"X-Request-Id", "Date", "X-Ratelimit-Remaining", "X-Ratelimit-Remaining-Day"} {
		h.Del(name)
	}
	return h
}

func TestInterface_7_5_ShareTokenUnknownExpiredOrRevoked(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		dead := dead(h.DraftSharing())
		for part, send := range map[string]func(token string) servicetest.Answer{
			"view": func(token string) servicetest.Answer { return h.Shared(http.MethodGet, token, "", "") },
			"pdf":  func(token string) servicetest.Answer { return h.Shared(http.MethodGet, token, "pdf/", "") },
			"otp":  func(token string) servicetest.Answer { return h.Shared(http.MethodPost, token, "otp/", "") },
			"approve": func(token string) servicetest.Answer {
				return h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("Noura", "123456"))
			},
		} {
			first := send(dead["unknown"])
			for what, token := range dead {
				got := send(token)
				noLink.Wants(t, part+" of "+what, got)
				servicetest.Same(t, "headers of "+part+" of "+what, plain(got), plain(first))
			}
		}
	})
}

// TestK7_PagesOfDeadLinksAreTheSameBytes checks that all links that do not work
// show the same page, in both languages.
func TestK7_PagesOfDeadLinksAreTheSameBytes(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		dead := dead(h.DraftSharing())
		want := h.Page(http.MethodGet, "/s/"+dead["unknown"])
		want.Says(t, "the page", "هذا الرابط لم يعد متاحًا", "This link is no longer available", `lang="ar" dir="rtl"`, `lang="en" dir="ltr"`)
		for what, token := range dead {
			for name, got := range map[string]servicetest.Answer{
				"page": h.Page(http.MethodGet, "/s/"+token), "in English": h.Page(http.MethodGet, "/s/"+token+"?lang=en"), "pdf": h.Page(http.MethodGet, "/s/"+token+"/pdf"),
				"code": h.Page(http.MethodPost, "/s/"+token+"/code"), "approve": h.Page(http.MethodPost, "/s/"+token+"/approve", servicetest.Filled("name", "x", "code", "1")),
			} {
				if got.Status != http.StatusNotFound || got.Body != want.Body {
					t.Errorf("%s of a token that is %s: status %d, same bytes %v; want the 404 of an unknown token", name, what, got.Status, got.Body == want.Body)
				}
				servicetest.Same(t, "headers of "+name+" of "+what, plain(got), plain(want))
			}
		}
	})
}

func TestInterface_8_SharedLinkExpiresAfter30Days(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, invoice := d.Issued(d.Standard())
		_, draft := d.Shared()
		h.Clock.Advance(30*24*time.Hour - time.Millisecond)
		for _, token := range []string{invoice, draft} {
			h.Shared(http.MethodGet, token, "", "").Wants(t, http.StatusOK)
			servicetest.Equal(t, "the page in the last millisecond", h.Page(http.MethodGet, "/s/"+token).Status, http.StatusOK)
		}
		h.Clock.Advance(time.Millisecond)
		for _, token := range []string{invoice, draft} {
			noLink.Wants(t, "after 30 days", h.Shared(http.MethodGet, token, "", ""))
			servicetest.Equal(t, "the page after 30 days", h.Page(http.MethodGet, "/s/"+token).Status, http.StatusNotFound)
		}
	})
}

// spentHour is the response to more than sixty calls an hour.
var spentHour = servicetest.Refusal{Status: http.StatusTooManyRequests, Body: `{"current":60,"detail":"The hourly limit of 60 requests is used up.","limit":60,"window":"hourly"}` + "\n"}

func TestInterface_8_SixtyAnHourPerLink(t *testing.T) {
	servicetest.OnSQLiteWith(t, func(c *server.Config) { c.Rates.PublicDaily = 1 << 30 }, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, token := d.Shared()
		_, other := d.Shared()
		ways := []func(token string) servicetest.Answer{
			func(token string) servicetest.Answer { return h.Shared(http.MethodGet, token, "", "") },
			func(token string) servicetest.Answer { return h.Page(http.MethodGet, "/s/"+token) },
			func(token string) servicetest.Answer { return h.Shared(http.MethodPost, token, "otp/", "") },
			func(token string) servicetest.Answer { return h.Page(http.MethodHead, "/s/"+token) },
			func(token string) servicetest.Answer {
				return h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("Noura", "x"))
			},
			func(token string) servicetest.Answer { return h.Page(http.MethodPost, "/s/"+token+"/code") },
			func(token string) servicetest.Answer {
				return h.Shared(http.MethodPost, token, "approve/", `{"name":7}`)
			},
			func(token string) servicetest.Answer { return h.Shared(http.MethodPost, token, "approve/", `{`) },
		}
		for n := range 60 {
			if got := ways[n%len(ways)](token); got.Status == http.StatusTooManyRequests {
				t.Fatalf("call %d was refused: status %d, body %s", n+1, got.Status, got.Body)
			}
		}
		for _, part := range []string{"", "pdf/"} {
			a := h.Shared(http.MethodGet, token, part, "")
			spentHour.Wants(t, "the sixty-first", a)
			if got, want := servicetest.RateWindowOf(a), (servicetest.RateWindow{Limit: "60", Remaining: "0", Reset: "3600", Retry: "3600"}); got != want {
				t.Errorf("rate limit headers: got %+v, want %+v", got, want)
			}
		}
		spentHour.Wants(t, "otp", h.Shared(http.MethodPost, token, "otp/", ""))
		spentHour.Wants(t, "approve", h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("Noura", "123456")))
		for path, method := range map[string]string{"": "GET", "/pdf": "GET", "/code": "POST", "/approve": "POST"} {
			a := h.Page(method, "/s/"+token+path)
			servicetest.Equal(t, "page "+path, []any{a.Status, a.Header.Get("Retry-After")}, []any{http.StatusTooManyRequests, "3600"})
			a.Says(t, "the page", "تجاوز الرابط الحد المسموح به من الزيارات", "Too many visits")
		}
		h.Shared(http.MethodGet, other, "", "").Wants(t, http.StatusOK)
		h.Clock.Advance(time.Hour)
		h.Shared(http.MethodGet, token, "", "").Wants(t, http.StatusOK)
	})
}

// TestInterface_8_RateHeadersOfLinks checks the rate limit headers of
// successful calls.
func TestInterface_8_RateHeadersOfLinks(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	_, token := h.DraftSharing().Shared()
	for n, path := range []string{"", "/pdf", ""} {
		a := h.Page(http.MethodGet, "/s/"+token+path)
		if got, want := servicetest.RateWindowOf(a), (servicetest.RateWindow{Limit: "60", Remaining: strconv.Itoa(59 - n), Reset: "3600", Retry: ""}); got != want {
			t.Errorf("rate limit headers of page visit %d: got %+v, want %+v", n, got, want)
		}
	}
	if got := servicetest.RateWindowOf(h.Shared(http.MethodGet, token, "", "")); got.Limit == "" || got.Remaining == "" || got.Reset != "60" {
		t.Errorf("rate limit headers of the endpoint: got %+v, want a limit, the remaining calls and reset 60", got)
	}
}

// TestGuest_AddressesBelowLinksArePages checks that truncated or extended links
// return an HTML page.
func TestGuest_AddressesBelowLinksArePages(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, servicetest.Wide)
	_, token := h.DraftSharing().Shared()
	want := h.Page(http.MethodGet, "/s/nothing")
	for _, path := range []string{"", token + "/", token + "/pdf/", token + "/else", token + "/approve/", token + "/code/more/", "a/b/c/d"} {
		got := h.Page(http.MethodGet, "/s/"+path)
		servicetest.Same(t, path, []any{got.Status, got.Body, got.Header.Get("Content-Type")}, []any{http.StatusNotFound, want.Body, "text/html; charset=utf-8"})
		servicetest.Equal(t, "posted "+path, h.Page(http.MethodPost, "/s/"+path, servicetest.Filled()).Body, want.Body)
	}
	for path, to := range map[string]string{
		token + "/approve": "/s/" + token, token + "/code": "/s/" + token, token + "/code?lang=ar": "/s/" + token + "?lang=ar", token + "/code?lang=%3Cb": "/s/" + token,
		"nothing/approve": "/s/nothing",
	} {
		got := h.Page(http.MethodGet, "/s/"+path)
		servicetest.Equal(t, path, []any{got.Status, got.Header.Get("Location")}, []any{http.StatusSeeOther, to})
	}
	if strings.Contains(h.Log.String(), token) {
		t.Error("the log contains a token")
	}
}

func TestC7_ExactlySixtyOfAHundredAtOnce(t *testing.T) {
	servicetest.EachEngineWith(t, func(c *server.Config) { c.Rates.PublicDaily = 1 << 30 }, func(t *testing.T, h *servicetest.Instance) {
		_, token := h.DraftSharing().Shared()
		var turn, passed atomic.Int64
		for _, a := range servicetest.HundredAtOnce(func() servicetest.Answer {
			if turn.Add(1)%2 == 0 {
				return h.Page(http.MethodGet, "/s/"+token)
			}
			return h.Shared(http.MethodGet, token, "", "")
		}) {
			if a.Status == http.StatusOK {
				passed.Add(1)
			}
		}
		servicetest.Equal(t, "accepted", passed.Load(), 60)
	})
}

func TestInterface_8_TenADayOnTheEndpointsAndNotOnThePage(t *testing.T) {
	servicetest.OnSQLiteWith(t, func(*server.Config) {}, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, token := d.Issued(d.Standard())
		for range 5 {
			h.Shared(http.MethodGet, token, "", "").Wants(t, http.StatusOK)
			noLink.Wants(t, "nothing", h.Shared(http.MethodGet, "nothing", "", ""))
		}
		a := h.Shared(http.MethodGet, token, "", "")
		servicetest.Refusal{Status: http.StatusTooManyRequests, Body: `{"current":10,"detail":"The daily limit of 10 requests is used up.","limit":10,"window":"daily"}` + "\n"}.Wants(t, "the eleventh", a)
		servicetest.Equal(t, "Retry-After", a.Header.Get("Retry-After"), "86400")
		for range 55 { // five calls of the link's hour were used above; calls of unknown tokens do not count
			servicetest.Equal(t, "the page", h.Page(http.MethodGet, "/s/"+token).Status, http.StatusOK)
		}
		servicetest.Equal(t, "the page beyond its hour", h.Page(http.MethodGet, "/s/"+token).Status, http.StatusTooManyRequests)
	})
}

// TestInterface_8_UnknownTokensOnThePageCountByAddress checks that unknown
// tokens are counted by IP address and existing links are not affected.
func TestInterface_8_UnknownTokensOnThePageCountByAddress(t *testing.T) {
	servicetest.OnSQLiteWith(t, func(c *server.Config) { c.Rates.IP = 3 }, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, token := d.Issued(d.Standard())
		for range 3 {
			servicetest.Equal(t, "unknown", h.Page(http.MethodGet, "/s/nothing").Status, http.StatusNotFound)
		}
		a := h.Page(http.MethodGet, "/s/nothing")
		servicetest.Equal(t, "the fourth", []any{a.Status, a.Header.Get("Retry-After")}, []any{http.StatusTooManyRequests, "60"})
		servicetest.Equal(t, "an existing link", h.Page(http.MethodGet, "/s/"+token).Status, http.StatusOK)
	})
}

func TestK7_RandomTokensFindNothing(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		d.Shared()
		d.Issued(d.Standard())
		tokens := testtool.Count(1_000, 10_000)
		var found atomic.Int64
		var all sync.WaitGroup
		ask := func(path string) {
			w := httptest.NewRecorder()
			h.Service.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
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
					ask(servicetest.SharedAt(token, ""))
				}
			})
		}
		all.Wait()
		servicetest.Equal(t, "found", found.Load(), 0)
	})
}

// TestK7_NoTokenInLogs checks that no token and no code appears in the log, the
// metrics or the audit trail.
func TestK7_NoTokenInLogs(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.Wide, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, token := d.Shared()
		_, invoice := d.Issued(d.Standard())
		secrets := servicetest.Secrets{"a draft's token": token, "an invoice's token": invoice, "an unknown token": "canary-token-3141592653589793238462643383279"}
		for _, one := range secrets {
			for _, part := range []string{"", "pdf/", "otp/", "approve/", "nothing/"} {
				for _, method := range []string{"GET", "POST", "PUT"} {
					h.Send(method, servicetest.SharedAt(one, part), servicetest.JSONBody(`{"name":"Noura","code":"314159"}`))
					h.Send(method, strings.TrimSuffix(servicetest.SharedAt(one, part), "/"))
				}
			}
			for _, path := range []string{"", "/", "/pdf", "/code", "/approve", "/nothing", "?lang=en"} {
				for _, method := range []string{"GET", "POST", "PUT", "HEAD"} {
					r := h.Request(method, "/s/"+one+path, http.NoBody)
					servicetest.Filled("name", "Noura", "code", "314159")(r)
					response, err := h.HTTP.Client().Do(r)
					if err != nil {
						t.Fatal(err)
					}
					_ = response.Body.Close()
				}
			}
		}
		secrets["a code"] = d.LastCode()
		h.Shared(http.MethodPost, token, "approve/", servicetest.Approval("Noura", secrets["a code"]))
		h.HTTP.Close()
		log := h.Log.String()
		secrets.WantNone(t, "the log", log)
		secrets.WantNone(t, "/metrics", h.Ask("/metrics").Body)
		for _, path := range []string{`"/v1-3/api/public/shared/{token}/"`, `"/s/{token}"`, `"/s/{token}/approve"`} {
			if !strings.Contains(log, path) {
				t.Errorf("the log lacks the path %s", path)
			}
		}
		events, err := h.Service.Store().Events(t.Context(), d.Of(), 1000)
		d.Must(err)
		for _, e := range events {
			secrets.WantNone(t, "the trail", e.Action+" "+e.Subject+" "+e.Details)
		}
	})
}
