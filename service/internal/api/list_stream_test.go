package api_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"testing"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/api"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/trade"
)

// largeInvoices issues invoices with many lines, each about 0.6 MB as stored.
func largeInvoices(shop *servicetest.Seller, n int) (ids []uuid.UUID) {
	var lines []any
	for i := range 2_400 {
		lines = append(lines, shop.Line(servicetest.Fields{"item_name": fmt.Sprintf("Item %d & \"more\"", i), "item_net_price": fmt.Sprintf("%d.%02d", i+1, i%100)}))
	}
	for range n {
		a := shop.CreateAs(uuid.NewString(), shop.Standard(servicetest.Fields{"form_lines": lines}))
		ids = append(ids, servicetest.Parsed(shop.TB, servicetest.IssuedID(shop.TB, a.Wants(shop.TB, http.StatusAccepted))))
	}
	return ids
}

// A list of invoices is the same text as if it were encoded as a whole: with
// damaged invoices, several parts, searches, cursors and without rows.
func TestListIsEqualToTheUnstreamedOne(t *testing.T) {
	servicetest.MostlySQLiteWith(t, func(c *server.Config) { c.URL = "https://khatm.example" }, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		for n := range 5 {
			shop.Created(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprintf("note %d", n))}))
		}
		ids := append(largeInvoices(shop, 3), shop.Created(shop.Standard()))
		damage := h.Corrupter(t, 1)
		for _, id := range []uuid.UUID{ids[1], ids[3]} {
			if _, err := damage.Db.Exec(`UPDATE document SET qr = 'damaged' WHERE invoice_id = $1`, id.String()); err != nil {
				t.Fatal(err)
			}
		}
		surface := api.New(api.Config{URL: "https://khatm.example", OpenShare: func(id uuid.UUID, sealed []byte) (string, error) {
			token, err := h.Service.Vault().Open(issue.SharePurpose, id.String(), sealed)
			return string(token), err
		}})
		for _, c := range []struct {
			name, query string
			filter      ledger.Filter
			page        org.Page
			rows        int
		}{
			{"all", "page_size=100", ledger.Filter{}, org.Page{Size: 100, Number: 1}, 9},
			{"second page", "page_size=2&page=2", ledger.Filter{}, org.Page{Size: 2, Number: 2}, 2},
			{"after the last page", "page=7", ledger.Filter{}, org.Page{Size: 20, Number: 7}, 0},
			{"search", "search_text=buyer", ledger.Filter{Search: trade.Fold("buyer")}, org.Page{Size: 20, Number: 1}, 4},
			{"search without matches", "search_text=nothing", ledger.Filter{Search: trade.Fold("nothing")}, org.Page{Size: 20, Number: 1}, 0},
			{"filter", "type_code=388&transaction_code=0100000", ledger.Filter{Kind: 388, Transaction: "0100000"}, org.Page{Size: 20, Number: 1}, 4},
		} {
			path := "/v1/api/invoices/?" + c.query
			for range 3 { // with cursors
				got := h.Call(http.MethodGet, path, "")
				list, err := h.Service.Store().Invoices(t.Context(), org.TenantOf(h.Org.ID), c.filter, c.page)
				if err != nil {
					t.Fatal(err)
				}
				want, err := surface.Unstreamed(list, c.page)
				if err != nil {
					t.Fatal(err)
				}
				if got.Body != want {
					t.Errorf("%s: the list is %.300s…, want %.300s…", c.name, got.Body, want)
				}
				if len(list.Rows) != c.rows {
					t.Errorf("%s: %d invoices, want %d", c.name, len(list.Rows), c.rows)
				}
				cursor, more := got.JSON(t)["next_cursor"].(string)
				if !more {
					break
				}
				path = "/v1/api/invoices/?" + c.query + "&cursor=" + url.QueryEscape(cursor)
				c.page.After = list.Next
			}
		}
	})
}

// heapWatch is a client that measures the live heap while it receives a response.
type heapWatch struct {
	header http.Header
	bytes  int
	next   int
	peak   uint64
}

func (w *heapWatch) Header() http.Header { return w.header }
func (w *heapWatch) WriteHeader(int)     {}
func (w *heapWatch) Write(p []byte) (int, error) {
	if w.bytes += len(p); w.bytes >= w.next {
		w.next = w.bytes + 256<<10
		w.peak = max(w.peak, liveHeap())
	}
	return len(p), nil
}

func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The memory of a list does not depend on how many invoices it has.
func TestListOfLargeInvoicesNeedsLittleMemory(t *testing.T) {
	if !testtool.All() {
		t.Skip("runs with make check")
	}
	h := servicetest.Open(t, nil)
	shop := h.NewSeller()
	largeInvoices(shop, 7)
	list := func() (bytes int, above int64) {
		r := h.Request(http.MethodGet, "/v1/api/invoices/?page_size=100", http.NoBody)
		r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), "127.0.0.1:1"
		servicetest.Bearer(h.Key)(r)
		w := &heapWatch{header: http.Header{}}
		idle := liveHeap()
		h.Service.Handler().ServeHTTP(w, r)
		return w.bytes, int64(w.peak) - int64(idle)
	}
	list()
	bytes, above := list()
	if bytes < 6<<20 {
		t.Fatalf("the list has %d bytes, want more than 6 MiB", bytes)
	}
	if most := int64(4 << 20); above > most {
		t.Errorf("a list of %d bytes needs %d bytes of memory, want at most %d", bytes, above, most)
	}
}

// Clients that do not read their lists keep no connection to the database, so that
// other calls are answered.
func TestListsThatAreNotReadBlockNothing(t *testing.T) {
	if !testtool.All() {
		t.Skip("runs with make check")
	}
	r := servicetest.Run(t, nil)
	largeInvoices(r.NewSeller(), 7)
	for range 12 { // more than there are connections for reading
		conn := r.Dial()
		if tcp, is := conn.(*net.TCPConn); is {
			// So that the list does not fit into buffers. With a buffer that is smaller than
			// a packet, the server would wait between packets.
			_ = tcp.SetReadBuffer(128 << 10)
		}
		if _, err := io.WriteString(conn, "GET /v1/api/invoices/?page_size=100 HTTP/1.1\r\nHost: khatm\r\nAuthorization: Bearer "+r.Key+"\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(conn, make([]byte, 1<<20)); err != nil { // the list has begun
			t.Fatal(err)
		}
	}
	if n := r.Service.Capacity().Calls.Usage().Used; n != 12 {
		t.Fatalf("%d calls are being answered, want 12 that wait for their clients", n)
	}
	if got := r.Call(http.MethodGet, "/v1/api/invoices/?page_size=1", ""); got.Status != http.StatusOK {
		t.Errorf("another list: got %d %s, want 200", got.Status, got.Body)
	}
}
