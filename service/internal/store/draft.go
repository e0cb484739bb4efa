package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
	"khatm/service/internal/trade"
)

// A draft is read with its valid link, if any: one that has not expired and is
// not revoked. A draft has at most one. $2 is the current time.
const (
	draftColumns = `
		d.id, d.version, d.request, d.recipient, d.shown, d.approval, d.decline, d.invoice_id, d.issuing, d.created_by, d.created_at, d.changed_at, d.corrects, d.summary,
		l.digest, l.sealed, l.expires_at`
	draftListed = `
		d.id, d.version, '{}', d.recipient, NULL, d.approval, d.decline, d.invoice_id, d.issuing, d.created_by, d.created_at, d.changed_at, d.corrects, d.summary,
		l.digest, l.sealed, l.expires_at`
	draftTables = `
		draft d
		LEFT JOIN draft_link l ON l.org_id = d.org_id AND l.draft_id = d.id AND l.revoked = 0 AND l.expires_at > $2`
)

// scanDraft reads a draft and additional columns.
func scanDraft(row scanner, more ...any) (share.Draft, error) {
	var d share.Draft
	var shown, approval, decline, issuing, summary sql.NullString
	var invoice, corrects uuid.NullUUID
	var link ledger.Share
	var expires sql.NullInt64
	into := []any{&d.ID, &d.Version, document{&d.Request}, document{&d.Recipient}, &shown, &approval, &decline, &invoice, &issuing, &d.CreatedBy, instant{&d.CreatedAt}, instant{&d.ChangedAt}, &corrects, &summary,
		&link.Digest, &link.Sealed, &expires}
	if err := row.Scan(append(into, more...)...); err != nil {
		return d, err
	}
	if expires.Valid {
		link.Expires = *timeOrNil(expires)
		d.Share = &link
	}
	if invoice.Valid {
		d.Invoice = &invoice.UUID
	}
	if corrects.Valid {
		d.Corrects = &corrects.UUID
	}
	// The preview is hidden after its link has expired.
	if shown.Valid && (d.Share != nil || approval.Valid) {
		if err := json.Unmarshal([]byte(shown.String), &d.Shown); err != nil {
			return d, fmt.Errorf("read the preview of draft %s: %w", d.ID, err)
		}
	}
	if approval.Valid {
		if err := json.Unmarshal([]byte(approval.String), &d.Approval); err != nil {
			return d, fmt.Errorf("read the approval of draft %s: %w", d.ID, err)
		}
	}
	if decline.Valid {
		if err := json.Unmarshal([]byte(decline.String), &d.Decline); err != nil {
			return d, fmt.Errorf("read the refusal of draft %s: %w", d.ID, err)
		}
	}
	if issuing.Valid {
		if err := json.Unmarshal([]byte(issuing.String), &d.Claim); err != nil {
			return d, fmt.Errorf("read the claim of draft %s: %w", d.ID, err)
		}
	}
	if summary.Valid {
		if err := json.Unmarshal([]byte(summary.String), &d.Summary); err != nil {
			return d, fmt.Errorf("read the summary of draft %s: %w", d.ID, err)
		}
	}
	return d, nil
}

// scanWhole reads a draft including the XML of its preview.
func scanWhole(row scanner, more ...any) (share.Draft, error) {
	var xml []byte
	d, err := scanDraft(row, append([]any{&xml}, more...)...)
	if d.Shown != nil {
		d.Shown.XML = xml
	}
	return d, err
}

// draftChanging are the columns that can change, in the order of draftValues.
var draftChanging = []string{"version", "request", "recipient", "shown", "xml", "approval", "decline", "invoice_id", "issuing", "changed_at", "summary", "folded"}

func draftValues(d share.Draft) ([]any, error) {
	request, err := documentOf(d.Request)
	if err != nil {
		return nil, err
	}
	recipient, err := documentOf(d.Recipient)
	if err != nil {
		return nil, err
	}
	var shown, xml, approval, decline, invoice, issuing, summary, folded any
	if d.Shown != nil {
		seen := *d.Shown
		xml, seen.XML = seen.XML, nil
		if shown, err = documentOf(seen); err != nil {
			return nil, err
		}
	}
	if d.Approval != nil {
		if approval, err = documentOf(d.Approval); err != nil {
			return nil, err
		}
	}
	if d.Decline != nil {
		if decline, err = documentOf(d.Decline); err != nil {
			return nil, err
		}
	}
	if d.Invoice != nil {
		invoice = *d.Invoice
	}
	if d.Claim != nil {
		if issuing, err = documentOf(d.Claim); err != nil {
			return nil, err
		}
	}
	if d.Summary != nil {
		if summary, err = documentOf(d.Summary); err != nil {
			return nil, err
		}
		folded = searchable(trade.Fold(d.Summary.Buyer + " " + d.Summary.BuyerArabic))
	}
	return []any{d.Version, request, recipient, shown, xml, approval, decline, invoice, issuing, millis(d.ChangedAt), summary, folded}, nil
}

func errNoDraft() error { return fault.Missing("Draft") }

// AddDraft inserts a new draft of the actor's organisation. It returns
// share.ErrCorrected if the invoice that it corrects has another draft.
func (s *Store) AddDraft(ctx context.Context, by org.Actor, d share.Draft) error {
	values, err := draftValues(d)
	if err != nil {
		return err
	}
	var corrects any
	var details map[string]any
	if d.Corrects != nil {
		corrects, details = *d.Corrects, map[string]any{"corrects": *d.Corrects}
	}
	return s.write(ctx, func(t *tx) error {
		const insert = `
			INSERT INTO draft (version, request, recipient, shown, xml, approval, decline, invoice_id, issuing, changed_at, summary, folded, org_id, id, created_by, created_at, removed, corrects)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 0, $17)
			ON CONFLICT (org_id, corrects) WHERE corrects IS NOT NULL AND removed = 0 DO NOTHING`
		if err := t.ExecOne(share.ErrCorrected, insert, append(values, by.Tenant.ID(), d.ID, d.CreatedBy, millis(d.CreatedAt), corrects)...); err != nil {
			return fmt.Errorf("write draft %s: %w", d.ID, err)
		}
		return t.event(by, "draft.created", d.ID.String(), details)
	})
}

// Draft returns a draft of an organisation, or a NotFound fault.
func (s *Store) Draft(ctx context.Context, of org.Tenant, id uuid.UUID) (share.Draft, error) {
	const query = `SELECT ` + draftColumns + `, d.xml FROM ` + draftTables + ` WHERE d.org_id = $1 AND d.id = $3 AND d.removed = 0`
	return database.First(ctx, s.db, errNoDraft(), query, []any{of.ID(), millis(s.now()), id}, func(row scanner) (share.Draft, error) { return scanWhole(row) })
}
