package app_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// unset returns a service without an organisation, to which no environment of the
// authority was given.
func unset(t *testing.T) *servicetest.Instance {
	t.Helper()
	answers := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(answers.Close)
	return servicetest.Unused(t, func(c *server.Config) {
		c.Authority = ""
		c.Simulator = func(context.Context) (string, error) { return answers.URL, nil }
	})
}

func setUpToken(t *testing.T, h *servicetest.Instance) string {
	t.Helper()
	token, err := h.Service.NewSetUp(context.Background(), "test")
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// The set-up lists the environments, warns that the choice is permanent, and
// chooses one in the same step as the first account.
func TestSetUp_ChoosesTheEnvironment(t *testing.T) {
	t.Parallel()
	h := unset(t)
	before := h.As("", http.MethodGet, servicetest.SetUpPath, "").Wants(t, http.StatusOK)
	var codes []any
	choices, _ := before["environments"].([]any)
	for _, one := range choices {
		choice, _ := one.(servicetest.Record)
		codes = append(codes, choice["code"])
		if choice["description"] == "" || choice["description_ar"] == "" {
			t.Errorf("choice %v has no description", choice)
		}
	}
	servicetest.Same(t, "environments", codes, []any{"simulator", "simulation", "production"})
	servicetest.Same(t, "environment", before["environment"], nil)
	servicetest.Same(t, "warning", before["environment_warning"], any("The choice is permanent for this database: it cannot be changed later. Another environment needs a separate installation."))
	if before["environment_warning_ar"] == "" {
		t.Error("the warning is not in Arabic")
	}
	body := servicetest.SetUpBody(setUpToken(t, h))
	body["environment"] = "sandbox"
	send := func() servicetest.Answer {
		return h.As("", http.MethodPost, servicetest.SetUpPath, servicetest.AsJSON(t, body))
	}
	servicetest.Same(t, "problems", len(send().Problems(t)), 1)
	servicetest.Same(t, "header before", send().Header.Get("X-Khatm-Environment"), "unset")
	body["environment"] = "simulation"
	made := send()
	session := servicetest.Text(made.Wants(t, http.StatusCreated)["access_token"])
	after := h.As("", http.MethodGet, servicetest.SetUpPath, "")
	servicetest.Same(t, "header after", after.Header.Get("X-Khatm-Environment"), "simulation")
	servicetest.Same(t, "after", after.Wants(t, http.StatusOK), servicetest.Record{
		"needed": false, "signup": "first", "environment": "simulation", "environments": []any{}, "environment_warning": nil, "environment_warning_ar": nil,
	})
	choose := func(name string) servicetest.Answer {
		return h.As(session, http.MethodPost, servicetest.EnvironmentPath, `{"environment":"`+name+`"}`)
	}
	wantCode(t, "another environment", choose("production"), http.StatusConflict, "environment_fixed")
	servicetest.Same(t, "the same environment", choose("simulation").Wants(t, http.StatusOK), servicetest.Record{"environment": "simulation"})
	organisations, err := h.Service.Store().Organisations(t.Context(), [16]byte{}, 2)
	if err != nil || len(organisations) != 1 {
		t.Fatal(organisations, err)
	}
	trail, err := h.Service.Store().Events(t.Context(), org.TenantOf(organisations[0].ID), 100)
	if err != nil || !slices.ContainsFunc(trail, func(e org.Event) bool { return e.Action == "environment.choose" && e.Subject == "simulation" }) {
		t.Errorf("audit trail = %v, %v, want environment.choose", trail, err)
	}
}

// A set-up for another environment than that of the database does nothing, and its
// link still works.
func TestSetUp_RefusesAnotherEnvironment(t *testing.T) {
	t.Parallel()
	h := servicetest.Unused(t, nil) // for the simulator
	body := servicetest.SetUpBody(setUpToken(t, h))
	body["environment"] = "production"
	send := func() servicetest.Answer {
		return h.As("", http.MethodPost, servicetest.SetUpPath, servicetest.AsJSON(t, body))
	}
	wantCode(t, "set-up", send(), http.StatusConflict, "environment_fixed")
	if empty, err := h.Service.Empty(t.Context()); err != nil || !empty {
		t.Errorf("Empty = %v, %v after a refused set-up", empty, err)
	}
	body["environment"] = "simulator"
	send().Wants(t, http.StatusCreated)
}

// While no environment is chosen, an Admin chooses it. Of several choices at once
// one is stored, and the others are refused.
func TestEnvironment_IsChosenByAnAdmin(t *testing.T) {
	t.Parallel()
	h := unset(t)
	o := h.Organisation("Khatm Trading", "business")
	admin, accountant := h.Session(org.Admin, o), h.Session(org.Accountant, o)
	choose := func(session, name string) servicetest.Answer {
		return h.As(session, http.MethodPost, servicetest.EnvironmentPath, `{"environment":"`+name+`"}`)
	}
	servicetest.NoRight.Wants(t, "an accountant", choose(accountant, "simulator"))
	servicetest.Same(t, "problems of an unknown environment", len(choose(admin, "moon").Problems(t)), 1)
	names := []string{"simulator", "simulation", "production"}
	answers := make([]servicetest.Answer, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() { answers[i] = choose(admin, name) })
	}
	all.Wait()
	kept := string(h.Service.Environment())
	for i, name := range names {
		if name == kept {
			answers[i].Wants(t, http.StatusOK)
		} else {
			wantCode(t, name, answers[i], http.StatusConflict, "environment_fixed")
		}
	}
	for end := time.Now().Add(servicetest.Patience); ; time.Sleep(10 * time.Millisecond) {
		header := h.As("", http.MethodGet, servicetest.SetUpPath, "").Header.Get("X-Khatm-Environment")
		if header == kept {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("X-Khatm-Environment = %q, want %q", header, kept)
		}
	}
}

// The environment is the same for all organisations, so an Admin of one of several
// cannot choose it.
func TestEnvironment_IsNotChosenByOneOfSeveralOrganisations(t *testing.T) {
	t.Parallel()
	h := unset(t)
	first := h.Organisation("Khatm Trading", "business")
	h.Organisation("Other", "business")
	wantCode(t, "choice", h.As(h.Session(org.Admin, first), http.MethodPost, servicetest.EnvironmentPath, `{"environment":"production"}`), http.StatusForbidden, "permission_denied")
	if kept, err := h.Service.Store().Environment(t.Context()); err != nil || kept != "" {
		t.Errorf("stored environment = %q, %v, want none", kept, err)
	}
}
