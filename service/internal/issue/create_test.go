package issue_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// allowed sets the monthly number of invoices of the instance's plan.
func allowed(h *servicetest.Instance, t testing.TB, invoices int) {
	t.Helper()
	if _, err := h.Service.Store().ChangePlan(t.Context(), h.Operator(h.Org), "business", func(p *org.Plan) error {
		p.Invoices = invoices
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// The month of the allowance begins at midnight UTC, and ten percent more are
// allowed as grace. Previews and refused requests do not count.
func TestInterface_7_3_Allowance(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		allowed(h, t, 10)
		number := 0
		sale := func() servicetest.Answer {
			number++
			return shop.Create(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(number))}))
		}
		for n := range 11 {
			shown(shop, shop.Standard())
			shop.Create(shop.Standard(servicetest.Fields{"payment_means_type_code": "30"}))
			if a := sale(); a.Status != http.StatusAccepted {
				t.Fatalf("create %d: got %d %s, want 202", n+1, a.Status, a.Body)
			}
		}
		told := sale().Wants(t, http.StatusForbidden)
		url, _ := told["upgrade_url"].(string)
		if url == "" {
			t.Error("the refusal has no upgrade_url")
		}
		delete(told, "upgrade_url")
		servicetest.Same(t, "over the allowance", told, servicetest.Record{
			"message":       "The monthly limit of your plan has been exceeded, including the grace of ten percent. Upgrade the plan, or wait for the next month.",
			"current_usage": jsonNumber("11"), "limit": jsonNumber("10"), "plan_name": "Business",
		})
		shown(shop, shop.Standard()) // a preview ignores the allowance
		holds(t, "usage", h.Read(t, "/api/usage/current/"), servicetest.Record{"invoices_used": jsonNumber("11"), "invoices_allowed": false, "grace_used": true, "grace_exceeded": true})
		h.Clock.Advance(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC).Add(-time.Second).Sub(h.Clock.Now()))
		sale().Wants(t, http.StatusForbidden) // December in Riyadh, still November in UTC
		h.Clock.Advance(time.Second)
		sale().Wants(t, http.StatusAccepted)
		allowed(h, t, 0)
		sale().Wants(t, http.StatusForbidden)
		allowed(h, t, -1)
		sale().Wants(t, http.StatusAccepted)
		if got := h.CheckChains(h.Org); got != 13 {
			t.Errorf("the chains have %d documents, want 13", got)
		}
	})
}

func TestInterface_7_3_WhoMayCreate(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		body := shop.Standard()
		notAuthorised := servicetest.Refusal{Status: http.StatusForbidden, Body: `{"message":"User is not authorised to create invoices."}` + "\n"}
		viewer, narrow := h.NewKey(h.Org, org.ViewInvoice), h.NewKey(h.Org, org.Accountant, org.InvoiceGet)
		for what, key := range map[string]string{"ViewInvoice": viewer, "scope invoice.get": narrow} {
			notAuthorised.Wants(t, what, h.As(key, http.MethodPost, shop.Address, body))
			notAuthorised.Wants(t, what+", an invalid body", h.As(key, http.MethodPost, shop.Address, `{`))
			h.As(key, http.MethodPost, shop.Address+"preview/", body).Wants(t, http.StatusCreated)
		}
		servicetest.NoRight.Wants(t, "preview without invoice.get", h.As(h.NewKey(h.Org, org.Accountant, org.InvoiceCreate), http.MethodPost, shop.Address+"preview/", body))
		h.As(h.NewKey(h.Org, org.Accountant), http.MethodPost, shop.Address, body).Wants(t, http.StatusAccepted)
		h.Status(h.Org, org.Suspended)
		servicetest.Inactive.Wants(t, "suspended", shop.Create(shop.Simplified()))
	})
}

// The refusal of a duplicate states the remaining wait, at most 300 seconds.
func TestInterface_7_5_Duplicate(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		first := shop.Create(shop.Standard()).Wants(t, http.StatusAccepted)
		words := regexp.MustCompile(`^You just submitted an invoice with the exact same data\. Please wait (\d+) seconds before retrying\.$`)
		for _, c := range []struct {
			advance time.Duration
			want    int
		}{{0, 300}, {500 * time.Millisecond, 300}, {500 * time.Millisecond, 299}, {298 * time.Second, 1}, {999 * time.Millisecond, 1}, {-time.Hour, 300}} {
			h.Clock.Advance(c.advance)
			told := shop.Create(shop.Standard()).Wants(t, http.StatusBadRequest)
			said := words.FindStringSubmatch(fmt.Sprint(told["message"]))
			if said == nil || said[1] != strconv.Itoa(c.want) || told["location"] != first["location"] {
				t.Errorf("refusal %[2]v, want a wait of %[1]d seconds and the first location", c.want, told)
			}
			if c.advance >= 0 {
				shown(shop, shop.Standard()) // a preview ignores the guard
			}
		}
		if got := h.CheckChains(h.Org); got != 1 {
			t.Errorf("the chains have %d documents, want 1", got)
		}
	})
}
