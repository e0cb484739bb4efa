package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// fill adds rows and returns their ids, newest first.
func fill(l servicetest.Listing, h *servicetest.Instance, rows int) []string {
	var ids []string
	for n := range rows {
		ids = append(ids, l.Add(h, h.Org, n))
	}
	slices.Reverse(ids)
	return ids
}

func TestDecisions_List_EveryPageSeesEachRowOnce(t *testing.T) {
	rows := testtool.Count(50, 250)
	pages := (rows + 19) / 20 // 20 rows is the default
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		other, _ := h.Stranger()
		for _, l := range servicetest.Listings() {
			ids := fill(l, h, rows)
			l.Add(h, other, 0)
			var seen []string
			for page := 1; page <= pages; page++ {
				got := h.Read(t, fmt.Sprintf("%s?page=%d", l.Path, page))
				seen = append(seen, servicetest.Names(t, got[l.Rows], l.ID)...)
				if (got["next_cursor"] == nil) != (page == pages) {
					t.Errorf("%s, page %d: next_cursor = %v, want null on page %d only", l.Path, page, got["next_cursor"], pages)
				}
				servicetest.Same(t, l.Path, []any{got["total"], got["num_pages"], got["current_page"], got["total_capped"]}, []any{servicetest.Number(rows), servicetest.Number(pages), servicetest.Number(page), false})
			}
			servicetest.Same(t, l.Path, seen, ids)
			past := h.Read(t, fmt.Sprintf("%s?page=%d", l.Path, pages+1))
			servicetest.Same(t, l.Path+" beyond the end", []any{past[l.Rows], past["total"], past["next_cursor"]}, []any{[]any{}, servicetest.Number(rows), nil})
		}
	})
}

func TestDecisions_List_CursorSeesEachRowOnceWhileRowsAreAdded(t *testing.T) {
	rows := testtool.Count(50, 250)
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		for _, l := range servicetest.Listings() {
			ids := fill(l, h, rows)
			first := h.Read(t, l.Path+"?page_size=7")
			seen, cursor := servicetest.Names(t, first[l.Rows], l.ID), first["next_cursor"]
			for n := 0; cursor != nil && n < 100; n++ {
				if n < 5 {
					l.Add(h, h.Org, 1000+n) // newer than the current position
				}
				got := h.Read(t, fmt.Sprintf("%s?page_size=7&page=999999&cursor=%s", l.Path, cursor))
				seen, cursor = append(seen, servicetest.Names(t, got[l.Rows], l.ID)...), got["next_cursor"]
				servicetest.Same(t, l.Path+" current_page", got["current_page"], any(nil))
				servicetest.Same(t, l.Path+" total", got["total"], any(servicetest.Number(rows+min(n+1, 5))))
				servicetest.Same(t, l.Path+" num_pages", got["num_pages"], any(servicetest.Number((rows+min(n+1, 5)+6)/7)))
			}
			servicetest.Same(t, l.Path, seen, ids)
		}
	})
}

func TestDecisions_List_CursorsAndPagesAgree(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		for _, l := range servicetest.Listings() {
			ids := fill(l, h, 6)
			two := h.Read(t, l.Path+"?page_size=2")
			by := h.Read(t, l.Path+"?page_size=2&page=2")
			after := h.Read(t, fmt.Sprint(l.Path, "?page_size=2&cursor=", two["next_cursor"]))
			servicetest.Same(t, l.Path, servicetest.Names(t, after[l.Rows], l.ID), ids[2:4])
			servicetest.Same(t, l.Path, after[l.Rows], by[l.Rows])
			servicetest.Same(t, l.Path, after["next_cursor"], by["next_cursor"])
			other := h.NewKey(h.Organisation("Other "+l.Rows, "business"), org.ViewInvoice)
			theirs := h.As(other, http.MethodGet, fmt.Sprint("/v1", l.Path, "?cursor=", two["next_cursor"]), "").Wants(t, http.StatusOK)
			servicetest.Same(t, "our cursor in another organisation", theirs[l.Rows], any([]any{}))
			exact := h.Read(t, l.Path+"?page_size=6")
			servicetest.Same(t, "a full last page", exact["next_cursor"], any(nil))
		}
	})
}

func TestDecisions_List_LimitsOfPaging(t *testing.T) {
	t.Parallel()
	const deep = "page: must be within the first 10,000 rows; use cursor with the next_cursor of the previous page"
	const noCursor = "cursor: must be the next_cursor of an earlier response"
	cases := []struct {
		query string
		want  []string // nil if accepted
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
		{"page=1000000001", []string{"page: must be at most 1000000000"}},
		{"page=99999999999999999999", []string{"page: must be an integer"}},
		{"page=0", []string{"page: must be at least 1"}},
		{"page=-1", []string{"page: must be at least 1"}},
		{"page=1.5", []string{"page: must be an integer"}},
		{"page=1e1", []string{"page: must be an integer"}},
		{"page=%2B1", []string{"page: must be an integer"}},
		{"page=01", []string{"page: must be an integer"}},
		{"page=", []string{"page: must be an integer"}},
		{"page=%D9%A1", []string{"page: must be an integer"}},
		{"page_size=0", []string{"page_size: must be at least 1"}},
		{"page_size=101", []string{"page_size: must be at most 100"}},
		{"page=x&page_size=y", []string{"page: must be an integer", "page_size: must be an integer"}},
		{"page=2&page=x", nil}, // the first value is used
		{"no_such_parameter=1", nil},
		{"page=1;page_size=2", []string{"query: must be a valid query string"}},
		{"cursor=", nil},
		{"cursor=AZPqZSiAcAWh24ozsNvrMQ", nil},
		{"cursor=AZPqZSiAcAWh24ozsNvrMR", []string{noCursor}}, // unused bits are set
		{"cursor=AZPqZSiAcAWh24ozsNvrMQ==", []string{noCursor}},
		{"cursor=AZPqZSiAcAWh24ozsN%0AvrMQ", []string{noCursor}},
		{"cursor=AAAAAAAAAAAAAAAAAAAAAA", []string{noCursor}},
		{"cursor=AZPqZSiAcAWh24oz", []string{noCursor}},
		{"cursor=" + "0193ea65-2880-7005-a1db-8a33b0dbeb31", []string{noCursor}},
		{"cursor=1", []string{noCursor}},
		{"cursor=%00", []string{"cursor: must not contain the character U+0000"}},
		{"cursor=%FF", []string{"cursor: must be valid UTF-8"}},
		{"cursor=0123456789012345678901234567890123456789x", []string{"cursor: must have at most 40 characters"}},
	}
	h := servicetest.Open(t, nil)
	for _, l := range servicetest.Listings() {
		for _, c := range cases {
			a := h.Call(http.MethodGet, "/v1"+l.Path+"?"+c.query, "")
			if c.want == nil {
				a.Wants(t, http.StatusOK)
				continue
			}
			servicetest.Same(t, l.Path+c.query, a.Problems(t), c.want)
		}
	}
}
