package server_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/ledger"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
)

// beside starts a server beside another one, with the same database, data folder and
// simulator.
func beside(t *testing.T, s *servicetest.Sending, role string) *servicetest.Instance {
	t.Helper()
	return servicetest.Unused(t, func(c *server.Config) {
		servicetest.FastSending(c)
		c.Now, c.AuthorityURL = time.Now, s.Authority.URL
		c.Data, c.Database, c.Role, c.URL = s.Data, s.Database, role, "https://invoices.example.sa"
	})
}

// onAPI starts a server with --role api.
func onAPI(t *testing.T) *servicetest.Sending {
	t.Helper()
	sim := servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: 1})
	return sim.Open(t, func(c *server.Config) { c.Database, c.Role = storetest.Postgres(t).URL, server.RoleAPI })
}

// A server with --role api issues documents, and another one with --role worker sends
// them.
func TestRolesTogether(t *testing.T) {
	t.Parallel()
	s := onAPI(t)
	shop := s.OnboardedSeller()
	first := shop.Created(shop.Standard(servicetest.SuppliedToday()))
	servicetest.Eventually(t, "the api server counts the document", func() bool {
		return s.Service.Figures().Backlog.States[ledger.Queued] == 1
	})
	if n := len(shop.Attempts(first)); n != 0 || shop.Status(first).Final() {
		t.Errorf("the api server made %d attempts to send, status %s, want none", n, shop.Status(first))
	}
	worker := beside(t, s, server.RoleWorker)
	shop.WantsFinal(first, "CLEARED")
	shop.WantsFinal(shop.Created(shop.Simplified(servicetest.SuppliedToday())), "REPORTED")
	for name, h := range map[string]*servicetest.Instance{"api": s.Instance, "worker": worker} {
		for _, path := range []string{"/livez", "/readyz", "/readyz/issuing", "/metrics"} {
			if a := h.Ask(path); a.Status != http.StatusOK {
				t.Errorf("%s, %s: got %d %s, want 200", name, path, a.Status, a.Body)
			}
		}
	}
	servicetest.Eventually(t, "the worker counts both documents", func() bool {
		return worker.Service.Figures().Attempts[ledger.Accepted] == 2
	})
}

// Links for new passwords are among the work of the worker.
func TestRoleOfPasswordLinks(t *testing.T) {
	t.Parallel()
	s := onAPI(t)
	email := s.ClerkEmail()
	asked := s.As("", http.MethodPost, servicetest.ResetPath, `{"email":"`+email+`"}`)
	if asked.Status != http.StatusAccepted {
		t.Fatalf("got %d %s, want 202", asked.Status, asked.Body)
	}
	beside(t, s, server.RoleWorker)
	servicetest.Eventually(t, "the worker writes the letter", func() bool { return len(s.LettersTo(email)) == 1 })
}

// A worker has no API: everything but metrics and health checks is refused with 404.
func TestWorkerServesOnlyOperations(t *testing.T) {
	t.Parallel()
	r := servicetest.Run(t, func(c *server.Config) {
		c.Database, c.Role, c.Operations, c.URL = storetest.Postgres(t).URL, server.RoleWorker, "127.0.0.1:0", "https://invoices.example.sa"
	})
	if status, text := get(t, r.Address, "/readyz"); status != http.StatusOK || text != "ok\n" {
		t.Errorf("/readyz: got %d %q, want 200 ok", status, text)
	}
	if status, text := get(t, r.Address, "/metrics"); status != http.StatusOK || !strings.Contains(text, "khatm_submissions{") {
		t.Errorf("/metrics: got %d %q, want 200 with khatm_submissions", status, text)
	}
	for _, path := range []string{"/", "/v1/api/usage/current/", "/v1/api/invoices/", "/app/api/person/", "/v1/api/integrations/docs", "/tools"} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			request, err := http.NewRequestWithContext(context.Background(), method, "http://"+r.Address+path, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Accept", "text/html")
			servicetest.Bearer(r.Key)(request)
			if a := r.Do(request); a.Status != http.StatusNotFound || a.JSON(t)["message"] != "Not found" {
				t.Errorf("%s %s: got %d %s, want 404 Not found", method, path, a.Status, a.Body)
			}
		}
	}
}

func TestRolesThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*server.Config)
		want   string
	}{
		"worker with SQLite":        {func(c *server.Config) { c.Role = server.RoleWorker }, "--role worker needs a PostgreSQL database"},
		"api with SQLite":           {func(c *server.Config) { c.Role = server.RoleAPI }, "--role api needs a PostgreSQL database"},
		"unknown":                   {func(c *server.Config) { c.Role = "boss" }, "must be all, api or worker"},
		"worker without URL":        {func(c *server.Config) { c.Role, c.Database = server.RoleWorker, "postgres://db" }, "--role worker needs --url"},
		"worker without operations": {func(c *server.Config) { c.Role, c.Database, c.Operations = server.RoleWorker, "postgres://db", "" }, "--role worker needs --operations"},
	} {
		config := server.Defaults()
		config.Data = t.TempDir()
		c.change(&config)
		s, err := server.New(t.Context(), config)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, c.want)
		}
	}
}
