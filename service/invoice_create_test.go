package service_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"testing"
	"time"

	"khatm/service/internal/org"
)

// allowed sets how many invoices a month the plan of the house has.
func (h *house) allowed(t testing.TB, invoices int) {
	t.Helper()
	if _, err := h.service.Store().ChangePlan(t.Context(), h.operator(h.org), "business", func(p *org.Plan) error {
		p.Invoices = invoices
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// The allowance is of the month in UTC, with ten percent of grace; previews and
// what is refused do not count.
func TestInterface_7_3_Allowance(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		h.allowed(t, 10)
		number := 0
		sale := func() answer {
			number++
			return shop.create(shop.simplified(fields{"notes": note(fmt.Sprint(number))}))
		}
		for n := range 11 {
			shop.shown(shop.standard())
			shop.create(shop.standard(fields{"payment_means_type_code": "30"}))
			if a := sale(); a.status != http.StatusAccepted {
				t.Fatalf("create %d: %d %s", n+1, a.status, a.body)
			}
		}
		told := sale().wants(t, http.StatusForbidden)
		url, _ := told["upgrade_url"].(string)
		if url == "" {
			t.Error("no upgrade_url")
		}
		delete(told, "upgrade_url")
		same(t, "over the allowance", told, record{
			"message":       "The monthly limit of your plan has been exceeded, including the grace of ten percent. Upgrade the plan, or wait for the next month.",
			"current_usage": jsonNumber("11"), "limit": jsonNumber("10"), "plan_name": "Business",
		})
		shop.shown(shop.standard()) // a preview asks for no allowance
		holds(t, "usage", h.read(t, "/api/usage/current/"), record{"invoices_used": jsonNumber("11"), "invoices_allowed": false, "grace_used": true, "grace_exceeded": true})
		h.clock.Advance(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC).Add(-time.Second).Sub(h.clock.Now()))
		sale().wants(t, http.StatusForbidden) // December in Riyadh, November in UTC
		h.clock.Advance(time.Second)
		sale().wants(t, http.StatusAccepted)
		h.allowed(t, 0)
		sale().wants(t, http.StatusForbidden)
		h.allowed(t, -1)
		sale().wants(t, http.StatusAccepted)
		if got := h.provesChains(h.org); got != 13 {
			t.Errorf("%d documents", got)
		}
	})
}

func TestInterface_7_3_WhoMayCreate(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		body := shop.standard()
		notAuthorised := refusal{http.StatusForbidden, `{"message":"User is not authorised to create invoices."}` + "\n"}
		viewer, narrow := h.newKey(h.org, org.ViewInvoice), h.newKey(h.org, org.Accountant, org.InvoiceGet)
		for what, key := range map[string]string{"ViewInvoice": viewer, "scope invoice.get": narrow} {
			notAuthorised.wants(t, what, h.as(key, http.MethodPost, shop.address, body))
			notAuthorised.wants(t, what+", a body that is none", h.as(key, http.MethodPost, shop.address, `{`))
			h.as(key, http.MethodPost, shop.address+"preview/", body).wants(t, http.StatusCreated)
		}
		noRight.wants(t, "preview without invoice.get", h.as(h.newKey(h.org, org.Accountant, org.InvoiceCreate), http.MethodPost, shop.address+"preview/", body))
		h.as(h.newKey(h.org, org.Accountant), http.MethodPost, shop.address, body).wants(t, http.StatusAccepted)
		h.status(h.org, org.Suspended)
		inactive.wants(t, "suspended", shop.create(shop.simplified()))
	})
}

// The answer to a duplicate says how long to wait, never more than 300 seconds.
func TestInterface_7_5_Duplicate(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		first := shop.create(shop.standard()).wants(t, http.StatusAccepted)
		words := regexp.MustCompile(`^You just submitted an invoice with the exact same data\. Please wait (\d+) seconds before retrying\.$`)
		for _, c := range []struct {
			advance time.Duration
			want    int
		}{{0, 300}, {500 * time.Millisecond, 300}, {500 * time.Millisecond, 299}, {298 * time.Second, 1}, {999 * time.Millisecond, 1}, {-time.Hour, 300}} {
			h.clock.Advance(c.advance)
			told := shop.create(shop.standard()).wants(t, http.StatusBadRequest)
			said := words.FindStringSubmatch(fmt.Sprint(told["message"]))
			if said == nil || said[1] != strconv.Itoa(c.want) || told["location"] != first["location"] {
				t.Errorf("want %d seconds, told %v", c.want, told)
			}
			if c.advance >= 0 {
				shop.shown(shop.standard()) // a preview asks for no guard
			}
		}
		if got := h.provesChains(h.org); got != 1 {
			t.Errorf("%d documents", got)
		}
	})
}
