package api_test

import (
	"net/http"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// Every cause of 401 and 403 has its body. The monthly limit has a test in
// package issue.
func TestInterface_7_3_Bodies(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		get := func(headers ...func(*http.Request)) servicetest.Answer {
			return h.Send(http.MethodGet, servicetest.UsagePath, headers...)
		}
		servicetest.NoToken.Wants(t, "no Authorization header", get())
		servicetest.NoKey.Wants(t, "an unknown key", get(servicetest.Bearer("svc_0000000_0000000000000000000000000000000000000000000")))
		viewer := h.NewKey(h.Org, org.ViewInvoice)
		servicetest.NoRight.Wants(t, "a role that does not cover the endpoint", h.NewItem(viewer))
		servicetest.NoCreating.Wants(t, "creating an invoice", h.As(viewer, http.MethodPost, "/v1/api/invoices/", "{}"))
		servicetest.NoDeleting.Wants(t, "deleting an invoice", h.Call(http.MethodDelete, "/v1/api/invoices/x/", ""))
		free := h.Organisation("Free", "free")
		servicetest.NoPlan.Wants(t, "a plan without the API", get(servicetest.Bearer(h.NewKey(free, org.CreateInvoice))))
		for status, want := range map[org.Status]servicetest.Refusal{org.Suspended: servicetest.Inactive, org.Deactivated: servicetest.NoKey} {
			h.Status(h.Org, status)
			want.Wants(t, string(status), get(servicetest.Bearer(h.Key)))
		}
	})
}

// The ceiling of the month is answered with 403 and the code fair_use_limit.
func TestInterface_7_4_FairUseLimit(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.FairUse, func(t *testing.T, h *servicetest.Instance) {
		h.Allow(1)
		for range 2 { // the allowance and ten percent, rounded up
			h.NewItem(h.Key).Wants(t, http.StatusCreated)
		}
		refused := h.NewItem(h.Key).Wants(t, http.StatusForbidden)
		servicetest.Equal(t, "code", refused["code"], any("fair_use_limit"))
		other := h.NewKey(h.Organisation("Other", "business"), org.CreateInvoice)
		h.NewItem(other).Wants(t, http.StatusCreated)
	})
}

// Reference data and the documents need no key; for the tools see
// TestInterface_5_WhoIsAStrangerToPublicTools.
func TestInterface_5_9_NoKeyIsNeeded(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		for _, path := range []string{servicetest.DocumentPath, "/v1/api/integrations/openapi-3.0.json", "/v1-3/api/public/openapi.json", "/v1/api/industries/"} {
			if got := h.Send(http.MethodGet, path); got.Status != http.StatusOK {
				t.Errorf("GET %s without a key: status %d, want 200", path, got.Status)
			}
		}
	})
}
