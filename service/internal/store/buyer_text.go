package store

import (
	"crypto/sha256"
	"database/sql"
	"slices"

	"khatm/service/internal/issue"
	"khatm/service/internal/org"
)

// enterBuyers indexes the buyer texts of a batch for search and returns the
// place of each text. Most texts exist already. The caller has locked the
// organisation's book, so that no text is inserted twice.
func (t *tx) enterBuyers(of org.Tenant, e *issue.Entries) (map[string]sql.NullInt64, error) {
	digests := map[[sha256.Size]byte]string{}
	var order [][sha256.Size]byte
	for _, one := range e.Invoices {
		digest := sha256.Sum256([]byte(one.Words.Buyer))
		if _, seen := digests[digest]; !seen && one.Words.Buyer != "" {
			digests[digest] = one.Words.Buyer
			order = append(order, digest)
		}
	}
	places := map[string]sql.NullInt64{}
	if len(order) == 0 {
		return places, nil
	}
	args := []any{of.ID()}
	for _, digest := range order {
		args = append(args, digest[:])
	}
	query := `SELECT digest, place FROM buyer_text WHERE org_id = $1 AND digest IN (` + numbered(2, len(order)) + `)`
	rd := reader{ctx: t.Context(), db: t, of: of}
	err := rd.rows(query, args, func(row scanner) error {
		var digest []byte
		var place int64
		if err := row.Scan(&digest, &place); err != nil {
			return err
		}
		places[digests[[sha256.Size]byte(digest)]] = sql.NullInt64{Int64: place, Valid: true}
		return nil
	})
	if err != nil {
		return nil, err
	}
	fresh := slices.DeleteFunc(order, func(digest [sha256.Size]byte) bool { return places[digests[digest]].Valid })
	if len(fresh) == 0 {
		return places, nil
	}
	last, err := t.nextPlaces(of, buyerTexts, len(fresh))
	if err != nil {
		return nil, err
	}
	for i, digest := range fresh {
		text := digests[digest]
		place := last - int64(len(fresh)-1-i)
		const insert = `INSERT INTO buyer_text (place, org_id, digest, folded) VALUES ($1, $2, $3, $4)`
		if err := t.Exec(insert, place, of.ID(), digest[:], searchable(text)); err != nil {
			return nil, err
		}
		if err := t.index(buyerTexts, place, text); err != nil {
			return nil, err
		}
		places[text] = sql.NullInt64{Int64: place, Valid: true}
	}
	return places, nil
}
