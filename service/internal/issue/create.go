package issue

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/ready"
)

// Create issues an invoice, or returns the invoice already issued for the same
// idempotency key and data. A returned invoice is durable.
func (i *Issuer) Create(ctx context.Context, by org.Actor, r Request) (ledger.Invoice, error) {
	return i.CreateIf(ctx, by, r, func(ledger.Record) error { return nil })
}

// CreateIf is like Create, but first calls refuses with the computed invoice
// and issues nothing if that returns an error. It calls refuses again, while the
// book is locked, if an advance has changed. What is issued is exactly what
// refuses has seen last.
func (i *Issuer) CreateIf(ctx context.Context, by org.Actor, r Request, refuses func(ledger.Record) error) (ledger.Invoice, error) {
	issued, err := i.createOnce(ctx, by, r, refuses, i.prepareKnown)
	if errors.Is(err, errChanged) {
		i.sellers.forget(by.Tenant, r.Device)
		issued, err = i.createOnce(ctx, by, r, refuses, i.prepareKnown)
	}
	if errors.Is(err, errChanged) {
		return i.createOnce(ctx, by, r, refuses, i.prepare)
	}
	return issued, err
}

// createOnce prepares a request with the given function and issues it. It returns
// errChanged if the request must be prepared again.
func (i *Issuer) createOnce(ctx context.Context, by org.Actor, r Request, refuses func(ledger.Record) error, prepare preparing) (ledger.Invoice, error) {
	var p *prepared
	err := i.ready()
	if err == nil {
		p, err = i.prepareIfReady(ctx, by, r, prepare)
	}
	if err == nil {
		p.refuses = refuses
		if err = refuses(p.record); err != nil && p.known {
			err = errChanged
		}
	}
	if errors.Is(err, errChanged) {
		return ledger.Invoice{}, err
	}
	if err != nil {
		return i.again(ctx, by.Tenant, r, err)
	}
	m := &member{prepared: p, id: i.NewID(), task: i.NewID(), done: make(chan struct{})}
	if i.Waits != nil {
		i.Waits(ctx)
	}
	if err := i.lanes.add(by.Tenant, m); err != nil {
		return ledger.Invoice{}, err
	}
	<-m.done // wait even if the caller is gone: the outcome must be known
	return m.issued, m.err
}

// preparing is a function that prepares a request.
type preparing func(context.Context, org.Actor, Request) (*prepared, error)

// prepareIfReady prepares a request. If the request is refused while issuing is
// stopped, it returns the reason for the stop instead: a wrong clock may have
// caused the refusal.
func (i *Issuer) prepareIfReady(ctx context.Context, by org.Actor, r Request, prepare preparing) (*prepared, error) {
	p, err := prepare(ctx, by, r)
	if err != nil && !errors.Is(err, errChanged) {
		if stopped := i.ready(); stopped != nil {
			return nil, stopped
		}
	}
	return p, err
}

// ready returns an error if nothing can be issued at the moment. The error
// wraps ErrUnwritten or is ready.ErrRecheck.
func (i *Issuer) ready() error { return refused(i.Ready) }

// refused calls check, which may be nil, and wraps ErrUnwritten in its error,
// unless that is ready.ErrRecheck.
func refused(check func() error) error {
	if check == nil {
		return nil
	}
	err := check()
	if err == nil || errors.Is(err, ready.ErrRecheck) {
		return err
	}
	return nothingWritten(err)
}

// nothingWritten returns err as an unavailable fault that wraps ErrUnwritten.
func nothingWritten(err error) error {
	e := fault.New(fault.IssuingStopped, "Invoices cannot be issued at the moment.")
	var told *fault.Error
	if errors.As(err, &told) {
		*e = *told
	}
	e.Cause = errors.Join(ErrUnwritten, e.Cause)
	return e
}

// unwritten returns an unavailable fault that wraps ErrUnwritten.
func unwritten(code fault.Code, message string) error {
	e := fault.New(code, "%s", message)
	e.Cause = ErrUnwritten
	return e
}

// again returns the invoice already issued for the same key and data, even if
// the request would be refused today; otherwise it returns the refusal. If the
// key cannot be looked up, it reports unavailable: the refusal might be wrong.
func (i *Issuer) again(ctx context.Context, of org.Tenant, r Request, refusal error) (ledger.Invoice, error) {
	if r.IdempotencyKey == "" {
		return ledger.Invoice{}, refusal
	}
	before, known, err := i.Earlier(ctx, of, r.IdempotencyKey)
	switch {
	case err == nil && known && before.Digest == r.Digest:
		return before.Invoice, nil
	case err == nil || fault.KindOf(refusal) == fault.Unavailable:
		return ledger.Invoice{}, refusal
	}
	e := fault.New(fault.KeyLookupFailed, "Earlier uses of the Idempotency-Key cannot be looked up at the moment. Try again with the same key.")
	e.Cause = err
	return ledger.Invoice{}, e
}

// Earlier returns the document issued with an idempotency key, and reports
// whether there is one.
func (i *Issuer) Earlier(ctx context.Context, of org.Tenant, key string) (Issued, bool, error) {
	state, err := i.Keeper.Look(ctx, of, Wants{At: i.Now(), Keys: []string{key}})
	if err != nil {
		return Issued{}, false, err
	}
	issued, known := state.Keys[key]
	return issued, known, nil
}

// appendTime limits the duration of one append.
const appendTime = 30 * time.Second

// appendAgain appends a batch. It tries up to three times if a new month has
// begun or if Ready must be called again.
func (i *Issuer) appendAgain(ctx context.Context, b *batch) (err error) {
	for range 3 {
		err = i.append(ctx, b)
		switch {
		case errors.Is(err, ready.ErrRecheck):
			if stopped := i.ready(); stopped != nil {
				return stopped
			}
		case !errors.Is(err, errNextMonth):
			return err
		}
	}
	if errors.Is(err, ready.ErrRecheck) {
		return nothingWritten(ready.Refusal(ready.Commit))
	}
	return err
}

// appendBatch appends a batch and sets the outcome of each member.
func (i *Issuer) appendBatch(b *batch) {
	ctx, cancel := context.WithTimeout(context.Background(), appendTime)
	defer cancel()
	err := i.appendAgain(ctx, b)
	switch {
	case err == nil:
		if i.Issued != nil {
			i.Issued()
		}
	case errors.Is(err, ErrUnknown):
		i.resolveOutcome(b.of, b.members, err)
	case fault.KindOf(err) == fault.Unavailable:
		// If the database is unavailable, it is so for every member: trying
		// them one by one would only block the lane.
		for _, m := range b.members {
			m.err = err
		}
	case len(b.members) > 1:
		// One of the invoices cannot be written; the others may succeed alone.
		i.Log.Warn("cannot write the batch; writing its invoices one by one", "organisation", b.of.ID(), "cause", err.Error())
		for n := range b.members {
			i.appendBatch(&batch{of: b.of, members: b.members[n : n+1]})
		}
	default:
		b.members[0].err = err
	}
}

// errNextMonth means that a new month began while waiting for the lock.
var errNextMonth = errors.New("a new month has begun")

// wantsOf lists everything that a batch reads from the state.
func (i *Issuer) wantsOf(b *batch) Wants {
	w := wantsOf(b.members, i.Now())
	for _, m := range b.members {
		if text := m.prepared.buyerText; text != "" && !slices.Contains(w.Buyers, text) {
			w.Buyers = append(w.Buyers, text)
		}
	}
	if b.more != nil {
		w.More = func(documents, bytes int) Wants {
			b.more(b, documents, bytes)
			return i.wantsOf(b)
		}
	}
	return w
}

// append writes a batch once. The issue time is read under the lock, so that it
// is after every document issued by the previous holder.
func (i *Issuer) append(ctx context.Context, b *batch) error {
	var documents int64
	var written *Entries
	err := i.Keeper.Append(ctx, b.of, i.wantsOf(b), func(state *State) (entries *Entries, err error) {
		// A panic for one organisation must not stop the server.
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic in a batch: %v\n%s", p, debug.Stack())
			}
		}()
		// One time for the whole batch, read before the clock is checked: a
		// clock that jumps in between is then detected.
		now := i.Now()
		if err := i.admit(b.of, state); err != nil {
			return nil, err
		}
		if !org.UsageMonth(now).Equal(state.Usage.Month) {
			return nil, errNextMonth
		}
		written, err = i.decide(state, b.members, now)
		if err == nil {
			documents = state.Documents + int64(len(written.Invoices))
		}
		return written, err
	})
	if err == nil && i.Continuity != nil && len(written.Invoices) > 0 {
		i.Continuity.Appended(b.of, documents, written)
	}
	return err
}

// admit returns an error if nothing may be issued. It is called while the book
// is locked.
func (i *Issuer) admit(of org.Tenant, state *State) error {
	if i.Continuity != nil {
		err := i.Continuity.Admit(of.ID(), state.Documents, state.Stopped)
		if errors.Is(err, ready.ErrRecheck) {
			return err
		}
		if err != nil {
			return nothingWritten(err)
		}
	}
	return refused(i.StillReady)
}

// resolveOutcome asks the book which documents of a batch were written, after a
// commit with an unknown outcome. The lane of the organisation waits meanwhile.
func (i *Issuer) resolveOutcome(of org.Tenant, batch []*member, cause error) {
	i.Log.Error("the outcome of a commit is not known; checking the book", "organisation", of.ID(), "cause", cause.Error())
	ctx, cancel := context.WithTimeout(context.Background(), appendTime)
	defer cancel()
	var ids []uuid.UUID
	for _, m := range batch {
		ids = append(ids, m.id)
	}
	for {
		there, err := i.Keeper.Issued(ctx, of, ids)
		if err == nil {
			failUnconfirmed(batch, there, cause)
			return
		}
		if errors.Is(err, ErrHalted) {
			failUnconfirmed(batch, nil, cause)
			return
		}
		select {
		case <-ctx.Done():
			failUnconfirmed(batch, nil, cause)
			for _, m := range batch {
				if m.err == nil {
					m.err = notWritten(cause) // what it repeats may be lost with the primary
				}
			}
			return
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// failUnconfirmed sets the error of members that are not known to be written,
// and of members that repeat one of them. The error of a later member that was
// refused is replaced with one that allows a retry, because the refusal may
// depend on a document that was not written.
func failUnconfirmed(batch []*member, there map[uuid.UUID]bool, cause error) {
	lost := false
	for _, m := range batch {
		switch {
		case m.err == nil && !m.before && !there[m.id]:
			lost = true
			m.err = notWritten(cause)
		case m.err == nil && m.same != nil && !there[m.same.id]:
			m.err = notWritten(cause)
		case lost && m.err != nil:
			m.err = unwritten(fault.NotIssued, "The invoice was not issued because an earlier one could not be written. Try again.")
		}
	}
}

func notWritten(cause error) error {
	e := fault.New(fault.OutcomeUnknown, "The invoice may not have been written. Look for it in the list of invoices before you send it again.")
	e.Cause = cause
	return e
}
