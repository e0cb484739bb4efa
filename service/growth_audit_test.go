package service_test

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/audit"
	"khatm/service/admin"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
)

// measureAudit audits the smallest organisations until they have 10,000 documents
// together, and sets the rate. The audit trail, which is one for the whole
// installation, is left out, and so are its faults.
func measureAudit(t *testing.T, g *growth, size int, data, database string) {
	t.Helper()
	s, err := store.Command(t.Context(), store.Config{Dir: data, URL: database, Now: time.Now, NewID: uuid.New, Log: servicetest.Quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var report *audit.Report
	var documents int64
	began := time.Now()
	err = s.Snapshot(t.Context(), func(kept *store.Snapshot) error {
		source := &growthSource{admin.AuditSource(kept, time.Now()), map[uuid.UUID]bool{}}
		if documents, err = source.choose(t.Context(), g); err != nil {
			return err
		}
		began = time.Now()
		report, err = audit.Walk(t.Context(), source, audit.Options{Now: time.Now()})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for invariant, n := range report.Broken {
		if invariant != audit.TrailComplete {
			t.Errorf("the audit found %d faults against %s", n, invariant)
		}
	}
	g.Figures.set(auditRate, size, figure{Value: float64(documents) / time.Since(began).Seconds(), Unit: "documents/s"})
}

// growthSource is the source of an audit of some organisations.
type growthSource struct {
	audit.Source
	organisations map[uuid.UUID]bool
}

// choose selects the organisations and returns the number of their documents.
func (s *growthSource) choose(ctx context.Context, g *growth) (documents int64, err error) {
	counts := map[uuid.UUID]int64{}
	for d, err := range s.Source.Devices(ctx) {
		if err != nil {
			return 0, err
		}
		counts[d.Organisation] += d.Counter
	}
	for n := len(g.Sellers) - 1; n >= 0; n-- {
		id := g.Sellers[n].ID
		if documents > 0 && documents+counts[id] > 10_000 {
			break
		}
		documents += counts[id]
		s.organisations[id] = true
	}
	return documents, nil
}

// Devices implements [audit.Source].
func (s *growthSource) Devices(ctx context.Context) iter.Seq2[audit.Device, error] {
	return chosen(s, s.Source.Devices(ctx), func(d audit.Device) uuid.UUID { return d.Organisation })
}

// Usage implements [audit.Source].
func (s *growthSource) Usage(ctx context.Context) iter.Seq2[audit.Usage, error] {
	return chosen(s, s.Source.Usage(ctx), func(u audit.Usage) uuid.UUID { return u.Organisation })
}

// NumberGaps implements [audit.Source].
func (s *growthSource) NumberGaps(ctx context.Context) iter.Seq2[audit.NumberGap, error] {
	return chosen(s, s.Source.NumberGaps(ctx), func(g audit.NumberGap) uuid.UUID { return g.Organisation })
}

// Trail implements [audit.Source].
func (*growthSource) Trail(context.Context) iter.Seq2[audit.Entry, error] {
	return func(func(audit.Entry, error) bool) {}
}

// chosen returns the elements of the chosen organisations.
func chosen[T any](s *growthSource, all iter.Seq2[T, error], of func(T) uuid.UUID) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for one, err := range all {
			if (err != nil || s.organisations[of(one)]) && !yield(one, err) {
				return
			}
		}
	}
}
