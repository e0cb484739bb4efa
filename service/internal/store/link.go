package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// Link returns a link by its digest, for any organisation, including expired
// and revoked links. It returns share.ErrGone for an unknown digest.
func (s *Store) Link(ctx context.Context, digest []byte) (share.Link, error) {
	const query = `
		SELECT s.org_id, s.invoice_id, NULL, s.expires_at, s.revoked, i.transaction_code, i.status
		FROM share s
		JOIN invoice i ON i.org_id = s.org_id AND i.id = s.invoice_id
		WHERE s.digest = $1
		UNION ALL
		SELECT org_id, NULL, draft_id, expires_at, revoked, NULL, NULL
		FROM draft_link
		WHERE digest = $1`
	l := share.Link{Digest: digest}
	var organisation uuid.UUID
	var bill, draft uuid.NullUUID
	var transaction, status sql.NullString
	err := s.db.One(ctx, share.ErrGone(), query, []any{digest}, &organisation, &bill, &draft, instant{&l.Expires}, &l.Revoked, &transaction, &status)
	if err != nil {
		return share.Link{}, err
	}
	l.Of, l.Invoice, l.Draft, l.Status = org.TenantOf(organisation), bill.UUID, draft.UUID, ledger.Status(status.String)
	if transaction.Valid {
		code, err := invoice.ParseTransaction(transaction.String)
		if err != nil {
			return share.Link{}, s.damaged(l.Of, &ledger.Damage{Invoice: l.Invoice, What: err.Error()})
		}
		l.Simplified = code.Simplified
	}
	return l, nil
}

// RenewShare adds a new link to an invoice and revokes its earlier links.
func (s *Store) RenewShare(ctx context.Context, by org.Actor, invoice uuid.UUID, link ledger.Share) error {
	return s.write(ctx, func(t *tx) error {
		if _, err := t.revokeShares(by.Tenant, invoice); err != nil {
			return err
		}
		const insert = `
			INSERT INTO share (digest, org_id, invoice_id, sealed, expires_at, revoked)
			VALUES ($1, $2, $3, $4, $5, 0)`
		if err := t.Exec(insert, link.Digest, by.Tenant.ID(), invoice, link.Sealed, millis(link.Expires)); err != nil {
			return fmt.Errorf("write the link of invoice %s: %w", invoice, err)
		}
		// The trigger does not capture new links, because most belong to new documents.
		if err := t.unarchive("share", fmt.Sprintf(`{"digest":"%x"}`, link.Digest)); err != nil {
			return err
		}
		return t.event(by, "share.renewed", invoice.String(), map[string]any{"expires": link.Expires.UTC()})
	})
}

// RevokeShares revokes the links of an invoice, if it has any.
func (s *Store) RevokeShares(ctx context.Context, by org.Actor, invoice uuid.UUID) error {
	return s.write(ctx, func(t *tx) error {
		n, err := t.revokeShares(by.Tenant, invoice)
		if err != nil || n == 0 {
			return err
		}
		return t.event(by, "share.revoked", invoice.String(), nil)
	})
}

// revokeShares locks an invoice, revokes its links and returns how many there
// were.
func (t *tx) revokeShares(of org.Tenant, invoice uuid.UUID) (int64, error) {
	var id uuid.UUID
	const lock = `SELECT id FROM invoice WHERE org_id = $1 AND id = $2`
	if err := t.QueryRow(lock+t.store.dialect.LockRow, of.ID(), invoice).Scan(&id); err != nil {
		return 0, missingIf(err, "Invoice")
	}
	const revoke = `UPDATE share SET revoked = 1 WHERE org_id = $1 AND invoice_id = $2 AND revoked = 0`
	result, err := t.Change(revoke, of.ID(), invoice)
	if err != nil {
		return 0, fmt.Errorf("revoke the links of invoice %s: %w", invoice, err)
	}
	return result.RowsAffected()
}
