package store

import (
	"bytes"
	"context"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Issued is a document with its signed XML and the authority's answer. Its record
// is not read.
type Issued struct {
	ledger.Invoice
	XML    []byte
	Answer *ledger.Answer // nil until the authority has answered
}

// IssuedRange has the counters of the first and the last document that a device
// issued in a period.
type IssuedRange struct {
	Device      uuid.UUID
	First, Last int64
}

// AllOrganisations returns the organisations of the installation in the order of
// their creation.
func (p *Snapshot) AllOrganisations(ctx context.Context) ([]org.Organisation, error) {
	var all []org.Organisation
	err := p.each(ctx, `SELECT `+organisationColumns+` FROM organisation ORDER BY id`, nil, func(row scanner) error {
		o, err := scanOrganisation(row)
		all = append(all, o)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the organisations: %w", err)
	}
	return all, nil
}

// IssuedBetween returns the ranges of the devices of an organisation that issued
// documents between two dates (YYYY-MM-DD, inclusive).
func (p *Snapshot) IssuedBetween(ctx context.Context, of uuid.UUID, from, to string) ([]IssuedRange, error) {
	const query = `
		SELECT i.device_id, min(i.counter), max(i.counter)
		FROM invoice i
		WHERE ` + ofDays + `
		GROUP BY i.device_id
		ORDER BY i.device_id`
	var all []IssuedRange
	err := p.each(ctx, query, []any{of, from, to}, func(row scanner) error {
		var r IssuedRange
		err := row.Scan(&r.Device, &r.First, &r.Last)
		all = append(all, r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the devices that issued documents: %w", err)
	}
	return all, nil
}

// HashAt returns the hash of a document according to its row, or "" if the device
// has no document with this counter.
func (p *Snapshot) HashAt(ctx context.Context, of, device uuid.UUID, counter int64) (hash string, err error) {
	const query = `SELECT hash FROM invoice WHERE org_id = $1 AND device_id = $2 AND counter = $3`
	err = p.each(ctx, query, []any{of, device, counter}, func(row scanner) error { return row.Scan(&hash) })
	if err != nil {
		return "", fmt.Errorf("read the hash of document %d of device %s: %w", counter, device, err)
	}
	return hash, nil
}

// Issued calls see with each document of a range, in the order of their counters.
// It returns an error for a damaged document.
func (p *Snapshot) Issued(ctx context.Context, of uuid.UUID, in IssuedRange, see func(Issued) error) error {
	for next := in.First; next <= in.Last; {
		page, err := p.issued(ctx, of, in.Device, next, in.Last)
		if err != nil {
			return fmt.Errorf("read the documents of device %s: %w", in.Device, err)
		}
		if len(page) == 0 {
			return nil
		}
		for _, d := range page {
			if err := see(d); err != nil {
				return err
			}
		}
		next = page[len(page)-1].Counter + 1
	}
	return nil
}

// issued reads some of the documents with counters from first to last.
func (p *Snapshot) issued(ctx context.Context, of, device uuid.UUID, first, last int64) ([]Issued, error) {
	const query = `
		SELECT ` + storedColumns + `, d.xml, d.xml_digest
		FROM ` + storedTables + `
		WHERE i.org_id = $1 AND i.device_id = $2 AND i.counter BETWEEN $3 AND $4
		ORDER BY i.counter
		LIMIT $5`
	var page []Issued
	args, at := []any{of}, map[uuid.UUID]int{}
	err := p.each(ctx, query, []any{of, device, first, last, documentsAtOnce}, func(row scanner) error {
		d, err := scanIssued(row)
		at[d.ID] = len(page)
		page, args = append(page, d), append(args, d.ID)
		return err
	})
	if err != nil || len(page) == 0 {
		return nil, err
	}
	answers := `SELECT invoice_id, ` + verdictColumns + ` FROM verdict WHERE org_id = $1 AND invoice_id IN (` + numbered(2, len(page)) + `)`
	err = p.each(ctx, answers, args, func(row scanner) error {
		var id uuid.UUID
		var v verdictRow
		if err := row.Scan(append([]any{&id}, v.into()...)...); err != nil {
			return err
		}
		if what := v.damage(of, id); what != "" {
			return &ledger.Damage{Invoice: id, What: what}
		}
		answer, err := v.answer()
		page[at[id]].Answer = &answer
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, d := range page {
		if d.Status.Final() && d.Answer == nil {
			return nil, &ledger.Damage{Invoice: d.ID, What: damagedVerdict + " is missing"}
		}
	}
	return page, nil
}

// scanIssued reads a document without its answer. It returns an error if the
// document is damaged.
func scanIssued(row scanner) (d Issued, err error) {
	var r stored
	var digest []byte
	damage, err := scanStored(row, &r, &d.XML, &digest)
	switch {
	case err != nil:
		return d, err
	case damage != nil:
		return d, damage
	case !bytes.Equal(digest, bytesDigest("xml", r.of, r.id, d.XML)):
		return d, &ledger.Damage{Invoice: r.id, What: damagedXML}
	}
	d.Invoice, err = r.head()
	return d, err
}
