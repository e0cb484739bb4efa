package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// Drafts returns a page of an organisation's drafts that match a filter, newest
// first, without their requests and previews, which can be large.
func (s *Store) Drafts(ctx context.Context, of org.Tenant, f share.Filter, page org.Page) (org.List[share.Draft], error) {
	if len(f.States) > 0 || f.Search != "" {
		return s.findDrafts(ctx, of, f, page)
	}
	const query = `
		SELECT ` + draftListed + `
		FROM ` + draftTables + `
		WHERE d.org_id = $1 AND d.removed = 0 AND d.id < $3
		ORDER BY d.id DESC
		LIMIT $4 OFFSET $5`
	rows, err := database.All(ctx, s.db, query, []any{of.ID(), millis(s.now()), before(page), page.Size + 1, page.Skip()},
		func(row scanner) (share.Draft, error) { return scanDraft(row) })
	if err != nil {
		return org.List[share.Draft]{}, err
	}
	list := listOf(rows, page, func(d share.Draft) uuid.UUID { return d.ID })
	const count = `SELECT count(*) FROM (SELECT 1 FROM draft WHERE org_id = $1 AND removed = 0 LIMIT $2) counted`
	err = s.db.One(ctx, nil, count, []any{of.ID(), org.Counted + 1}, &list.Total)
	if list.Total > org.Counted {
		list.Total, list.Capped = org.Counted, true
	}
	return list, err
}

// findDrafts is Drafts with a filter that is not empty.
func (s *Store) findDrafts(ctx context.Context, of org.Tenant, f share.Filter, page org.Page) (org.List[share.Draft], error) {
	c := s.draftCondition(of, f)
	most := org.Counted
	if f.Search != "" {
		most = org.Found
	}
	list := org.List[share.Draft]{}
	count := `SELECT count(*) FROM (SELECT 1 FROM ` + draftTables + ` WHERE d.org_id = $1 AND d.removed = 0 AND ` + c.text() + ` LIMIT ` + strconv.Itoa(most+1) + `) counted`
	totals, err := database.AllOnce(ctx, s.db, count, c.args, func(row scanner) (n int, err error) {
		err = row.Scan(&n)
		return n, err
	})
	if err != nil {
		return list, err
	}
	c.add("d.id < ?", before(page))
	query := `
		SELECT ` + draftListed + `
		FROM ` + draftTables + `
		WHERE d.org_id = $1 AND d.removed = 0 AND ` + c.text() + `
		ORDER BY d.id DESC
		LIMIT ` + strconv.Itoa(page.Size+1) + ` OFFSET ` + strconv.Itoa(page.Skip())
	rows, err := database.AllOnce(ctx, s.db, query, c.args, func(row scanner) (share.Draft, error) { return scanDraft(row) })
	if err != nil {
		return list, err
	}
	list = listOf(rows, page, func(d share.Draft) uuid.UUID { return d.ID })
	list.Total, list.Capped = min(totals[0], most), totals[0] > most
	return list, nil
}

// draftState is the state of a draft, as share.Draft.State returns it.
const draftState = `
	CASE
		WHEN d.invoice_id IS NOT NULL THEN 'issued'
		WHEN d.approval IS NOT NULL THEN 'approved'
		WHEN d.decline IS NOT NULL THEN 'declined'
		WHEN l.digest IS NOT NULL THEN 'shared'
		ELSE 'open'
	END`

// draftCondition returns the condition of a filter that is not empty, on the drafts
// of an organisation. Its first two values are the organisation and the time.
func (s *Store) draftCondition(of org.Tenant, f share.Filter) *condition {
	c := &condition{args: []any{of.ID(), millis(s.now())}}
	searched := "k.org_id = $1 AND k.removed = 0"
	if len(f.States) > 0 {
		var names []any
		for _, state := range f.States {
			names = append(names, string(state))
		}
		c.among(draftState, names)
		if !slices.Contains(f.States, share.Issued) { // has an index
			c.add("d.invoice_id IS NULL")
			searched += " AND k.invoice_id IS NULL"
		}
	}
	if f.Search == "" {
		return c
	}
	for word := range strings.FieldsSeq(f.Search) {
		if utf8.RuneCountInString(word) < gramSizes[0] {
			word = " " + word // at the start of a word, as in other searches
		}
		c.add(s.dialect.Position+"(d.folded, ?) > 0", word)
	}
	c.add("d.id >= coalesce((SELECT k.id FROM draft k WHERE "+searched+" ORDER BY k.id DESC LIMIT 1 OFFSET "+strconv.Itoa(maxSearched-1)+"), ?)", uuid.Nil)
	return c
}

// ClientNames returns the names of a client of an organisation, or a NotFound
// fault.
func (s *Store) ClientNames(ctx context.Context, of org.Tenant, id uuid.UUID) (name, arabic string, err error) {
	const query = `SELECT name, name_arabic FROM client WHERE org_id = $1 AND id = $2`
	err = s.db.One(ctx, fault.Missing("Buyer"), query, []any{of.ID(), id}, &name, &arabic)
	return name, arabic, err
}
