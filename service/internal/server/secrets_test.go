package server_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/account"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// secrets returns credentials that are valid, that are no longer valid, and
// that never were valid.
func secrets(h *servicetest.Instance) servicetest.Secrets {
	revoked, over := h.NewKey(h.Org, org.CreateInvoice), servicetest.OverSession(h)
	h.Revoke(h.Org, revoked)
	return servicetest.Secrets{
		"a key":                       h.Key,
		"a key's secret":              h.Key[12:],
		"a viewer's key":              h.NewKey(h.Org, org.ViewInvoice),
		"a narrow key":                h.NewKey(h.Org, org.CreateInvoice, org.ItemGet),
		"a revoked key":               revoked,
		"a key without plan":          h.NewKey(h.Organisation("Free", "free"), org.CreateInvoice),
		"an unknown key":              "svc_0000000_" + strings.Repeat("Zq", 21) + "Z",
		"a key with a wrong secret":   h.Key[:12] + strings.Repeat("Wv", 21) + "W",
		"a truncated key":             "svc_canary1_shortsecret",
		"a key with extra characters": h.Key + "xyz",
		"a session":                   h.Session(org.Admin, h.Org),
		"a viewer's session":          h.Session(org.ViewInvoice, h.Org),
		"an ended session":            over,
		"an unknown session":          "canary-session-3141592653589793238462643383",
		"a malformed token":           "canary token with spaces",
		"a token with quotes":         `canary","message":"injected`,
	}
}

// carriers returns functions that put a secret into a part of a request, by the
// name of the part.
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
		"body": func(r *http.Request, s string) { servicetest.JSONBody(s)(r) },
	}
}

func TestK5_NoSecretInLogsMetricsOrErrors(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { c.MasterKey = server.NewSecret(servicetest.MasterKey) })
	shop := h.NewSeller()
	own := shop.RecordsOf(h.Key)
	secrets := secrets(h)
	secrets["the buyer's e-mail"] = "canary.buyer@example.com"
	secrets["a password"] = signsIn(h)
	secrets["the master key"] = servicetest.MasterKey
	for how := range carriers() {
		secrets["a secret only for "+how] = "canary" + strings.ReplaceAll(uuid.NewString(), "-", "+")
	}
	rows, turn, calls := h.Service.Rows(), 0, 0
	for what, secret := range secrets {
		for how, carry := range carriers() {
			if only, is := strings.CutPrefix(what, "a secret only for "); is && only != how {
				continue
			}
			some := 2 // operations per secret, in turn; more for credentials
			if how == "Bearer" || how == "cookie" {
				some = testtool.Scale(len(rows)/6, len(rows), len(rows))
			}
			for range some {
				row := rows[turn%len(rows)]
				turn++
				operation := row.Method + " " + row.Path
				got := h.Send(row.Method, own.At(row), servicetest.Bearer(h.Key), servicetest.Body(shop, operation), func(r *http.Request) { carry(r, secret) })
				if got.Status >= 400 {
					secrets.WantNone(t, fmt.Sprintf("the response %d to %s with %s as %s", got.Status, operation, what, how), got.Body, what)
				}
				calls++
			}
		}
		h.Send(http.MethodGet, "/v1/api/buyers/"+url.PathEscape(secret)+"/", servicetest.Bearer(h.Key))
		h.Send(http.MethodGet, "/v1/"+url.PathEscape(secret))
	}
	for _, path := range []string{own.Path("/api/buyers/{buyer_id}/"), "/v1/api/buyers/00000000-0000-4000-8000-000000000000/"} {
		for _, text := range []string{`{"contact_email":"%s"}`, `{"contact_email":["%s"]}`, `{"buyer_name":"","contact_phone":"%s"}`, `{"%s":1,"city":2}`, `{"contact_email":"%s"`} {
			h.Call(http.MethodPatch, path, fmt.Sprintf(text, secrets["the buyer's e-mail"]))
		}
	}
	h.HTTP.Close() // waits for the last log lines
	log := h.Log.String()
	secrets.WantNone(t, "the log", log)
	secrets.WantNone(t, "/metrics", h.Ask("/metrics").Body)
	if !strings.Contains(log, h.Key[:12]) {
		t.Error("the log does not contain the public part of the key")
	}
	t.Logf("%d secrets in %d ways, %d calls, %d lines of log", len(secrets), len(carriers()), calls, strings.Count(log, "\n"))
}

// signsIn signs a user in with the right and a wrong password, and returns the
// right one.
func signsIn(h *servicetest.Instance) string {
	h.TB.Helper()
	const email, password = "noura@example.com", "canary password 271828"
	if _, err := h.Keys.AddPerson(h.TB.Context(), h.Operator(h.Org), email, "Noura", password, org.Admin); err != nil {
		h.TB.Fatal(err)
	}
	for _, try := range []string{password, "not the password"} {
		_, _, _ = h.Keys.SignIn(h.TB.Context(), account.Credentials{Email: email, Password: try})
	}
	return password
}

// Data of a buyer that is sent in bodies and queries does not appear in the log
// or the metrics.
func TestK5_NoBuyerInTheLog(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		buyer := servicetest.Secrets{"e-mail": "canary.buyer@example.com", "name": "Canary Trading", "phone": "+966500031415", "city": "Canaryville"}
		data := strings.NewReplacer("accounts@alnoor.example", buyer["e-mail"], "Al Noor Trading", buyer["name"], "Riyadh\"", buyer["city"]+"\"").Replace(servicetest.GoodClient())
		created := h.Form("/v1/api/onboarding/organizations/clients/", servicetest.Part{Field: "client_data", Filename: "", Content: data}, servicetest.Part{Field: "file", Filename: buyer["name"] + ".png", Content: servicetest.OnePixelPNG()})
		path := "/v1/api/buyers/" + h.UUIDIn(created) + "/"
		for _, text := range []string{`{"contact_phone":"%s"}`, `{"contact_phone":{"%s":1}}`, `{"contact_phone":"%s`, `{"contact_phone":"%s","country_code":"XX"}`} {
			h.Call(http.MethodPatch, path, fmt.Sprintf(text, buyer["phone"]))
		}
		for _, one := range buyer {
			h.Call(http.MethodGet, "/v1/api/buyers/?search_text="+url.QueryEscape(one), "")
			h.Call(http.MethodGet, "/v1/api/buyers/?page="+url.QueryEscape(one), "")
		}
		h.HTTP.Close()
		buyer.WantNone(t, "the log", h.Log.String())
		buyer.WantNone(t, "/metrics", h.Ask("/metrics").Body)
	})
}

// collector is an OpenTelemetry collector that stores what it receives.
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
	t.Parallel()
	kept := &collector{}
	traces := httptest.NewServer(kept)
	defer traces.Close()
	c := server.Defaults()
	c.Data, c.TraceEndpoint = t.TempDir(), traces.URL+"/v1/traces"
	s, err := server.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	secrets := servicetest.Secrets{"a key": "svc_canary1_" + strings.Repeat("Zq", 21) + "Z", "a session": "canary-session-3141592653589793238462643383", "an e-mail": "canary.buyer@example.com"}
	for _, secret := range secrets {
		for how, carry := range carriers() {
			if how == "User-Agent" {
				continue // the only header in traces
			}
			r := httptest.NewRequest(http.MethodPatch, "/v1/api/buyers/x/", nil)
			carry(r, secret)
			s.Handler().ServeHTTP(httptest.NewRecorder(), r)
		}
	}
	s.Close() // flushes the traces
	if !strings.Contains(kept.text.String(), "khatm") {
		t.Fatal("no trace was sent")
	}
	secrets.WantNone(t, "a trace", kept.text.String())
}
