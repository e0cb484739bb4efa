package service_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/account"
	"khatm/service/internal/device"
	"khatm/service/internal/disk"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/submit"
	"khatm/service/internal/trade"
	"khatm/service/internal/work"
)

// loader writes documents into a database with the code of the service: the issuer
// numbers, chains and signs them, the store writes them in batches, and the sender
// claims them and records the verdicts. The checks of the clock and the disk are
// left out, and so are repeated reads of organisations, devices and clients.
type loader struct {
	t      *testing.T
	g      *growth
	h      *servicetest.Instance
	issuer *issue.Issuer
	db     *sql.DB
	failed atomic.Pointer[error]
	issued atomic.Int64 // documents written by this loader
	sender atomic.Pointer[submit.Submitter]
}

// openLoader starts a service whose clock moves with the documents.
func openLoader(t *testing.T, g *growth, data, database string, change ...func(*server.Config)) *loader {
	t.Helper()
	l := &loader{t: t, g: g, h: &servicetest.Instance{TB: t, Clock: storetest.NewClock(), Data: data, Database: database}}
	clock := l.h.Clock
	clock.Advance(g.Start.Sub(clock.Now()))
	c := server.Defaults()
	c.Data, c.Database, c.Log = data, database, servicetest.Quiet()
	c.Now, c.Boot = clock.Now, func() time.Duration { return clock.Now().Sub(g.Start) }
	for _, f := range change {
		f(&c)
	}
	l.db = growthDatabase(t, data, database)
	var err error
	if l.h.Service, err = server.New(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	// The clock goes on after the last document, of this or an earlier loader or of
	// a server that was measured.
	var last sql.NullInt64
	const query = `SELECT max(at) FROM (SELECT max(last_issued_at) AS at FROM chain UNION ALL SELECT clock_accepted_at FROM installation) times`
	if err := l.db.QueryRow(query).Scan(&last); err != nil {
		t.Fatal(err)
	}
	l.moveTo(time.UnixMilli(last.Int64).Add(time.Second))
	newID := server.NewIDs(clock.Now, rand.Reader)
	l.h.Keys = account.New(account.Config{Keeper: l.h.Service.Store(), Now: clock.Now, NewID: newID, Random: rand.Reader})
	l.issuer = issue.New(issue.Config{
		Keeper: &rememberingKeeper{Store: l.h.Service.Store()}, Vault: l.h.Service.Vault(), Now: clock.Now, NewID: newID, Random: rand.Reader, Log: servicetest.Quiet(),
		Issued: func() {
			if s := l.sender.Load(); s != nil {
				s.Wake()
			}
		},
	})
	return l
}

func (l *loader) close() {
	l.issuer.Close()
	if err := l.h.Service.SealTrail(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
	l.h.Service.Close()
	_ = l.db.Close()
}

// growthDatabase opens a second connection, for queries of the test.
func growthDatabase(t *testing.T, data, database string) *sql.DB {
	t.Helper()
	driver, source := "sqlite", "file:"+filepath.Join(data, store.DatabaseFile)+"?_pragma=busy_timeout(60000)"
	if database != "" {
		driver, source = "pgx", database
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// moveTo advances the clock, which never goes back.
func (l *loader) moveTo(at time.Time) {
	if by := at.Sub(l.h.Clock.Now()); by > 0 {
		l.h.Clock.Advance(by)
	}
}

// rememberingKeeper reads what the loader never changes only once.
type rememberingKeeper struct {
	*store.Store
	organisations, devices, clients sync.Map
}

// Organisation implements [issue.Keeper].
func (k *rememberingKeeper) Organisation(ctx context.Context, of org.Tenant) (org.Organisation, error) {
	return remember(&k.organisations, of.ID(), func() (org.Organisation, error) { return k.Store.Organisation(ctx, of) })
}

// Device implements [issue.Keeper].
func (k *rememberingKeeper) Device(ctx context.Context, of org.Tenant, id uuid.UUID) (device.Device, error) {
	return remember(&k.devices, id, func() (device.Device, error) { return k.Store.Device(ctx, of, id) })
}

// Client implements [issue.Keeper].
func (k *rememberingKeeper) Client(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Client, error) {
	return remember(&k.clients, id, func() (trade.Client, error) { return k.Store.Client(ctx, of, id) })
}

func remember[T any](in *sync.Map, id uuid.UUID, read func() (T, error)) (T, error) {
	if kept, known := in.Load(id); known {
		if value, is := kept.(T); is {
			return value, nil
		}
	}
	value, err := read()
	if err == nil {
		in.Store(id, value)
	}
	return value, err
}

// addSellers creates the organisations with their devices and buyers.
func (l *loader) addSellers() {
	l.t.Helper()
	for n := range growthSellers {
		o := l.h.Organisation(fmt.Sprintf("Organisation %03d", n), "enterprise")
		s := grown{ID: o.ID}
		for range 1 + n%2 {
			s.Devices = append(s.Devices, l.h.Issuing(o, nil).ID)
		}
		for b := range max(3, min(200, growthShare(n)/50_000)) {
			s.Buyers = append(s.Buyers, l.h.Client(o, fmt.Sprintf("Buyer %03d Trading", b)).ID)
		}
		if n == 0 {
			for b := range growthDormant {
				s.Dormant = append(s.Dormant, l.h.Client(o, fmt.Sprintf("Dormant buyer %02d", b)).ID)
			}
		}
		if n == 0 || n == growthSellers-1 {
			s.Key = l.h.NewKey(o, org.CreateInvoice)
		}
		l.g.Sellers = append(l.g.Sellers, s)
		if n%100 == 99 {
			l.t.Logf("%d of %d organisations", n+1, growthSellers)
		}
	}
	l.g.save(l.t)
}

// have returns the number of documents of each organisation, and their sum.
func (l *loader) have() (each []int, all int) {
	l.t.Helper()
	rows, err := l.db.Query(`SELECT org_id, documents FROM book`)
	if err != nil {
		l.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	byID := map[uuid.UUID]int{}
	for rows.Next() {
		var id uuid.UUID
		var documents int
		if err := rows.Scan(&id, &documents); err != nil {
			l.t.Fatal(err)
		}
		byID[id] = documents
		all += documents
	}
	if err := rows.Err(); err != nil {
		l.t.Fatal(err)
	}
	for _, s := range l.g.Sellers {
		each = append(each, byID[s.ID])
	}
	return each, all
}

// growthChunk is how many documents are written between two reads of the numbers
// of documents, about a week of all organisations.
const growthChunk = 20_000

// loadTo writes documents until there are as many as given.
func (l *loader) loadTo(documents int) {
	l.t.Helper()
	k, stop := l.startSender(256)
	defer stop()
	_, first := l.have()
	defer l.showProgress(progress{began: time.Now(), first: first}, documents)()
	for {
		each, all := l.have()
		if all >= documents {
			break
		}
		l.loadChunk(each, all, min(documents, all+growthChunk))
		// Let the sender catch up.
		for _, recorded := k.count(); int(l.issued.Load())-recorded > 2*growthChunk; _, recorded = k.count() {
			time.Sleep(50 * time.Millisecond)
		}
	}
	l.drain(k)
}

// showProgress logs the progress every 15 seconds until the returned function is
// called.
func (l *loader) showProgress(p progress, documents int) (end func()) {
	before := l.issued.Load()
	done, ended := make(chan struct{}), make(chan struct{})
	show := func() {
		now := p.first + int(l.issued.Load()-before)
		l.t.Log(p.line(now, documents, l.g.Total, time.Now(), diskUsed(l.t, l.db, l.h.Data, l.h.Database), freeSpace(l.h.Data)))
	}
	go func() {
		defer close(ended)
		for {
			select {
			case <-time.After(15 * time.Second):
				show()
			case <-done:
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
		show()
	}
}

// growthWriters is how many organisations write at a time, so that commits are
// combined or run at the same time.
const growthWriters = 24

// loadChunk writes the documents that each organisation lacks.
func (l *loader) loadChunk(each []int, all, to int) {
	type part struct{ seller, from, n int }
	var parts []part
	for seller, quota := range growthQuotas(to) {
		for from := each[seller]; from < quota; from += 64 {
			parts = append(parts, part{seller, from, min(64, quota-from)})
		}
	}
	// In order of time the organisations are mixed.
	mathrand.New(mathrand.NewPCG(uint64(to), 1)).Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	work := make(chan part)
	var workers sync.WaitGroup
	var done atomic.Int64
	done.Store(int64(all))
	for range growthWriters {
		workers.Go(func() {
			for p := range work {
				if l.failed.Load() == nil {
					l.moveTo(l.g.date(int(done.Add(int64(p.n)))))
					l.write(&l.g.Sellers[p.seller], p.from, p.n)
				}
			}
		})
	}
	for _, p := range parts {
		work <- p
	}
	close(work)
	workers.Wait()
	if err := l.failed.Load(); err != nil {
		l.t.Fatal(*err)
	}
}

// write writes documents of one organisation, at the same time so that the issuer
// collects them into one batch.
func (l *loader) write(s *grown, from, n int) {
	var all sync.WaitGroup
	by := org.Actor{Kind: org.KeyActor, Tenant: org.TenantOf(s.ID), Name: "growth", Role: org.CreateInvoice, Address: "192.0.2.1", Request: "growth"}
	for i := range n {
		all.Go(func() {
			_, err := l.issuer.Create(l.t.Context(), by, growthRequest(s, from+i, l.h.Clock.Now()))
			// With few documents the clock moves by days during an append.
			for range 100 {
				if err == nil || !strings.Contains(err.Error(), "a new month has begun") {
					break
				}
				_, err = l.issuer.Create(l.t.Context(), by, growthRequest(s, from+i, l.h.Clock.Now()))
			}
			if err != nil {
				err = fmt.Errorf("document %d of organisation %s: %w", from+i, s.ID, err)
				l.failed.CompareAndSwap(nil, &err)
				return
			}
			l.issued.Add(1)
		})
	}
	all.Wait()
}

// growthRequest returns document n of an organisation: one to three lines, four of
// five simplified, half of them with an idempotency key.
func growthRequest(s *grown, n int, now time.Time) issue.Request {
	r := mathrand.New(mathrand.NewPCG(uint64(n), uint64(s.ID.ID())))
	today := now.In(invoice.Riyadh()).Format(time.DateOnly)
	q := issue.Request{
		Device: s.Devices[r.IntN(len(s.Devices))], Seller: s.ID, Kind: 388, Transaction: "0200000", SupplyDate: today, SupplyEndDate: today,
		Currency: "SAR", ExchangeRate: money.FromInt(1), PaymentMeans: "10",
	}
	switch {
	case n < len(s.Dormant):
		q.Transaction, q.Buyer = "0100000", s.Dormant[n]
	case r.IntN(5) == 0:
		q.Transaction, q.Buyer = "0100000", s.Buyers[r.IntN(len(s.Buyers))]
	}
	for range 1 + r.IntN(3) {
		q.FormLines = append(q.FormLines, issue.FormLine{
			Name: growthGoods[r.IntN(len(growthGoods))], Price: money.MustParse(fmt.Sprintf("%d.%02d", 1+r.IntN(900), r.IntN(100))), Quantity: money.FromInt(int64(1 + r.IntN(9))),
			Unit: "PCE", Category: "S", Rate: money.FromInt(15),
		})
	}
	if n%2 == 0 {
		q.IdempotencyKey = fmt.Sprintf("till-%d/%08d", n%7, n)
	}
	q.Digest = sha256.Sum256(fmt.Appendf(nil, "%s %d %s", s.ID, n, today))
	return q
}

var growthGoods = []string{
	"Laptop 15 inch", "Office chair", "Printer paper A4", "قهوة عربية 500 غرام", "تمر سكري 1 كيلو", "Espresso double", "Cheese sandwich", "ماء 330 مل",
	"Mobile charger", "Delivery", "Monthly maintenance", "زيت زيتون 1 لتر", "Notebook ruled", "USB cable 2 m", "Car wash", "Haircut",
}

// startSender sends documents with as many workers as given, and returns a function
// that stops it.
func (l *loader) startSender(workers int) (k *timedKeeper, stop func()) {
	k = &timedKeeper{Keeper: l.h.Service.Store()}
	authority := newPromptAuthority(l.t, l.h.Clock.Now)
	const lease = 30 * 24 * time.Hour // the clock moves by hours between two batches
	s := submit.New(submit.Config{
		Keeper: k, Authority: authority, Now: l.h.Clock.Now, Random: rand.Reader, Log: servicetest.Quiet(), Name: "growth",
		Credentials: func(context.Context, org.Tenant, uuid.UUID) (device.Credentials, error) {
			return device.Credentials{}, nil
		},
		Workers: workers, Lease: lease, Poll: 200 * time.Millisecond,
		Retry: submit.Backoff{First: time.Second, Most: time.Minute}, Probe: submit.Backoff{First: time.Second, Most: time.Minute},
		Copy: submit.Backoff{First: time.Second, Most: time.Minute}, Copies: 1, Silence: time.Second, Alone: true,
	})
	loops := work.New(servicetest.Quiet())
	s.Start(loops)
	l.sender.Store(s)
	return k, func() {
		l.sender.Store(nil)
		loops.Stop(time.Minute)
		s.Close(time.Minute)
	}
}

// drain waits until every document has a verdict and the audit trail is linked.
func (l *loader) drain(k *timedKeeper) {
	l.t.Helper()
	before, waited := -1, 0
	for {
		var open int
		if err := l.db.QueryRow(`SELECT count(*) FROM submission WHERE state <> 'done' AND state <> 'held'`).Scan(&open); err != nil {
			l.t.Fatal(err)
		}
		if open == 0 {
			break
		}
		_, recorded := k.count()
		if waited++; recorded != before {
			before, waited = recorded, 0
		}
		if waited > 300 {
			l.t.Fatalf("%d documents have no verdict after a minute", open)
		}
		l.h.Clock.Advance(time.Second) // retries are due
		time.Sleep(200 * time.Millisecond)
	}
	if err := l.h.Service.SealTrail(l.t.Context()); err != nil {
		l.t.Fatal(err)
	}
}

// freeSpace returns the free bytes of the file system that contains dir, or 0 if
// they are not known.
func freeSpace(dir string) int64 {
	space, err := disk.Of(dir)
	if err != nil && !errors.Is(err, disk.ErrUnsupported) {
		return 0
	}
	return int64(space.Free)
}
