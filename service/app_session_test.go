package service_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
)

const (
	sessionPath   = "/app/api/session/"
	clerkPassword = "correct horse battery"
)

var (
	wrongPassword = refusal{http.StatusUnauthorized, `{"message":"E-mail or password is wrong.","status":"false"}` + "\n"}
	keyHere       = refusal{http.StatusForbidden, `{"message":"An API key cannot be used here; sign in to the app."}` + "\n"}
	noOrigin      = refusal{http.StatusForbidden, `{"message":"A write with the cookie must say where it comes from. Send Origin, or the token as Authorization: Bearer."}` + "\n"}
)

// enrol makes somebody with an account, a member of the house's organisation.
func (h *house) enrol(email string) org.Person {
	h.t.Helper()
	p, err := h.keys.AddPerson(h.t.Context(), h.operator(h.org), email, "Noura", clerkPassword, org.Admin)
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

// clerkEmail is the e-mail address of somebody who can sign in.
func (h *house) clerkEmail() string {
	h.t.Helper()
	if h.clerk == "" {
		h.clerk = h.enrol("clerk@example.com").Email
	}
	return h.clerk
}

// signIn posts an e-mail address and a password.
func (h *house) signIn(email, password string, more ...func(*http.Request)) answer {
	h.t.Helper()
	return h.send(http.MethodPost, sessionPath, append([]func(*http.Request){jsonBody(asJSON(h.t, record{"email": email, "password": password}))}, more...)...)
}

// signedIn is the token of a sign-in that works.
func (h *house) signedIn(email string) string {
	h.t.Helper()
	token, _ := h.signIn(email, clerkPassword).wants(h.t, http.StatusOK)["access_token"].(string)
	return token
}

func TestInterface_5_10_SignInAnswersWhoIsSignedInAndSetsTheCookie(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		noura := h.enrol("noura@example.com")
		a := h.signIn(" Noura@Example.com ", clerkPassword)
		got := a.wants(t, http.StatusOK)
		token, _ := got["access_token"].(string)
		if len(token) != 43 {
			t.Errorf("the token is %q", token)
		}
		delete(got, "access_token")
		want := record{
			"person":        record{"uuid": noura.ID.String(), "email": "noura@example.com", "name": "Noura"},
			"organisations": []any{record{"uuid": h.org.ID.String(), "name": h.org.Name, "role": "Admin", "plan": "business", "status": "active"}},
			"expires_at":    "2026-11-22T12:00:00+03:00",
		}
		same(t, "signed in", got, want)
		same(t, "cookie", a.header["Set-Cookie"], []string{"accessToken=" + token + "; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax"})
		for name, show := range map[string]func(*http.Request){"bearer": bearer(token), "cookie": cookie(token)} {
			same(t, name, h.send(http.MethodGet, sessionPath, show).wants(t, http.StatusOK), want)
			h.send(http.MethodGet, usagePath, show).wants(t, http.StatusOK)
		}
		if strings.Contains(h.log.String(), token) || strings.Contains(h.log.String(), clerkPassword) {
			t.Error("the log has the token or the password")
		}
	})
}

func TestK8_CookieIsSecureWhereTheServiceIsReachedOverTLS(t *testing.T) {
	h := open(t, func(c *server.Config) { c.URL = "https://invoices.example.sa" })
	h.enrol("noura@example.com")
	set := h.signIn("noura@example.com", clerkPassword).header.Get("Set-Cookie")
	_, attributes, _ := strings.Cut(set, "; ")
	// What __Host- asks for: Secure, Path=/ and no Domain.
	same(t, "attributes", attributes, "Path=/; Max-Age=604800; HttpOnly; Secure; SameSite=Lax")
}

// Somebody unknown, a closed account and another password are told alike.
func TestK8_SignInTellsNothingOfWhoHasAnAccount(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		h.enrol("noura@example.com")
		gone := h.enrol("gone@example.com")
		if err := h.service.Store().DisablePerson(t.Context(), h.operator(h.org), gone.ID, true); err != nil {
			t.Fatal(err)
		}
		var told []map[string]any
		for _, c := range []struct{ name, email, password string }{
			{"another password", "noura@example.com", "wrong horse battery"},
			{"no password", "noura@example.com", ""},
			{"a long password", "noura@example.com", strings.Repeat("x", 1000)},
			{"nobody", "nobody@example.com", clerkPassword},
			{"a closed account", "gone@example.com", clerkPassword},
		} {
			got := h.signIn(c.email, c.password)
			wrongPassword.wants(t, c.name, got)
			if set := got.header.Get("Set-Cookie"); set != "" {
				t.Errorf("%s: sets %q", c.name, set)
			}
			told = append(told, telling(got))
		}
		for _, one := range told[1:] {
			same(t, "told", one, told[0])
		}
	})
}

func TestK8_SignInReadsNothingButJSON(t *testing.T) {
	h := open(t, nil)
	h.enrol("noura@example.com")
	good := `{"email":"noura@example.com","password":"` + clerkPassword + `"}`
	for _, kind := range []string{"text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=latin1"} {
		got := h.send(http.MethodPost, sessionPath, jsonBody(good), header("Content-Type", kind))
		if got.status != http.StatusBadRequest || got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: got %d %s", kind, got.status, got.body)
		}
	}
	for _, c := range []struct{ name, body, want string }{
		{"no password", `{"email":"a@b.sa"}`, "password: Field required"},
		{"no e-mail", `{"password":"x"}`, "email: Field required"},
		{"no address", `{"email":"noura","password":"x"}`, "email: Input should be an e-mail address"},
		{"a password of another type", `{"email":"a@b.sa","password":7}`, "password: Input should be a valid string"},
	} {
		same(t, c.name, h.send(http.MethodPost, sessionPath, jsonBody(c.body)).problems(t), []string{c.want})
	}
}

// Another site must not sign a visitor in under its own name either.
func TestK8_AnotherSiteCannotSignIn(t *testing.T) {
	h := open(t, nil)
	h.enrol("noura@example.com")
	for name, from := range map[string]func(*http.Request){
		"another origin": header("Origin", "https://evil.example"),
		"cross-site":     header("Sec-Fetch-Site", "cross-site"),
		"a sister site":  header("Sec-Fetch-Site", "same-site"),
	} {
		got := h.signIn("noura@example.com", clerkPassword, from)
		otherSite.wants(t, name, got)
		if got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: it sets a cookie", name)
		}
	}
	for name, from := range map[string]func(*http.Request){"our origin": header("Origin", h.server.URL), "the same origin": header("Sec-Fetch-Site", "same-origin")} {
		if got := h.signIn("noura@example.com", clerkPassword, from); got.status != http.StatusOK {
			t.Errorf("%s: got %d %s", name, got.status, got.body)
		}
	}
}

// A browser that is so old that it sends neither header, or a program with a
// cookie, may read and not write.
func TestK8_WriteWithACookieAndNoOrigin(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		token, client := h.session(org.Admin, h.org), h.client(h.org, "Before").ID.String()
		writes := []struct {
			method, path string
			body         func(*http.Request)
		}{
			{http.MethodPost, "/v1/api/items/", formBody(t, part{"item_data", "", goodItem()})},
			{http.MethodPatch, "/v1/api/buyers/" + client + "/", jsonBody(`{"city":"Jeddah"}`)},
			{http.MethodDelete, sessionPath, func(*http.Request) {}},
		}
		for _, w := range writes {
			noOrigin.wants(t, w.method+" "+w.path, h.send(w.method, w.path, cookie(token), w.body))
			noOrigin.wants(t, w.method+" "+w.path+" with an empty one", h.send(w.method, w.path, cookie(token), header("Origin", ""), w.body))
		}
		same(t, "items", h.read(t, "/api/items/")["total"], any(number(0)))
		h.send(http.MethodGet, sessionPath, cookie(token)).wants(t, http.StatusOK)
		for _, w := range writes {
			if got := h.send(w.method, w.path, bearer(token), w.body); got.status/100 != 2 {
				t.Errorf("%s %s as bearer: got %d %s", w.method, w.path, got.status, got.body)
			}
		}
	})
}

func TestK8_SignOutEndsAllSessionsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		h.enrol("noura@example.com")
		h.enrol("sara@example.com")
		for name, show := range map[string]func(string) func(*http.Request){
			"bearer": bearer,
			"cookie": func(token string) func(*http.Request) { return both(cookie(token), header("Origin", h.server.URL)) },
		} {
			one, two, other := h.signedIn("noura@example.com"), h.signedIn("noura@example.com"), h.signedIn("sara@example.com")
			a := h.send(http.MethodDelete, sessionPath, show(one))
			same(t, name, a.wants(t, http.StatusOK), record{"message": "Signed out everywhere."})
			same(t, name+": cookie", a.header["Set-Cookie"], []string{"accessToken=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"})
			for which, token := range map[string]string{"this": one, "the other": two} {
				noKey.wants(t, which+" session as bearer", h.send(http.MethodGet, sessionPath, bearer(token)))
				noSession.wants(t, which+" session as cookie", h.send(http.MethodGet, usagePath, cookie(token)))
			}
			noKey.wants(t, "signing out again", h.send(http.MethodDelete, sessionPath, bearer(one)))
			h.send(http.MethodGet, sessionPath, bearer(other)).wants(t, http.StatusOK)
		}
	})
}

func TestK8_PasswordChangeEndsAllSessionsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		h.enrol("noura@example.com")
		one, two := h.signedIn("noura@example.com"), h.signedIn("noura@example.com")
		if err := h.keys.ChangePassword(t.Context(), h.operator(h.org), "noura@example.com", "another horse battery"); err != nil {
			t.Fatal(err)
		}
		for _, token := range []string{one, two} {
			noKey.wants(t, "a session of before", h.send(http.MethodGet, sessionPath, bearer(token)))
		}
		wrongPassword.wants(t, "the old password", h.signIn("noura@example.com", clerkPassword))
		h.signIn("noura@example.com", "another horse battery").wants(t, http.StatusOK)
	})
}

// Whatever token a browser was made to bring along, a sign-in makes its own.
func TestK8_SignInContinuesNoSession(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		h.enrol("noura@example.com")
		planted := strings.Repeat("A", 43)
		old := h.signedIn("noura@example.com")
		h.clock.Advance(time.Hour)
		seen := []string{planted, old}
		for range 3 {
			for _, brought := range seen[:2] {
				got := h.signIn("noura@example.com", clerkPassword, cookie(brought), header("Origin", h.server.URL)).wants(t, http.StatusOK)
				token, _ := got["access_token"].(string)
				if slices.Contains(seen, token) {
					t.Errorf("the token %q is given again", token)
				}
				seen = append(seen, token)
			}
		}
		noKey.wants(t, "the planted token", h.send(http.MethodGet, sessionPath, bearer(planted)))
		same(t, "the old session", h.send(http.MethodGet, sessionPath, bearer(old)).wants(t, http.StatusOK)["expires_at"], any("2026-11-22T12:00:00+03:00"))
		h.clock.Advance(account.SessionLife - time.Hour)
		noKey.wants(t, "the old session after its time", h.send(http.MethodGet, sessionPath, bearer(old)))
	})
}

// Who belongs to several organisations, to none or to one that is suspended
// must learn just that.
func TestInterface_7_4_SessionNeedsNoOrganisation(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		second := h.organisation("Second", "free")
		h.status(second, org.Suspended)
		for name, c := range map[string]struct {
			token string
			want  []string
		}{
			"none": {h.session(org.Admin), nil},
			"one":  {h.session(org.ViewInvoice, second), []string{"Second ViewInvoice free suspended"}},
			"two":  {h.session(org.Accountant, h.org, second), []string{"Khatm Trading Accountant business active", "Second Accountant free suspended"}},
		} {
			list, _ := h.send(http.MethodGet, sessionPath, bearer(c.token)).wants(t, http.StatusOK)["organisations"].([]any)
			var got []string
			for _, one := range list {
				o, _ := one.(record)
				got = append(got, fmt.Sprint(o["name"], " ", o["role"], " ", o["plan"], " ", o["status"]))
			}
			same(t, name, got, c.want)
			h.send(http.MethodDelete, sessionPath, bearer(c.token)).wants(t, http.StatusOK)
		}
		keyHere.wants(t, "a key", h.call(http.MethodGet, sessionPath, ""))
		keyHere.wants(t, "a key", h.call(http.MethodDelete, sessionPath, ""))
	})
}

func TestInterface_8_SignInsAreCountedByAddress(t *testing.T) {
	onSQLiteWith(t, func(c *server.Config) { c.Rates = server.Defaults().Rates }, func(t *testing.T, h *house) {
		h.enrol("noura@example.com")
		for n := range 10 {
			wrongPassword.wants(t, fmt.Sprint("try ", n), h.signIn(fmt.Sprintf("p%d@example.com", n), "wrong horse battery"))
		}
		throttled(t, h.signIn("noura@example.com", clerkPassword), 10, 60)
		h.clock.Advance(time.Minute)
		h.signIn("noura@example.com", clerkPassword).wants(t, http.StatusOK)
		// Reading is not signing in.
		for range 15 {
			h.send(http.MethodGet, sessionPath, bearer("nobody"))
		}
		h.signIn("noura@example.com", clerkPassword).wants(t, http.StatusOK)
	})
}

// Whoever guesses a password is stopped, and keeps nobody else out.
func TestInterface_8_FailedSignInsAreCountedByEmailAndAddress(t *testing.T) {
	onSQLiteWith(t, func(c *server.Config) { c.Rates.SignInPair = server.Defaults().Rates.SignInPair; behindProxy(c) }, func(t *testing.T, h *house) {
		h.enrol("noura@example.com")
		from := func(n int) func(*http.Request) {
			return header("X-Forwarded-For", fmt.Sprintf("2001:db8:0:%x::%x", n/100, n%100+1))
		}
		for range 30 { // who knows the password comes as often as they like
			h.signIn("noura@example.com", clerkPassword, from(1)).wants(t, http.StatusOK)
		}
		for _, email := range []string{"noura@example.com", "nobody@example.com"} {
			for n := range 20 {
				spelled := []string{email, strings.ToUpper(email), "  " + email + " "}[n%3]
				wrongPassword.wants(t, fmt.Sprint(email, " ", n), h.signIn(spelled, "wrong horse battery", from(n))) // of one customer
			}
			throttled(t, h.signIn(email, clerkPassword, from(21)), 20, 3600)
		}
		h.signIn("noura@example.com", clerkPassword, from(100)).wants(t, http.StatusOK)
		h.enrol("sara@example.com")
		h.signIn("sara@example.com", clerkPassword, from(1)).wants(t, http.StatusOK)
		h.clock.Advance(time.Hour)
		h.signIn("noura@example.com", clerkPassword, from(1)).wants(t, http.StatusOK)
	})
}

func TestInterface_8_FailedSignInsAreCountedByEmail(t *testing.T) {
	onSQLiteWith(t, func(c *server.Config) { c.Rates.SignInEmail = 8; behindProxy(c) }, func(t *testing.T, h *house) {
		h.enrol("noura@example.com")
		from := func(n int) func(*http.Request) { return header("X-Forwarded-For", fmt.Sprint("203.0.113.", n)) }
		equal(t, "usually", server.Defaults().Rates.SignInEmail, 100)
		for n := range 8 {
			h.signIn("noura@example.com", clerkPassword, from(50)).wants(t, http.StatusOK)
			wrongPassword.wants(t, fmt.Sprint("try ", n), h.signIn("noura@example.com", "wrong horse battery", from(n)))
		}
		throttled(t, h.signIn("noura@example.com", clerkPassword, from(50)), 8, 3600)
		h.clock.Advance(time.Hour)
		h.signIn("noura@example.com", clerkPassword, from(50)).wants(t, http.StatusOK)
	})
}

// behindProxy believes what a proxy on this machine says of its callers.
func behindProxy(c *server.Config) {
	c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
}

// Who came and went is in the trail of the organisation, with the address.
func TestK8_SignInAndOutAreInTheTrail(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		noura := h.enrol("noura@example.com")
		token := h.signedIn("noura@example.com")
		wrongPassword.wants(t, "a wrong password", h.signIn("noura@example.com", "wrong horse battery"))
		h.send(http.MethodDelete, sessionPath, bearer(token)).wants(t, http.StatusOK)
		events, err := h.service.Store().Events(t.Context(), org.TenantOf(h.org.ID), 2)
		if err != nil {
			t.Fatal(err)
		}
		for n, action := range []string{"session.ended", "session.opened"} {
			e := events[n]
			same(t, action, []string{e.Action, e.Subject, e.Actor, e.Address}, []string{action, noura.ID.String(), "noura@example.com", "127.0.0.1"})
			if strings.Contains(e.Details, token) || e.Request == "" {
				t.Errorf("%s: %s, request %q", action, e.Details, e.Request)
			}
		}
	})
}

// throttled wants the 429 of the key surface, of a window that began now.
func throttled(t *testing.T, a answer, limit, seconds int) {
	t.Helper()
	got := a.wants(t, http.StatusTooManyRequests)
	same(t, "refusal", got, record{
		"detail": fmt.Sprintf("Request was throttled. Expected available in %d seconds.", seconds),
		"limit":  number(limit), "window": number(seconds), "retry_after": number(seconds),
	})
	for name, want := range map[string]string{"Retry-After": fmt.Sprint(seconds), "X-RateLimit-Limit": fmt.Sprint(limit), "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": fmt.Sprint(seconds)} {
		same(t, name, a.header.Get(name), want)
	}
}
