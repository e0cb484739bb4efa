package service_test

import (
	"context"
	"encoding/base64"
	"iter"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/audit"
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
		source := &growthSource{kept: kept, organisations: map[uuid.UUID]bool{}}
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

// growthSource is a part of the organisations as a source of an audit.
type growthSource struct {
	kept          *store.Snapshot
	organisations map[uuid.UUID]bool
	devices       []store.KeptDevice
}

// choose selects the organisations and returns the number of their documents.
func (s *growthSource) choose(ctx context.Context, g *growth) (documents int64, err error) {
	all, err := s.kept.AllDevices(ctx)
	if err != nil {
		return 0, err
	}
	of := map[uuid.UUID][]store.KeptDevice{}
	for _, d := range all {
		of[d.Organisation] = append(of[d.Organisation], d)
	}
	for n := len(g.Sellers) - 1; n >= 0; n-- {
		more := int64(0)
		for _, d := range of[g.Sellers[n].ID] {
			more += d.Counter
		}
		if documents > 0 && documents+more > 10_000 {
			break
		}
		documents += more
		s.organisations[g.Sellers[n].ID] = true
		s.devices = append(s.devices, of[g.Sellers[n].ID]...)
	}
	return documents, nil
}

// Devices implements [audit.Source].
func (s *growthSource) Devices(context.Context) iter.Seq2[audit.Device, error] {
	return func(yield func(audit.Device, error) bool) {
		for _, d := range s.devices {
			one := audit.Device{ID: d.ID, Organisation: d.Organisation, Name: d.CommonName, Counter: d.Counter, LastHash: d.LastHash, LastIssuedAt: d.LastIssuedAt}
			for _, token := range d.Tokens {
				der, err := base64.StdEncoding.DecodeString(token)
				if err == nil {
					one.Certificates = append(one.Certificates, der)
				}
			}
			if !yield(one, nil) {
				return
			}
		}
	}
}

// Documents implements [audit.Source].
func (s *growthSource) Documents(ctx context.Context, of audit.Device) iter.Seq2[audit.Document, error] {
	return func(yield func(audit.Document, error) bool) {
		err := s.kept.Documents(ctx, of.Organisation, of.ID, func(d store.KeptDocument) error {
			if !yield(auditDocument(d), nil) {
				return context.Canceled
			}
			return nil
		})
		if err != nil {
			yield(audit.Document{}, err)
		}
	}
}

// auditDocument converts a stored document as khatm audit does.
func auditDocument(d store.KeptDocument) audit.Document {
	out := audit.Document{
		ID: d.ID, Counter: d.Counter, Number: d.Number, TypeCode: d.TypeCode, Transaction: d.Transaction, Hash: d.Hash, PreviousHash: d.PreviousHash,
		IssueDate: d.IssueDate, IssueTime: d.IssueTime, IssuedAt: d.IssuedAt, CreatedAt: d.CreatedAt, IdempotencyKey: d.IdempotencyKey, XML: d.XML, QR: d.QR,
		State: d.State, Status: audit.Status(d.Status), Code: d.Code, SubmittedAt: d.SubmittedAt, AnsweredAt: d.AnsweredAt,
		ClearedQR: d.ClearedQR, Damage: d.Damage,
	}
	if v := d.Verdict; v != nil {
		out.Verdicts = []audit.Verdict{{Status: audit.Status(v.Status), Code: v.Code}}
		out.Cleared, out.Unstamped = v.Stamped, v.Flag != ""
	}
	for _, a := range d.Attempts {
		one := audit.Attempt{Token: strconv.Itoa(a.Number), Copy: a.Copy, Endpoint: string(a.Route), Started: a.ClaimedAt, Outcome: string(a.Outcome), Code: a.Code}
		if a.EndedAt != nil {
			one.Ended = *a.EndedAt
		}
		out.Attempts = append(out.Attempts, one)
	}
	return out
}

// Usage implements [audit.Source].
func (s *growthSource) Usage(ctx context.Context) iter.Seq2[audit.Usage, error] {
	return func(yield func(audit.Usage, error) bool) {
		err := s.kept.AllUsage(ctx, func(u store.KeptUsage) error {
			if s.organisations[u.Organisation] && !yield(audit.Usage{Organisation: u.Organisation, Month: u.Month, Used: int64(u.Invoices), Ceiling: -1}, nil) {
				return context.Canceled
			}
			return nil
		})
		if err != nil {
			yield(audit.Usage{}, err)
		}
	}
}

// NumberGaps implements [audit.Source].
func (*growthSource) NumberGaps(context.Context) iter.Seq2[audit.NumberGap, error] {
	return func(func(audit.NumberGap, error) bool) {}
}

// Trail implements [audit.Source].
func (*growthSource) Trail(context.Context) iter.Seq2[audit.Entry, error] {
	return func(func(audit.Entry, error) bool) {}
}
