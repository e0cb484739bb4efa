package store

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/submit"
)

// copyResult records the result of a copy request. A copy that arrives is
// stored even after the lease has ended; other results count only within the
// lease.
func (r *recording) copyResult(one submit.Result, was kept) (done submit.Recorded, err error) {
	var state ledger.CopyState
	var failures int
	const read = `SELECT state, failures FROM copy_request WHERE org_id = $1 AND invoice_id = $2`
	if err := r.QueryRow(read, r.of.ID(), one.Invoice).Scan(&state, &failures); errors.Is(err, sql.ErrNoRows) {
		return done, errNoInvoice()
	} else if err != nil {
		return done, err
	}
	if one.Stamped == nil && (state != ledger.CopySending || was.attempts != one.Attempt) {
		return done, nil
	}
	if err := r.endAttempt(one); err != nil {
		return done, err
	}
	next, moves := state.After(one.Event)
	switch {
	case !moves:
		return done, nil
	case next == ledger.CopyArrived:
		done.Stamped, err = r.fillIn(one, one.Stamped)
		done.Taken = done.Stamped
		return done, err
	}
	stopped := ""
	if next == ledger.CopyStopped {
		stopped = submit.CopyRefused
	}
	const move = `
		UPDATE copy_request
		SET state = $3, lease_until = NULL, due_at = $4, failures = $5, stopped = $6
		WHERE org_id = $1 AND invoice_id = $2`
	if err := r.Exec(move, r.of.ID(), one.Invoice, string(next), millis(one.Due), failures+1, stopped); err != nil {
		return done, err
	}
	done.Taken = true
	if stopped == "" {
		return done, nil
	}
	return done, r.events.addEvent(bySystem(r.of), "invoice.copy_stopped", one.Invoice.String(), map[string]any{"why": stopped, "attempt": one.Attempt})
}

// fillIn stores the stamped copy that was missing in the first answer, its QR
// code and their digests, and ends the copy request. Status and code do not
// change. A verdict without a digest failed verification and is not changed.
func (r *recording) fillIn(one submit.Result, stamped []byte) (filledIn bool, err error) {
	const fill = `
		UPDATE verdict
		SET stamped = $3, stamped_digest = $4, flag = ''
		WHERE org_id = $1 AND invoice_id = $2 AND stamped IS NULL AND status = 'CLEARED' AND digest IS NOT NULL`
	n, err := r.moved(fill, r.of.ID(), one.Invoice, stamped, bytesDigest("stamped", r.of.ID(), one.Invoice, stamped))
	if err != nil || n == 0 {
		return false, err
	}
	qr := filled(one.QR)
	digest, err := r.answerDigest(one.Invoice, qr)
	if err != nil {
		return false, fmt.Errorf("read the answer of invoice %s: %w", one.Invoice, err)
	}
	const code = `UPDATE invoice SET cleared_qr = $3, answer_digest = $4 WHERE org_id = $1 AND id = $2`
	if err := r.Exec(code, r.of.ID(), one.Invoice, qr, digest); err != nil {
		return false, err
	}
	const end = `UPDATE copy_request SET state = 'arrived', lease_until = NULL, stopped = '' WHERE org_id = $1 AND invoice_id = $2`
	if err := r.Exec(end, r.of.ID(), one.Invoice); err != nil {
		return false, err
	}
	details := map[string]any{"attempt": one.Attempt, "outcome": one.Verdict.Outcome}
	return true, r.events.addEvent(bySystem(r.of), "invoice.stamped", one.Invoice.String(), details)
}

// answerDigest returns the digest of an answer with another QR code. If the
// answer does not match its current digest, it returns that one unchanged: the
// copy is stored, and the invoice still counts as damaged.
func (r *recording) answerDigest(invoice uuid.UUID, qr sql.NullString) ([]byte, error) {
	row := stored{of: r.of.ID(), id: invoice}
	const query = `
		SELECT status, code, submitted_at, answered_at, cleared_qr, answer_digest
		FROM invoice
		WHERE org_id = $1 AND id = $2`
	err := r.QueryRow(query, r.of.ID(), invoice).Scan(&row.status, &row.code, &row.submitted, &row.answered, &row.clearedQR, &row.answerDigest)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(row.answerDigest, row.answerSum()) {
		r.store.note(r.of, &ledger.Damage{Invoice: invoice, What: damagedAnswer})
		return row.answerDigest, nil
	}
	row.clearedQR = qr
	return row.answerSum(), nil
}
