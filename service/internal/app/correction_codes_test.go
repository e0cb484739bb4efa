package app_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/money"
	"khatm/rules"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/trade"
)

// corrector corrects rejected invoices and issues the drafts.
type corrector struct {
	t     *testing.T
	s     *servicetest.Sending
	shop  *servicetest.Seller
	clerk string
	calls int
}

// call makes a call as a person, and as another one after 100 calls, because the
// calls of a person are limited.
func (c *corrector) call(path string) servicetest.Answer {
	if c.calls%100 == 0 {
		c.clerk = c.s.Session(org.CreateInvoice, c.s.Org)
	}
	c.calls++
	return c.s.As(c.clerk, http.MethodPost, path, "")
}

// correct waits for the rejection of an invoice and returns the draft that
// corrects it.
func (c *corrector) correct(what string, id uuid.UUID) servicetest.Record {
	c.t.Helper()
	if status := servicetest.TextIn(c.shop.Final(id), "authority_response_status"); !strings.HasPrefix(status, "NOT_") {
		c.t.Fatalf("%s: the invoice is %s, want it rejected", what, status)
	}
	return c.call(servicetest.CorrectionPath(id)).Wants(c.t, http.StatusCreated)
}

// accepted issues a draft as it is and reports whether the invoice is accepted.
func (c *corrector) accepted(draft servicetest.Record) bool {
	c.t.Helper()
	issued := c.call(servicetest.DraftsPath + servicetest.IDOf(draft) + "/issue/")
	if issued.Status != http.StatusAccepted {
		return false
	}
	id := uuid.MustParse(servicetest.TextIn(issued.JSON(c.t), "invoice_uuid"))
	return slices.Contains([]string{"CLEARED", "REPORTED"}, servicetest.TextIn(c.shop.Final(id), "authority_response_status"))
}

// Documents that violate a rule are corrected by the suggested values: the
// authority accepts the drafts at once. The rates of category S are the only
// values that the service leaves to the authority.
func TestCorrection_CauseInTheDocument(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		c := corrector{t: t, s: s, shop: shop}
		rate := func(rate any) []any { return []any{shop.Line(servicetest.Fields{"vat_rate": rate})} }
		item := shop.Stocked("Old rate", func(i *trade.Item) { i.Rate = money.FromInt(14) })
		cases := map[string]string{
			"a rate of 10":          shop.Standard(servicetest.Fields{"form_lines": rate(10)}),
			"a rate of 6":           shop.Simplified(servicetest.Fields{"form_lines": rate(6)}),
			"a rate of 15.123":      shop.Standard(servicetest.Fields{"form_lines": rate("15.123")}),
			"a rate of 5.01":        shop.Simplified(servicetest.Fields{"form_lines": rate("5.01")}),
			"several lines":         shop.Simplified(servicetest.Fields{"form_lines": append(rate(7), append(rate(15), rate(99)...)...)}),
			"a line with an item":   shop.Standard(servicetest.Fields{"form_lines": []any{}, "lines": []any{servicetest.Fields{"item_id": item.ID, "quantity": 2}}}),
			"a foreign currency":    shop.Standard(servicetest.Fields{"form_lines": rate(10), "currency": "USD", "exchange_rate": "3.75"}),
			"an advance":            shop.Standard(servicetest.Fields{"form_lines": rate(10), "type_code": 386}),
			"a simplified advance":  shop.Simplified(servicetest.Fields{"form_lines": rate(10), "type_code": 386}),
			"an invoice with notes": shop.Standard(servicetest.Fields{"form_lines": rate(12), "notes": servicetest.Note("شكرًا")}),
		}
		accepted := 0
		for what, body := range cases {
			draft := c.correct(what, shop.Created(body))
			causes, _ := draft["causes"].([]any)
			if len(causes) == 0 {
				t.Errorf("%s: no cause is named", what)
			}
			for _, one := range causes {
				if cause, _ := one.(servicetest.Record); cause["source"] != "request" || cause["needs_person"] != false {
					t.Errorf("%s: cause %v, want one with a suggested value", what, cause)
				}
			}
			if c.accepted(draft) {
				accepted++
			} else {
				t.Logf("%s: the corrected invoice was not accepted", what)
			}
		}
		t.Logf("%d of %d corrected invoices were accepted at once", accepted, len(cases))
		if 10*accepted < 9*len(cases) {
			t.Errorf("%d of %d corrected invoices were accepted at once, want 90 %%", accepted, len(cases))
		}
	})
}

// A rejection is forced with every official code; without testtool.All, with every
// eighth, and those that need a person. Of the codes that need no
// person, the authority accepts the drafts at once; the others say in both
// languages what a person must do. Errors are forced singly, warnings that the
// authority could make errors together.
func TestCorrection_EveryOfficialCode(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		c := corrector{t: t, s: s, shop: shop}
		tried, accepted, person := 0, 0, map[string]bool{}
		// The authority compares these values with its own data, or only people know them.
		want := []string{"BR-CUSTOM-VALIDATION-01", "BR-KSA-14", "BR-KSA-17", "BR-KSA-39", "BR-KSA-40", "BR-KSA-44", "BR-KSA-49", "BR-KSA-92"}
		for n, ids := range forcedCodes() {
			if n%testtool.Scale(8, 1, 1) != 0 && !slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(want, id) }) {
				continue
			}
			what := strings.Join(ids, " ")
			s.Authority.Reject(ids...)
			draft := c.correct(what, shop.Created(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(what)})))
			met := map[string]bool{}
			causes, _ := draft["causes"].([]any)
			for _, one := range causes {
				cause, _ := one.(servicetest.Record)
				id := servicetest.TextIn(cause, "rule_id")
				met[id] = true
				for _, field := range []string{"message", "message_ar", "fix", "fix_ar"} {
					if servicetest.TextIn(cause, field) == "" {
						t.Errorf("%s: the cause has no %s", id, field)
					}
				}
				if cause["needs_person"] == true {
					person[id] = true
				}
			}
			for _, id := range ids {
				if !met[id] {
					t.Errorf("%s: the rejection does not name it", id)
				}
			}
			if slices.ContainsFunc(ids, func(id string) bool { return person[id] }) {
				continue
			}
			tried++
			if c.accepted(draft) {
				accepted++
			} else {
				t.Logf("%s: the draft was not accepted", what)
			}
		}
		t.Logf("%d of %d drafts were accepted at once; %d codes need a person", accepted, tried, len(person))
		if accepted != tried {
			t.Errorf("%d of %d drafts were accepted at once, want all: their documents violate no rule", accepted, tried)
		}
		for _, id := range want {
			if !person[id] {
				t.Errorf("%s: needs no person, want one", id)
			}
			delete(person, id)
		}
		if len(person) > 0 {
			t.Errorf("codes %v need a person, want only %v", person, want)
		}
	})
}

// forcedCodes returns the codes of all rules: each error by itself, warnings in
// groups of 8.
func forcedCodes() (all [][]string) {
	seen, warnings := map[string]bool{}, []string{}
	for _, rule := range rules.Book() {
		switch {
		case seen[rule.ID]:
		case rule.Flag == rules.Error:
			all = append(all, []string{rule.ID})
		default:
			warnings = append(warnings, rule.ID)
		}
		seen[rule.ID] = true
	}
	return append(all, slices.Collect(slices.Chunk(warnings, 8))...)
}
