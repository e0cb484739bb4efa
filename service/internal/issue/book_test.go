package issue_test

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// book is an in-memory Keeper. Like the database, it returns copies of the
// requested state and stores what was decided.
type book struct {
	mu sync.Mutex

	organisation org.Organisation
	branches     map[uuid.UUID]org.Branch
	devices      map[uuid.UUID]issue.Chain
	clients      map[uuid.UUID]trade.Client
	reasons      map[uuid.UUID]trade.Reason
	items        map[uuid.UUID]trade.Item
	earlier      map[uuid.UUID]issue.Earlier
	claims       map[uuid.UUID]uuid.UUID
	series       map[string]issue.Series
	guards       map[issue.Digest]issue.Guard
	keys         map[string]issue.Issued
	plan         org.Plan
	used         int
	stopped      string

	entries []issue.Entry    // in the order written
	batches []*issue.Entries // what each append wrote
	appends int              // number of appends

	// Hooks of tests.
	taking  func()                        // before Append takes the lock
	onState func(*issue.State)            // called with the state before the decision
	commit  func() error                  // result of the commit; entries are written unless lost is set
	lost    bool                          // the commit writes nothing
	finding func()                        // after Earlier has read documents
	asked   func() error                  // result of Issued
	looking func() error                  // result of Look
	twice   bool                          // Append decides twice, like a database that retries a transaction
	adding  func() (documents, bytes int) // limits of what is added to a batch under the lock; nil if nothing is
}

func newBook() *book {
	return &book{
		branches: map[uuid.UUID]org.Branch{}, devices: map[uuid.UUID]issue.Chain{}, clients: map[uuid.UUID]trade.Client{},
		reasons: map[uuid.UUID]trade.Reason{}, items: map[uuid.UUID]trade.Item{}, earlier: map[uuid.UUID]issue.Earlier{},
		claims: map[uuid.UUID]uuid.UUID{}, series: map[string]issue.Series{}, guards: map[issue.Digest]issue.Guard{},
		keys: map[string]issue.Issued{}, plan: org.Plan{Slug: "business", Name: "Business", Invoices: org.Unlimited},
	}
}

func (b *book) Organisation(context.Context, org.Tenant) (org.Organisation, error) {
	return b.organisation, nil
}

func (b *book) Branch(_ context.Context, _ org.Tenant, id uuid.UUID) (org.Branch, error) {
	return kept(b, b.branches, id)
}

func (b *book) Device(_ context.Context, _ org.Tenant, id uuid.UUID) (device.Device, error) {
	chain, err := kept(b, b.devices, id)
	return chain.Device, err
}

func (b *book) Client(_ context.Context, _ org.Tenant, id uuid.UUID) (trade.Client, error) {
	return kept(b, b.clients, id)
}

func (b *book) Reason(_ context.Context, _ org.Tenant, id uuid.UUID) (trade.Reason, error) {
	return kept(b, b.reasons, id)
}

func (b *book) ActiveReasons(context.Context, org.Tenant, int) ([]trade.Reason, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Collect(maps.Values(b.reasons)), func(r trade.Reason) bool { return !r.Active }), nil
}

func kept[T any](b *book, all map[uuid.UUID]T, id uuid.UUID) (T, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	one, known := all[id]
	if !known {
		return one, fault.Missing("It")
	}
	return one, nil
}

func (b *book) ItemsByID(_ context.Context, _ org.Tenant, ids []uuid.UUID) (map[uuid.UUID]trade.Item, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return among(b.items, ids), nil
}

func (b *book) Earlier(_ context.Context, _ org.Tenant, ids []uuid.UUID) (map[uuid.UUID]issue.Earlier, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := among(b.earlier, ids)
	if b.finding != nil {
		b.finding()
	}
	return found, nil
}

func among[K comparable, T any](all map[K]T, wanted []K) map[K]T {
	found := map[K]T{}
	for _, key := range wanted {
		if one, known := all[key]; known {
			found[key] = one
		}
	}
	return found
}

func (b *book) Look(_ context.Context, _ org.Tenant, w issue.Wants) (*issue.State, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.looking != nil {
		if err := b.looking(); err != nil {
			return nil, err
		}
	}
	return b.stateFor(w), nil
}

func (b *book) stateFor(w issue.Wants) *issue.State {
	state := &issue.State{
		Documents: int64(len(b.entries)), Stopped: b.stopped,
		Usage:  org.Usage{Plan: b.plan, Month: org.UsageMonth(w.At), Invoices: b.used},
		Series: maps.Clone(b.series), Devices: map[uuid.UUID]*issue.Chain{}, Stock: map[uuid.UUID]issue.Stock{},
		Claims: among(b.claims, w.Drafts), Earlier: among(b.earlier, w.Earlier), Guards: among(b.guards, w.Guards), Keys: among(b.keys, w.Keys),
	}
	if w.Seller {
		seller := b.organisation
		state.Seller = &seller
	}
	for id, chain := range among(b.devices, w.Devices) {
		state.Devices[id] = &chain
	}
	for id, item := range among(b.items, w.Items) {
		state.Stock[id] = issue.Stock{Name: item.Name, Active: item.Active, Left: item.Stock}
	}
	return state
}

func (b *book) Append(_ context.Context, _ org.Tenant, w issue.Wants, decide func(*issue.State) (*issue.Entries, error)) error {
	if b.taking != nil {
		b.taking()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.adding != nil && w.More != nil {
		w = w.More(b.adding())
	}
	b.appends++
	if b.twice {
		if _, err := b.decided(w, decide); err != nil {
			return err
		}
	}
	entries, err := b.decided(w, decide)
	if err != nil {
		return err
	}
	var failed error
	if b.commit != nil {
		failed = b.commit()
	}
	if failed == nil || !b.lost {
		b.enter(entries)
	}
	return failed
}

func (b *book) decided(w issue.Wants, decide func(*issue.State) (*issue.Entries, error)) (*issue.Entries, error) {
	state := b.stateFor(w)
	if b.onState != nil {
		b.onState(state)
	}
	return decide(state)
}

// enter stores what a batch wrote.
func (b *book) enter(e *issue.Entries) {
	b.batches = append(b.batches, e)
	maps.Copy(b.series, e.Series)
	for _, chain := range e.Devices {
		kept := *chain
		kept.Appended = false
		b.devices[chain.ID] = kept
	}
	for id, left := range e.Stock {
		item := b.items[id]
		item.Stock = &left
		b.items[id] = item
	}
	for _, one := range e.Invoices {
		b.enterInvoice(one)
	}
}

func (b *book) enterInvoice(one issue.Entry) {
	b.entries = append(b.entries, one)
	b.used++
	i := one.Invoice
	b.guards[one.Guard] = issue.Guard{Invoice: i.ID, Until: i.CreatedAt.Add(issue.GuardTime)}
	if i.IdempotencyKey != "" {
		b.keys[i.IdempotencyKey] = issue.Issued{Digest: one.Body, Invoice: i}
	}
	for _, c := range one.Credits {
		o := b.earlier[c.Original]
		o.Credited, o.CreditedRows = o.Credited.Add(c.Amount), slices.Concat(o.CreditedRows, c.Rows)
		b.earlier[c.Original] = o
	}
	for _, d := range one.Deductions {
		o := b.earlier[d.Advance]
		o.DeductedRows = slices.Concat(o.DeductedRows, d.Rows)
		b.earlier[d.Advance] = o
	}
	e := issue.Earlier{
		ID: i.ID, Number: i.Number, IssueDate: i.IssueDate, IssueTime: i.IssueTime, Kind: i.Kind, Simple: i.Transaction.Simplified,
		Currency: i.Record.Currency, WithVAT: i.Record.Totals.WithVAT, Breakdown: i.Record.Breakdown, Lines: map[uuid.UUID]bool{},
	}
	if i.Record.Buyer != nil {
		e.Buyer = i.Record.Buyer.ID
	}
	for _, l := range i.Record.Lines {
		e.Lines[l.ID] = true
	}
	b.earlier[i.ID] = e
}

func (b *book) Issued(_ context.Context, _ org.Tenant, ids []uuid.UUID) (map[uuid.UUID]bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asked != nil {
		if err := b.asked(); err != nil {
			return nil, err
		}
	}
	there := map[uuid.UUID]bool{}
	for _, e := range b.entries {
		if slices.Contains(ids, e.Invoice.ID) {
			there[e.Invoice.ID] = true
		}
	}
	return there, nil
}

// accept marks a document as accepted by the authority.
func (b *book) accept(id uuid.UUID) {
	b.change(id, func(e *issue.Earlier) { e.Status = ledger.Reported })
}

// reject marks a document as rejected and releases what it used.
func (b *book) reject(id uuid.UUID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, one := range b.entries {
		if one.Invoice.ID != id {
			continue
		}
		for _, c := range one.Credits {
			o := b.earlier[c.Original]
			o.Credited, o.CreditedRows = o.Credited.Sub(c.Amount), without(o.CreditedRows, c.Rows)
			b.earlier[c.Original] = o
		}
		for _, d := range one.Deductions {
			o := b.earlier[d.Advance]
			o.DeductedRows = without(o.DeductedRows, d.Rows)
			b.earlier[d.Advance] = o
		}
	}
	e := b.earlier[id]
	e.Status = ledger.NotCleared
	b.earlier[id] = e
}

// without returns a copy of all without the first occurrence of each of rows.
func without(all, rows []ledger.Subtotal) []ledger.Subtotal {
	all = slices.Clone(all)
	for _, r := range rows {
		if n := slices.IndexFunc(all, func(s ledger.Subtotal) bool {
			return s.Category == r.Category && s.ReasonText == r.ReasonText && s.Rate.Equal(r.Rate) && s.Taxable.Equal(r.Taxable) && s.VAT.Equal(r.VAT)
		}); n >= 0 {
			all = slices.Delete(all, n, n+1)
		}
	}
	return all
}

// change changes an earlier document.
func (b *book) change(id uuid.UUID, with func(*issue.Earlier)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.earlier[id]
	with(&e)
	b.earlier[id] = e
}

// imported adds an invoice of an older system.
func (b *book) imported(id, buyer uuid.UUID, withVAT string) {
	b.earlier[id] = issue.Earlier{
		ID: id, Number: "OLD-7", IssueDate: "2025-12-31", Imported: true, Kind: invoice.TaxInvoice, Buyer: buyer, Currency: "SAR", WithVAT: money.MustParse(withVAT),
	}
}
