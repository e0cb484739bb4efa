package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// A removed member is signed out at once, with every session. The keys they have
// created are named, and revoked or kept as the call says.
func TestK8_RemovedMemberIsSignedOutAtOnce(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	other := h.Organisation("Other", "business")
	admin := h.Session(org.Admin, h.Org)
	for _, fate := range []string{"revoke", "keep"} {
		p := h.Member(h.Org, fate+"@example.sa", org.Admin)
		if _, err := h.Keys.Join(t.Context(), h.Operator(other), p.Email, org.ViewInvoice); err != nil {
			t.Fatal(err)
		}
		sessions := []string{h.SignedIn(p.Email), h.SignedIn(p.Email)}
		made := h.Send(http.MethodPost, servicetest.KeysPath, servicetest.Bearer(sessions[0]), servicetest.ActiveOrg(h.Org), servicetest.JSONBody(`{"title":"Till"}`)).Wants(t, http.StatusCreated)
		key, name := servicetest.Text(made["key"]), servicetest.Text(made["name"])
		path := servicetest.MembersPath + p.ID.String() + "/"
		servicetest.Same(t, "key of the member", servicetest.First(t, h.As(admin, http.MethodGet, path+"keys/", "").Wants(t, http.StatusOK)["keys"])["name"], any(name))
		refused := h.As(admin, http.MethodDelete, path, "")
		if refused.Status != http.StatusConflict || !strings.Contains(refused.Body, name) {
			t.Errorf("removal without a choice: got %d %s, want 409 naming %s", refused.Status, refused.Body, name)
		}
		h.As(sessions[1], http.MethodGet, servicetest.SessionPath, "").Wants(t, http.StatusOK)
		removed := h.As(admin, http.MethodDelete, path+"?keys="+fate, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "keys", servicetest.First(t, removed["keys"])["name"], any(name))
		for _, one := range sessions {
			servicetest.NoSession.Wants(t, "session of the removed member", h.As(one, http.MethodGet, servicetest.SessionPath, ""))
		}
		want := map[string]int{"revoke": http.StatusUnauthorized, "keep": http.StatusOK}[fate]
		servicetest.Same(t, "call with the key, "+fate, h.As(key, http.MethodGet, servicetest.UsagePath, "").Status, want)
		servicetest.UnknownMember.Wants(t, "removed again", h.As(admin, http.MethodDelete, path, ""))
		again := h.As(h.SignedIn(p.Email), http.MethodGet, servicetest.SessionPath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "organisation that is left", servicetest.First(t, again["organisations"])["uuid"], any(other.ID.String()))
	}
}

// The last Admin can neither leave nor be downgraded.
func TestMembers_LastAdminStays(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	o := h.Organisation("Small", "business")
	p := h.Member(o, "noura@example.sa", org.Admin)
	admin, path := h.SignedIn(p.Email), servicetest.MembersPath+p.ID.String()+"/"
	for _, a := range []servicetest.Answer{h.As(admin, http.MethodDelete, path, ""), h.As(admin, http.MethodPatch, path, `{"role":"Accountant"}`)} {
		servicetest.Same(t, "status", a.Status, http.StatusConflict)
	}
	second := h.Member(o, "sara@example.sa", org.Accountant)
	changed := h.As(admin, http.MethodPatch, servicetest.MembersPath+second.ID.String()+"/", `{"role":"Admin"}`).Wants(t, http.StatusOK)
	servicetest.Same(t, "role", changed["role"], any("Admin"))
	h.As(admin, http.MethodPatch, path, `{"role":"ViewInvoice"}`).Wants(t, http.StatusOK)
	servicetest.NoRight.Wants(t, "list without the role", h.As(admin, http.MethodGet, servicetest.MembersPath, ""))
}

// An invitation works once, for its address only. Its token is in no log, not in the
// database, and not shown to Admins.
func TestK8_InvitationOverHTTP(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	admin := h.Session(org.Admin, h.Org)
	invite := func(email string) (token string, made servicetest.Record) {
		t.Helper()
		made = h.As(admin, http.MethodPost, servicetest.InvitationsPath, `{"email":"`+email+`","role":"Accountant","language":"en"}`).Wants(t, http.StatusCreated)
		return h.TokenTo(email), made
	}
	send := func(verb, body string, more ...func(*http.Request)) servicetest.Answer {
		return h.Send(http.MethodPost, servicetest.InvitationsPath+verb+"/", append([]func(*http.Request){servicetest.JSONBody(body)}, more...)...)
	}
	token, made := invite("sara@example.sa")
	servicetest.Same(t, "invitations", servicetest.First(t, h.As(admin, http.MethodGet, servicetest.InvitationsPath, "").Wants(t, http.StatusOK)["invitations"]), made)
	letter := servicetest.First(t, h.As(admin, http.MethodGet, servicetest.OutboxPath, "").Wants(t, http.StatusOK)["letters"])
	shown := h.As(admin, http.MethodGet, servicetest.OutboxPath+servicetest.IDOf(letter)+"/", "").Wants(t, http.StatusOK)
	servicetest.Same(t, "text for an Admin", []any{shown["about"], shown["subject"], shown["text"], shown["withheld"] != nil}, []any{"member invitation", nil, nil, true})

	read := send("read", `{"token":"`+token+`"}`).Wants(t, http.StatusOK)
	servicetest.Same(t, "invitation", []any{read["email"], read["role"], read["has_account"]}, []any{"sara@example.sa", "Accountant", false})
	good := `{"token":"` + token + `","name":"Sara","password":"` + servicetest.ClerkPassword + `"}`
	servicetest.OtherSite.Wants(t, "another site", send("accept", good, servicetest.Header("Origin", "https://evil.example")))
	servicetest.Same(t, "status of text/plain", send("accept", good, servicetest.Header("Content-Type", "text/plain")).Status, http.StatusBadRequest)
	servicetest.Same(t, "joined by another person", send("join", `{"token":"`+token+`"}`, servicetest.Bearer(h.Session(org.Admin))).Status, http.StatusForbidden)
	servicetest.Same(t, "an invisible name", send("accept", strings.Replace(good, "Sara", `\u200b`, 1)).Problems(t), []string{"name: must contain visible characters"})
	accepted := send("accept", good, servicetest.Cookie("fixed by an attacker"))
	session := servicetest.Text(accepted.Wants(t, http.StatusCreated)["access_token"])
	if !strings.Contains(accepted.Header.Get("Set-Cookie"), "accessToken="+session+";") {
		t.Errorf("Set-Cookie = %q, want a new session", accepted.Header.Get("Set-Cookie"))
	}
	h.As(session, http.MethodGet, servicetest.ReasonsPath, "").Wants(t, http.StatusOK)
	servicetest.NoRight.Wants(t, "members", h.As(session, http.MethodGet, servicetest.MembersPath, ""))
	for _, verb := range []string{"read", "accept"} {
		servicetest.NoAccessLink.Wants(t, "used: "+verb, send(verb, good))
	}
	servicetest.NoAccessLink.Wants(t, "used: join", send("join", `{"token":"`+token+`"}`, servicetest.Bearer(session)))
	servicetest.Same(t, "invitation of a member", h.As(admin, http.MethodPost, servicetest.InvitationsPath, `{"email":"Sara@example.sa","role":"Admin"}`).Status, http.StatusConflict)

	revoked, made := invite("huda@example.sa")
	h.As(admin, http.MethodDelete, servicetest.InvitationsPath+servicetest.IDOf(made)+"/", "").Wants(t, http.StatusOK)
	servicetest.NoAccessLink.Wants(t, "revoked", send("read", `{"token":"`+revoked+`"}`))
	for _, secret := range []string{token, revoked} {
		if strings.Contains(h.Log.String(), secret) {
			t.Error("the log contains a token")
		}
		notStored(t, h, secret)
	}
}

// An Admin sees who has a second factor and when they last signed in.
func TestMembersShowSecondFactorAndLastSignIn(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		_, secret, _, _ := withFactor(h)
		h.Member(h.Org, "quiet@example.sa", org.ViewInvoice)
		admin := h.Session(org.Admin, h.Org)
		h.Clock.Advance(time.Hour)
		h.SignInWith(noura, code(h, secret)).Wants(t, http.StatusOK)
		list, _ := h.As(admin, http.MethodGet, servicetest.MembersPath, "").Wants(t, http.StatusOK)["members"].([]any)
		got := map[string][]any{}
		for _, one := range list {
			m, _ := one.(servicetest.Record)
			got[servicetest.Text(m["email"])] = []any{m["second_factor"], m["last_sign_in_at"]}
		}
		servicetest.Same(t, "noura", got[noura], []any{true, "2026-11-15T13:00:30+03:00"})
		servicetest.Same(t, "a member who never signed in", got["quiet@example.sa"], []any{false, nil})
	})
}
