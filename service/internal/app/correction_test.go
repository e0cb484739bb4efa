package app_test

import (
	"net/http"
	"sync"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// A rejected invoice is corrected by a draft with the suggested rate. The invoice
// issued from it is accepted, and each of the two names the other.
func TestCorrection_LinkedBothWays(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop, clerk := s.OnboardedSeller(), s.Session(org.CreateInvoice, s.Org)
		call := func(method string, id uuid.UUID) servicetest.Answer {
			return s.As(clerk, method, servicetest.CorrectionPath(id), "")
		}
		rejected := shop.Created(shop.Standard(servicetest.Fields{"form_lines": []any{shop.Line(servicetest.Fields{"vat_rate": 10})}}))
		servicetest.NotRejected.Wants(t, "an invoice without an answer", call(http.MethodPost, shop.Created(shop.Simplified())))
		servicetest.Same(t, "status", servicetest.TextIn(shop.Final(rejected), "authority_response_status"), "NOT_CLEARED")

		needs := call(http.MethodGet, rejected).Wants(t, http.StatusOK)
		servicetest.Same(t, "draft before", needs["draft_uuid"], nil)
		change := servicetest.Record{"rule_id": "BR-KSA-84", "path": "invoice.form_lines.0.vat_rate", "from": "10", "to": "15"}
		servicetest.Same(t, "suggestion", servicetest.First(t, needs["changes"]), change)
		cause := servicetest.First(t, needs["causes"])
		for field, want := range map[string]any{"rule_id": "BR-KSA-84", "source": "request", "needs_person": false, "path": "invoice.form_lines.0.vat_rate"} {
			servicetest.Same(t, field, cause[field], want)
		}

		made := call(http.MethodPost, rejected).Wants(t, http.StatusCreated)
		draft := servicetest.IDOf(made)
		servicetest.Same(t, "suggestion", servicetest.First(t, made["changes"]), change)
		servicetest.Same(t, "repeated", servicetest.IDOf(call(http.MethodPost, rejected).Wants(t, http.StatusCreated)), draft)
		read := s.As(clerk, http.MethodGet, servicetest.DraftsPath+draft+"/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "corrects", read["corrects_uuid"], any(rejected.String()))
		written, _ := read["invoice"].(servicetest.Record)
		servicetest.Same(t, "rate", servicetest.First(t, written["form_lines"])["vat_rate"], any("15"))

		issued := s.As(clerk, http.MethodPost, servicetest.DraftsPath+draft+"/issue/", "").Wants(t, http.StatusAccepted)
		replacement := uuid.MustParse(servicetest.TextIn(issued, "invoice_uuid"))
		servicetest.Same(t, "status", servicetest.TextIn(shop.Final(replacement), "authority_response_status"), "CLEARED")
		after := call(http.MethodGet, rejected).Wants(t, http.StatusOK)
		servicetest.Same(t, "draft", after["draft_uuid"], any(draft))
		servicetest.Same(t, "replaced by", after["replaced_by_uuid"], any(replacement.String()))
		servicetest.Same(t, "replaces", call(http.MethodGet, replacement).Wants(t, http.StatusOK)["replaces_uuid"], any(rejected.String()))
		wantCode(t, "a replaced invoice", call(http.MethodPost, rejected), http.StatusConflict, "invoice_replaced")
		wantCode(t, "an accepted invoice", call(http.MethodPost, replacement), http.StatusConflict, "invoice_not_rejected")
	})
}

// A draft keeps the lines of the catalogue if no value of a line is changed. A
// deleted draft is replaced by a new one.
func TestCorrection_KeepsCatalogueLines(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, clerk := h.NewSeller(), h.Session(org.CreateInvoice, h.Org)
		item := shop.Stocked("Paper", nil)
		rejected := shop.Created(shop.Standard(servicetest.Fields{"form_lines": []any{}, "lines": []any{servicetest.Fields{"item_id": item.ID, "quantity": 2}}}))
		shop.Answered(rejected, ledger.NotCleared)
		correct := func() servicetest.Record {
			return h.As(clerk, http.MethodPost, servicetest.CorrectionPath(rejected), "").Wants(t, http.StatusCreated)
		}
		made := correct()
		written, _ := made["invoice"].(servicetest.Record)
		servicetest.Same(t, "item", servicetest.First(t, written["lines"])["item_id"], any(item.ID.String()))
		h.As(clerk, http.MethodDelete, servicetest.DraftsPath+servicetest.IDOf(made)+"/", "").Wants(t, http.StatusOK)
		if again := servicetest.IDOf(correct()); again == servicetest.IDOf(made) {
			t.Errorf("the draft after a deleted one is %s, want a new one", again)
		}
	})
}

// Twenty requests at once get the same draft.
func TestCorrection_RaceOfTwenty(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		shop, clerk := h.NewSeller(), h.Session(org.CreateInvoice, h.Org)
		rejected := shop.Created(shop.Standard())
		shop.Answered(rejected, ledger.NotCleared)
		ids := make([]string, 20)
		var all sync.WaitGroup
		for n := range ids {
			all.Go(func() {
				ids[n] = servicetest.TextIn(h.As(clerk, http.MethodPost, servicetest.CorrectionPath(rejected), "").JSON(t), "uuid")
			})
		}
		all.Wait()
		for _, id := range ids {
			if id == "" || id != ids[0] {
				t.Errorf("drafts %q, want the same", ids)
				break
			}
		}
		servicetest.Same(t, "drafts", h.As(clerk, http.MethodGet, servicetest.DraftsPath, "").Wants(t, http.StatusOK)["total"], any(servicetest.Number(1)))
	})
}
