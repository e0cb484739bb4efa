package store

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

const verdictColumns = `attempt, route, status, code, result, infos, warnings, errors, stamped, suspect, flag, answered_at`

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
	const insert = `
		INSERT INTO verdict (org_id, invoice_id, ` + verdictColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`
	return r.exec(insert, r.of.ID(), one.Invoice, one.Attempt, string(a.Route), string(a.Status), a.Code, a.Result,
		texts[0], texts[1], texts[2], bytesOrNull(a.Stamped), bytesOrNull(a.Suspect), string(a.Flag), millis(a.At))
}

func bytesOrNull(data []byte) any {
	if len(data) == 0 {
		return nil
	}
	return data
}

// Verdict reads the authority's final word on an invoice.
func (s *Store) Verdict(ctx context.Context, of org.Tenant, invoice uuid.UUID) (ledger.Answer, error) {
	const query = `SELECT ` + verdictColumns + ` FROM verdict WHERE org_id = $1 AND invoice_id = $2`
	var a ledger.Answer
	err := s.one(ctx, errNoInvoice(), query, []any{of.ID(), invoice},
		&a.Attempt, &a.Route, &a.Status, &a.Code, &a.Result, document{&a.Infos}, document{&a.Warnings}, document{&a.Errors},
		&a.Stamped, &a.Suspect, &a.Flag, instant{&a.At})
	return a, err
}

// ArchivedXML reads the document that is valid in law: with the authority's
// stamp where it has one, else with ours.
func (s *Store) ArchivedXML(ctx context.Context, of org.Tenant, invoice uuid.UUID) ([]byte, error) {
	const query = `
		SELECT coalesce(v.stamped, d.xml)
		FROM document d
		LEFT JOIN verdict v ON v.org_id = d.org_id AND v.invoice_id = d.invoice_id
		WHERE d.org_id = $1 AND d.invoice_id = $2`
	var xml []byte
	err := s.one(ctx, errNoInvoice(), query, []any{of.ID(), invoice}, &xml)
	return xml, err
}
