package wire_test

import (
	"net/http"
	"testing"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

func TestInterface_5_10_SessionAsCookieAndAsBearer(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		token := h.Session(org.ViewInvoice, h.Org)
		for name, show := range map[string]func(*http.Request){"bearer": servicetest.Bearer(token), "cookie": servicetest.Cookie(token)} {
			if got := h.Send(http.MethodGet, servicetest.UsagePath, show); got.Status != http.StatusOK {
				t.Errorf("session as %s: status %d, body %s; want 200", name, got.Status, got.Body)
			}
		}
		servicetest.NoSession.Wants(t, "a cookie that was changed", h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Cookie(token+"x")))
		other := &http.Cookie{Name: "accesstoken", Value: token}
		servicetest.NoToken.Wants(t, "a cookie of another name", h.Send(http.MethodGet, servicetest.UsagePath, func(r *http.Request) { r.AddCookie(other) }))
	})
}

// Any site can make a browser send the cookie, but not the Authorization header.
func TestK8_CookieFromAnotherSite(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	token, client := h.Session(org.Admin, h.Org), h.Client(h.Org, "Before").ID.String()
	origin := func(value string) func(*http.Request) { return servicetest.Header("Origin", value) }
	fetch := func(value string) func(*http.Request) { return servicetest.Header("Sec-Fetch-Site", value) }
	foreign := []struct {
		name string
		from func(*http.Request)
	}{
		{"another origin", origin("https://evil.example")},
		{"another port", origin("http://127.0.0.1:1")},
		{"opaque origin", origin("null")},
		{"cross-site", fetch("cross-site")},
		{"another subdomain", fetch("same-site")},
		{"cross-site that claims our origin", servicetest.Both(origin(h.HTTP.URL), fetch("cross-site"))},
	}
	writes := []struct {
		method, path string
		body         func(*http.Request)
	}{
		{http.MethodPost, "/v1/api/items/", servicetest.FormBody(t, servicetest.Part{Field: "item_data", Filename: "", Content: servicetest.GoodItem()})},
		{http.MethodPatch, "/v1/api/buyers/" + client + "/", servicetest.JSONBody(`{"city":"Jeddah"}`)},
	}
	for _, f := range foreign {
		for _, w := range writes {
			servicetest.OtherSite.Wants(t, w.method+" with a cookie from "+f.name, h.Send(w.method, w.path, servicetest.Cookie(token), f.from, w.body))
			for name, show := range map[string]func(*http.Request){"session": servicetest.Bearer(token), "key": servicetest.Bearer(h.Key)} {
				if got := h.Send(w.method, w.path, show, f.from, w.body); got.Status >= 300 {
					t.Errorf("%s with a %s in the Authorization header from %s: status %d, body %s; want success", w.method, name, f.name, got.Status, got.Body)
				}
			}
		}
		if got := h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Cookie(token), f.from); got.Status != http.StatusOK {
			t.Errorf("read with a cookie from %s: status %d, body %s; want 200", f.name, got.Status, got.Body)
		}
	}
	for name, from := range map[string]func(*http.Request){"our origin": origin(h.HTTP.URL), "the same origin": fetch("same-origin"), "the address bar": fetch("none")} {
		for _, w := range writes {
			if got := h.Send(w.method, w.path, servicetest.Cookie(token), from, w.body); got.Status >= 300 {
				t.Errorf("%s with a cookie from %s: status %d, body %s; want success", w.method, name, got.Status, got.Body)
			}
		}
	}
}

func TestK8_SessionsEndAtOnce(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		ctx := t.Context()
		email, password := "noura@example.com", "correct horse battery"
		person, err := h.Keys.AddPerson(ctx, h.Operator(h.Org), email, "Noura", password, org.Admin)
		if err != nil {
			t.Fatal(err)
		}
		signIn := func(password string) string {
			t.Helper()
			token, _, err := h.Keys.SignIn(ctx, account.Credentials{Email: email, Password: password})
			if err != nil {
				t.Fatal(err)
			}
			if got := h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Cookie(token)); got.Status != http.StatusOK {
				t.Fatalf("after sign-in: status %d, body %s; want 200", got.Status, got.Body)
			}
			return token
		}
		over := func(why, token string) {
			t.Helper()
			servicetest.NoSession.Wants(t, why+", as cookie", h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Cookie(token)))
			servicetest.NoKey.Wants(t, why+", as bearer", h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Bearer(token)))
		}
		one, two := signIn(password), signIn(password)
		if err := h.Keys.SignOut(ctx, one); err != nil {
			t.Fatal(err)
		}
		over("signed out", one)
		if got := h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Bearer(two)); got.Status != http.StatusOK {
			t.Errorf("other session of the person after signing out of one: status %d, want 200", got.Status)
		}
		three := signIn(password)
		if err := h.Keys.ChangePassword(ctx, h.Operator(h.Org), email, "another horse battery"); err != nil {
			t.Fatal(err)
		}
		over("password changed", two)
		over("password changed", three)
		four := signIn("another horse battery")
		if err := h.Service.Store().DisablePerson(ctx, h.Operator(h.Org), person.ID, true); err != nil {
			t.Fatal(err)
		}
		over("disabled", four)
	})
}

func TestK8_SessionLastsSevenDays(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	token := h.Session(org.Admin, h.Org)
	h.Clock.Advance(account.SessionLife - time.Second)
	if got := h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Bearer(token)); got.Status != http.StatusOK {
		t.Errorf("a second before the session ends: status %d, want 200", got.Status)
	}
	h.Clock.Advance(time.Second)
	servicetest.NoKey.Wants(t, "after seven days", h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Bearer(token)))
	if account.SessionLife != 7*24*time.Hour {
		t.Errorf("SessionLife = %s, want seven days", account.SessionLife)
	}
}

// TestInterface_7_4_OrgContextRequired checks that a person with several
// organisations must choose one, and then has the role of that organisation.
func TestInterface_7_4_OrgContextRequired(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		second := h.Organisation("Second", "free")
		token := h.Session(org.ViewInvoice, h.Org)
		whole := h.Session(org.CreateInvoice, second, h.Org)
		servicetest.WhichOrg.Wants(t, "two organisations", h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Bearer(whole)))
		servicetest.WhichOrg.Wants(t, "a name instead of an id", h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Bearer(whole), servicetest.Header("X-Active-Org", "second")))
		for o, plan := range map[org.Organisation]string{h.Org: "business", second: "free"} {
			got := h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Bearer(whole), servicetest.ActiveOrg(o))
			if got.Status != http.StatusOK || got.JSON(t)["subscribed_plan"] != plan {
				t.Errorf("acting for %s: status %d, body %s; want 200 and plan %s", o.Name, got.Status, got.Body, plan)
			}
		}
		servicetest.NotHere.Wants(t, "an organisation of another person", h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Bearer(token), servicetest.ActiveOrg(second)))
		h.Status(second, org.Deactivated)
		if got := h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Bearer(whole)); got.Status != http.StatusOK || got.JSON(t)["subscribed_plan"] != "business" {
			t.Errorf("after one of two organisations was deactivated: status %d, body %s; want 200 and plan business", got.Status, got.Body)
		}
	})
}
