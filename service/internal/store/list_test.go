package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// pagedList is a list of the store, with its rows reduced to their ids.
type pagedList struct {
	name string
	add  func(s *fixture, by org.Actor) (uuid.UUID, error)
	list func(s *fixture, of org.Tenant, page org.Page) (org.List[uuid.UUID], error)
}

func pagedLists() []pagedList {
	return []pagedList{
		{
			"clients",
			func(s *fixture, by org.Actor) (uuid.UUID, error) {
				c := sampleClient(s.config.NewID())
				return c.ID, s.AddClient(s.ctx, by, c)
			},
			func(s *fixture, of org.Tenant, page org.Page) (org.List[uuid.UUID], error) {
				list, err := s.Clients(s.ctx, of, "", page)
				return ids(list, func(c trade.Client) uuid.UUID { return c.ID }), err
			},
		},
		{
			"items",
			func(s *fixture, by org.Actor) (uuid.UUID, error) {
				i := sampleItem(s.config.NewID())
				return i.ID, s.AddItem(s.ctx, by, i)
			},
			func(s *fixture, of org.Tenant, page org.Page) (org.List[uuid.UUID], error) {
				list, err := s.Items(s.ctx, of, "", page)
				return ids(list, func(i trade.Item) uuid.UUID { return i.ID }), err
			},
		},
		{
			"devices",
			func(s *fixture, by org.Actor) (uuid.UUID, error) {
				d := sampleDevice(s.config.NewID(), nil)
				return d.ID, s.AddDevice(s.ctx, by, d)
			},
			func(s *fixture, of org.Tenant, page org.Page) (org.List[uuid.UUID], error) {
				list, err := s.Devices(s.ctx, of, page)
				return ids(list, func(d device.Device) uuid.UUID { return d.ID }), err
			},
		},
		{
			"invoices",
			func(s *fixture, by org.Actor) (uuid.UUID, error) {
				written, err := s.seller(by).append(asIs)
				return written[0].Invoice.ID, err
			},
			func(s *fixture, of org.Tenant, page org.Page) (org.List[uuid.UUID], error) {
				list, err := s.Invoices(s.ctx, of, ledger.Filter{}, page)
				return ids(list, func(i ledger.Invoice) uuid.UUID { return i.ID }), err
			},
		},
	}
}

func ids[T any](list org.List[T], id func(T) uuid.UUID) org.List[uuid.UUID] {
	reduced := org.List[uuid.UUID]{Rows: []uuid.UUID{}, Total: list.Total, Capped: list.Capped, Next: list.Next}
	for _, row := range list.Rows {
		reduced.Rows = append(reduced.Rows, id(row))
	}
	return reduced
}

func TestListsAreReadByPages(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		for _, paged := range pagedLists() {
			t.Run(paged.name, func(t *testing.T) {
				var newestFirst []uuid.UUID
				for n := range 8 { // with no rows, one and many
					if n > 0 {
						id, err := paged.add(s, s.by)
						ok(t, err)
						newestFirst = slices.Insert(newestFirst, 0, id)
						_, err = paged.add(s, s.other)
						ok(t, err)
					}
					for _, size := range []int{1, 3, 7, 100} {
						t.Run(fmt.Sprintf("%d of %d", size, n), func(t *testing.T) { readByPages(t, s, paged, newestFirst, size) })
					}
				}
			})
		}
	})
}

// readByPages reads a whole list by page number and by cursor.
func readByPages(t *testing.T, s *fixture, paged pagedList, want []uuid.UUID, size int) {
	t.Helper()
	for number, from := 1, 0; from <= len(want); number, from = number+1, from+size {
		part := want[from:min(from+size, len(want))]
		expected := org.List[uuid.UUID]{Rows: append([]uuid.UUID{}, part...), Total: len(want)}
		if from+size < len(want) {
			expected.Next = part[len(part)-1]
		}
		same(t, expected)(paged.list(s, s.by.Tenant, org.Page{Size: size, Number: number}))
		if from > 0 {
			same(t, expected)(paged.list(s, s.by.Tenant, org.Page{Size: size, Number: 1, After: want[from-1]}))
		}
	}
}

// A cursor may be any id: one that was never used, or one of another
// organisation.
func TestListAfterUnknownID(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		for _, paged := range pagedLists() {
			first, err := paged.add(s, s.by)
			ok(t, err)
			foreign, err := paged.add(s, s.other)
			ok(t, err)
			between := s.config.NewID()
			_, err = paged.add(s, s.by)
			ok(t, err)
			want := org.List[uuid.UUID]{Rows: []uuid.UUID{first}, Total: 2}
			for _, after := range []uuid.UUID{foreign, between} {
				same(t, want)(paged.list(s, s.by.Tenant, org.Page{Size: 9, Number: 1, After: after}))
			}
		}
	})
}

// The tally, from which totals are read, counts only committed rows.
func TestTallyCountsCommittedRows(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		c, i := sampleClient(s.config.NewID()), sampleItem(s.config.NewID())
		for _, by := range []org.Actor{s.by, s.other, s.by} { // the third is refused as a duplicate
			_, _ = s.AddClient(s.ctx, by, c), s.AddItem(s.ctx, by, i)
		}
		ok(t, s.AddClient(s.ctx, s.by, sampleClient(s.config.NewID())))
		s.tallied()
	})
}

// tallied checks that every tally matches the number of rows.
func (s *fixture) tallied() {
	s.t.Helper()
	for _, table := range []string{"client", "item", "invoice", "buyer_text"} {
		wrong := s.count(`
			SELECT count(*)
			FROM organisation o
			LEFT JOIN tally t ON t.org_id = o.id AND t.what = '` + table + `'
			WHERE coalesce(t.n, 0) <> (SELECT count(*) FROM ` + table + ` r WHERE r.org_id = o.id)`)
		if wrong > 0 {
			s.t.Errorf("%d organisations have a wrong tally of table %s, want 0", wrong, table)
		}
		if s.config.URL != "" || table == "invoice" {
			continue
		}
		if rows, found := s.count(`SELECT count(*) FROM `+table), s.count(`SELECT count(*) FROM `+table+`_search`); rows != found {
			s.t.Errorf("search index of table %s has %d entries, want %d", table, found, rows)
		}
	}
}
