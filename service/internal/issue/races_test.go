package issue_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/money"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/trade"
)

// atOnce makes n concurrent calls and returns the responses.
func atOnce(n int, call func(i int) servicetest.Answer) []servicetest.Answer {
	answers := make([]servicetest.Answer, n)
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

func statuses(answers []servicetest.Answer) map[int]int {
	counts := map[int]int{}
	for _, a := range answers {
		counts[a.Status]++
	}
	return counts
}

// race is a test of concurrent requests to services that share a database.
type race struct {
	name string
	test func(t *testing.T, sellers []*servicetest.Seller)
}

// pairs runs races on a single service with SQLite, and on two services that share
// a PostgreSQL database. Each race has its own organisation.
func pairs(t *testing.T, races ...race) {
	t.Helper()
	run := func(t *testing.T, services ...*servicetest.Instance) {
		for _, r := range races {
			t.Run(r.name, func(t *testing.T) { r.test(t, sellersAt(t, services)) })
		}
	}
	t.Run("SQLite", func(t *testing.T) { run(t, servicetest.Open(t, nil)) })
	t.Run("PostgreSQL", func(t *testing.T) {
		url, keys, clock := storetest.Postgres(t).URL, t.TempDir()+"/master.key", storetest.NewClock()
		on := func(c *server.Config) { c.Database, c.MasterKeyFile, c.Now = url, keys, clock.Now }
		first, second := servicetest.Open(t, on), servicetest.Open(t, on)
		first.Clock = clock
		run(t, first, second)
	})
}

// sellersAt returns one new seller at each of the services.
func sellersAt(t *testing.T, services []*servicetest.Instance) (sellers []*servicetest.Seller) {
	t.Helper()
	first := *services[0]
	first.TB, first.Org = t, services[0].Organisation("Race Trading", "business")
	first.Key = first.NewKey(first.Org, org.CreateInvoice)
	shop := first.NewSeller()
	for _, at := range services {
		seller, instance := *shop, first
		instance.Service, instance.HTTP = at.Service, at.HTTP
		seller.Instance = &instance
		sellers = append(sellers, &seller)
	}
	return sellers
}

// TestRacesOfCreates runs races in the same services. The last two change the plan
// of all organisations and the clock.
func TestRacesOfCreates(t *testing.T) {
	t.Parallel()
	pairs(t,
		race{"C-1 identical posts", identicalPostsAtOnce},
		race{"an advance is deducted in parts", advanceAtOnce},
		race{"credits never exceed the original", creditsAtOnce},
		race{"C-5 allowance", allowanceAtOnce},
		race{"C-3 idempotency key", idempotencyKeyAtOnce},
	)
}

func identicalPostsAtOnce(t *testing.T, sellers []*servicetest.Seller) {
	t.Helper()
	shop := sellers[0]
	rounds := testtool.Scale(1, 3, 50)
	for round := range rounds {
		body := shop.Standard(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint("round ", round))})
		answers := atOnce(100, func(i int) servicetest.Answer { return sellers[i%len(sellers)].Create(body) })
		if got := statuses(answers); got[http.StatusAccepted] != 1 || got[http.StatusBadRequest] != 99 {
			t.Fatalf("round %d: responses by status %v, want 1 × 202 and 99 × 400", round, got)
		}
		for _, a := range answers {
			if a.Status == http.StatusBadRequest && !strings.Contains(a.Body, "You just submitted an invoice with the exact same data. Please wait 300 seconds") {
				t.Fatalf("duplicate refused with %s, want a wait of 300 seconds", a.Body)
			}
		}
	}
	servicetest.ReportScenario(t, "C-1 100 identical posts at once", fmt.Sprint(rounds, " rounds"), 0, "one 202 each")
	if got := shop.CheckChains(shop.Org); got != rounds {
		t.Errorf("the chains have %d documents, want %d", got, rounds)
	}
}

func TestC2_DuplicateGuardEdges(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		first := shop.Create(shop.Standard())
		told := shop.Create(shop.Standard())
		if told.Status != http.StatusBadRequest || told.JSON(t)["location"] != first.JSON(t)["location"] {
			t.Errorf("duplicate: got %d %s, want 400 with the first location", told.Status, told.Body)
		}
		if a := shop.Create(strings.ReplaceAll(shop.Standard(), ",", " ,\n")); a.Status != http.StatusBadRequest {
			t.Errorf("duplicate with other white space: got %d, want 400", a.Status)
		}
		if a := shop.Create(shop.Standard(servicetest.Fields{"issue_date": "2020-01-01", "payment_terms": "x", "is_sample_invoice": true})); a.Status != http.StatusBadRequest {
			t.Errorf("duplicate with other ignored fields: got %d, want 400", a.Status)
		}
		if a := shop.Create(shop.Standard(servicetest.Fields{"exchange_rate": "1.00"})); a.Status != http.StatusBadRequest {
			t.Errorf("duplicate with a number in another form: got %d, want 400", a.Status)
		}
		if a := shop.CreateAs("ticket-1", shop.Standard()); a.Status != http.StatusAccepted {
			t.Errorf("same data with an idempotency key: got %d %s, want 202", a.Status, a.Body)
		}
		if a := h.As(h.NewKey(h.Org, org.Accountant), http.MethodPost, shop.Address, shop.Standard()); a.Status != http.StatusBadRequest {
			t.Errorf("duplicate with another API key: got %d, want 400", a.Status)
		}
		other := h.SellerOf(h.Organisation("Other", "business"))
		other.Instance = h
		if a := h.As(h.NewKey(other.Org, org.CreateInvoice), http.MethodPost, shop.Address, other.Standard()); a.Status != http.StatusAccepted {
			t.Errorf("same data of another organisation: got %d %s, want 202", a.Status, a.Body)
		}
		h.Clock.Advance(299*time.Second + 900*time.Millisecond)
		if a := shop.Create(shop.Standard()); a.Status != http.StatusBadRequest || !strings.Contains(a.Body, "wait 1 seconds") {
			t.Errorf("duplicate after 299.9 s: got %d %s, want 400 with wait 1", a.Status, a.Body)
		}
		h.Clock.Advance(200 * time.Millisecond)
		if a := shop.Create(shop.Standard()); a.Status != http.StatusAccepted {
			t.Errorf("duplicate after 300.1 s: got %d %s, want 202", a.Status, a.Body)
		}
		refused := shop.Standard(servicetest.Fields{"payment_means_type_code": "30", "notes": servicetest.Note("refused first")})
		shop.Create(refused)
		if a := shop.Create(refused); strings.Contains(a.Body, "exact same data") {
			t.Error("the duplicate guard applies to a refused request")
		}
	})
}

func idempotencyKeyAtOnce(t *testing.T, sellers []*servicetest.Seller) {
	t.Helper()
	shop := sellers[0]
	body := shop.Simplified()
	answers := atOnce(testtool.Count(40, 100), func(i int) servicetest.Answer { return sellers[i%len(sellers)].CreateAs("till-7/0001", body) })
	for _, a := range answers {
		if a.Status != http.StatusAccepted || a.Body != answers[0].Body {
			t.Fatalf("got %d %s, want the first response %s", a.Status, a.Body, answers[0].Body)
		}
	}
	if a := shop.CreateAs("till-7/0001", shop.Simplified(servicetest.Fields{"notes": servicetest.Note("other")})); a.Status != http.StatusBadRequest || !strings.Contains(a.Body, "Idempotency-Key was already used with other data") {
		t.Errorf("key with other data: got %d %s, want 400", a.Status, a.Body)
	}
	shop.Clock.Advance(24 * time.Hour)
	if a := shop.CreateAs("till-7/0001", body); a.Body != answers[0].Body {
		t.Errorf("repeated a day later: got %d %s, want the first response", a.Status, a.Body)
	}
	if got := shop.CheckChains(shop.Org); got != 1 {
		t.Errorf("the chains have %d documents, want 1", got)
	}
}

func allowanceAtOnce(t *testing.T, sellers []*servicetest.Seller) {
	t.Helper()
	limit := testtool.Count(20, 100)
	most := limit + limit/10 // with the grace
	posts := 3 * limit
	shop := sellers[0]
	if _, err := shop.Service.Store().ChangePlan(t.Context(), shop.Operator(shop.Org), "business", func(p *org.Plan) error {
		p.Invoices = limit
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	answers := atOnce(posts, func(i int) servicetest.Answer {
		return sellers[i%len(sellers)].Create(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(i))}))
	})
	if got := statuses(answers); got[http.StatusAccepted] != most || got[http.StatusForbidden] != posts-most {
		t.Fatalf("responses by status %v, want %d × 202 and %d × 403", got, most, posts-most)
	}
	for _, a := range answers {
		if a.Status != http.StatusForbidden {
			continue
		}
		told := a.JSON(t)
		if fmt.Sprint(told["current_usage"]) != fmt.Sprint(most) || fmt.Sprint(told["limit"]) != fmt.Sprint(limit) || told["plan_name"] != "Business" || told["upgrade_url"] == nil || told["code"] != nil {
			t.Fatalf("refusal beyond the allowance: %s, want usage %d of %d, the plan and upgrade_url", a.Body, most, limit)
		}
	}
	if got := shop.CheckChains(shop.Org); got != most {
		t.Errorf("the chains have %d documents, want %d", got, most)
	}
	usage := shop.Call(http.MethodGet, "/v1/api/usage/current/", "").JSON(t)
	if fmt.Sprint(usage["invoices_used"]) != fmt.Sprint(most) || usage["invoices_allowed"] != false {
		t.Errorf("usage = %v, want %d used and none allowed", usage, most)
	}
}

func TestC8_StockAtOnce(t *testing.T) {
	t.Parallel()
	pairs(t, race{"stock", func(t *testing.T, sellers []*servicetest.Seller) {
		shop := sellers[0]
		ten := money.FromInt(10)
		item := shop.Stocked("Ten of these", func(i *trade.Item) { i.Stock = &ten })
		answers := atOnce(50, func(i int) servicetest.Answer {
			return sellers[i%len(sellers)].Create(shop.Simplified(servicetest.Fields{
				"form_lines": []any{}, "lines": []any{servicetest.Fields{"item_id": item.ID, "quantity": 1}}, "notes": servicetest.Note(fmt.Sprint(i)),
			}))
		})
		if got := statuses(answers); got[http.StatusAccepted] != 10 || got[http.StatusBadRequest] != 40 {
			t.Fatalf("responses by status %v, want 10 × 202 and 40 × 400", got)
		}
		if left := shop.Call(http.MethodGet, "/v1/api/items/"+item.ID.String()+"/", "").JSON(t)["stock"]; left != "0" {
			t.Errorf("stock = %v, want 0", left)
		}
		if got := shop.CheckChains(shop.Org); got != 10 {
			t.Errorf("the chains have %d documents, want 10", got)
		}
	}})
}

// advanceAtOnce has concurrent invoices and credit notes take an advance in
// parts, and together exactly what it contains.
func advanceAtOnce(t *testing.T, sellers []*servicetest.Seller) {
	t.Helper()
	shop := sellers[0]
	priced := func(price string) []any {
		return []any{shop.Line(servicetest.Fields{"item_net_price": price, "invoiced_quantity": 1})}
	}
	advance := shop.Accepted(shop.Created(shop.Standard(servicetest.Fields{"type_code": 386, "form_lines": priced("1000.03")}))) // 150.00 of VAT
	answers := atOnce(60, func(i int) servicetest.Answer {
		fields := servicetest.Fields{"add_prepaid_amount": true, "prepaid_invoices": []any{advance}, "form_lines": priced("33.37")} // 5.01 of VAT
		if i%6 == 0 {
			fields = servicetest.Fields{"type_code": 381, "original_invoice_reference": []any{advance}, "reason_id": shop.Reason.ID, "form_lines": priced("12.34")}
		}
		fields["notes"] = servicetest.Note(fmt.Sprint(i))
		return sellers[i%len(sellers)].Create(shop.Standard(fields))
	})
	taken, vat, invoices := money.Decimal{}, money.Decimal{}, 0
	for i, a := range answers {
		if a.Status == http.StatusBadRequest {
			continue
		}
		got := shop.Call(http.MethodGet, "/v1"+fmt.Sprint(a.Wants(t, http.StatusAccepted)["location"]), "").JSON(t)
		if i%6 == 0 {
			taken, vat = taken.Add(money.MustParse("12.34")), vat.Add(money.MustParse("1.85"))
			continue
		}
		row, _ := got["prepaid_amounts"].([]any)[0].(servicetest.Record)
		taken, vat = taken.Add(money.MustParse(fmt.Sprint(row["amount"]))), vat.Add(money.MustParse(fmt.Sprint(row["vat_amount"])))
		invoices++
	}
	if !taken.Equal(money.MustParse("1000.03")) || money.FromInt(150).Less(vat) {
		t.Errorf("invoices and credit notes took %s and %s of VAT of the advance, want 1000.03 and at most 150.00", taken, vat)
	}
	if invoices < 27 || invoices > 30 {
		t.Errorf("%d invoices deducted the advance, want 27 to 30", invoices)
	}
	if got := shop.CheckChains(shop.Org); got < 28 {
		t.Errorf("the chains have %d documents, want at least 28", got)
	}
}

func creditsAtOnce(t *testing.T, sellers []*servicetest.Seller) {
	t.Helper()
	shop := sellers[0]
	original := shop.Accepted(shop.Created(shop.Standard())) // 2 × 4200 plus VAT
	posts := testtool.Count(20, 50)
	answers := atOnce(posts, func(i int) servicetest.Answer {
		return sellers[i%len(sellers)].Create(shop.Standard(servicetest.Fields{
			"type_code": 381, "original_invoice_reference": []any{original}, "reason_id": shop.Reason.ID, "notes": servicetest.Note(fmt.Sprint(i)),
			"form_lines": []any{shop.Line(servicetest.Fields{"invoiced_quantity": "0.5"})},
		}))
	})
	if got := statuses(answers); got[http.StatusAccepted] != 4 || got[http.StatusBadRequest] != posts-4 {
		t.Fatalf("responses by status %v, want 4 × 202 and %d × 400", got, posts-4)
	}
	if got := shop.CheckChains(shop.Org); got != 5 {
		t.Errorf("the chains have %d documents, want 5", got)
	}
}
