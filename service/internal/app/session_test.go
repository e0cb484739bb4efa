package app_test

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
	"khatm/service/internal/servicetest"
)

func TestInterface_5_10_SignInAnswersWhoIsSignedInAndSetsTheCookie(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		noura := h.Enrol("noura@example.com")
		a := h.SignIn(" Noura@Example.com ", servicetest.ClerkPassword)
		got := a.Wants(t, http.StatusOK)
		token, _ := got["access_token"].(string)
		if len(token) != 43 {
			t.Errorf("access_token = %q, want 43 characters", token)
		}
		delete(got, "access_token")
		want := servicetest.Record{
			"person":        servicetest.Record{"uuid": noura.ID.String(), "email": "noura@example.com", "name": "Noura"},
			"organisations": []any{servicetest.Record{"uuid": h.Org.ID.String(), "name": h.Org.Name, "name_arabic": h.Org.NameArabic, "role": "Admin", "plan": "business", "status": "active"}},
			"expires_at":    "2026-11-22T12:00:00+03:00",
		}
		servicetest.Same(t, "session", got, want)
		servicetest.Same(t, "cookie", a.Header["Set-Cookie"], []string{"accessToken=" + token + "; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax"})
		for name, show := range map[string]func(*http.Request){"bearer": servicetest.Bearer(token), "cookie": servicetest.Cookie(token)} {
			servicetest.Same(t, name, h.Send(http.MethodGet, servicetest.SessionPath, show).Wants(t, http.StatusOK), want)
			h.Send(http.MethodGet, servicetest.UsagePath, show).Wants(t, http.StatusOK)
		}
		if strings.Contains(h.Log.String(), token) || strings.Contains(h.Log.String(), servicetest.ClerkPassword) {
			t.Error("the log contains the token or the password")
		}
	})
}

func TestK8_CookieIsSecureWhereTheServiceIsReachedOverTLS(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { c.URL = "https://invoices.example.sa" })
	h.Enrol("noura@example.com")
	set := h.SignIn("noura@example.com", servicetest.ClerkPassword).Header.Get("Set-Cookie")
	_, attributes, _ := strings.Cut(set, "; ")
	// What the prefix __Host- requires: Secure, Path=/ and no Domain.
	servicetest.Same(t, "attributes", attributes, "Path=/; Max-Age=604800; HttpOnly; Secure; SameSite=Lax")
}

// An unknown e-mail address, a disabled account and a wrong password get the same
// response.
func TestK8_SignInTellsNothingOfWhoHasAnAccount(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol("noura@example.com")
		gone := h.Enrol("gone@example.com")
		if err := h.Service.Store().DisablePerson(t.Context(), h.Operator(h.Org), gone.ID, true); err != nil {
			t.Fatal(err)
		}
		var told []map[string]any
		for _, c := range []struct{ name, email, password string }{
			{"wrong password", "noura@example.com", "wrong horse battery"},
			{"no password", "noura@example.com", ""},
			{"a long password", "noura@example.com", strings.Repeat("x", 1000)},
			{"unknown e-mail", "nobody@example.com", servicetest.ClerkPassword},
			{"disabled account", "gone@example.com", servicetest.ClerkPassword},
		} {
			got := h.SignIn(c.email, c.password)
			servicetest.WrongPassword.Wants(t, c.name, got)
			if set := got.Header.Get("Set-Cookie"); set != "" {
				t.Errorf("%s: response sets the cookie %q", c.name, set)
			}
			told = append(told, servicetest.Telling(got))
		}
		for _, one := range told[1:] {
			servicetest.Same(t, "response", one, told[0])
		}
	})
}

func TestK8_SignInReadsNothingButJSON(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	h.Enrol("noura@example.com")
	good := `{"email":"noura@example.com","password":"` + servicetest.ClerkPassword + `"}`
	for _, kind := range []string{"text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=latin1"} {
		got := h.Send(http.MethodPost, servicetest.SessionPath, servicetest.JSONBody(good), servicetest.Header("Content-Type", kind))
		if got.Status != http.StatusBadRequest || got.Header.Get("Set-Cookie") != "" {
			t.Errorf("media type %s: status %d, body %s; want 400 without a cookie", kind, got.Status, got.Body)
		}
	}
	for _, c := range []struct{ name, body, want string }{
		{"no password", `{"email":"a@b.sa"}`, "password: Field required"},
		{"no e-mail", `{"password":"x"}`, "email: Field required"},
		{"invalid e-mail address", `{"email":"noura","password":"x"}`, "email: must be an e-mail address such as name@example.com"},
		{"a password of another type", `{"email":"a@b.sa","password":7}`, "password: must be a string"},
	} {
		servicetest.Same(t, c.name, h.Send(http.MethodPost, servicetest.SessionPath, servicetest.JSONBody(c.body)).Problems(t), []string{c.want})
	}
}

// Another site must not be able to sign a visitor in to its own account.
func TestK8_AnotherSiteCannotSignIn(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	h.Enrol("noura@example.com")
	for name, from := range map[string]func(*http.Request){
		"another origin":    servicetest.Header("Origin", "https://evil.example"),
		"cross-site":        servicetest.Header("Sec-Fetch-Site", "cross-site"),
		"another subdomain": servicetest.Header("Sec-Fetch-Site", "same-site"),
	} {
		got := h.SignIn("noura@example.com", servicetest.ClerkPassword, from)
		servicetest.OtherSite.Wants(t, name, got)
		if got.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s: response sets a cookie", name)
		}
	}
	for name, from := range map[string]func(*http.Request){"our origin": servicetest.Header("Origin", h.HTTP.URL), "the same origin": servicetest.Header("Sec-Fetch-Site", "same-origin")} {
		if got := h.SignIn("noura@example.com", servicetest.ClerkPassword, from); got.Status != http.StatusOK {
			t.Errorf("%s: status %d, body %s; want 200", name, got.Status, got.Body)
		}
	}
}

// A browser too old to send either header, or a program with a cookie, may read
// but not write.
func TestK8_WriteWithACookieAndNoOrigin(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		token, client := h.Session(org.Admin, h.Org), h.Client(h.Org, "Before").ID.String()
		writes := []struct {
			method, path string
			body         func(*http.Request)
		}{
			{http.MethodPost, "/v1/api/items/", servicetest.FormBody(t, servicetest.Part{Field: "item_data", Filename: "", Content: servicetest.GoodItem()})},
			{http.MethodPatch, "/v1/api/buyers/" + client + "/", servicetest.JSONBody(`{"city":"Jeddah"}`)},
			{http.MethodDelete, servicetest.SessionPath, func(*http.Request) {}},
		}
		for _, w := range writes {
			servicetest.NoOrigin.Wants(t, w.method+" "+w.path, h.Send(w.method, w.path, servicetest.Cookie(token), w.body))
			servicetest.NoOrigin.Wants(t, w.method+" "+w.path+" with an empty one", h.Send(w.method, w.path, servicetest.Cookie(token), servicetest.Header("Origin", ""), w.body))
		}
		servicetest.Same(t, "number of items", h.Read(t, "/api/items/")["total"], any(servicetest.Number(0)))
		h.Send(http.MethodGet, servicetest.SessionPath, servicetest.Cookie(token)).Wants(t, http.StatusOK)
		for _, w := range writes {
			if got := h.Send(w.method, w.path, servicetest.Bearer(token), w.body); got.Status/100 != 2 {
				t.Errorf("%s %s with the token as Bearer: status %d, body %s; want success", w.method, w.path, got.Status, got.Body)
			}
		}
	})
}

func TestK8_SignOutEndsAllSessionsAtOnce(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol("noura@example.com")
		h.Enrol("sara@example.com")
		for name, show := range map[string]func(string) func(*http.Request){
			"bearer": servicetest.Bearer,
			"cookie": func(token string) func(*http.Request) {
				return servicetest.Both(servicetest.Cookie(token), servicetest.Header("Origin", h.HTTP.URL))
			},
		} {
			one, two, other := h.SignedIn("noura@example.com"), h.SignedIn("noura@example.com"), h.SignedIn("sara@example.com")
			a := h.Send(http.MethodDelete, servicetest.SessionPath, show(one))
			servicetest.Same(t, name, a.Wants(t, http.StatusOK), servicetest.Record{"message": "Signed out everywhere."})
			servicetest.Same(t, name+": cookie", a.Header["Set-Cookie"], []string{"accessToken=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"})
			for which, token := range map[string]string{"this": one, "the other": two} {
				servicetest.NoSession.Wants(t, which+" session as bearer", h.Send(http.MethodGet, servicetest.SessionPath, servicetest.Bearer(token)))
				servicetest.NoSession.Wants(t, which+" session as cookie", h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Cookie(token)))
			}
			servicetest.NoSession.Wants(t, "signing out again", h.Send(http.MethodDelete, servicetest.SessionPath, servicetest.Bearer(one)))
			h.Send(http.MethodGet, servicetest.SessionPath, servicetest.Bearer(other)).Wants(t, http.StatusOK)
		}
	})
}

func TestK8_PasswordChangeEndsAllSessionsAtOnce(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol("noura@example.com")
		one, two := h.SignedIn("noura@example.com"), h.SignedIn("noura@example.com")
		if err := h.Keys.ChangePassword(t.Context(), h.Operator(h.Org), "noura@example.com", "another horse battery"); err != nil {
			t.Fatal(err)
		}
		for _, token := range []string{one, two} {
			servicetest.NoSession.Wants(t, "an earlier session", h.Send(http.MethodGet, servicetest.SessionPath, servicetest.Bearer(token)))
		}
		servicetest.WrongPassword.Wants(t, "the old password", h.SignIn("noura@example.com", servicetest.ClerkPassword))
		h.SignIn("noura@example.com", "another horse battery").Wants(t, http.StatusOK)
	})
}

// A sign-in always opens a new session, whatever token the browser sends.
func TestK8_SignInContinuesNoSession(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol("noura@example.com")
		planted := strings.Repeat("A", 43)
		old := h.SignedIn("noura@example.com")
		h.Clock.Advance(time.Hour)
		seen := []string{planted, old}
		for range 3 {
			for _, brought := range seen[:2] {
				got := h.SignIn("noura@example.com", servicetest.ClerkPassword, servicetest.Cookie(brought), servicetest.Header("Origin", h.HTTP.URL)).Wants(t, http.StatusOK)
				token, _ := got["access_token"].(string)
				if slices.Contains(seen, token) {
					t.Errorf("sign-in returned the existing token %q", token)
				}
				seen = append(seen, token)
			}
		}
		servicetest.NoSession.Wants(t, "the planted token", h.Send(http.MethodGet, servicetest.SessionPath, servicetest.Bearer(planted)))
		servicetest.Same(t, "end of the old session", h.Send(http.MethodGet, servicetest.SessionPath, servicetest.Bearer(old)).Wants(t, http.StatusOK)["expires_at"], any("2026-11-22T12:00:00+03:00"))
		h.Clock.Advance(account.SessionLife - time.Hour)
		servicetest.NoSession.Wants(t, "the old session after its time", h.Send(http.MethodGet, servicetest.SessionPath, servicetest.Bearer(old)))
	})
}

// A person with several organisations, with none or with a suspended one can still
// read their session.
func TestInterface_7_4_SessionNeedsNoOrganisation(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		second := h.Organisation("Second", "free")
		h.Status(second, org.Suspended)
		for name, c := range map[string]struct {
			token string
			want  []string
		}{
			"none": {h.Session(org.Admin), nil},
			"one":  {h.Session(org.ViewInvoice, second), []string{"Second ViewInvoice free suspended"}},
			"two":  {h.Session(org.Accountant, h.Org, second), []string{"Khatm Trading Accountant business active", "Second Accountant free suspended"}},
		} {
			list, _ := h.Send(http.MethodGet, servicetest.SessionPath, servicetest.Bearer(c.token)).Wants(t, http.StatusOK)["organisations"].([]any)
			var got []string
			for _, one := range list {
				o, _ := one.(servicetest.Record)
				got = append(got, fmt.Sprint(o["name"], " ", o["role"], " ", o["plan"], " ", o["status"]))
			}
			servicetest.Same(t, name, got, c.want)
			h.Send(http.MethodDelete, servicetest.SessionPath, servicetest.Bearer(c.token)).Wants(t, http.StatusOK)
		}
		servicetest.KeyHere.Wants(t, "a key", h.Call(http.MethodGet, servicetest.SessionPath, ""))
		servicetest.KeyHere.Wants(t, "a key", h.Call(http.MethodDelete, servicetest.SessionPath, ""))
	})
}

func TestInterface_8_SignInsAreCountedByAddress(t *testing.T) {
	servicetest.OnSQLiteWith(t, func(c *server.Config) { c.Rates = server.Defaults().Rates }, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol("noura@example.com")
		for n := range 10 {
			servicetest.WrongPassword.Wants(t, fmt.Sprint("try ", n), h.SignIn(fmt.Sprintf("p%d@example.com", n), "wrong horse battery"))
		}
		servicetest.Throttled(t, h.SignIn("noura@example.com", servicetest.ClerkPassword), 10, 60)
		h.Clock.Advance(time.Minute)
		h.SignIn("noura@example.com", servicetest.ClerkPassword).Wants(t, http.StatusOK)
		// Reading the session does not count as signing in.
		for range 15 {
			h.Send(http.MethodGet, servicetest.SessionPath, servicetest.Bearer("nobody"))
		}
		h.SignIn("noura@example.com", servicetest.ClerkPassword).Wants(t, http.StatusOK)
	})
}

// An attacker who guesses a password is stopped, and locks nobody else out.
func TestInterface_8_FailedSignInsAreCountedByEmailAndAddress(t *testing.T) {
	servicetest.OnSQLiteWith(t, func(c *server.Config) { c.Rates.SignInPair = server.Defaults().Rates.SignInPair; behindProxy(c) }, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol("noura@example.com")
		from := func(n int) func(*http.Request) {
			return servicetest.Header("X-Forwarded-For", fmt.Sprintf("2001:db8:0:%x::%x", n/100, n%100+1))
		}
		for range 30 { // successful sign-ins are not limited
			h.SignIn("noura@example.com", servicetest.ClerkPassword, from(1)).Wants(t, http.StatusOK)
		}
		for _, email := range []string{"noura@example.com", "nobody@example.com"} {
			for n := range 20 {
				spelled := []string{email, strings.ToUpper(email), "  " + email + " "}[n%3]
				servicetest.WrongPassword.Wants(t, fmt.Sprint(email, " ", n), h.SignIn(spelled, "wrong horse battery", from(n))) // addresses of one network
			}
			servicetest.Throttled(t, h.SignIn(email, servicetest.ClerkPassword, from(21)), 20, 3600)
		}
		h.SignIn("noura@example.com", servicetest.ClerkPassword, from(100)).Wants(t, http.StatusOK)
		h.Enrol("sara@example.com")
		h.SignIn("sara@example.com", servicetest.ClerkPassword, from(1)).Wants(t, http.StatusOK)
		h.Clock.Advance(time.Hour)
		h.SignIn("noura@example.com", servicetest.ClerkPassword, from(1)).Wants(t, http.StatusOK)
	})
}

func TestInterface_8_FailedSignInsAreCountedByEmail(t *testing.T) {
	servicetest.OnSQLiteWith(t, func(c *server.Config) { c.Rates.SignInEmail = 8; behindProxy(c) }, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol("noura@example.com")
		from := func(n int) func(*http.Request) {
			return servicetest.Header("X-Forwarded-For", fmt.Sprint("203.0.113.", n))
		}
		servicetest.Equal(t, "usually", server.Defaults().Rates.SignInEmail, 100)
		for n := range 8 {
			h.SignIn("noura@example.com", servicetest.ClerkPassword, from(50)).Wants(t, http.StatusOK)
			servicetest.WrongPassword.Wants(t, fmt.Sprint("try ", n), h.SignIn("noura@example.com", "wrong horse battery", from(n)))
		}
		servicetest.Throttled(t, h.SignIn("noura@example.com", servicetest.ClerkPassword, from(51)), 8, 3600)
		h.Clock.Advance(time.Hour)
		h.SignIn("noura@example.com", servicetest.ClerkPassword, from(51)).Wants(t, http.StatusOK)
	})
}

// behindProxy trusts a proxy on this machine.
func behindProxy(c *server.Config) {
	c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
}

// Sign-in and sign-out are recorded in the audit trail with the user and the IP
// address.
func TestK8_SignInAndOutAreInTheTrail(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		noura := h.Enrol("noura@example.com")
		token := h.SignedIn("noura@example.com")
		servicetest.WrongPassword.Wants(t, "a wrong password", h.SignIn("noura@example.com", "wrong horse battery"))
		h.Send(http.MethodDelete, servicetest.SessionPath, servicetest.Bearer(token)).Wants(t, http.StatusOK)
		events, err := h.Service.Store().Events(t.Context(), org.TenantOf(h.Org.ID), 2)
		if err != nil {
			t.Fatal(err)
		}
		for n, action := range []string{"session.ended", "session.opened"} {
			e := events[n]
			servicetest.Same(t, action, []string{e.Action, e.Subject, e.Actor, e.Address}, []string{action, noura.ID.String(), "noura@example.com", "127.0.0.1"})
			if strings.Contains(e.Details, token) || e.Request == "" {
				t.Errorf("event %s: details %s, request %q; want no token and a request id", action, e.Details, e.Request)
			}
		}
	})
}
