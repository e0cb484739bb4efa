package store

import (
	"bytes"
	"context"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// damagedJob is a job whose document is damaged. It must not be sent, because
// the authority would reject it permanently.
type damagedJob struct {
	submit.Job
	damage    *ledger.Damage
	transient bool // the read error may be temporary
}

// withDocuments reads and checks the documents of claimed jobs. Documents never
// change, so this need not happen in the transaction.
func (s *Store) withDocuments(ctx context.Context, jobs []submit.Job) (whole []submit.Job, damaged []damagedJob, err error) {
	found := map[org.Tenant]map[uuid.UUID]checkedDocument{}
	for of, ids := range byTenant(jobs) {
		if found[of], err = s.checkedDocuments(ctx, of, ids); err != nil {
			return nil, nil, err
		}
	}
	for _, j := range jobs {
		p, known := found[j.Tenant][j.Invoice]
		if !known {
			p.damage = &ledger.Damage{Invoice: j.Invoice, What: "the invoice row is missing"}
		}
		if p.damage != nil {
			damaged = append(damaged, damagedJob{j, p.damage, p.transient})
			continue
		}
		j.Simplified, j.Document = p.simplified, p.document
		whole = append(whole, j)
	}
	return whole, damaged, nil
}

// checkedDocument is a document for sending, or its damage.
type checkedDocument struct {
	simplified bool
	answered   bool // the authority has answered
	document   ledger.Dispatch
	damage     *ledger.Damage
	transient  bool // the read error may be temporary
}

// checkedDocuments returns documents by the ids of their invoices.
func (s *Store) checkedDocuments(ctx context.Context, of org.Tenant, ids []any) (map[uuid.UUID]checkedDocument, error) {
	found := make(map[uuid.UUID]checkedDocument, len(ids))
	args := padded(append([]any{of.ID()}, ids...), 1)
	query := `SELECT ` + storedColumns + `, d.xml, d.xml_digest FROM ` + storedTables + ` WHERE i.org_id = $1 AND i.id IN (` + numbered(2, len(args)-1) + `)`
	_, err := database.AllOnce(ctx, s.db, query, args, func(row scanner) (struct{}, error) {
		id, p, err := scanChecked(row)
		found[id] = p
		return struct{}{}, err
	})
	if !database.IsUnreadable(err) {
		return found, err
	}
	if len(ids) == 1 {
		id, _ := ids[0].(uuid.UUID) // all elements are UUIDs
		return map[uuid.UUID]checkedDocument{id: {damage: &ledger.Damage{Invoice: id, What: err.Error()}, transient: !database.IsCorrupt(err)}}, nil
	}
	// Only one of them may be unreadable, so each is read alone.
	clear(found)
	for n := range ids {
		one, err := s.checkedDocuments(ctx, of, ids[n:n+1])
		if err != nil {
			return nil, err
		}
		for id, p := range one {
			found[id] = p
		}
	}
	return found, nil
}

func scanChecked(row scanner) (uuid.UUID, checkedDocument, error) {
	var r stored
	var xml, digest []byte
	damage, err := scanStored(row, &r, &xml, &digest)
	if err != nil || damage != nil {
		return damage.ID(), checkedDocument{damage: damage}, err
	}
	if !bytes.Equal(digest, bytesDigest("xml", r.of, r.id, xml)) {
		return r.id, checkedDocument{damage: &ledger.Damage{Invoice: r.id, Number: r.number, What: damagedXML}}, nil
	}
	transaction, err := invoice.ParseTransaction(r.transaction)
	return r.id, checkedDocument{simplified: transaction.Simplified, answered: r.answerDigest != nil, document: ledger.Dispatch{UUID: r.id.String(), Hash: r.hash, XML: xml}}, err
}
