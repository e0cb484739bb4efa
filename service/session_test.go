package service_test

import (
	"net/http"
	"testing"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/org"
)

func TestInterface_5_10_SessionAsCookieAndAsBearer(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		token := h.session(org.ViewInvoice, h.org)
		for name, show := range map[string]func(*http.Request){"bearer": bearer(token), "cookie": cookie(token)} {
			if got := h.send(http.MethodGet, usagePath, show); got.status != http.StatusOK {
				t.Errorf("%s: got %d %s", name, got.status, got.body)
			}
		}
		noSession.wants(t, "a cookie that was changed", h.send(http.MethodGet, usagePath, cookie(token+"x")))
		other := &http.Cookie{Name: "accesstoken", Value: token}
		noToken.wants(t, "a cookie of another name", h.send(http.MethodGet, usagePath, func(r *http.Request) { r.AddCookie(other) }))
	})
}

// A browser sends the cookie whoever makes it send; a header it does not.
func TestK8_CookieFromAnotherSite(t *testing.T) {
	h := open(t, nil)
	token, client := h.session(org.Admin, h.org), h.client(h.org, "Before").ID.String()
	origin := func(value string) func(*http.Request) { return header("Origin", value) }
	fetch := func(value string) func(*http.Request) { return header("Sec-Fetch-Site", value) }
	foreign := []struct {
		name string
		from func(*http.Request)
	}{
		{"another origin", origin("https://evil.example")},
		{"another port", origin("http://127.0.0.1:1")},
		{"no origin that can be named", origin("null")},
		{"cross-site", fetch("cross-site")},
		{"a sister site", fetch("same-site")},
		{"cross-site that claims our origin", both(origin(h.server.URL), fetch("cross-site"))},
	}
	writes := []struct {
		method, path string
		body         func(*http.Request)
	}{
		{http.MethodPost, "/v1/api/items/", formBody(t, part{"item_data", "", goodItem()})},
		{http.MethodPatch, "/v1/api/buyers/" + client + "/", jsonBody(`{"city":"Jeddah"}`)},
	}
	for _, f := range foreign {
		for _, w := range writes {
			otherSite.wants(t, w.method+" with a cookie from "+f.name, h.send(w.method, w.path, cookie(token), f.from, w.body))
			for name, show := range map[string]func(*http.Request){"session": bearer(token), "key": bearer(h.key)} {
				if got := h.send(w.method, w.path, show, f.from, w.body); got.status >= 300 {
					t.Errorf("%s with a %s in the header from %s: got %d %s", w.method, name, f.name, got.status, got.body)
				}
			}
		}
		if got := h.send(http.MethodGet, usagePath, cookie(token), f.from); got.status != http.StatusOK {
			t.Errorf("reading with a cookie from %s: got %d %s", f.name, got.status, got.body)
		}
	}
	for name, from := range map[string]func(*http.Request){"our origin": origin(h.server.URL), "the same origin": fetch("same-origin"), "the address bar": fetch("none")} {
		for _, w := range writes {
			if got := h.send(w.method, w.path, cookie(token), from, w.body); got.status >= 300 {
				t.Errorf("%s with a cookie from %s: got %d %s", w.method, name, got.status, got.body)
			}
		}
	}
}

func TestK8_SessionsEndAtOnce(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		ctx := t.Context()
		email, password := "noura@example.com", "correct horse battery"
		person, err := h.keys.AddPerson(ctx, h.operator(h.org), email, "Noura", password, org.Admin)
		if err != nil {
			t.Fatal(err)
		}
		signIn := func(password string) string {
			t.Helper()
			token, _, err := h.keys.SignIn(ctx, email, password)
			if err != nil {
				t.Fatal(err)
			}
			if got := h.send(http.MethodGet, usagePath, cookie(token)); got.status != http.StatusOK {
				t.Fatalf("signed in: got %d %s", got.status, got.body)
			}
			return token
		}
		over := func(why, token string) {
			t.Helper()
			noSession.wants(t, why+", as cookie", h.send(http.MethodGet, usagePath, cookie(token)))
			noKey.wants(t, why+", as bearer", h.send(http.MethodGet, usagePath, bearer(token)))
		}
		one, two := signIn(password), signIn(password)
		if err := h.keys.SignOut(ctx, one); err != nil {
			t.Fatal(err)
		}
		over("signed out", one)
		if got := h.send(http.MethodGet, usagePath, bearer(two)); got.status != http.StatusOK {
			t.Errorf("the other session: got %d", got.status)
		}
		three := signIn(password)
		if err := h.keys.ChangePassword(ctx, h.operator(h.org), email, "another horse battery"); err != nil {
			t.Fatal(err)
		}
		over("password changed", two)
		over("password changed", three)
		four := signIn("another horse battery")
		if err := h.service.Store().DisablePerson(ctx, h.operator(h.org), person.ID, true); err != nil {
			t.Fatal(err)
		}
		over("disabled", four)
	})
}

func TestK8_SessionLastsSevenDays(t *testing.T) {
	h := open(t, nil)
	token := h.session(org.Admin, h.org)
	h.clock.Advance(account.SessionLife - time.Second)
	if got := h.send(http.MethodGet, usagePath, bearer(token)); got.status != http.StatusOK {
		t.Errorf("a second before: got %d", got.status)
	}
	h.clock.Advance(time.Second)
	noKey.wants(t, "after seven days", h.send(http.MethodGet, usagePath, bearer(token)))
	if account.SessionLife != 7*24*time.Hour {
		t.Errorf("a session lasts %s", account.SessionLife)
	}
}

// What somebody may do is asked of the organisation they act for.
func TestInterface_7_4_OrgContextRequired(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		second := h.organisation("Second", "free")
		token := h.session(org.ViewInvoice, h.org)
		whole := h.session(org.CreateInvoice, second, h.org)
		whichOrg.wants(t, "two organisations", h.send(http.MethodGet, usagePath, bearer(whole)))
		whichOrg.wants(t, "a name that is no id", h.send(http.MethodGet, usagePath, bearer(whole), header("X-Active-Org", "second")))
		for o, plan := range map[org.Organisation]string{h.org: "business", second: "free"} {
			got := h.send(http.MethodGet, usagePath, bearer(whole), activeOrg(o))
			if got.status != http.StatusOK || got.json(t)["subscribed_plan"] != plan {
				t.Errorf("acting for %s: got %d %s", o.Name, got.status, got.body)
			}
		}
		notHere.wants(t, "another's organisation", h.send(http.MethodGet, usagePath, bearer(token), activeOrg(second)))
		h.status(second, org.Deactivated)
		if got := h.send(http.MethodGet, usagePath, bearer(whole)); got.status != http.StatusOK || got.json(t)["subscribed_plan"] != "business" {
			t.Errorf("one of two is gone: got %d %s", got.status, got.body)
		}
	})
}
