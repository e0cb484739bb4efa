package store_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/submit"
)

// BenchmarkDigests compares reads that check digests with the same reads
// without checks: one cleared invoice with its verdict, and a list of 100.
func BenchmarkDigests(b *testing.B) {
	s := open(b, storetest.SQLite(b))
	seller := s.seller(s.by)
	var last uuid.UUID
	for range 120 {
		i := seller.issue(func(e *issue.Entry) { e.XML = bytes.Repeat([]byte("<cbc:ID>1</cbc:ID>"), 600) })
		r := s.resultOf(s.by.Tenant, i.ID, ledger.Cleared, instantOf(40))
		r.Answer.Stamped = bytes.Repeat([]byte("<cbc:ID>2</cbc:ID>"), 600)
		_, err := s.Record(s.ctx, s.by.Tenant, []submit.Result{r})
		ok(b, err)
		last = i.ID
	}
	of := s.by.Tenant
	for name, reads := range map[string][2]func() error{
		"get": {
			func() error {
				if _, err := s.Invoice(s.ctx, of, last); err != nil {
					return err
				}
				_, err := s.Verdict(s.ctx, of, last)
				return err
			},
			func() error { return store.UnverifiedGet(s.ctx, s.Store, of, last) },
		},
		"list of 100": {
			func() error {
				_, err := s.Invoices(s.ctx, of, ledger.Filter{}, org.Page{Size: 100, Number: 1})
				return err
			},
			func() error {
				_, err := store.UnverifiedList(s.ctx, s.Store, of, 100)
				return err
			},
		},
	} {
		// The reads alternate and the best time of each counts, because the
		// machine may be busy.
		b.Run(name, func(b *testing.B) {
			best := [2]time.Duration{time.Hour, time.Hour}
			for b.Loop() {
				for n, read := range reads {
					begun := time.Now()
					ok(b, read())
					best[n] = min(best[n], time.Since(begun))
				}
			}
			b.ReportMetric(float64(best[0].Microseconds()), "µs-checked")
			b.ReportMetric(float64(best[1].Microseconds()), "µs-unchecked")
			b.ReportMetric(float64(best[0])/float64(best[1]), "ratio")
		})
	}
}
