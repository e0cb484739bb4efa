package store

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// Suggestions are read at every key stroke. Unlike lists, they are not counted,
// and rows that may not be suggested are skipped up to a limit only.
const (
	suggestPart  = 100   // matches that are read together
	suggestParts = 10    // parts after which no more matches are read
	suggestNew   = 1_000 // newest rows that are read without a search
)

// SuggestClients returns the newest clients of an organisation that contain every
// word of a folded search, at most as many as stated. An empty search matches all.
func (s *Store) SuggestClients(ctx context.Context, of org.Tenant, search string, most int) ([]trade.Client, error) {
	return suggested(ctx, s, of, clients, search, "", most, clientColumns, scanClient)
}

// SuggestItems returns the newest active items of an organisation that contain
// every word of a folded search, at most as many as stated. Items whose SKU or
// barcode equals code come first, the SKU before the barcode.
func (s *Store) SuggestItems(ctx context.Context, of org.Tenant, code, search string, most int) ([]trade.Item, error) {
	var rows []trade.Item
	if code != "" {
		const query = `
			SELECT ` + itemColumns + ` FROM item WHERE org_id = $1 AND sku <> '' AND sku = $2 AND active = 1
			UNION
			SELECT ` + itemColumns + ` FROM item WHERE org_id = $1 AND barcode <> '' AND barcode = $2 AND active = 1`
		var err error
		if rows, err = database.All(ctx, s.db, query, []any{of.ID(), code}, scanItem); err != nil {
			return nil, err
		}
		if len(rows) == 2 && rows[0].SKU != code {
			slices.Reverse(rows)
		}
	}
	found, err := suggested(ctx, s, of, items, search, ` AND active = 1`, most, itemColumns, scanItem)
	for _, one := range found {
		if !slices.ContainsFunc(rows, func(known trade.Item) bool { return known.ID == one.ID }) {
			rows = append(rows, one)
		}
	}
	return rows[:min(most, len(rows))], err
}

// suggested returns the newest rows of a table that match a search and a further
// condition.
func suggested[T any](ctx context.Context, s *Store, of org.Tenant, in table, search, where string, most int,
	columns string, scan func(scanner) (T, error),
) ([]T, error) {
	first, last, err := s.placesOf(ctx, of, in, uuid.Nil)
	if err != nil {
		return nil, err
	}
	read := func(at string, args []any, most int) ([]T, error) {
		query := `SELECT ` + columns + ` FROM ` + string(in) + ` WHERE ` + at + where + ` ORDER BY place DESC LIMIT ` + strconv.Itoa(most)
		return database.AllOnce(ctx, s.db, query, args, scan)
	}
	if search == "" {
		return read(`place BETWEEN $1 AND $2`, []any{max(first, last-suggestNew), last}, most)
	}
	found, err := s.searchQuery(ctx, in, search, first, last)
	if err != nil {
		return nil, err
	}
	var rows []T
	for range suggestParts {
		places, err := found.places(ctx, s, first, last, suggestPart)
		if err != nil || len(places) == 0 {
			return rows, err
		}
		more, err := read(`place IN (`+numbered(1, len(places))+`)`, anyOf(places), most-len(rows))
		if err != nil {
			return nil, err
		}
		if rows = append(rows, more...); len(rows) >= most || len(places) < suggestPart {
			return rows, nil
		}
		last = places[len(places)-1] - 1
	}
	return rows, nil
}

// SuggestReasons returns the newest active reasons of an organisation that
// contain every word of a folded search, at most as many as stated.
func (s *Store) SuggestReasons(ctx context.Context, of org.Tenant, search string, most int) ([]trade.Reason, error) {
	const query = `
		SELECT ` + reasonColumns + `
		FROM reason
		WHERE org_id = $1 AND active = 1
		ORDER BY id DESC
		LIMIT $2`
	rows, err := database.All(ctx, s.db, query, []any{of.ID(), suggestNew}, scanReason)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(r trade.Reason) bool {
		text := trade.Fold(r.Description)
		return slices.ContainsFunc(strings.Fields(search), func(word string) bool { return !strings.Contains(text, word) })
	})
	return rows[:min(most, len(rows))], nil
}

// SuggestInvoices returns the newest invoices of an organisation that match a
// filter, at most as many as stated. Without a search, only the newest ones are
// looked at.
func (s *Store) SuggestInvoices(ctx context.Context, of org.Tenant, f ledger.Filter, most int) ([]ledger.Brief, error) {
	id, known, err := s.searchedID(ctx, of, f.Search)
	if err != nil {
		return nil, err
	}
	if known {
		f.Search, f.IDs = "", []uuid.UUID{id}
	}
	c := filtered(of, f)
	search := finding{s: s, of: of, search: f.Search, filter: f, more: c}
	if search.first, search.last, err = s.placesOf(ctx, of, invoices, uuid.Nil); err != nil {
		return nil, err
	}
	switch {
	case known:
	case f.Search == "":
		c = search.with(term{"i.place BETWEEN ? AND ?", []any{max(search.first, search.last-newestPart), search.last}, true})
	default:
		if search.buyers, err = search.buyerTexts(ctx); err != nil {
			return nil, err
		}
		places, err := search.newest(ctx, search.last, most)
		if err != nil || len(places) == 0 {
			return nil, err
		}
		places = places[:min(most, len(places))]
		c = search.with(term{"i.place IN (" + marks(len(places)) + ")", anyOf(places), true})
	}
	query := `
		SELECT i.id, i.ref_num, i.type_code, i.issue_date, i.buyer_name, i.payable, i.currency, i.status
		FROM invoice i
		WHERE ` + c.text() + `
		ORDER BY i.place DESC
		LIMIT ` + strconv.Itoa(most)
	rows, err := database.AllOnce(ctx, s.db, query, c.args, scanBrief)
	return rows, unlisted(err)
}

func scanBrief(row scanner) (ledger.Brief, error) {
	var b ledger.Brief
	var status sql.NullString
	err := row.Scan(&b.ID, &b.Number, &b.Kind, &b.IssueDate, &b.BuyerName, decimal{&b.Payable}, &b.Currency, &status)
	b.Status = ledger.Status(status.String)
	return b, err
}
