package store_test

import (
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
)

func TestRemarksAreReadAsTheyWereWritten(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		about, neighbour := seller.issue(asIs), seller.issue(asIs)
		foreign := s.seller(s.other).issue(asIs)
		same(t, []ledger.Remark{})(s.Remarks(s.ctx, s.by.Tenant, about.ID))
		first, second, third := sampleRemark(s.config.NewID()), sampleRemark(s.config.NewID()), sampleRemark(s.config.NewID())
		filled(t, first)
		second.Title, second.Details, second.CreatedBy = "ملاحظة", "", ""
		ok(t, s.AddRemark(s.ctx, s.by, about.ID, first))
		ok(t, s.AddRemark(s.ctx, s.by, about.ID, second))
		ok(t, s.AddRemark(s.ctx, s.by, neighbour.ID, third))
		same(t, []ledger.Remark{first, second})(s.Remarks(s.ctx, s.by.Tenant, about.ID))
		same(t, []ledger.Remark{third})(s.Remarks(s.ctx, s.by.Tenant, neighbour.ID))
		same(t, []ledger.Remark{})(s.Remarks(s.ctx, s.other.Tenant, foreign.ID))

		before := s.contents()
		for _, id := range []uuid.UUID{foreign.ID, uuid.Nil, uuid.Max} {
			refused(t, s.AddRemark(s.ctx, s.by, id, sampleRemark(s.config.NewID())), fault.NotFound, "Invoice not found")
			_, err := s.Remarks(s.ctx, s.by.Tenant, id)
			refused(t, err, fault.NotFound, "Invoice not found")
		}
		if err := s.AddRemark(s.ctx, s.by, about.ID, ledger.Remark{ID: s.config.NewID()}); !isRefusal(err) {
			t.Errorf("remark without a title: %v, want a refusal", err)
		}
		same(t, before)(s.contents(), nil)
	})
}

func TestEarlierWithUsedNumber(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		ok(t, s.AddEarlier(s.ctx, s.by, sampleEarlier(s.config.NewID())))
		before := s.contents()
		err := s.AddEarlier(s.ctx, s.by, sampleEarlier(s.config.NewID()))
		refused(t, err, fault.Invalid, "An earlier invoice with this number is already registered.")
		same(t, before)(s.contents(), nil)
		if n := s.count(`SELECT count(*) FROM invoice`) + s.count(`SELECT count(*) FROM usage`); n != 0 {
			t.Errorf("earlier invoices count as %d invoices, want 0", n)
		}
	})
}
