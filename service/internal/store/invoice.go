package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// scanStored reads a row of storedColumns and checks its digests. A row that
// cannot be converted also counts as damaged.
func scanStored(row scanner, r *stored, more ...any) (*ledger.Damage, error) {
	if damage, err := scanConverted(row, r, more...); damage != nil || err != nil {
		return damage, err
	}
	if what := r.damage(); what != "" {
		return &ledger.Damage{Invoice: r.id, What: what}, nil
	}
	return nil, nil //nolint:nilnil // not damaged
}

// scanConverted reads a row of storedColumns without checking its digests.
func scanConverted(row scanner, r *stored, more ...any) (*ledger.Damage, error) {
	into := r.into(more...)
	if err := row.Scan(into...); err != nil {
		return damagedRow(row, len(into), err)
	}
	return nil, nil //nolint:nilnil // not damaged
}

// damagedRow returns the damage of a row that cannot be converted, with the id
// of the invoice. It returns cause if the row cannot be read at all.
func damagedRow(row scanner, columns int, cause error) (*ledger.Damage, error) {
	values := make([]any, columns)
	into := make([]any, columns)
	for n := range values {
		into[n] = &values[n]
	}
	if err := row.Scan(into...); err != nil {
		return nil, cause
	}
	d := &ledger.Damage{What: "the invoice row cannot be read: " + cause.Error()}
	const idColumn = 1
	if text, is := values[idColumn].(string); is {
		d.Invoice, _ = uuid.Parse(text) // an invalid id becomes uuid.Nil
	}
	return d, nil
}

// invoice returns the invoice of the row. The digests must have been checked.
func (r *stored) invoice() (ledger.Invoice, error) {
	i, err := r.head()
	if err != nil {
		return i, err
	}
	if err := json.Unmarshal([]byte(r.record.String), &i.Record); err != nil {
		return i, fmt.Errorf("read the record of invoice %s: %w", r.id, err)
	}
	return i, nil
}

// head returns the invoice of the row without its record.
func (r *stored) head() (ledger.Invoice, error) {
	i := ledger.Invoice{
		ID: r.id, Task: r.task, Device: r.device, Number: r.number, Kind: invoice.Kind(r.kind), IssueDate: r.issueDate, IssueTime: r.issueTime,
		IssuedAt: timeOf(r.issuedAt), Counter: r.counter, Hash: r.hash, PreviousHash: r.previousHash, IdempotencyKey: r.key.String,
		CreatedAt: timeOf(r.createdAt), QR: r.qr.String, Status: ledger.Status(r.status.String), Code: int(r.code.Int64),
		SubmittedAt: timeOrNil(r.submitted), AnsweredAt: timeOrNil(r.answered), Payment: ledger.Payment(r.payment),
		Sums: r.recorded(), Held: ledger.SubmissionState(r.state.String) == ledger.Held,
	}
	if r.clearedQR.Valid {
		i.QR = r.clearedQR.String
	}
	var err error
	if i.Transaction, err = invoice.ParseTransaction(r.transaction); err != nil {
		return i, fmt.Errorf("read invoice %s: %w", r.id, err)
	}
	return i, nil
}

// recorded returns the amounts recorded after the issue. The usual row, which has
// none, costs nothing.
func (r *stored) recorded() (s ledger.Sums) {
	for n, into := range []*money.Decimal{&s.Received, &s.Credited, &s.Refunded, &s.RefundDue} {
		if r.sums[n] != 0 {
			*into = ofHundredths(r.sums[n])
		}
	}
	return s
}

// scanInvoice reads an invoice. A damaged one has only its id and the damage.
func scanInvoice(row scanner) (ledger.Invoice, error) {
	var r stored
	damage, err := scanStored(row, &r)
	switch {
	case err != nil:
		return ledger.Invoice{}, err
	case damage != nil:
		return ledger.Invoice{ID: damage.Invoice, Damage: damage}, nil
	}
	return r.invoice()
}

func errNoInvoice() error { return fault.Missing("Invoice") }

// Invoice returns one invoice with its link, or an error if it is damaged.
func (s *Store) Invoice(ctx context.Context, of org.Tenant, id uuid.UUID) (ledger.Invoice, error) {
	found, err := s.invoice(ctx, of, id)
	if err != nil {
		return ledger.Invoice{}, err
	}
	if found.Damage != nil {
		return ledger.Invoice{}, s.damaged(of, found.Damage)
	}
	shares, err := s.sharesOf(ctx, of, []uuid.UUID{id})
	found.Share = shares[id]
	return found, err
}

// invoice reads one invoice without its link.
func (s *Store) invoice(ctx context.Context, of org.Tenant, id uuid.UUID) (ledger.Invoice, error) {
	const query = `SELECT ` + storedColumns + ` FROM ` + storedTables + ` WHERE i.org_id = $1 AND i.id = $2`
	found, err := database.All(ctx, s.db, query, []any{of.ID(), id}, scanInvoice)
	switch {
	case database.IsUnreadable(err):
		return ledger.Invoice{ID: id, Damage: &ledger.Damage{Invoice: id, What: err.Error()}}, nil
	case err != nil:
		return ledger.Invoice{}, err
	case len(found) > 0:
		return found[0], nil
	}
	orphan, err := s.orphan(ctx, of, id)
	switch {
	case orphan || database.IsUnreadable(err):
		return ledger.Invoice{ID: id, Damage: lost(id)}, nil
	case err != nil:
		return ledger.Invoice{}, err
	}
	return ledger.Invoice{}, errNoInvoice()
}

// lost returns the damage of an invoice whose row was not found.
func lost(id uuid.UUID) *ledger.Damage {
	return &ledger.Damage{Invoice: id, What: "the invoice row or the document is missing"}
}

// orphan reports whether an invoice row or a document with the id exists. It is
// called if one of the two was not found, because its id may be damaged.
func (s *Store) orphan(ctx context.Context, of org.Tenant, id uuid.UUID) (bool, error) {
	const query = `
		SELECT (SELECT count(*) FROM document WHERE org_id = $1 AND invoice_id = $2) + (SELECT count(*) FROM invoice WHERE org_id = $1 AND id = $2)`
	n := 0
	err := s.db.One(ctx, nil, query, []any{of.ID(), id}, &n)
	return n > 0, err
}

// missing returns the error for an invoice that was not found.
func (s *Store) missing(ctx context.Context, of org.Tenant, id uuid.UUID) error {
	orphan, err := s.orphan(ctx, of, id)
	switch {
	case orphan:
		return s.damaged(of, lost(id))
	case err != nil:
		return s.unreadable(of, id, err)
	}
	return errNoInvoice()
}

// sharesOf returns the links of invoices, except expired and revoked links. If an
// invoice has several, the link that expires last is used.
func (s *Store) sharesOf(ctx context.Context, of org.Tenant, invoices []uuid.UUID) (map[uuid.UUID]ledger.Share, error) {
	shares := map[uuid.UUID]ledger.Share{}
	if len(invoices) == 0 {
		return shares, nil
	}
	const first = 2
	args := []any{of.ID(), millis(s.now())}
	for _, id := range invoices {
		args = append(args, id)
	}
	args = padded(args, first)
	query := `
		SELECT invoice_id, digest, sealed, expires_at
		FROM share
		WHERE org_id = $1 AND revoked = 0 AND expires_at > $2 AND invoice_id IN (` + numbered(first+1, len(args)-first) + `)
		ORDER BY expires_at`
	_, err := database.All(ctx, s.db, query, args, func(row scanner) (struct{}, error) {
		var id uuid.UUID
		var share ledger.Share
		if err := row.Scan(&id, &share.Digest, &share.Sealed, instant{&share.Expires}); err == nil { // an invoice with a damaged link is shown without it
			shares[id] = share
		}
		return struct{}{}, nil
	})
	if database.IsUnreadable(err) {
		s.log.Error("the links of invoices cannot be read and are left out", "organisation", of.ID(), "cause", err.Error())
		return shares, nil
	}
	return shares, err
}

// SignedXML returns the signed XML of an invoice.
func (s *Store) SignedXML(ctx context.Context, of org.Tenant, id uuid.UUID) ([]byte, error) {
	var xml, digest []byte
	err := s.db.One(ctx, errNoInvoice(), `SELECT xml, xml_digest FROM document WHERE org_id = $1 AND invoice_id = $2`, []any{of.ID(), id}, &xml, &digest)
	if fault.KindOf(err) == fault.NotFound {
		return nil, s.missing(ctx, of, id)
	}
	if err = s.unreadable(of, id, err); err != nil {
		return nil, err
	}
	if !bytes.Equal(digest, bytesDigest("xml", of.ID(), id, xml)) {
		return nil, s.damaged(of, &ledger.Damage{Invoice: id, What: damagedXML})
	}
	return xml, nil
}

// Descriptions of data that does not match its digest.
const (
	damagedRecord  = "the invoice row, the record or the QR code"
	damagedXML     = "the signed XML"
	damagedStamped = "the document with the authority's stamp"
	damagedVerdict = "the authority's answer"
	damagedAnswer  = "the status or the QR code of the cleared document"
)
