package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
)

// documentsAtOnce is the number of documents read at a time.
const documentsAtOnce = 100

// errStuck is returned if the next page of a device's documents cannot be
// found.
var errStuck = errors.New("the counters of many documents are damaged: restore the database from a backup")

// Documents calls see with each document of a device in the order of their
// counters.
func (p *Snapshot) Documents(ctx context.Context, of, device uuid.UUID, see func(KeptDocument) error) error {
	counter, id := int64(-1<<62), uuid.Nil
	for {
		page, err := p.documents(ctx, of, device, counter, id)
		if err != nil {
			return fmt.Errorf("read the documents of device %s: %w", device, err)
		}
		moved := false
		for _, d := range page {
			if err := see(d); err != nil {
				return err
			}
			if d.Counter != 0 { // zero if the row cannot be read
				counter, id, moved = d.Counter, d.ID, true
			}
		}
		switch {
		case len(page) < documentsAtOnce:
			return nil
		case !moved:
			return fmt.Errorf("read the documents of device %s: %w", device, errStuck)
		}
	}
}

func (p *Snapshot) documents(ctx context.Context, of, device uuid.UUID, counter int64, id uuid.UUID) ([]KeptDocument, error) {
	const query = `
		SELECT ` + storedColumns + `, d.xml, d.xml_digest
		FROM ` + storedTables + `
		WHERE i.org_id = $1 AND i.device_id = $2 AND (i.counter > $3 OR i.counter = $3 AND i.id > $4)
		ORDER BY i.counter, i.id
		LIMIT $5`
	var page []KeptDocument
	at := map[uuid.UUID]int{}
	err := p.each(ctx, query, []any{of, device, counter, id, documentsAtOnce}, func(row scanner) error {
		d, err := scanKept(row)
		at[d.ID] = len(page)
		page = append(page, d)
		return err
	})
	if err != nil || len(page) == 0 {
		return nil, err
	}
	args := []any{of}
	for _, d := range page {
		args = append(args, d.ID)
	}
	if err := p.verdicts(ctx, args, page, at); err != nil {
		return nil, err
	}
	return page, p.attempts(ctx, args, page, at)
}

// scanKept reads a document. Data that does not match its digest is returned
// unchanged, so that the audit can check as much as possible.
func scanKept(row scanner) (KeptDocument, error) {
	var r stored
	var xml, digest []byte
	damage, err := scanStored(row, &r, &xml, &digest)
	if err != nil {
		return KeptDocument{}, err
	}
	d := r.keptDocument(xml)
	switch {
	case damage != nil:
		d.ID, d.Damage = damage.Invoice, damage.What
	case !bytes.Equal(digest, bytesDigest("xml", r.of, r.id, xml)):
		d.Damage = damagedXML
	}
	return d, nil
}

// keptDocument returns the document as stored, without its verdict.
func (r *stored) keptDocument(xml []byte) KeptDocument {
	d := KeptDocument{
		ID: r.id, Counter: r.counter, Number: r.number, TypeCode: int(r.kind), Transaction: r.transaction, Hash: r.hash, PreviousHash: r.previousHash,
		IssueDate: r.issueDate, IssueTime: r.issueTime, IssuedAt: timeOf(r.issuedAt), CreatedAt: timeOf(r.createdAt), IdempotencyKey: r.key.String,
		XML: xml, QR: r.qr.String, State: r.state.String, Status: ledger.Status(r.status.String), Code: int(r.code.Int64), ClearedQR: r.clearedQR.String,
	}
	if r.submitted.Valid {
		d.SubmittedAt = timeOf(r.submitted.Int64)
	}
	if r.answered.Valid {
		d.AnsweredAt = timeOf(r.answered.Int64)
	}
	return d
}

// verdicts adds the verdicts to a page of documents.
func (p *Snapshot) verdicts(ctx context.Context, args []any, page []KeptDocument, at map[uuid.UUID]int) error {
	query := `SELECT org_id, invoice_id, ` + verdictColumns + ` FROM verdict WHERE org_id = $1 AND invoice_id IN (` + numbered(2, len(page)) + `)`
	return p.each(ctx, query, args, func(row scanner) error {
		var of, id uuid.UUID
		var v verdictRow
		if err := row.Scan(append([]any{&of, &id}, v.into()...)...); err != nil {
			return nil //nolint:nilerr // the audit reports the missing verdict
		}
		d := &page[at[id]]
		d.Verdict = &KeptVerdict{ledger.Status(v.status), int(v.code), v.stamped, ledger.Flag(v.flag)}
		if d.Damage == "" {
			d.Damage = v.damage(of, id)
		}
		return nil
	})
}

// attempts adds the attempts to a page of documents.
func (p *Snapshot) attempts(ctx context.Context, args []any, page []KeptDocument, at map[uuid.UUID]int) error {
	query := `
		SELECT invoice_id, number, for_copy, route, claimed_at, ended_at, outcome, code
		FROM attempt
		WHERE org_id = $1 AND invoice_id IN (` + numbered(2, len(page)) + `)
		ORDER BY invoice_id, number`
	return p.each(ctx, query, args, func(row scanner) error {
		var invoice uuid.UUID
		var a ledger.Attempt
		var ended, code sql.NullInt64
		var outcome sql.NullString
		err := row.Scan(&invoice, &a.Number, &a.Copy, &a.Route, instant{&a.ClaimedAt}, &ended, &outcome, &code)
		a.EndedAt, a.Outcome, a.Code = timeOrNil(ended), ledger.Outcome(outcome.String), int(code.Int64)
		page[at[invoice]].Attempts = append(page[at[invoice]].Attempts, a)
		return err
	})
}
