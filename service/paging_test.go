package service_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// item puts an item where the surface will find it.
func (h *house) item(o org.Organisation, name string) trade.Item {
	h.t.Helper()
	i := trade.Item{
		ID: h.service.NewID(), Name: name, Price: money.FromInt(5), Unit: "PCE", Category: "S", Rate: money.FromInt(15), Active: true, CreatedAt: h.clock.Now(),
	}
	if problems := i.Check(); problems != nil {
		h.t.Fatal(problems)
	}
	if err := h.service.Store().AddItem(context.Background(), h.operator(o), i); err != nil {
		h.t.Fatal(err)
	}
	return i
}

// listing is one of the lists, and how its rows are made.
type listing struct {
	path, rows, id string
	add            func(h *house, o org.Organisation, n int) string
}

func listings() []listing {
	tills := map[uuid.UUID]func(n int) string{} // by organisation
	return []listing{
		{"/api/buyers/", "buyers", "uuid", func(h *house, o org.Organisation, n int) string {
			return h.client(o, fmt.Sprint("Client ", n)).ID.String()
		}},
		{"/api/items/", "items", "uuid", func(h *house, o org.Organisation, n int) string { return h.item(o, fmt.Sprint("Item ", n)).ID.String() }},
		{"/api/devices/", "devices", "device_id", func(h *house, o org.Organisation, _ int) string {
			return h.device(o, func(*device.Device) {}).ID.String()
		}},
		// The last: a till has a client and a device of its own.
		{"/api/invoices/", "invoices", "uuid", func(h *house, o org.Organisation, n int) string {
			if tills[o.ID] == nil {
				shop, key := h.tillOf(o), h.newKey(o, org.CreateInvoice)
				tills[o.ID] = func(n int) string {
					return shop.createdBy(key, shop.simplified(fields{"notes": note(fmt.Sprint("Invoice ", n))}))
				}
			}
			return tills[o.ID](n)
		}},
	}
}

// fill adds rows and gives their ids, the newest first.
func (l listing) fill(h *house, rows int) []string {
	var ids []string
	for n := range rows {
		ids = append(ids, l.add(h, h.org, n))
	}
	slices.Reverse(ids)
	return ids
}

func TestDecisions_List_EveryPageSeesEachRowOnce(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		other, _ := h.stranger()
		for _, l := range listings() {
			ids := l.fill(h, 250)
			l.add(h, other, 0)
			var seen []string
			for page := 1; page <= 13; page++ {
				got := h.read(t, fmt.Sprintf("%s?page=%d", l.path, page))
				seen = append(seen, names(t, got[l.rows], l.id)...)
				if (got["next_cursor"] == nil) != (page == 13) {
					t.Errorf("%s page %d: next_cursor is %v", l.path, page, got["next_cursor"])
				}
				same(t, l.path, []any{got["total"], got["num_pages"], got["current_page"], got["total_capped"]}, []any{number(250), number(13), number(page), false})
			}
			same(t, l.path, seen, ids)
			past := h.read(t, l.path+"?page=14")
			same(t, l.path+" past the end", []any{past[l.rows], past["total"], past["next_cursor"]}, []any{[]any{}, number(250), nil})
		}
	})
}

func TestDecisions_List_CursorSeesEachRowOnceWhileRowsAreAdded(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		for _, l := range listings() {
			ids := l.fill(h, 250)
			first := h.read(t, l.path+"?page_size=7")
			seen, cursor := names(t, first[l.rows], l.id), first["next_cursor"]
			for n := 0; cursor != nil && n < 100; n++ {
				if n < 5 {
					l.add(h, h.org, 1000+n) // newer than where we are
				}
				got := h.read(t, fmt.Sprintf("%s?page_size=7&page=999999&cursor=%s", l.path, cursor))
				seen, cursor = append(seen, names(t, got[l.rows], l.id)...), got["next_cursor"]
				same(t, l.path+" current_page", got["current_page"], any(nil))
				same(t, l.path+" total", got["total"], any(number(250+min(n+1, 5))))
				same(t, l.path+" num_pages", got["num_pages"], any(number((250+min(n+1, 5)+6)/7)))
			}
			same(t, l.path, seen, ids)
		}
	})
}

func TestDecisions_List_CursorsAndPagesMeet(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		for _, l := range listings() {
			ids := l.fill(h, 6)
			two := h.read(t, l.path+"?page_size=2")
			by := h.read(t, l.path+"?page_size=2&page=2")
			after := h.read(t, fmt.Sprint(l.path, "?page_size=2&cursor=", two["next_cursor"]))
			same(t, l.path, names(t, after[l.rows], l.id), ids[2:4])
			same(t, l.path, after[l.rows], by[l.rows])
			same(t, l.path, after["next_cursor"], by["next_cursor"])
			other := h.newKey(h.organisation("Other "+l.rows, "business"), org.ViewInvoice)
			theirs := h.as(other, http.MethodGet, fmt.Sprint("/v1", l.path, "?cursor=", two["next_cursor"]), "").wants(t, http.StatusOK)
			same(t, "our cursor in another organisation", theirs[l.rows], any([]any{}))
			exact := h.read(t, l.path+"?page_size=6")
			same(t, "a full last page", exact["next_cursor"], any(nil))
		}
	})
}

func TestDecisions_List_BoundsOfPaging(t *testing.T) {
	const deep = "page: Pages end at 10,000 rows; go on with cursor, the next_cursor of the page before"
	const noCursor = "cursor: Input should be the next_cursor of an earlier answer"
	cases := []struct {
		query string
		want  []string // nil: it is fine
	}{
		{"", nil},
		{"page=1&page_size=1", nil},
		{"page=100&page_size=100", nil},
		{"page=500", nil},
		{"page=10000&page_size=1", nil},
		{"page=101&page_size=100", []string{deep}},
		{"page=501", []string{deep}},
		{"page=10001&page_size=1", []string{deep}},
		{"page=1000000000", []string{deep}},
		{"page=1000000001", []string{"page: Input should be less than or equal to 1000000000"}},
		{"page=99999999999999999999", []string{"page: Input should be a valid integer"}},
		{"page=0", []string{"page: Input should be greater than or equal to 1"}},
		{"page=-1", []string{"page: Input should be greater than or equal to 1"}},
		{"page=1.5", []string{"page: Input should be a valid integer"}},
		{"page=1e1", []string{"page: Input should be a valid integer"}},
		{"page=%2B1", []string{"page: Input should be a valid integer"}},
		{"page=01", []string{"page: Input should be a valid integer"}},
		{"page=", []string{"page: Input should be a valid integer"}},
		{"page=%D9%A1", []string{"page: Input should be a valid integer"}},
		{"page_size=0", []string{"page_size: Input should be greater than or equal to 1"}},
		{"page_size=101", []string{"page_size: Input should be less than or equal to 100"}},
		{"page=x&page_size=y", []string{"page: Input should be a valid integer", "page_size: Input should be a valid integer"}},
		{"page=2&page=x", nil}, // the first counts
		{"no_such_parameter=1", nil},
		{"page=1;page_size=2", []string{"query: Input should be a valid query string"}},
		{"cursor=", nil},
		{"cursor=AZPqZSiAcAWh24ozsNvrMQ", nil},
		{"cursor=AZPqZSiAcAWh24ozsNvrMR", []string{noCursor}}, // bits that mean nothing
		{"cursor=AZPqZSiAcAWh24ozsNvrMQ==", []string{noCursor}},
		{"cursor=AZPqZSiAcAWh24ozsN%0AvrMQ", []string{noCursor}},
		{"cursor=AAAAAAAAAAAAAAAAAAAAAA", []string{noCursor}},
		{"cursor=AZPqZSiAcAWh24oz", []string{noCursor}},
		{"cursor=" + "0193ea65-2880-7005-a1db-8a33b0dbeb31", []string{noCursor}},
		{"cursor=1", []string{noCursor}},
		{"cursor=%00", []string{"cursor: Input should not contain the character U+0000"}},
		{"cursor=%FF", []string{"cursor: Input should be valid UTF-8"}},
		{"cursor=0123456789012345678901234567890123456789x", []string{"cursor: String should have at most 40 characters"}},
	}
	h := open(t, nil)
	for _, l := range listings() {
		for _, c := range cases {
			a := h.call(http.MethodGet, "/v1"+l.path+"?"+c.query, "")
			if c.want == nil {
				a.wants(t, http.StatusOK)
				continue
			}
			same(t, l.path+c.query, a.problems(t), c.want)
		}
	}
}
