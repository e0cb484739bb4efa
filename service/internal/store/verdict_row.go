package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// verdictRow is the authority's final answer as stored.
type verdictRow struct {
	attempt, code, answeredAt   int64
	route, status, result, flag string
	infos, warnings, errors     string
	stamped, suspect            []byte
	digest, stampedDigest       []byte
}

const verdictColumns = `attempt, route, status, code, result, infos, warnings, errors, stamped, suspect, flag, answered_at, digest, stamped_digest`

func (v *verdictRow) into() []any {
	return []any{
		&v.attempt, &v.route, &v.status, &v.code, &v.result, &v.infos, &v.warnings, &v.errors, &v.stamped, &v.suspect, &v.flag, &v.answeredAt,
		&v.digest, &v.stampedDigest,
	}
}

// sum computes verdict.digest. The stamped document has its own digest, because
// it may arrive later; flag is not included, because it changes then.
func (v *verdictRow) sum(of, invoice uuid.UUID) []byte {
	d := newDigest("verdict", of, invoice)
	for _, n := range []int64{v.attempt, v.code, v.answeredAt} {
		d.number(n)
	}
	for _, text := range []string{v.route, v.status, v.result, v.infos, v.warnings, v.errors} {
		d.text(text)
	}
	d.bytes(v.suspect)
	return d.sum()
}

// damage returns which part does not match its digest, or "".
func (v *verdictRow) damage(of, invoice uuid.UUID) string {
	if !bytes.Equal(v.digest, v.sum(of, invoice)) {
		return damagedVerdict
	}
	return stampedDamage(of, invoice, v.stamped, v.stampedDigest)
}

// stampedDamage returns damagedStamped if the stamped document does not match
// its digest, otherwise "".
func stampedDamage(of, invoice uuid.UUID, stamped, digest []byte) string {
	if stamped == nil && digest == nil || stamped != nil && bytes.Equal(digest, bytesDigest("stamped", of, invoice, stamped)) {
		return ""
	}
	return damagedStamped
}

func (r *recording) enterVerdict(one submit.Result) error {
	a := one.Answer
	var texts [3]string
	for i, list := range [][]ledger.Message{a.Infos, a.Warnings, a.Errors} {
		text, err := documentOf(slices.Concat([]ledger.Message{}, list))
		if err != nil {
			return err
		}
		texts[i] = text
	}
	v := verdictRow{
		attempt: int64(one.Attempt), code: int64(a.Code), answeredAt: millis(a.At), route: string(a.Route), status: string(a.Status), result: a.Result,
		infos: texts[0], warnings: texts[1], errors: texts[2], suspect: a.Suspect,
	}
	const insert = `
		INSERT INTO verdict (org_id, invoice_id, ` + verdictColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`
	return r.Exec(insert, r.of.ID(), one.Invoice, v.attempt, v.route, v.status, v.code, v.result, v.infos, v.warnings, v.errors,
		bytesOrNull(a.Stamped), bytesOrNull(a.Suspect), string(a.Flag), v.answeredAt, v.sum(r.of.ID(), one.Invoice), r.stampedSum(one))
}

// stampedSum returns the digest of the stamped document, or nil if the answer
// has none.
func (r *recording) stampedSum(one submit.Result) any {
	if len(one.Answer.Stamped) == 0 {
		return nil
	}
	return bytesDigest("stamped", r.of.ID(), one.Invoice, one.Answer.Stamped)
}

func bytesOrNull(data []byte) any {
	if len(data) == 0 {
		return nil
	}
	return data
}

// Verdict returns the authority's final answer to an invoice, or a NotFound
// fault.
func (s *Store) Verdict(ctx context.Context, of org.Tenant, invoice uuid.UUID) (ledger.Answer, error) {
	const query = `SELECT ` + verdictColumns + ` FROM verdict WHERE org_id = $1 AND invoice_id = $2`
	rows, err := database.All(ctx, s.db, query, []any{of.ID(), invoice}, func(row scanner) (v verdictRow, err error) {
		if err := row.Scan(v.into()...); err != nil {
			return verdictRow{}, nil //nolint:nilerr // an empty row does not match its digest
		}
		return v, nil
	})
	switch {
	case err != nil:
		return ledger.Answer{}, s.unreadable(of, invoice, err)
	case len(rows) == 0:
		return ledger.Answer{}, s.noVerdict(ctx, of, invoice)
	}
	v := rows[0]
	if what := v.damage(of.ID(), invoice); what != "" {
		return ledger.Answer{}, s.damaged(of, &ledger.Damage{Invoice: invoice, What: what})
	}
	return v.answer()
}

// noVerdict returns the error for an invoice without a verdict. If the invoice
// was answered, the missing verdict is damage.
func (s *Store) noVerdict(ctx context.Context, of org.Tenant, invoice uuid.UUID) error {
	var answered int
	const query = `SELECT count(*) FROM invoice WHERE org_id = $1 AND id = $2 AND answer_digest IS NOT NULL`
	if err := s.db.One(ctx, nil, query, []any{of.ID(), invoice}, &answered); err != nil {
		return s.unreadable(of, invoice, err)
	}
	if answered == 0 {
		return errNoInvoice()
	}
	return s.damaged(of, &ledger.Damage{Invoice: invoice, What: damagedVerdict + " is missing"})
}

// answer returns the answer of the row. The digests must have been checked.
func (v *verdictRow) answer() (ledger.Answer, error) {
	a := ledger.Answer{
		Attempt: int(v.attempt), Route: ledger.Route(v.route), Status: ledger.Status(v.status), Code: int(v.code), Result: v.result,
		Stamped: v.stamped, Suspect: v.suspect, Flag: ledger.Flag(v.flag), At: timeOf(v.answeredAt),
	}
	for _, list := range []struct {
		text string
		into *[]ledger.Message
	}{{v.infos, &a.Infos}, {v.warnings, &a.Warnings}, {v.errors, &a.Errors}} {
		if err := json.Unmarshal([]byte(list.text), list.into); err != nil {
			return a, fmt.Errorf("read the authority's messages: %w", err)
		}
	}
	return a, nil
}

// ArchivedXML returns the legally valid document: with the authority's stamp if
// there is one, otherwise with the seller's.
func (s *Store) ArchivedXML(ctx context.Context, of org.Tenant, invoice uuid.UUID) ([]byte, error) {
	const query = `
		SELECT d.xml, d.xml_digest, i.answer_digest, v.digest, v.stamped, v.stamped_digest
		FROM document d
		JOIN invoice i ON i.org_id = d.org_id AND i.id = d.invoice_id
		LEFT JOIN verdict v ON v.org_id = d.org_id AND v.invoice_id = d.invoice_id
		WHERE d.org_id = $1 AND d.invoice_id = $2`
	var xml, digest, answer, verdict, stamped, stampedDigest []byte
	err := s.db.One(ctx, errNoInvoice(), query, []any{of.ID(), invoice}, &xml, &digest, &answer, &verdict, &stamped, &stampedDigest)
	if fault.KindOf(err) == fault.NotFound {
		return nil, s.missing(ctx, of, invoice)
	}
	if err = s.unreadable(of, invoice, err); err != nil {
		return nil, err
	}
	what := stampedDamage(of.ID(), invoice, stamped, stampedDigest)
	switch {
	case what != "":
	case answer != nil && verdict == nil:
		what = damagedVerdict + " is missing"
	case stamped == nil && !bytes.Equal(digest, bytesDigest("xml", of.ID(), invoice, xml)):
		what = damagedXML
	}
	if what != "" {
		return nil, s.damaged(of, &ledger.Damage{Invoice: invoice, What: what})
	}
	if stamped != nil {
		return stamped, nil
	}
	return xml, nil
}
