package service_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
)

// canaries are texts that may stand nowhere but where they were put, by what
// they stand for.
type canaries map[string]string

// wantNone looks for all of them, plain and in base64.
func (c canaries) wantNone(t *testing.T, where, text string, but ...string) {
	t.Helper()
	for what, secret := range c {
		if len(but) > 0 && but[0] == what {
			continue
		}
		for _, form := range []string{secret, url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret))} {
			if at := strings.Index(text, form); at >= 0 {
				t.Errorf("%s holds %s: …%.300s", where, what, text[max(0, at-100):])
				break
			}
		}
	}
}

// secrets makes credentials that work, that do not any more, and that never did.
func (h *house) secrets() canaries {
	revoked, over := h.newKey(h.org, org.CreateInvoice), h.overSession()
	h.revoke(h.org, revoked)
	return canaries{
		"a key":                    h.key,
		"a key's secret":           h.key[12:],
		"a viewer's key":           h.newKey(h.org, org.ViewInvoice),
		"a narrow key":             h.newKey(h.org, org.CreateInvoice, org.ItemGet),
		"a revoked key":            revoked,
		"a key without plan":       h.newKey(h.organisation("Free", "free"), org.CreateInvoice),
		"an unknown key":           "svc_0000000_" + strings.Repeat("Zq", 21) + "Z",
		"a key of another secret":  h.key[:12] + strings.Repeat("Wv", 21) + "W",
		"a key cut short":          "svc_canary1_shortsecret",
		"a key with more":          h.key + "xyz",
		"a session":                h.session(org.Admin, h.org),
		"a viewer's session":       h.session(org.ViewInvoice, h.org),
		"a session that is over":   over,
		"an unknown session":       "canary-session-3141592653589793238462643383",
		"a token that is nothing":  "canary token with spaces",
		"a token in another shape": `canary","message":"injected`,
	}
}

// carriers are ways to bring a secret along.
func carriers() map[string]func(r *http.Request, secret string) {
	set := func(name, before string) func(*http.Request, string) {
		return func(r *http.Request, secret string) {
			r.Header[http.CanonicalHeaderKey(name)] = []string{before + secret}
		}
	}
	return map[string]func(*http.Request, string){
		"Bearer":              set("Authorization", "Bearer "),
		"bearer":              set("Authorization", "bearer  "),
		"no scheme":           set("Authorization", ""),
		"Token":               set("Authorization", "Token "),
		"Basic":               set("Authorization", "Basic "),
		"Digest":              set("Authorization", "Digest username="),
		"cookie":              set("Cookie", "accessToken="),
		"another cookie":      set("Cookie", "a=b; session="),
		"Proxy-Authorization": set("Proxy-Authorization", "Bearer "),
		"X-API-Key":           set("X-Api-Key", ""),
		"X-Request-ID":        set("X-Request-Id", ""),
		"X-Active-Org":        set("X-Active-Org", ""),
		"User-Agent":          set("User-Agent", ""),
		"Referer":             set("Referer", "https://example.com/?key="),
		"Origin":              set("Origin", ""),
		"Content-Type":        set("Content-Type", "application/"),
		"If-None-Match":       set("If-None-Match", ""),
		"query value":         func(r *http.Request, s string) { r.URL.RawQuery = "search_text=" + url.QueryEscape(s) },
		"query name":          func(r *http.Request, s string) { r.URL.RawQuery = url.QueryEscape(s) + "=1" },
		"broken query":        func(r *http.Request, s string) { r.URL.RawQuery = "%zz&page=" + url.QueryEscape(s) },
		"page": func(r *http.Request, s string) {
			r.URL.RawQuery = "page=" + url.QueryEscape(s) + "&cursor=" + url.QueryEscape(s)
		},
		"body": func(r *http.Request, s string) { jsonBody(s)(r) },
	}
}

// masterKey is 32 bytes of a canary.
var masterKey = base64.StdEncoding.EncodeToString([]byte("canary canary canary canary 3141"))

func TestK5_NoSecretInLogsMetricsOrErrors(t *testing.T) {
	h := open(t, func(c *server.Config) { c.MasterKey = server.NewSecret(masterKey) })
	shop := h.till()
	own := shop.stockOf(h.key)
	secrets := h.secrets()
	secrets["the buyer's e-mail"] = "canary.buyer@example.com"
	secrets["a password"] = h.signsIn()
	secrets["the master key"] = masterKey
	for how := range carriers() {
		secrets["what only "+how+" carries"] = "canary" + strings.ReplaceAll(uuid.NewString(), "-", "+")
	}
	rows, turn, calls := h.service.Rows(), 0, 0
	for what, secret := range secrets {
		for how, carry := range carriers() {
			if only, is := strings.CutPrefix(what, "what only "); is && only != how+" carries" {
				continue
			}
			some := 2 // operations, by turns; of credentials all
			if how == "Bearer" || how == "cookie" {
				some = len(rows)
			}
			for range some {
				row := rows[turn%len(rows)]
				turn++
				operation := row.Method + " " + row.Path
				got := h.send(row.Method, own.at(row), bearer(h.key), body(shop, operation), func(r *http.Request) { carry(r, secret) })
				if got.status >= 400 {
					secrets.wantNone(t, fmt.Sprintf("the answer %d to %s with %s as %s", got.status, operation, what, how), got.body, what)
				}
				calls++
			}
		}
		h.send(http.MethodGet, "/v1/api/buyers/"+url.PathEscape(secret)+"/", bearer(h.key))
		h.send(http.MethodGet, "/v1/"+url.PathEscape(secret))
	}
	for _, path := range []string{own.path("/api/buyers/{buyer_id}/"), "/v1/api/buyers/00000000-0000-4000-8000-000000000000/"} {
		for _, text := range []string{`{"contact_email":"%s"}`, `{"contact_email":["%s"]}`, `{"buyer_name":"","contact_phone":"%s"}`, `{"%s":1,"city":2}`, `{"contact_email":"%s"`} {
			h.call(http.MethodPatch, path, fmt.Sprintf(text, secrets["the buyer's e-mail"]))
		}
	}
	h.server.Close() // waits for the last lines
	log := h.log.String()
	secrets.wantNone(t, "the log", log)
	secrets.wantNone(t, "/metrics", h.ask("/metrics").body)
	if !strings.Contains(log, h.key[:12]) {
		t.Error("the log does not name the key")
	}
	t.Logf("%d secrets in %d ways, %d calls, %d lines of log", len(secrets), len(carriers()), calls, strings.Count(log, "\n"))
}

// signsIn signs somebody in, rightly and wrongly, and gives the password.
func (h *house) signsIn() string {
	h.t.Helper()
	const email, password = "noura@example.com", "canary password 271828"
	if _, err := h.keys.AddPerson(h.t.Context(), h.operator(h.org), email, "Noura", password, org.Admin); err != nil {
		h.t.Fatal(err)
	}
	for _, try := range []string{password, "not the password"} {
		_, _, _ = h.keys.SignIn(h.t.Context(), email, try)
	}
	return password
}

// What a buyer is called stands in bodies and queries, and in no log.
func TestK5_NoBuyerInTheLog(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		buyer := canaries{"e-mail": "canary.buyer@example.com", "name": "Canary Trading", "phone": "+966500031415", "city": "Canaryville"}
		data := strings.NewReplacer("accounts@alnoor.example", buyer["e-mail"], "Al Noor Trading", buyer["name"], "Riyadh\"", buyer["city"]+"\"").Replace(goodClient())
		created := h.form("/v1/api/onboarding/organizations/clients/", part{"client_data", "", data}, part{"file", buyer["name"] + ".png", dot()})
		path := "/v1/api/buyers/" + h.uuidIn(created) + "/"
		for _, text := range []string{`{"contact_phone":"%s"}`, `{"contact_phone":{"%s":1}}`, `{"contact_phone":"%s`, `{"contact_phone":"%s","country_code":"XX"}`} {
			h.call(http.MethodPatch, path, fmt.Sprintf(text, buyer["phone"]))
		}
		for _, one := range buyer {
			h.call(http.MethodGet, "/v1/api/buyers/?search_text="+url.QueryEscape(one), "")
			h.call(http.MethodGet, "/v1/api/buyers/?page="+url.QueryEscape(one), "")
		}
		h.server.Close()
		buyer.wantNone(t, "the log", h.log.String())
		buyer.wantNone(t, "/metrics", h.ask("/metrics").body)
	})
}

// collector is an OpenTelemetry collector that keeps what it is sent.
type collector struct {
	mu   sync.Mutex
	text strings.Builder
}

func (c *collector) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = io.Copy(&c.text, r.Body)
}

func TestK5_NoSecretInTraces(t *testing.T) {
	kept := &collector{}
	traces := httptest.NewServer(kept)
	defer traces.Close()
	c := server.Defaults()
	c.Data, c.TraceEndpoint = t.TempDir(), traces.URL+"/v1/traces"
	s, err := server.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	secrets := canaries{"a key": "svc_canary1_" + strings.Repeat("Zq", 21) + "Z", "a session": "canary-session-3141592653589793238462643383", "an e-mail": "canary.buyer@example.com"}
	for _, secret := range secrets {
		for how, carry := range carriers() {
			if how == "User-Agent" {
				continue // the one header that traces tell
			}
			r := httptest.NewRequest(http.MethodPatch, "/v1/api/buyers/x/", nil)
			carry(r, secret)
			s.Handler().ServeHTTP(httptest.NewRecorder(), r)
		}
	}
	s.Close() // sends what is left
	if !strings.Contains(kept.text.String(), "khatm") {
		t.Fatal("no trace was sent")
	}
	secrets.wantNone(t, "a trace", kept.text.String())
}
