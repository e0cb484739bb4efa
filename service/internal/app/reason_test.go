package app_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

func TestInterface_2_1_ReasonIsConfiguredInTheApp(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, accountant := h.NewSeller(), h.Session(org.Accountant, h.Org)
		change := func(id, body string) servicetest.Answer {
			return h.As(accountant, http.MethodPatch, servicetest.ReasonsPath+id+"/", body)
		}
		made := h.As(accountant, http.MethodPost, servicetest.ReasonsPath, `{"description":"Payment within 45 days","due_days":45}`).Wants(t, http.StatusCreated)
		id := servicetest.IDOf(made)
		want := servicetest.Record{"uuid": id, "description": "Payment within 45 days", "is_active": true, "due_days": servicetest.Number(45), "created_at": "2026-11-15T12:00:00+03:00"}
		servicetest.Same(t, "the created reason", made, want)
		list := h.As(accountant, http.MethodGet, servicetest.ReasonsPath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "the listed reason", servicetest.First(t, list["reasons"]), want)
		on := func(note string) servicetest.Answer {
			return h.Call(http.MethodPost, "/v1/api/invoices/preview/", shop.Standard(servicetest.Fields{"payment_means_type_code": "30", "reason_id": id, "notes": servicetest.Note(note)}))
		}
		shown, _ := on("a").Wants(t, http.StatusCreated)["invoice"].(servicetest.Record)
		servicetest.Same(t, "payment terms", shown["payment_terms"], any("Payment within 45 days"))

		want["is_active"] = false
		servicetest.Same(t, "the inactive reason", change(id, `{"is_active":false}`).Wants(t, http.StatusOK), want)
		wantCode(t, "an inactive reason", on("b"), http.StatusBadRequest, "unknown_reason")
		want["is_active"], want["due_days"] = true, nil
		servicetest.Same(t, "the reason without due days", change(id, `{"is_active":true,"due_days":null}`).Wants(t, http.StatusOK), want)
		want["due_days"], want["description"] = servicetest.Number(0), "At once"
		servicetest.Same(t, "the changed reason", change(id, `{"description":"At once","due_days":0}`).Wants(t, http.StatusOK), want)
		servicetest.Same(t, "an empty change", change(id, `{}`).Wants(t, http.StatusOK), want)
		for body, field := range map[string]string{`{"due_days":366}`: "due_days", `{"due_days":-1}`: "due_days", `{"due_days":"x"}`: "due_days", `{"description":""}`: "description", `{"description":"  "}`: "description"} {
			if got := change(id, body).Problems(t); len(got) != 1 || got[0][:len(field)+2] != field+": " {
				t.Errorf("%s: problems = %q, want one of %s", body, got, field)
			}
		}
		servicetest.NoReason.Wants(t, "an unknown reason", change(uuid.NewString(), `{}`))
		servicetest.NoSuchPath.Wants(t, "reasons for keys", h.Call(http.MethodGet, "/v1/api/reasons/", ""))
	})
}

// The days of the payment terms replace those of the organisation on documents
// that are issued later.
func TestInterface_2_1_DueDaysOfAReasonAreKeptWithTheInvoice(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, admin := h.NewSeller(), h.Session(org.Admin, h.Org)
		id := h.UUIDIn(h.As(admin, http.MethodPost, servicetest.ReasonsPath, `{"description":"Net 45","due_days":45}`))
		issue := func(note string) (days int, due any) {
			made := h.Call(http.MethodPost, shop.Address, shop.Standard(servicetest.Fields{"payment_means_type_code": "30", "reason_id": id, "notes": servicetest.Note(note)})).Wants(t, http.StatusAccepted)
			kept, err := h.Service.Store().Invoice(t.Context(), org.TenantOf(h.Org.ID), uuid.MustParse(servicetest.Text(made["invoice_uuid"])))
			if err != nil {
				t.Fatal(err)
			}
			if kept.Record.Print != nil {
				days = kept.Record.Print.DueDays
			}
			return days, shop.Full(kept.ID)["due_date"]
		}
		days, due := issue("a")
		servicetest.Same(t, "due days", days, 45)
		servicetest.Same(t, "due date", due, any(h.Clock.Now().In(invoice.Riyadh()).AddDate(0, 0, 45).Format(time.DateOnly)))
		h.As(admin, http.MethodPatch, servicetest.ReasonsPath+id+"/", `{"due_days":null}`).Wants(t, http.StatusOK)
		days, due = issue("b")
		servicetest.Same(t, "due days of the organisation", days, 0)
		servicetest.Same(t, "due date of the organisation", due, any(nil))
	})
}
