package issue

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/ready"
)

// Create issues an invoice, or finds the one that was issued for the same
// idempotency key and data. When it returns without an error the invoice is
// durable.
func (i *Issuer) Create(ctx context.Context, by org.Actor, r Request) (ledger.Invoice, error) {
	return i.CreateIf(ctx, by, r, func(ledger.Record) error { return nil })
}

// CreateIf issues an invoice as Create does, unless what it would say is refused.
// What is asked about is what is issued: nothing is read anew in between.
func (i *Issuer) CreateIf(ctx context.Context, by org.Actor, r Request, refuses func(ledger.Record) error) (ledger.Invoice, error) {
	for range staleTries {
		var p *prepared
		err := i.ready()
		if err == nil {
			p, err = i.prepareIfReady(ctx, by, r)
		}
		if err == nil {
			err = refuses(p.record)
		}
		if err != nil {
			return i.again(ctx, by.Tenant, r, err)
		}
		m := &member{prepared: p, id: i.NewID(), task: i.NewID(), done: make(chan struct{})}
		if err := i.lanes.add(by.Tenant, m); err != nil {
			return ledger.Invoice{}, err
		}
		<-m.done // also when the caller has left: whether it was issued must be known
		if !errors.Is(m.err, errStale) {
			return m.issued, m.err
		}
	}
	return ledger.Invoice{}, errChanging()
}

// prepareIfReady prepares a request. A request that is refused while nothing can
// be issued gets that refusal instead: the clock that refused it may be wrong.
func (i *Issuer) prepareIfReady(ctx context.Context, by org.Actor, r Request) (*prepared, error) {
	p, err := i.prepare(ctx, by, r)
	if err != nil {
		if stopped := i.ready(); stopped != nil {
			return nil, stopped
		}
	}
	return p, err
}

// ready returns why nothing can be issued at the moment, or nil. The error says
// that nothing was written.
func (i *Issuer) ready() error { return refused(i.Ready) }

// refused calls a check, which may be nil.
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

// nothingWritten is a refusal before anything was written.
func nothingWritten(err error) error {
	e := fault.New(fault.Unavailable, "Invoices cannot be issued at the moment.")
	var told *fault.Error
	if errors.As(err, &told) {
		*e = *told
	}
	e.Cause = errors.Join(ErrUnwritten, e.Cause)
	return e
}

func errChanging() error {
	return unwritten("The advances of the invoice are being changed by others. Try again.")
}

// unwritten says that something cannot be done now, and certainly was not.
func unwritten(message string) error {
	e := fault.New(fault.Unavailable, "%s", message)
	e.Cause = ErrUnwritten
	return e
}

// staleTries is how often a document is computed anew because an advance it
// deducts was credited meanwhile.
const staleTries = 3

// again returns the invoice that was issued for the same key and data, whatever
// has changed since, or the refusal. A refusal of the data is not final while it
// is unknown whether that data was issued.
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
	e := fault.New(fault.Unavailable, "Earlier uses of the Idempotency-Key cannot be looked up at the moment. Try again with the same key.")
	e.Cause = err
	return ledger.Invoice{}, e
}

// Earlier returns what was issued with an idempotency key.
func (i *Issuer) Earlier(ctx context.Context, of org.Tenant, key string) (Issued, bool, error) {
	state, err := i.Keeper.Look(ctx, of, Wants{At: i.Now(), Keys: []string{key}})
	if err != nil {
		return Issued{}, false, err
	}
	issued, known := state.Keys[key]
	return issued, known, nil
}

// appendTime is how long one append may take.
const appendTime = 30 * time.Second

// appendAgain appends a batch. If the month has changed or the database may have
// become another one it tries again, but not for ever.
func (i *Issuer) appendAgain(ctx context.Context, of org.Tenant, batch []*member) (err error) {
	for range 3 {
		err = i.append(ctx, of, batch)
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

// appendBatch appends a batch and tells each member what became of it.
func (i *Issuer) appendBatch(of org.Tenant, batch []*member) {
	ctx, cancel := context.WithTimeout(context.Background(), appendTime)
	defer cancel()
	err := i.appendAgain(ctx, of, batch)
	switch {
	case err == nil:
		if i.Issued != nil {
			i.Issued()
		}
	case errors.Is(err, ErrUnknown):
		i.findOut(of, batch, err)
	case fault.KindOf(err) == fault.Unavailable:
		// A database that is away is away for each of them: to ask it once a
		// member would hold the whole lane up.
		for _, m := range batch {
			m.err = err
		}
	case len(batch) > 1:
		// Something about one of them cannot be written. Alone, the others can.
		i.Log.Warn("a batch is written one by one", "organisation", of.ID(), "cause", err.Error())
		for n := range batch {
			i.appendBatch(of, batch[n:n+1])
		}
	default:
		batch[0].err = err
	}
}

// errNextMonth says that a month began while the book was waited for.
var errNextMonth = errors.New("another month has begun")

// append writes a batch once. The time is that at which the book is held: whoever
// held it before has issued until then.
func (i *Issuer) append(ctx context.Context, of org.Tenant, batch []*member) error {
	var documents int64
	var written *Entries
	err := i.Keeper.Append(ctx, of, wantsOf(batch, i.Now()), func(state *State) (entries *Entries, err error) {
		// One that breaks us must not take the server along, and all others' books.
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic in a batch: %v\n%s", p, debug.Stack())
			}
		}()
		// One for the batch, and read before the clock is checked: a clock that
		// jumps in between is found out.
		now := i.Now()
		if err := i.admit(of, state); err != nil {
			return nil, err
		}
		if !org.UsageMonth(now).Equal(state.Usage.Month) {
			return nil, errNextMonth
		}
		written, err = i.decide(state, batch, now)
		if err == nil {
			documents = state.Documents + int64(len(written.Invoices))
		}
		return written, err
	})
	if err == nil && i.Continuity != nil && len(written.Invoices) > 0 {
		i.Continuity.Appended(of, documents, written)
	}
	return err
}

// admit refuses a batch, with the book held, while nothing may be issued.
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

// findOut asks the book which documents of a batch stand in it, after a commit
// whose outcome is not known. While it is asked nothing more is appended for
// the organisation.
func (i *Issuer) findOut(of org.Tenant, batch []*member, cause error) {
	i.Log.Error("the outcome of a commit is not known; the book is asked", "organisation", of.ID(), "cause", cause.Error())
	ctx, cancel := context.WithTimeout(context.Background(), appendTime)
	defer cancel()
	var ids []uuid.UUID
	for _, m := range batch {
		ids = append(ids, m.id)
	}
	for {
		there, err := i.Keeper.Issued(ctx, of, ids)
		if err == nil {
			doubt(batch, there, cause)
			return
		}
		if errors.Is(err, ErrHalted) {
			doubt(batch, nil, cause)
			return
		}
		select {
		case <-ctx.Done():
			doubt(batch, nil, cause)
			return
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// doubt tells those who were to be written and are not known to be, and those who
// repeat one of them. Whoever came after one of them in the batch and was refused
// may have been so because of it: it was certainly not written, and can be tried
// again.
func doubt(batch []*member, there map[uuid.UUID]bool, cause error) {
	lost := false
	for _, m := range batch {
		switch {
		case m.err == nil && !m.before && !there[m.id]:
			lost = true
			m.err = notWritten(cause)
		case m.err == nil && m.same != nil && !there[m.same.id]:
			m.err = notWritten(cause)
		case lost && m.err != nil && !errors.Is(m.err, errStale):
			m.err = unwritten("The invoice was not issued, because one before it could not be written. Try again.")
		}
	}
}

func notWritten(cause error) error {
	e := fault.New(fault.Unavailable, "The invoice could not be written. Look for it in the list before you send it again.")
	e.Cause = cause
	return e
}
