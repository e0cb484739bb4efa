package service_test

import (
	"database/sql"
	"encoding/base64"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// measureClaims writes documents that wait, and measures claims and verdicts of a
// sender with one worker. A hundred documents are left waiting.
func (l *loader) measureClaims(size int) {
	l.t.Helper()
	const waiting, left = 300, 100
	k, stop := l.startSender(1)
	for range 100 { // nothing is waiting
		time.Sleep(10 * time.Millisecond)
		l.sender.Load().Wake()
	}
	stop()
	l.g.Figures.set(claimIdle, size, figureOf(k.idle))
	each, _ := l.have()
	for n := range waiting { // of many organisations
		l.write(&l.g.Sellers[n], each[n], 1)
	}
	if err := l.failed.Load(); err != nil {
		l.t.Fatal(*err)
	}
	k, stop = l.startSender(1)
	for end := time.Now().Add(servicetest.Patience); ; time.Sleep(time.Millisecond) {
		if claims, _ := k.count(); claims >= waiting-left {
			break
		}
		if time.Now().After(end) {
			l.t.Fatal("the waiting documents were not claimed within a minute")
		}
	}
	stop()
	l.g.Figures.set(claimWaiting, size, figureOf(k.claims))
	l.g.Figures.set(recordVerdict, size, figureOf(k.verdicts))
}

// growthCalls measures calls to a server process as one caller.
type growthCalls struct {
	t       *testing.T
	db      *sql.DB
	address string
	client  *http.Client
	figures figures
	size    int
	today   string
}

// timed calls do n times, and before that ten times unmeasured, and sets the figure.
func (c *growthCalls) timed(what string, n int, do func(i int)) {
	c.t.Helper()
	const warm = 10
	var all []time.Duration
	for i := range warm + n {
		began := time.Now()
		do(i)
		if i >= warm {
			all = append(all, time.Since(began))
		}
	}
	c.figures.set(what, c.size, figureOf(all))
	c.t.Logf("%-40s %s", what, c.figures[what][c.size])
}

// call makes one call and reads the response.
func (c *growthCalls) call(of *grown, method, path, body string, want int) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, "http://"+c.address+"/v1/api/invoices/"+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+of.Key)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	a, err := c.client.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = a.Body.Close() }()
	text, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != want {
		c.t.Fatalf("%s %s: got %d %.300s, %v; want %d", method, path, a.StatusCode, text, err, want)
	}
}

// creates measures creating simplified invoices in an organisation.
func (c *growthCalls) creates(what string, of *grown) {
	shop := servicetest.Seller{Instance: &servicetest.Instance{TB: c.t}, Org: org.Organisation{ID: of.ID}, Device: device.Device{ID: of.Devices[0]}}
	c.timed(what, 300, func(int) {
		body := shop.Simplified(servicetest.Fields{"supply_date": c.today, "supply_end_date": c.today, "notes": servicetest.Note(uuid.NewString())})
		c.call(of, http.MethodPost, "", body, http.StatusAccepted)
	})
}

// growthInvoice is an invoice of an organisation.
type growthInvoice struct {
	id     uuid.UUID
	number string
}

// at returns the document of a device with a counter.
func (c *growthCalls) at(of *grown, device uuid.UUID, counter int64) (found growthInvoice) {
	c.t.Helper()
	const query = `SELECT id, ref_num FROM invoice WHERE org_id = $1 AND device_id = $2 AND counter = $3`
	if err := c.db.QueryRow(query, of.ID.String(), device.String(), counter).Scan(&found.id, &found.number); err != nil {
		c.t.Fatalf("find document %d of device %s: %v", counter, device, err)
	}
	return found
}

// all measures the operations of the service over HTTP.
func (c *growthCalls) all(g *growth) {
	c.t.Helper()
	large, small := g.largest(), g.smallest()
	c.creates(createLarge, large)
	c.creates(createSmall, small)
	var last int64
	if err := c.db.QueryRow(`SELECT counter FROM chain WHERE org_id = $1 AND device_id = $2`, large.ID.String(), large.Devices[0].String()).Scan(&last); err != nil {
		c.t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(uint64(c.size), 2))
	reads := func(what string, from int64) {
		var ids []string
		for range 310 {
			ids = append(ids, c.at(large, large.Devices[0], from+r.Int64N(last-from)+1).id.String())
		}
		c.timed(what, 300, func(i int) { c.call(large, http.MethodGet, ids[i]+"/", "", http.StatusOK) })
	}
	reads(readNewest, max(0, last-1_000))
	reads(readAny, 0)
	c.timed(listFirst, 300, func(int) { c.call(large, http.MethodGet, "", "", http.StatusOK) })
	middle := c.at(large, large.Devices[0], last/2+1).id
	cursor := base64.RawURLEncoding.EncodeToString(middle[:])
	c.timed(listMiddle, 300, func(int) { c.call(large, http.MethodGet, "?cursor="+cursor, "", http.StatusOK) })
	for _, s := range []struct{ what, words string }{
		{searchNumber, c.at(large, large.Devices[0], last/3+1).number}, {searchBuyer, "dormant 07"}, {searchBuyers, "dormant"}, {searchAll, "عميل"}, {searchNone, "nowhere"},
	} {
		c.timed(s.what, 100, func(int) {
			c.call(large, http.MethodGet, "?search_text="+url.QueryEscape(s.words), "", http.StatusOK)
		})
	}
}

// measureCalls starts a server whose clock continues after the last document, and
// measures calls to it.
func measureCalls(t *testing.T, g *growth, size int, data, database string, now time.Time) {
	t.Helper()
	shift := time.Until(now).Round(time.Second) + time.Second
	v := startProcess(t, data, database, "", "KHATM_TEST_SERVER_SHIFT="+shift.String())
	defer v.kill()
	c := &growthCalls{
		t: t, db: growthDatabase(t, data, database), address: v.address, client: &http.Client{}, figures: g.Figures, size: size,
		today: now.In(invoice.Riyadh()).Format(time.DateOnly),
	}
	defer c.client.CloseIdleConnections()
	c.all(g)
	_ = c.db.Close()
}

// growthSizes measures what the database occupies.
func growthSizes(t *testing.T, g *growth, size int, data, database string) {
	t.Helper()
	db := growthDatabase(t, data, database)
	defer func() { _ = db.Close() }()
	var documents int
	if err := db.QueryRow(`SELECT sum(documents) FROM book`).Scan(&documents); err != nil {
		t.Fatal(err)
	}
	g.Figures.set(diskInvoice, size, figure{Value: float64(diskUsed(t, db, data, database)) / float64(documents), Unit: "bytes"})
	compression(t, db, g.Figures, size, g.largest())
	if database != "" || size <= 100_000 {
		t.Log(diskTables(t, db, database, documents))
	}
	t.Logf("%-40s %s", diskInvoice, g.Figures[diskInvoice][size])
}
