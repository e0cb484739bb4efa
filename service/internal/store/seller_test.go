package store_test

import (
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// seller is a device that issues sample documents.
type seller struct {
	s      *fixture
	by     org.Actor
	device uuid.UUID
}

// seller adds a new device that has issued nothing.
func (s *fixture) seller(by org.Actor) *seller {
	s.t.Helper()
	d := sampleDevice(s.config.NewID(), nil)
	d.Counter, d.LastHash, d.LastIssuedAt, d.Retired = 0, "", time.Time{}, false
	ok(s.t, s.AddDevice(s.ctx, by, d))
	return &seller{s, by, d.ID}
}

// append issues a batch of samples, one for each change.
func (t *seller) append(changes ...func(*issue.Entry)) (written []issue.Entry, err error) {
	wants := issue.Wants{At: t.s.config.Now(), Devices: []uuid.UUID{t.device}}
	err = t.s.Append(t.s.ctx, t.by.Tenant, wants, func(state *issue.State) (*issue.Entries, error) {
		written = nil // the transaction may run twice
		chain, numbers := state.Devices[t.device], state.Series["INV"]
		numbers.Prefix, numbers.First, numbers.Year = "INV", 1, 2026
		for _, change := range changes {
			numbers.Last++
			e := sampleEntry(t.s, t.by, chain, numbers)
			change(&e)
			chain.Counter, chain.LastHash, chain.LastIssuedAt = e.Invoice.Counter, e.Invoice.Hash, e.Invoice.IssuedAt
			written = append(written, e)
		}
		return &issue.Entries{
			Invoices: written, Devices: []*issue.Chain{chain}, Series: map[string]issue.Series{"INV": numbers}, Month: state.Usage.Month,
		}, nil
	})
	return written, err
}

// asIs does not change a sample.
func asIs(*issue.Entry) {}

// issue issues one sample.
func (t *seller) issue(change func(*issue.Entry)) ledger.Invoice {
	t.s.t.Helper()
	written, err := t.append(change)
	ok(t.s.t, err)
	return written[0].Invoice
}

// answered issues one sample and records an answer of the authority.
func (t *seller) answered(status ledger.Status) ledger.Invoice {
	t.s.t.Helper()
	i := t.issue(asIs)
	ok(t.s.t, t.s.Answer(t.s.ctx, t.by.Tenant, i.ID, status, instantOf(40)))
	return i
}
