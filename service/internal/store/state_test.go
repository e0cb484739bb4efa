package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// wantsAll returns a request for all rows in the database, of all
// organisations.
func (s *fixture) wantsAll() issue.Wants {
	s.t.Helper()
	w := issue.Wants{At: s.config.Now(), Devices: s.idsOf("device"), Items: s.idsOf("item"), Drafts: s.idsOf("draft"), Earlier: append(s.idsOf("invoice"), s.idsOf("earlier_invoice")...)}
	for _, r := range s.records(`SELECT digest FROM guard`) {
		digest, _ := r["digest"].([]byte)
		w.Guards = append(w.Guards, issue.Digest(digest))
	}
	w.Keys = s.texts(`SELECT idempotency_key FROM invoice WHERE idempotency_key IS NOT NULL`)
	return w
}

// sizeOf returns the number of entries in a state.
func sizeOf(d *issue.State) int {
	return d.Usage.Invoices + len(d.Series) + len(d.Devices) + len(d.Stock) + len(d.Claims) + len(d.Earlier) + len(d.Guards) + len(d.Keys)
}

// taken returns the state that Append reads.
func (s *fixture) taken(of org.Tenant, wants issue.Wants) (state *issue.State) {
	s.t.Helper()
	ok(s.t, s.Append(s.ctx, of, wants, func(d *issue.State) (*issue.Entries, error) {
		state = d
		return &issue.Entries{}, nil
	}))
	return state
}

func TestStateHoldsWhatIsWanted(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		ok(t, s.PutSecret(s.ctx, s.by, issue.DeviceKey, seller.device.String(), sealedSample(1)))
		limited, free := sampleItem(s.config.NewID()), sampleItem(s.config.NewID())
		free.Stock, free.Active = nil, false
		ok(t, s.AddItem(s.ctx, s.by, limited))
		ok(t, s.AddItem(s.ctx, s.by, free))
		written, err := seller.append(asIs)
		ok(t, err)
		one := written[0]
		keyless := s.seller(s.by)
		s.seller(s.other).issue(asIs)
		ok(t, s.AddItem(s.ctx, s.other, sampleItem(s.config.NewID())))
		claimed := s.beingIssued(uuid.Max)
		s.newDraft()
		s.beingIssued(uuid.Nil) // written by an older program
		s.folder(s.beingIssued(uuid.Max), func(f *share.Folder) { f.Claim = nil })
		_, err = s.ChangeDraft(s.ctx, s.by, s.beingIssued(uuid.Max).ID, func(f *share.Folder) error { f.Removed = true; return nil })
		ok(t, err)

		usage, err := s.Usage(s.ctx, s.by.Tenant, s.config.Now())
		ok(t, err)
		chain, other := &issue.Chain{Key: sealedSample(1)}, &issue.Chain{}
		chain.Device, err = s.Device(s.ctx, s.by.Tenant, seller.device)
		ok(t, err)
		other.Device, err = s.Device(s.ctx, s.by.Tenant, keyless.device)
		ok(t, err)
		i := one.Invoice
		want := &issue.State{
			Usage:   usage,
			Series:  map[string]issue.Series{"INV": {Prefix: "INV", First: 1, Year: 2026, Last: 1}},
			Devices: map[uuid.UUID]*issue.Chain{seller.device: chain, keyless.device: other},
			Stock:   map[uuid.UUID]issue.Stock{limited.ID: {Name: limited.Name, Active: true, Left: limited.Stock}, free.ID: {Name: free.Name}},
			Claims:  map[uuid.UUID]uuid.UUID{claimed.ID: uuid.Max},
			Earlier: map[uuid.UUID]issue.Earlier{i.ID: earlierOf(i)},
			Guards:  map[issue.Digest]issue.Guard{one.Guard: {Invoice: i.ID, Until: i.CreatedAt.Add(issue.GuardTime)}},
			Keys: map[string]issue.Issued{i.IdempotencyKey: {Digest: one.Body, Invoice: ledger.Invoice{
				IdempotencyKey: i.IdempotencyKey, ID: i.ID, Task: i.Task, Number: i.Number, Transaction: i.Transaction, QR: i.QR, Held: true,
			}}},
		}
		if usage.Invoices != 1 || chain.Counter != i.Counter || chain.LastHash != i.Hash || !chain.LastIssuedAt.Equal(i.IssuedAt) {
			t.Errorf("usage is %d, the chain ends with counter %d, hash %q, time %s, want those of the invoice", usage.Invoices, chain.Counter, chain.LastHash, chain.LastIssuedAt)
		}
		same(t, want)(s.Look(s.ctx, s.by.Tenant, s.wantsAll()))
		want.Documents = 1
		same(t, want)(s.taken(s.by.Tenant, s.wantsAll()), nil)

		bare := &issue.State{
			Usage: usage, Series: want.Series, Devices: map[uuid.UUID]*issue.Chain{}, Stock: map[uuid.UUID]issue.Stock{}, Claims: map[uuid.UUID]uuid.UUID{},
			Earlier: map[uuid.UUID]issue.Earlier{}, Guards: map[issue.Digest]issue.Guard{}, Keys: map[string]issue.Issued{},
		}
		same(t, bare)(s.Look(s.ctx, s.by.Tenant, issue.Wants{At: s.config.Now()}))
		bare.Documents = 1
		bare.Usage.Month, bare.Usage.Invoices = bare.Usage.Month.AddDate(0, 1, 0), 0
		same(t, bare)(s.taken(s.by.Tenant, issue.Wants{At: s.config.Now().AddDate(0, 1, 0)}), nil)
	})
}

// earlierOf returns an issued sample as a later document sees it.
func earlierOf(i ledger.Invoice) issue.Earlier {
	return issue.Earlier{
		ID: i.ID, Number: i.Number, IssueDate: i.IssueDate, IssueTime: i.IssueTime, Kind: i.Kind, Simple: i.Transaction.Simplified,
		Buyer: i.Record.Buyer.ID, Currency: i.Record.Currency, Status: i.Status, WithVAT: i.Record.Totals.WithVAT, Rounding: i.Record.Totals.Rounding,
		Lines: map[uuid.UUID]bool{i.Record.Lines[0].ID: true}, Breakdown: i.Record.Breakdown,
	}
}

// A guard is part of the state until it expires, and is only then deleted.
func TestGuardsEnd(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		written, err := seller.append(asIs)
		ok(t, err)
		s.seller(s.other).issue(asIs)
		guard := written[0].Guard
		end := written[0].Invoice.CreatedAt.Add(issue.GuardTime)
		for at, want := range map[time.Time]int{end.Add(-time.Millisecond): 1, end: 0} {
			state, err := s.Look(s.ctx, s.by.Tenant, issue.Wants{At: at, Guards: []issue.Digest{guard}})
			if err != nil || len(state.Guards) != want {
				t.Errorf("guards at %s = %d, %v, want %d", at, len(state.Guards), err, want)
			}
		}
		ok(t, s.SweepGuards(s.ctx, end.Add(-time.Millisecond)))
		if n := s.count(`SELECT count(*) FROM guard`); n != 2 {
			t.Errorf("%d guards are left before they expire, want 2", n)
		}
		// The same data again extends its guard.
		again := seller.issue(func(e *issue.Entry) { e.Guard, e.Invoice.CreatedAt = guard, end })
		state, err := s.Look(s.ctx, s.by.Tenant, issue.Wants{At: end, Guards: []issue.Digest{guard}})
		ok(t, err)
		same(t, map[issue.Digest]issue.Guard{guard: {Invoice: again.ID, Until: end.Add(issue.GuardTime)}})(state.Guards, nil)
		ok(t, s.SweepGuards(s.ctx, end))
		if n := s.count(`SELECT count(*) FROM guard`); n != 1 {
			t.Errorf("%d guards are left, want only the extended one", n)
		}
	})
}

func TestEarlierIsReadAsItWasWritten(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		imported, plain := sampleEarlier(s.config.NewID()), sampleEarlier(s.config.NewID())
		plain.Number, plain.Simple, plain.Buyer, plain.Breakdown = "OLD-8", false, uuid.Nil, nil
		ok(t, s.AddEarlier(s.ctx, s.by, imported))
		ok(t, s.AddEarlier(s.ctx, s.by, plain))
		foreign := sampleEarlier(s.config.NewID())
		ok(t, s.AddEarlier(s.ctx, s.other, foreign)) // same number: numbers are unique only within an organisation
		theirs := s.seller(s.other).issue(asIs)
		issued := seller.issue(asIs)
		simple := seller.issue(func(e *issue.Entry) {
			e.Invoice.Kind, e.Invoice.Transaction = invoice.AdvancePayment, invoice.Transaction{Simplified: true}
		})
		ok(t, s.Answer(s.ctx, s.by.Tenant, issued.ID, ledger.Cleared, instantOf(41)))
		issued.Status = ledger.Cleared
		want := map[uuid.UUID]issue.Earlier{imported.ID: imported, plain.ID: plain, issued.ID: earlierOf(issued), simple.ID: earlierOf(simple)}
		everything := s.wantsAll().Earlier
		if len(everything) != len(want)+2 {
			t.Fatalf("%d documents are known, want %d", len(everything), len(want)+2)
		}
		same(t, want)(s.Earlier(s.ctx, s.by.Tenant, everything))
		same(t, map[uuid.UUID]issue.Earlier{})(s.Earlier(s.ctx, s.by.Tenant, nil))
		same(t, map[uuid.UUID]issue.Earlier{})(s.Earlier(s.ctx, s.by.Tenant, []uuid.UUID{theirs.ID, foreign.ID, uuid.Nil}))
	})
}

// Credits on a document and its deduction are returned until they are released.
func TestEarlierWithCreditsAndDeductions(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		advance := seller.issue(asIs)
		old := sampleEarlier(s.config.NewID())
		ok(t, s.AddEarlier(s.ctx, s.by, old))
		takes := func(amount string) func(*issue.Entry) {
			return func(e *issue.Entry) {
				e.Credits = []issue.Credit{
					{Original: advance.ID, Amount: decimalOf(amount), Rows: sampleRows[:1]},
					{Original: old.ID, Amount: decimalOf("0.10")},
				}
			}
		}
		seller.issue(takes("1.15"))
		seller.issue(takes("2.30"))
		seller.issue(func(e *issue.Entry) { e.Deductions = []issue.Deduction{{Advance: advance.ID, Rows: sampleRows[:1]}} })
		want := earlierOf(advance)
		seller.issue(func(e *issue.Entry) { e.Deductions = []issue.Deduction{{Advance: advance.ID, Rows: sampleRows[1:]}} })
		want.Credited, want.CreditedRows, want.DeductedRows = decimalOf("3.45"), slices.Repeat(sampleRows[:1], 2), sampleRows
		old.Credited = decimalOf("0.20")
		both := []uuid.UUID{advance.ID, old.ID}
		same(t, map[uuid.UUID]issue.Earlier{advance.ID: want, old.ID: old})(s.Earlier(s.ctx, s.by.Tenant, both))

		s.execute(`UPDATE credit SET released = 1 WHERE amount <> '1.15'`)
		s.execute(`UPDATE deduction SET released = 1`)
		want.Credited, want.CreditedRows, want.DeductedRows = decimalOf("1.15"), sampleRows[:1], nil
		old.Credited = decimalOf("0")
		same(t, map[uuid.UUID]issue.Earlier{advance.ID: want, old.ID: old})(s.Earlier(s.ctx, s.by.Tenant, both))

		// Deductions of versions that deducted advances in full have no amounts.
		drop := `DROP TRIGGER deduction_is_final`
		if s.config.URL != "" {
			drop += ` ON deduction`
		}
		s.execute(drop)
		s.execute(`UPDATE deduction SET released = 0, vat_rows = NULL`)
		want.Spent = true
		same(t, map[uuid.UUID]issue.Earlier{advance.ID: want, old.ID: old})(s.Earlier(s.ctx, s.by.Tenant, both))
	})
}
