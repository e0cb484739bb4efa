package store

import (
	"crypto/sha256"
	"database/sql"
	"slices"

	"khatm/service/internal/issue"
)

// buyerPlaces are the places of the search texts of buyers by the digests of the texts.
// Texts without a row have place 0.
type buyerPlaces map[[sha256.Size]byte]int64

// buyers reads the places of the texts of buyers. Most texts have one.
func (rd reader) buyers(w issue.Wants) error {
	var digests [][sha256.Size]byte
	for _, text := range w.Buyers {
		digests = append(digests, sha256.Sum256([]byte(text)))
	}
	return rd.buyerPlaces(digests)
}

// buyerPlaces reads the places of texts into rd.places.
func (rd reader) buyerPlaces(digests [][sha256.Size]byte) error {
	for part := range slices.Chunk(digests, maxValues) {
		args := []any{rd.of.ID()}
		for _, digest := range part {
			rd.places[digest] = 0
			args = append(args, digest[:])
		}
		args = padded(args, 1)
		query := `SELECT digest, place FROM buyer_text WHERE org_id = $1 AND digest IN (` + numbered(2, len(args)-1) + `)`
		err := rd.rows(query, args, func(row scanner) error {
			var digest []byte
			var place int64
			if err := row.Scan(&digest, &place); err != nil {
				return err
			}
			rd.places[[sha256.Size]byte(digest)] = place
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// enterBuyers indexes the buyer texts of a batch for search and returns the
// place of each text. Most texts exist already. The caller has locked the
// organisation's book, so that no text is inserted twice.
func (t *tx) enterBuyers(b entering) (map[string]sql.NullInt64, error) {
	digests := map[[sha256.Size]byte]string{}
	var order, unread [][sha256.Size]byte
	for _, one := range b.Invoices {
		digest := sha256.Sum256([]byte(one.Words.Buyer))
		if _, seen := digests[digest]; seen || one.Words.Buyer == "" {
			continue
		}
		digests[digest] = one.Words.Buyer
		order = append(order, digest)
		if _, read := b.places[digest]; !read {
			unread = append(unread, digest)
		}
	}
	places := map[string]sql.NullInt64{}
	if len(order) == 0 {
		return places, nil
	}
	rd := reader{ctx: t.Context(), db: t, of: b.of, places: b.places}
	if err := rd.buyerPlaces(unread); err != nil {
		return nil, err
	}
	for _, digest := range order {
		if place := b.places[digest]; place != 0 {
			places[digests[digest]] = sql.NullInt64{Int64: place, Valid: true}
		}
	}
	fresh := slices.DeleteFunc(order, func(digest [sha256.Size]byte) bool { return places[digests[digest]].Valid })
	if len(fresh) == 0 {
		return places, nil
	}
	last, err := t.nextPlaces(b.of, buyerTexts, len(fresh))
	if err != nil {
		return nil, err
	}
	for i, digest := range fresh {
		text := digests[digest]
		place := last - int64(len(fresh)-1-i)
		const insert = `INSERT INTO buyer_text (place, org_id, digest, folded) VALUES ($1, $2, $3, $4)`
		if err := t.Exec(insert, place, b.of.ID(), digest[:], searchable(text)); err != nil {
			return nil, err
		}
		if err := t.index(buyerTexts, place, text); err != nil {
			return nil, err
		}
		places[text] = sql.NullInt64{Int64: place, Valid: true}
	}
	return places, nil
}
