package app_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/account"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
)

const linkPath = servicetest.SessionPath + "link/"

func useLink(h *servicetest.Instance, token string, more ...func(*http.Request)) servicetest.Answer {
	h.TB.Helper()
	return h.Send(http.MethodPost, linkPath, append([]func(*http.Request){servicetest.JSONBody(servicetest.AsJSON(h.TB, servicetest.Record{"token": token}))}, more...)...)
}

func newLink(h *servicetest.Instance, email string) string {
	h.TB.Helper()
	token, _, err := h.Keys.NewSignIn(h.TB.Context(), org.Operator(org.Tenant{}, "test"), email)
	if err != nil {
		h.TB.Fatal(err)
	}
	return token
}

// A link of the operator signs a person in once, like a password. Its token is in no
// log and not in the database.
func TestK8_SignInLinkOverHTTP(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	noura := h.Enrol("noura@example.sa")
	token := newLink(h, "noura@example.sa")

	servicetest.OtherSite.Wants(t, "another site", useLink(h, token, servicetest.Header("Origin", "https://evil.example")))
	servicetest.Same(t, "status of text/plain", useLink(h, token, servicetest.Header("Content-Type", "text/plain")).Status, http.StatusBadRequest)
	servicetest.NoAccessLink.Wants(t, "unknown link", useLink(h, strings.Repeat("A", 43)))
	opened := useLink(h, token)
	session := servicetest.Text(opened.Wants(t, http.StatusOK)["access_token"])
	cookie := opened.Header.Get("Set-Cookie")
	if !strings.HasPrefix(cookie, "accessToken="+session+";") || !strings.Contains(cookie, "HttpOnly") {
		t.Errorf("Set-Cookie = %q, want the session", cookie)
	}
	h.As(session, http.MethodGet, servicetest.SessionPath, "").Wants(t, http.StatusOK)
	servicetest.NoAccessLink.Wants(t, "used link", useLink(h, token))

	late := newLink(h, "noura@example.sa")
	h.Clock.Advance(account.SignInLife)
	servicetest.NoAccessLink.Wants(t, "expired link", useLink(h, late))

	var actions []string
	err := h.Service.Store().Snapshot(t.Context(), func(kept *store.Snapshot) error {
		return kept.WholeTrail(t.Context(), func(e org.Event, _ org.Link) error {
			if strings.HasPrefix(e.Action, "sign_in.") {
				servicetest.Same(t, "subject of "+e.Action, e.Subject, noura.ID.String())
				actions = append(actions, e.Action)
			}
			if strings.Contains(e.Details+e.Subject, token) {
				t.Errorf("the entry %s contains the token", e.Action)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	servicetest.Same(t, "entries", actions, []string{"sign_in.link", "sign_in.used", "sign_in.link"})
	if strings.Contains(h.Log.String(), token) {
		t.Error("the log contains the token")
	}
	notStored(t, h, token)
}

// A link does not replace a second factor: it works no longer, and no new one is
// created.
func TestK2_SignInLinkDoesNotReplaceTheSecondFactor(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	h.Enrol("noura@example.sa")
	token := newLink(h, "noura@example.sa")
	h.AddFactor(h.SignedIn("noura@example.sa"))
	servicetest.NoAccessLink.Wants(t, "link from before the second factor", useLink(h, token))
	if _, _, err := h.Keys.NewSignIn(t.Context(), org.Operator(org.Tenant{}, "test"), "noura@example.sa"); !errors.Is(err, account.ErrFactor) {
		t.Errorf("new link = %v, want %v", err, account.ErrFactor)
	}
}
