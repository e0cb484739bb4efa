package issue

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"khatm/invoice"
	"khatm/money"
	"khatm/seal"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/trade"
)

// member is one request of a batch and its outcome.
type member struct {
	prepared *prepared
	id       uuid.UUID
	task     uuid.UUID
	done     chan struct{}
	issued   ledger.Invoice
	before   bool    // issued earlier with the same idempotency key
	same     *member // the member that it repeats, if in the same batch
	err      error
}

// written is a document that has its number and chain position, but no stamp
// yet.
type written struct {
	member   *member
	chain    *Chain
	unsigned *seal.Unsigned
	at       time.Time
	entry    Entry
	sealed   *seal.Sealed
}

// decide numbers and stamps the members of a batch, in order, from the given
// state. A refused member consumes nothing, neither a number nor stock. The
// returned entries are written completely or not at all.
func (i *Issuer) decide(state *State, batch []*member, now time.Time) (*Entries, error) {
	entries := &Entries{Series: map[string]Series{}, Stock: map[uuid.UUID]money.Decimal{}, Month: state.Usage.Month}
	var places []*written
	for _, m := range batch {
		m.issued, m.before, m.same = ledger.Invoice{}, false, nil // the transaction may be retried
		w, err := i.place(state, entries, m, now)
		if m.err = err; err == nil && w != nil {
			places = append(places, w)
		}
	}
	if err := i.stamp(places); err != nil {
		return nil, err
	}
	entries.Invoices = make([]Entry, 0, len(places))
	for _, w := range places {
		w.finish()
		entries.Invoices = append(entries.Invoices, w.entry)
	}
	for _, m := range batch {
		if m.same != nil {
			m.issued = m.same.issued
		}
	}
	for _, chain := range state.Devices {
		if chain.Appended {
			entries.Devices = append(entries.Devices, chain)
		}
	}
	return entries, nil
}

// place assigns a number, a time and a chain position to one member, and
// removes what the document consumes from the state. It returns nil for a
// repeated request.
func (i *Issuer) place(state *State, entries *Entries, m *member, now time.Time) (*written, error) {
	p := m.prepared
	if err := p.stillKnown(state); err != nil {
		return nil, err
	}
	before, err := p.repeated(state, now)
	if err != nil {
		return nil, err
	}
	if before != nil {
		m.issued, m.before, m.same = before.Invoice, true, before.origin
		return nil, nil //nolint:nilnil // nothing is to be written
	}
	if err := p.stillClaimed(state); err != nil {
		return nil, err
	}
	if err := overAllowance(state, i.UpgradeURL); err != nil {
		return nil, err
	}
	if err := i.refresh(p, state, now); err != nil {
		return nil, err
	}
	if err := p.available(state, now); err != nil {
		return nil, err
	}
	chain := state.Devices[p.Device]
	at, err := issueTime(chain, now)
	if err != nil {
		return nil, err
	}
	name, series, number, err := state.next(p.kind(), at)
	if err != nil {
		return nil, err
	}
	identity := invoice.Identity{Number: number, UUID: m.id.String(), Counter: chain.Counter + 1, PreviousHash: chain.LastHash}.At(at)
	inv, err := p.document.UBL(identity)
	if err != nil {
		return nil, fmt.Errorf("write invoice %s: %w", number, err)
	}
	unsigned, err := seal.Prepare(inv)
	if err != nil {
		return nil, fmt.Errorf("hash invoice %s: %w", number, err)
	}
	w := &written{member: m, chain: chain, unsigned: unsigned, at: at}
	if w.entry, err = i.entry(m, identity, at, now); err != nil {
		return nil, err
	}
	// Nothing below can fail, so the state may be changed.
	state.Series[name], entries.Series[name] = series, series
	chain.Counter, chain.LastHash, chain.LastIssuedAt, chain.Appended = identity.Counter, unsigned.Hash, at, true
	chain.Released = false // the release was for one document
	state.Usage.Invoices++
	p.take(state, entries, &w.entry)
	state.Guards[p.guardOf()] = Guard{Invoice: m.id, Until: now.Add(GuardTime)}
	w.entry.Invoice.Held = chain.Parked || i.paused()
	if p.IdempotencyKey != "" {
		state.Keys[p.IdempotencyKey] = Issued{Digest: p.Digest, origin: m}
	}
	return w, nil
}

func (i *Issuer) paused() bool { return i.Paused != nil && i.Paused() }

// entry returns what is written for a document, except its XML.
func (i *Issuer) entry(m *member, id invoice.Identity, at, now time.Time) (Entry, error) {
	p := m.prepared
	share, err := i.share(m.id, now)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{By: p.by, Body: p.Digest, Guard: p.guardOf(), Deductions: p.deductions(), Draft: p.Claim.Draft, Paid: p.paidOnIssue()}
	e.Invoice = ledger.Invoice{
		ID: m.id, Task: m.task, Device: p.Device, Number: id.Number, Kind: p.kind(), Transaction: p.transaction,
		IssueDate: id.IssueDate, IssueTime: id.IssueTime, IssuedAt: at, Counter: id.Counter, PreviousHash: id.PreviousHash,
		IdempotencyKey: p.IdempotencyKey, CreatedAt: now, Record: p.record, Payment: ledger.Pending, Share: share,
	}
	e.Words = Words{Number: trade.Fold(id.Number), Key: trade.Fold(p.IdempotencyKey), Buyer: p.buyerText}
	return e, nil
}

// SharePurpose is the vault purpose of share link tokens.
const SharePurpose = "share-token"

// share creates the share link of an invoice: a token of 256 random bits,
// stored as a digest for lookup and sealed so that it can be shown again.
func (i *Issuer) share(id uuid.UUID, now time.Time) (ledger.Share, error) {
	var raw [32]byte
	if _, err := io.ReadFull(i.Random, raw[:]); err != nil {
		return ledger.Share{}, fmt.Errorf("generate a share token: %w", err)
	}
	token := base64.RawURLEncoding.EncodeToString(raw[:])
	sealed, err := i.Vault.Seal(SharePurpose, id.String(), []byte(token))
	if err != nil {
		return ledger.Share{}, fmt.Errorf("seal a share token: %w", err)
	}
	digest := sha256.Sum256([]byte(token))
	return ledger.Share{Digest: digest[:], Sealed: sealed, Expires: now.Add(ShareTime)}, nil
}

// take removes what the document consumes from the state and records it in
// entries and e.
func (p *prepared) take(state *State, entries *Entries, e *Entry) {
	for id, moved := range p.stockOf() {
		stock := state.Stock[id]
		switch {
		case stock.Left == nil:
			continue
		case p.takesStock():
			left := stock.Left.Sub(moved)
			stock.Left = &left
		case p.kind() == invoice.CreditNote:
			left := stock.Left.Add(moved)
			stock.Left = &left
		default:
			continue
		}
		state.Stock[id], entries.Stock[id] = stock, *stock.Left
	}
	for _, d := range e.Deductions {
		o := state.Earlier[d.Advance]
		o.DeductedRows = slices.Concat(o.DeductedRows, d.Rows) // seen by later members of the batch
		state.Earlier[d.Advance] = o
	}
	if p.kind() == invoice.CreditNote {
		e.Credits = p.credits(state)
	}
}

// credits distributes a credit note over its originals, in order.
func (p *prepared) credits(state *State) []Credit {
	var credits []Credit
	rest := p.charged()
	for _, id := range p.Originals {
		o := state.Earlier[id]
		amount := rest
		if o.Left().Less(amount) {
			amount = o.Left()
		}
		c := Credit{Original: id, Amount: amount}
		if o.Kind == invoice.AdvancePayment {
			c.Rows = p.record.Breakdown
		}
		credits = append(credits, c)
		o.Credited, rest = o.Credited.Add(amount), rest.Sub(amount)
		o.CreditedRows = slices.Concat(o.CreditedRows, c.Rows) // seen by later members of the batch
		state.Earlier[id] = o
	}
	return credits
}

// DeviceKey is the vault purpose of the private keys of devices.
const DeviceKey = "device-key"

// stamp signs the documents of a batch in parallel: each document depends on the
// hash of the previous one, but not on its signature.
func (i *Issuer) stamp(places []*written) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, w := range places {
		device, err := i.signers.of(w.chain)
		if err != nil {
			return errors.Join(err, group.Wait())
		}
		group.Go(func() (err error) {
			defer func() {
				if p := recover(); p != nil {
					err = fmt.Errorf("panic in a stamp: %v\n%s", p, debug.Stack())
				}
			}()
			if w.sealed, err = w.unsigned.Stamp(device.signer, device.certificate, w.at); err != nil {
				return fmt.Errorf("stamp %s: %w", w.entry.Invoice.Number, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// finish completes the entry with the result of the stamp.
func (w *written) finish() {
	w.entry.XML = w.sealed.XML
	w.entry.Invoice.Hash = w.sealed.Hash
	w.entry.Invoice.QR = w.sealed.QR
	w.member.issued = w.entry.Invoice
}

// wantsOf lists everything that the members of a batch read from the state.
func wantsOf(members []*member, now time.Time) Wants {
	w := Wants{At: now}
	devices, items, drafts, earlier := map[uuid.UUID]bool{}, map[uuid.UUID]bool{}, map[uuid.UUID]bool{}, map[uuid.UUID]bool{}
	for _, m := range members {
		p := m.prepared
		w.Bytes += documentBytes + lineBytes*p.lineCount()
		w.Seller = w.Seller || p.known
		addOnce(&w.Devices, devices, p.Device)
		addOnce(&w.Items, items, p.itemIDs()...)
		if p.Claim != (Claim{}) {
			addOnce(&w.Drafts, drafts, p.Claim.Draft)
		}
		addOnce(&w.Earlier, earlier, p.refersTo()...)
		w.Guards = append(w.Guards, p.guardOf())
		if p.IdempotencyKey != "" {
			w.Keys = append(w.Keys, p.IdempotencyKey)
		}
	}
	return w
}

func addOnce(list *[]uuid.UUID, seen map[uuid.UUID]bool, ids ...uuid.UUID) {
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			*list = append(*list, id)
		}
	}
}

// errBusy returns the error for a full or closed lane.
func errBusy() error {
	return unwritten(fault.NotIssued, "Too many invoices of your organisation are waiting to be issued. Try again in a moment.")
}
