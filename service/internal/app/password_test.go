package app_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

const newPassword = "another horse battery"

func ask(h *servicetest.Instance, email string, more ...func(*http.Request)) servicetest.Answer {
	h.TB.Helper()
	return h.Send(http.MethodPost, servicetest.ResetPath, append([]func(*http.Request){servicetest.JSONBody(servicetest.AsJSON(h.TB, servicetest.Record{"email": email, "language": "en"}))}, more...)...)
}

func setPassword(h *servicetest.Instance, token, password string, more ...func(*http.Request)) servicetest.Answer {
	h.TB.Helper()
	return h.Send(http.MethodPost, servicetest.PasswordPath, append([]func(*http.Request){servicetest.JSONBody(servicetest.AsJSON(h.TB, servicetest.Record{"token": token, "password": password}))}, more...)...)
}

// A link that was sent by e-mail sets a new password once and ends all sessions. Its
// token is in no log, not in the database, and not in the outbox of an Admin.
func TestK8_ResetOverHTTP(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	h.Enrol("noura@example.sa")
	session, other := h.SignedIn("noura@example.sa"), h.SignedIn("noura@example.sa")
	ask(h, "Noura@Example.sa").Wants(t, http.StatusAccepted)
	token := h.TokenTo("noura@example.sa")
	admin := h.Session(org.Admin, h.Org)
	servicetest.Same(t, "e-mails of the organisation", h.As(admin, http.MethodGet, servicetest.OutboxPath, "").Wants(t, http.StatusOK)["total"], any(servicetest.Number(0)))

	servicetest.OtherSite.Wants(t, "another site", setPassword(h, token, newPassword, servicetest.Header("Origin", "https://evil.example")))
	servicetest.Same(t, "status of text/plain", setPassword(h, token, newPassword, servicetest.Header("Content-Type", "text/plain")).Status, http.StatusBadRequest)
	weak := setPassword(h, token, "short")
	if weak.Status != http.StatusBadRequest || !strings.Contains(weak.Body, "password: ") {
		t.Errorf("short password: got %d %s, want 400 naming password", weak.Status, weak.Body)
	}
	servicetest.NoAccessLink.Wants(t, "unknown link", setPassword(h, strings.Repeat("A", 43), newPassword))
	h.As(session, http.MethodGet, servicetest.SessionPath, "").Wants(t, http.StatusOK)

	done := setPassword(h, token, newPassword)
	done.Wants(t, http.StatusOK)
	if done.Header.Get("Set-Cookie") != "" || strings.Contains(done.Body, "access_token") {
		t.Errorf("setting a password opened a session: %v %s", done.Header, done.Body)
	}
	for _, one := range []string{session, other} {
		servicetest.NoSession.Wants(t, "session from before", h.As(one, http.MethodGet, servicetest.SessionPath, ""))
	}
	servicetest.NoAccessLink.Wants(t, "used link", setPassword(h, token, "a third password"))
	servicetest.Same(t, "old password", h.SignIn("noura@example.sa", servicetest.ClerkPassword).Status, http.StatusUnauthorized)
	h.SignIn("noura@example.sa", newPassword).Wants(t, http.StatusOK)

	if strings.Contains(h.Log.String(), token) || strings.Contains(h.Log.String(), newPassword) {
		t.Error("the log contains the token or the password")
	}
	notStored(t, h, token)
}

// The response to a request for a new password is the same for known, unknown and
// disabled accounts, in bytes and headers, and also beyond the limit.
func TestK8_ResetRevealsNoAccount(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.ResetPair = 2 })
	h.Enrol("known@example.sa")
	gone := h.Enrol("gone@example.sa")
	if err := h.Service.Store().DisablePerson(t.Context(), h.Operator(h.Org), gone.ID, true); err != nil {
		t.Fatal(err)
	}
	var first []servicetest.Answer
	for _, email := range []string{"known@example.sa", "unknown@example.sa", "gone@example.sa"} {
		for n, status := range []int{http.StatusAccepted, http.StatusAccepted, http.StatusTooManyRequests} {
			got := ask(h, email)
			servicetest.Same(t, "status for "+email, got.Status, status)
			for _, name := range []string{"Date", "X-Request-Id", "X-Ratelimit-Remaining"} {
				got.Header.Del(name)
			}
			if len(first) == n {
				first = append(first, got)
				continue
			}
			servicetest.Same(t, "body for "+email, got.Body, first[n].Body)
			servicetest.Same(t, "headers for "+email, got.Header, first[n].Header)
		}
	}
	h.TokenTo("known@example.sa")
	for _, email := range []string{"unknown@example.sa", "gone@example.sa"} {
		if n := len(h.LettersTo(email)); n != 0 {
			t.Errorf("%d e-mails to %s, want none", n, email)
		}
	}
	bad := ask(h, "noura")
	if bad.Status != http.StatusBadRequest || !strings.Contains(bad.Body, "email: ") {
		t.Errorf("invalid address: got %d %s, want 400 naming email", bad.Status, bad.Body)
	}
	servicetest.OtherSite.Wants(t, "another site", ask(h, "known@example.sa", servicetest.Header("Origin", "https://evil.example")))
	servicetest.Same(t, "status of text/plain", ask(h, "known@example.sa", servicetest.Header("Content-Type", "text/plain")).Status, http.StatusBadRequest)
}

// Requests for a new password are limited by address.
func TestInterface_8_ResetsAreLimited(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.Reset = server.Defaults().Rates.Reset })
	for range 5 {
		ask(h, "unknown@example.sa").Wants(t, http.StatusAccepted)
	}
	servicetest.Throttled(t, ask(h, "other@example.sa"), 5, 60)
}

// A new password opens a new session and ends the others. Wrong current passwords
// count as failed sign-ins.
func TestK8_ChangedPasswordEndsOtherSessions(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.SignInPair = 2 })
	p := h.Enrol("noura@example.sa")
	session, other := h.SignedIn(p.Email), h.SignedIn(p.Email)
	change := func(current, wanted string) servicetest.Answer {
		body := servicetest.AsJSON(t, servicetest.Record{"current_password": current, "new_password": wanted})
		return h.As(session, http.MethodPost, servicetest.PersonPath+"password/", body)
	}
	servicetest.Same(t, "wrong password", change("wrong password", newPassword).Wants(t, http.StatusForbidden)["message"], any("The current password is wrong."))
	weak := change(servicetest.ClerkPassword, "short")
	if weak.Status != http.StatusBadRequest || !strings.Contains(weak.Body, "new_password: ") {
		t.Errorf("short password: got %d %s, want 400 naming new_password", weak.Status, weak.Body)
	}
	changed := change(servicetest.ClerkPassword, newPassword)
	fresh := servicetest.Text(changed.Wants(t, http.StatusOK)["access_token"])
	if fresh == session || !strings.Contains(changed.Header.Get("Set-Cookie"), "accessToken="+fresh+";") {
		t.Errorf("token %q, cookie %q, want a new session", fresh, changed.Header.Get("Set-Cookie"))
	}
	for _, one := range []string{session, other} {
		servicetest.NoSession.Wants(t, "session from before", h.As(one, http.MethodGet, servicetest.SessionPath, ""))
	}
	session = fresh
	servicetest.Same(t, "person", h.As(session, http.MethodPatch, servicetest.PersonPath, `{"name":" Noura Al Harbi "}`).Wants(t, http.StatusOK), servicetest.Record{"uuid": p.ID.String(), "email": p.Email, "name": "Noura Al Harbi"})
	servicetest.Same(t, "unchanged person", h.As(session, http.MethodPatch, servicetest.PersonPath, `{}`).Wants(t, http.StatusOK)["name"], any("Noura Al Harbi"))
	for _, name := range []string{`two\nlines`, `two\u2028lines`, ``, ` `, `\u200b\u200f`, `\u202eabc`} {
		bad := h.As(session, http.MethodPatch, servicetest.PersonPath, `{"name":"`+name+`"}`)
		if bad.Status != http.StatusBadRequest || !strings.Contains(bad.Body, "name: ") {
			t.Errorf("name %s: got %d %s, want 400 naming name", name, bad.Status, bad.Body)
		}
	}
	change("wrong again", newPassword).Wants(t, http.StatusForbidden)
	servicetest.Same(t, "third failure", change("wrong again", newPassword).Status, http.StatusTooManyRequests)
	servicetest.Same(t, "sign-in", h.SignIn(p.Email, newPassword).Status, http.StatusTooManyRequests)
}

// Without a mail server the operator can read the e-mail; it ends with its link.
func TestResetLetterEndsWithItsLink(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	h.Enrol("noura@example.sa")
	ask(h, "noura@example.sa").Wants(t, http.StatusAccepted)
	token := h.TokenTo("noura@example.sa")
	letter := h.LettersTo("noura@example.sa")[0]
	servicetest.Same(t, "state", letter.State, mail.Queued)
	setPassword(h, token, newPassword).Wants(t, http.StatusOK)
	after, err := h.Service.Store().AnyLetter(t.Context(), letter.ID)
	if err != nil || after.State != mail.Expired || after.Sealed != nil {
		t.Errorf("e-mail after the link was used = %+v, %v, want expired without contents", after, err)
	}
}
