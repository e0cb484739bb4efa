package service_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"khatm/money"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/trade"
)

// at once makes calls that begin together and gives their answers.
func atOnce(n int, call func(i int) answer) []answer {
	answers := make([]answer, n)
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			answers[i] = call(i)
		})
	}
	close(start)
	all.Wait()
	return answers
}

func statuses(answers []answer) map[int]int {
	counts := map[int]int{}
	for _, a := range answers {
		counts[a.status]++
	}
	return counts
}

// pairs runs a test on one embedded service, and on two services that share a
// PostgreSQL: what one allows the other must know.
func pairs(t *testing.T, test func(t *testing.T, tills []*till)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) { test(t, []*till{open(t, nil).till()}) })
	t.Run("PostgreSQL", func(t *testing.T) {
		url, keys := storetest.Postgres(t).URL, t.TempDir()+"/master.key"
		on := func(c *server.Config) { c.Database, c.MasterKeyFile = url, keys }
		first := open(t, on)
		second := open(t, on)
		shop := first.till()
		other := *shop
		beside := *first
		beside.service, beside.server, beside.t = second.service, second.server, t
		other.house = &beside
		test(t, []*till{shop, &other})
	})
}

func TestC1_IdenticalPostsAtOnce(t *testing.T) {
	pairs(t, func(t *testing.T, tills []*till) {
		shop := tills[0]
		rounds := 10
		if os.Getenv("KHATM_TORTURE") == "1" {
			rounds = 50
		}
		for round := range rounds {
			body := shop.standard(fields{"notes": note(fmt.Sprint("round ", round))})
			answers := atOnce(100, func(i int) answer { return tills[i%len(tills)].create(body) })
			if got := statuses(answers); got[http.StatusAccepted] != 1 || got[http.StatusBadRequest] != 99 {
				t.Fatalf("round %d: %v", round, got)
			}
			for _, a := range answers {
				if a.status == http.StatusBadRequest && !strings.Contains(a.body, "You just submitted an invoice with the exact same data. Please wait 300 seconds") {
					t.Fatal(a.body)
				}
			}
		}
		scenario(t, "C-1 100 identical posts at once", fmt.Sprint(rounds, " rounds"), 0, "one 202 each")
		if got := shop.provesChains(shop.org); got != rounds {
			t.Errorf("%d documents after %d rounds", got, rounds)
		}
	})
}

func TestC2_DuplicateGuardEdges(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		shop := h.till()
		first := shop.create(shop.standard())
		told := shop.create(shop.standard())
		if told.status != http.StatusBadRequest || told.json(t)["location"] != first.json(t)["location"] {
			t.Errorf("%d %s", told.status, told.body)
		}
		if a := shop.create(strings.ReplaceAll(shop.standard(), ",", " ,\n")); a.status != http.StatusBadRequest {
			t.Errorf("other white space: %d", a.status)
		}
		if a := shop.create(shop.standard(fields{"issue_date": "2020-01-01", "payment_terms": "x", "is_sample_invoice": true})); a.status != http.StatusBadRequest {
			t.Errorf("ignored fields differ: %d", a.status)
		}
		if a := shop.create(shop.standard(fields{"exchange_rate": "1.00"})); a.status != http.StatusBadRequest {
			t.Errorf("a number written otherwise: %d", a.status)
		}
		if a := shop.createAs("ticket-1", shop.standard()); a.status != http.StatusAccepted {
			t.Errorf("with a key of its own: %d %s", a.status, a.body)
		}
		if a := h.as(h.newKey(h.org, org.Accountant), http.MethodPost, shop.address, shop.standard()); a.status != http.StatusBadRequest {
			t.Errorf("another key of the organisation: %d", a.status)
		}
		other := h.tillOf(h.organisation("Other", "business"))
		other.house = h
		if a := h.as(h.newKey(other.org, org.CreateInvoice), http.MethodPost, shop.address, other.standard()); a.status != http.StatusAccepted {
			t.Errorf("another organisation: %d %s", a.status, a.body)
		}
		h.clock.Advance(299*time.Second + 900*time.Millisecond)
		if a := shop.create(shop.standard()); a.status != http.StatusBadRequest || !strings.Contains(a.body, "wait 1 seconds") {
			t.Errorf("after 299.9 s: %d %s", a.status, a.body)
		}
		h.clock.Advance(200 * time.Millisecond)
		if a := shop.create(shop.standard()); a.status != http.StatusAccepted {
			t.Errorf("after 300.1 s: %d %s", a.status, a.body)
		}
		refused := shop.standard(fields{"payment_means_type_code": "30", "notes": note("refused first")})
		shop.create(refused)
		if a := shop.create(refused); strings.Contains(a.body, "exact same data") {
			t.Error("a refused create arms the guard")
		}
	})
}

func TestC3_IdempotencyKeyAtOnce(t *testing.T) {
	pairs(t, func(t *testing.T, tills []*till) {
		shop := tills[0]
		body := shop.simplified()
		answers := atOnce(100, func(i int) answer { return tills[i%len(tills)].createAs("till-7/0001", body) })
		for _, a := range answers {
			if a.status != http.StatusAccepted || a.body != answers[0].body {
				t.Fatalf("%d %s; the first was %s", a.status, a.body, answers[0].body)
			}
		}
		if a := shop.createAs("till-7/0001", shop.simplified(fields{"notes": note("other")})); a.status != http.StatusBadRequest || !strings.Contains(a.body, "Idempotency-Key was used with other data") {
			t.Errorf("%d %s", a.status, a.body)
		}
		shop.clock.Advance(24 * time.Hour)
		if a := shop.createAs("till-7/0001", body); a.body != answers[0].body {
			t.Errorf("a day later: %d %s", a.status, a.body)
		}
		if got := shop.provesChains(shop.org); got != 1 {
			t.Errorf("%d documents", got)
		}
	})
}

func TestC5_AllowanceAtOnce(t *testing.T) {
	pairs(t, func(t *testing.T, tills []*till) {
		shop := tills[0]
		if _, err := shop.service.Store().ChangePlan(t.Context(), shop.operator(shop.org), "business", func(p *org.Plan) error {
			p.Invoices = 100
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		answers := atOnce(300, func(i int) answer {
			return tills[i%len(tills)].create(shop.simplified(fields{"notes": note(fmt.Sprint(i))}))
		})
		if got := statuses(answers); got[http.StatusAccepted] != 110 || got[http.StatusForbidden] != 190 {
			t.Fatalf("%v", got)
		}
		for _, a := range answers {
			if a.status != http.StatusForbidden {
				continue
			}
			told := a.json(t)
			if fmt.Sprint(told["current_usage"]) != "110" || fmt.Sprint(told["limit"]) != "100" || told["plan_name"] != "Business" || told["upgrade_url"] == nil || told["code"] != nil {
				t.Fatalf("%s", a.body)
			}
		}
		if got := shop.provesChains(shop.org); got != 110 {
			t.Errorf("%d documents", got)
		}
		usage := shop.call(http.MethodGet, "/v1/api/usage/current/", "").json(t)
		if fmt.Sprint(usage["invoices_used"]) != "110" || usage["invoices_allowed"] != false {
			t.Errorf("usage: %v", usage)
		}
	})
}

func TestC8_StockAtOnce(t *testing.T) {
	pairs(t, func(t *testing.T, tills []*till) {
		shop := tills[0]
		ten := money.FromInt(10)
		item := shop.stocked("Ten of these", func(i *trade.Item) { i.Stock = &ten })
		answers := atOnce(50, func(i int) answer {
			return tills[i%len(tills)].create(shop.simplified(fields{
				"form_lines": []any{}, "lines": []any{fields{"item_id": item.ID, "quantity": 1}}, "notes": note(fmt.Sprint(i)),
			}))
		})
		if got := statuses(answers); got[http.StatusAccepted] != 10 || got[http.StatusBadRequest] != 40 {
			t.Fatalf("%v", got)
		}
		if left := shop.call(http.MethodGet, "/v1/api/items/"+item.ID.String()+"/", "").json(t)["stock"]; left != "0" {
			t.Errorf("%v are left", left)
		}
		if got := shop.provesChains(shop.org); got != 10 {
			t.Errorf("%d documents", got)
		}
	})
}

func TestAdvanceIsDeductedOnceAtOnce(t *testing.T) {
	pairs(t, func(t *testing.T, tills []*till) {
		shop := tills[0]
		advance := shop.accepted(shop.created(shop.standard(fields{"type_code": 386})))
		answers := atOnce(50, func(i int) answer {
			return tills[i%len(tills)].create(shop.standard(fields{"add_prepaid_amount": true, "prepaid_invoices": []any{advance}, "notes": note(fmt.Sprint(i))}))
		})
		if got := statuses(answers); got[http.StatusAccepted] != 1 || got[http.StatusBadRequest] != 49 {
			t.Fatalf("%v", got)
		}
	})
}

func TestCreditsNeverExceedTheOriginalAtOnce(t *testing.T) {
	pairs(t, func(t *testing.T, tills []*till) {
		shop := tills[0]
		original := shop.accepted(shop.created(shop.standard())) // 2 × 4200 and VAT
		answers := atOnce(50, func(i int) answer {
			return tills[i%len(tills)].create(shop.standard(fields{
				"type_code": 381, "original_invoice_reference": []any{original}, "reason_id": shop.reason.ID, "notes": note(fmt.Sprint(i)),
				"form_lines": []any{shop.line(fields{"invoiced_quantity": "0.5"})},
			}))
		})
		if got := statuses(answers); got[http.StatusAccepted] != 4 || got[http.StatusBadRequest] != 46 {
			t.Fatalf("%v", got)
		}
		if got := shop.provesChains(shop.org); got != 5 {
			t.Errorf("%d documents", got)
		}
	})
}
