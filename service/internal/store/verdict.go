package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// Record records the results of attempts, all of them or none. See
// submit.Keeper.
func (s *Store) Record(ctx context.Context, of org.Tenant, results []submit.Result) ([]submit.Recorded, error) {
	var recorded []submit.Recorded
	write := func(booked bool) error {
		return s.write(ctx, func(t *tx) error {
			r := recording{tx: t, of: of, booked: booked, tallies: map[ledger.Status]int{}, events: t.events()}
			if err := r.all(results); err != nil {
				return err
			}
			recorded = r.recorded
			return nil
		})
	}
	err := write(slices.ContainsFunc(results, func(one submit.Result) bool { return one.Event == ledger.OutcomeEvent(ledger.Rejected) && !one.Copy }))
	if errors.Is(err, errNotBooked) {
		err = write(true)
	}
	return recorded, err
}

// errNotBooked means that a result changes balances, which needs the book. It is
// locked before any other row.
var errNotBooked = errors.New("the book is not locked")

// recording is a batch of results of one organisation that is being written.
type recording struct {
	*tx
	of       org.Tenant
	booked   bool // the book is to be locked
	kept     map[uuid.UUID]kept
	parked   map[uuid.UUID]bool
	tallies  map[ledger.Status]int
	events   *eventRows
	recorded []submit.Recorded
}

// kept is the state of an invoice and its submission before a result.
type kept struct {
	ledger.Standing
	attempts  int
	failures  int
	kind      invoice.Kind
	sort      string // transaction code
	submitted sql.NullInt64
}

// creditsLater reports whether the document reduces balances once it is accepted.
func (k kept) creditsLater() (bool, error) {
	sort, err := invoice.ParseTransaction(k.sort)
	return k.kind == invoice.CreditNote && !sort.Simplified, err
}

// all writes the results. If a document was rejected or a credit note accepted, it
// locks the book first and then items, in the order of Append.
func (r *recording) all(results []submit.Result) error {
	if r.booked {
		if err := r.takeBook(r.of); err != nil {
			return err
		}
	}
	if err := r.read(results); err != nil {
		return fmt.Errorf("read the submissions: %w", err)
	}
	for _, one := range results {
		done, err := r.one(one)
		if err != nil {
			return fmt.Errorf("record attempt %d of invoice %s: %w", one.Attempt, one.Invoice, err)
		}
		r.recorded = append(r.recorded, done)
		if err := r.store.db.Point("result written"); err != nil {
			return err
		}
	}
	if err := r.moveTallies(); err != nil {
		return err
	}
	return r.events.flush()
}

// read locks the rows in the order of their ids, so that two batches cannot
// deadlock.
func (r *recording) read(results []submit.Result) error {
	r.kept, r.parked = map[uuid.UUID]kept{}, map[uuid.UUID]bool{}
	var ids, devices []uuid.UUID
	for _, one := range results {
		ids, devices = append(ids, one.Invoice), append(devices, one.Device)
	}
	rd := reader{ctx: r.Context(), db: r.tx, of: r.of}
	err := rd.among(ids, func(places string, args []any) error {
		return rd.rows(`
			SELECT s.invoice_id, s.state, s.attempts, s.failures, i.status, i.type_code, i.transaction_code, i.submitted_at
			FROM submission s
			JOIN invoice i ON i.org_id = s.org_id AND i.id = s.invoice_id
			WHERE s.org_id = $1 AND s.invoice_id IN (`+places+`)
			ORDER BY s.invoice_id`+r.store.dialect.LockRow, args, func(row scanner) error {
			var id uuid.UUID
			var k kept
			var status sql.NullString
			err := row.Scan(&id, &k.State, &k.attempts, &k.failures, &status, &k.kind, &k.sort, &k.submitted)
			k.Status = ledger.Status(status.String)
			r.kept[id] = k
			return err
		})
	})
	if err != nil {
		return err
	}
	return rd.among(devices, func(places string, args []any) error {
		return rd.rows(`SELECT id FROM device WHERE org_id = $1 AND parked = 1 AND id IN (`+places+`)`, args, func(row scanner) error {
			var id uuid.UUID
			err := row.Scan(&id)
			r.parked[id] = true
			return err
		})
	})
}

// one writes one result.
func (r *recording) one(one submit.Result) (done submit.Recorded, err error) {
	was, known := r.kept[one.Invoice]
	if !known {
		return done, errNoInvoice()
	}
	if one.Copy {
		return r.copyResult(one, was)
	}
	final := one.Answer != nil
	if !final && (was.State != ledger.Sending || was.attempts != one.Attempt) {
		return done, nil // the attempt is not the current one
	}
	if err := r.endAttempt(one); err != nil {
		return done, err
	}
	status := ledger.Unanswered
	if final {
		status = one.Answer.Status
	}
	next, moves := was.After(one.Event, status)
	if !moves {
		if final && one.Answer.Stamped != nil {
			done.Stamped, err = r.fillIn(one, one.Answer.Stamped)
		}
		return done, err
	}
	if err := r.move(one, was, next); err != nil {
		return done, err
	}
	after := was
	after.Standing = next
	r.kept[one.Invoice] = after
	done.Taken = true
	if final {
		if err := r.final(one, was); err != nil {
			return done, err
		}
	}
	done.Parked, done.Released, err = r.device(one)
	return done, err
}

// move updates the standing of a submission and its invoice.
func (r *recording) move(one submit.Result, was kept, next ledger.Standing) error {
	v := one.Verdict
	inDoubt := v.Outcome == ledger.Unknown && v.Sent
	failures := was.failures
	var due, doubt, code, answered any
	if next.State == ledger.Waiting {
		failures++
		due = millis(one.Due)
	}
	if inDoubt {
		doubt = millis(one.ClaimedAt)
	}
	submitted := was.submitted
	if v.Sent {
		submitted = sql.NullInt64{Int64: millis(one.ClaimedAt), Valid: true}
	}
	const update = `
		UPDATE submission
		SET state = $3, route = $4, failures = $5, lease_until = NULL, due_at = $6, doubt_at = CASE
				WHEN doubt_at = (SELECT i.created_at - 1 FROM invoice i WHERE i.org_id = submission.org_id AND i.id = submission.invoice_id) THEN doubt_at
				ELSE coalesce($7, doubt_at)
			END, stopped = $8, asked = asked * $9
		WHERE org_id = $1 AND invoice_id = $2`
	if err := r.Exec(update, r.of.ID(), one.Invoice, string(next.State), string(one.Route), failures, due, doubt, one.Stop, bit(next.State == ledger.Queued)); err != nil {
		return err
	}
	var digest any
	if one.Answer != nil {
		code, answered = one.Answer.Code, millis(one.At)
		row := stored{
			of: r.of.ID(), id: one.Invoice, status: filled(string(next.Status)), submitted: submitted, clearedQR: filled(one.QR),
			code: sql.NullInt64{Int64: int64(one.Answer.Code), Valid: true}, answered: sql.NullInt64{Int64: millis(one.At), Valid: true},
		}
		digest = row.answerSum()
	}
	const answer = `
		UPDATE invoice
		SET status = $3, code = $4, submitted_at = $5, answered_at = $6, cleared_qr = $7, answer_digest = $8
		WHERE org_id = $1 AND id = $2`
	if err := r.Exec(answer, r.of.ID(), one.Invoice, statusOrNull(next.Status), code, submitted, answered, filled(one.QR), digest); err != nil {
		return err
	}
	if was.Status == next.Status {
		return nil
	}
	r.tallies[was.Status]--
	r.tallies[next.Status]++
	if next.Status != ledger.NoResponse {
		return nil
	}
	return r.events.addEvent(bySystem(r.of), "invoice.no_response", one.Invoice.String(), map[string]any{"attempt": one.Attempt, "outcome": one.Event})
}

// final stores the authority's final answer and releases what a rejected
// document has used.
func (r *recording) final(one submit.Result, was kept) error {
	if err := r.enterVerdict(one); err != nil {
		return err
	}
	details := map[string]any{"status": one.Answer.Status, "code": one.Answer.Code, "attempt": one.Attempt}
	if one.Answer.Flag != ledger.Plain {
		details["flag"] = one.Answer.Flag
		if err := r.enterCopyRequest(one); err != nil {
			return err
		}
	}
	if err := r.events.addEvent(bySystem(r.of), "invoice.answer", one.Invoice.String(), details); err != nil {
		return err
	}
	if one.Answer.Status.Accepted() {
		credits, err := was.creditsLater()
		if err != nil || !credits {
			return err
		}
		return r.restateFor(one.Invoice)
	}
	if err := r.giveBack(one.Invoice, was.kind); err != nil {
		return err
	}
	return r.restateFor(one.Invoice)
}

// restateFor stores the balances that the verdict on a document has changed.
func (r *recording) restateFor(id uuid.UUID) error {
	if !r.booked {
		return errNotBooked
	}
	p := r.payments(bySystem(r.of))
	originals, err := originalsOf(p.rd, id)
	if err != nil {
		return err
	}
	if err := p.restate(append(originals, id)); err != nil {
		return fmt.Errorf("change the balances for invoice %s: %w", id, err)
	}
	return nil
}

// moveTallies updates the counts in a fixed order, so that two batches cannot
// deadlock.
func (r *recording) moveTallies() error {
	for _, status := range slices.Sorted(maps.Keys(r.tallies)) {
		if n := r.tallies[status]; n != 0 {
			if err := r.count(r.of, statusTally(status), n); err != nil {
				return fmt.Errorf("count the invoices: %w", err)
			}
		}
	}
	return nil
}

// bySystem returns the actor for actions of the service itself.
func bySystem(of org.Tenant) org.Actor {
	return org.Actor{Kind: org.SystemActor, Tenant: of, Name: "submission"}
}

func statusOrNull(s ledger.Status) any {
	if s == ledger.Unanswered {
		return nil
	}
	return string(s)
}
