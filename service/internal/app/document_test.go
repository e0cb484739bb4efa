package app_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/app"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

func TestInterface_5_WhatTheAppDocumentForbidsIsRefused(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	token := h.Session(org.Admin, h.Org)
	violations := h.Violations(t, app.Base)
	for _, v := range violations {
		r, err := v.Request(h.HTTP.URL)
		if err != nil {
			t.Fatal(err)
		}
		servicetest.Bearer(token)(r)
		if strings.HasSuffix(v.Path, ".transaction_code") && v.Bound == "enum" {
			continue // checked when the draft is issued
		}
		a := h.Do(r)
		if a.Status != http.StatusBadRequest {
			t.Errorf("%s: got %d %s for %s %.200s, want 400", v, a.Status, a.Body, v.URL, v.Body)
			continue
		}
		if err := v.Told([]byte(a.Body)); err != nil && !servicetest.OneMessage(v, a) {
			t.Error(err)
		}
	}
	servicetest.Same(t, "drafts", h.As(token, http.MethodGet, servicetest.DraftsPath, "").Wants(t, http.StatusOK)["total"], any(servicetest.Number(0)))
	if len(violations) < 100 {
		t.Errorf("only %d violations were generated, want at least 100", len(violations))
	}
}

// Signing in, signing out and previews do not count as writes; creating and
// sharing drafts do.
func TestInterface_8_FairUseOfTheApp(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.FairUse, func(t *testing.T, h *servicetest.Instance) {
		w := h.DraftAuthor()
		h.Enrol("noura@example.com")
		id := w.DraftedBy(w.Session)
		h.Allow(0)
		servicetest.Spent("0").Wants(t, "another draft", w.As(w.Session, http.MethodPost, servicetest.DraftsPath, w.Draft()))
		servicetest.Spent("0").Wants(t, "sharing", w.Do(http.MethodPost, id, "share", ""))
		w.Do(http.MethodPost, id, "preview", "").Wants(t, http.StatusOK)
		w.Get(id)
		token := h.SignedIn("noura@example.com")
		h.Send(http.MethodDelete, servicetest.SessionPath, servicetest.Bearer(token)).Wants(t, http.StatusOK)
	})
}

// The app's rate limits apply per user: another user is not affected.
func TestInterface_8_CallsOfTheAppAreCountedByPerson(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.Person = 3 })
	one, two := h.Session(org.Admin, h.Org), h.Session(org.Admin, h.Org)
	for range 3 {
		h.As(one, http.MethodGet, servicetest.DraftsPath, "").Wants(t, http.StatusOK)
	}
	servicetest.Throttled(t, h.As(one, http.MethodGet, servicetest.SessionPath, ""), 3, 60)
	servicetest.Throttled(t, h.As(one, http.MethodGet, servicetest.UsagePath, ""), 3, 60)
	h.As(two, http.MethodGet, servicetest.SessionPath, "").Wants(t, http.StatusOK)
}
