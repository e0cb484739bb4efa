package share_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"khatm/internal/testtool"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
	"khatm/service/internal/store/storetest"
)

// twoSharings returns the draft sharing of one organisation in two services that
// share a PostgreSQL and a clock.
func twoSharings(t *testing.T) (sharings [2]*servicetest.DraftSharing, url string) {
	t.Helper()
	url, keys, clock := storetest.NewPostgres(t).URL, t.TempDir()+"/master.key", storetest.NewClock()
	on := func(c *server.Config) { c.Database, c.MasterKeyFile, c.Now = url, keys, clock.Now }
	first, second := servicetest.Open(t, on), servicetest.Open(t, on)
	first.Clock = clock
	sharings[0] = first.DraftSharing()
	beside, seller := *first, *sharings[0].Seller
	beside.Service, beside.HTTP, seller.Instance = second.Service, second.HTTP, &beside
	sharings[1] = &servicetest.DraftSharing{Seller: &seller, Ctx: sharings[0].Ctx, By: sharings[0].By}
	return sharings, url
}

// storm runs conflicting operations on one draft concurrently.
type storm struct {
	t        *testing.T
	sharings [2]*servicetest.DraftSharing
	draft    share.Draft
	mu       sync.Mutex
	issued   map[uuid.UUID]bool // invoices returned by successful calls of issue
}

// issue issues the draft and yields to other goroutines meanwhile. If slow is
// set, its claim expires.
func (s *storm) issue(d *servicetest.DraftSharing, slow bool) error {
	i, err := withHooks(d, func() error {
		if slow {
			d.Clock.Advance(share.ClaimLife + time.Second)
		}
		for range rand.IntN(40) {
			runtime.Gosched()
		}
		return nil
	}, nothing).Issue(d.Ctx, d.By, s.draft.ID)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.issued[i.ID] = true
	}
	return err
}

// run runs all operations concurrently. They may fail only because of the
// state of the draft, never with an internal or database error.
func (s *storm) run(removes bool) {
	operations := []func(*servicetest.DraftSharing) error{
		func(d *servicetest.DraftSharing) error { return s.issue(d, true) },
		func(d *servicetest.DraftSharing) error { return s.issue(d, true) },
		func(d *servicetest.DraftSharing) error { return s.issue(d, false) },
		func(d *servicetest.DraftSharing) error {
			_, err := d.Sharer().Change(d.Ctx, d.By, s.draft.ID, 0, d.Request(fmt.Sprint(rand.IntN(999)+1, ".00")), s.draft.Recipient)
			return err
		},
		func(d *servicetest.DraftSharing) error {
			_, err := d.Sharer().Share(d.Ctx, d.By, s.draft.ID)
			return err
		},
		func(d *servicetest.DraftSharing) error {
			_, err := d.Sharer().Unshare(d.Ctx, d.By, s.draft.ID)
			return err
		},
	}
	if removes {
		operations = append(operations, func(d *servicetest.DraftSharing) error { return d.Sharer().Remove(d.Ctx, d.By, s.draft.ID) })
	}
	var all sync.WaitGroup
	for n, operation := range operations {
		d := s.sharings[(n+rand.IntN(2))%2]
		all.Go(func() {
			err := operation(d)
			if kind := fault.KindOf(err); err != nil && kind != fault.Conflict && kind != fault.NotFound {
				s.t.Errorf("operation %d: %v, want success, a conflict or not found", n, err)
			}
		})
	}
	all.Wait()
}

// check checks that the issued invoice matches the draft, and that nothing
// was issued if the draft was removed or waits for its recipient.
func (s *storm) check() (issued bool) {
	s.t.Helper()
	d := s.sharings[0]
	key := issue.DraftKey(s.draft.ID)
	book, err := d.Service.Store().Look(d.Ctx, d.Of(), issue.Wants{At: d.Clock.Now(), Keys: []string{key}})
	d.Must(err)
	found, issued := book.Keys[key]
	now, err := d.Sharer().Draft(d.Ctx, d.Of(), s.draft.ID)
	switch {
	case err != nil && fault.KindOf(err) != fault.NotFound:
		s.t.Fatal(err)
	case err != nil && issued:
		s.t.Errorf("a removed draft was issued as %s", found.Invoice.Number)
	case !issued && (len(s.issued) > 0 || err == nil && now.Invoice != nil):
		s.t.Errorf("no invoice exists, but issue returned %v and the draft has %v", s.issued, now.Invoice)
	case !issued:
	case now.State() != share.Issued || *now.Invoice != found.Invoice.ID || now.Share != nil:
		s.t.Errorf("invoice %s belongs to a draft with state %s and link %v", found.Invoice.Number, now.State(), now.Share)
	default:
		i, err := d.Service.Store().Invoice(d.Ctx, d.Of(), found.Invoice.ID)
		d.Must(err)
		says := now.Request.FormLines[0].Price.Mul(money.MustParse("2"))
		servicetest.Equal(s.t, "the total of version "+fmt.Sprint(now.Version), i.Record.Totals.WithoutVAT.Fixed2(), says.Fixed2())
		delete(s.issued, i.ID)
		servicetest.Equal(s.t, "other invoices", len(s.issued), 0)
	}
	return issued
}

// TestDraft_IssuedAsItStandsInAStorm checks that concurrent and slow operations
// lead to at most one invoice, which matches the draft.
func TestDraft_IssuedAsItStandsInAStorm(t *testing.T) {
	t.Parallel()
	sharings, url := twoSharings(t)
	d := sharings[0]
	rounds := testtool.Count(30, 60)
	issued := 0
	for round := range rounds {
		to := servicetest.Recipient
		to.Email = fmt.Sprintf("noura%d@buyer.example", round) // avoids the daily limit of e-mails to one address
		draft, err := d.Sharer().Create(d.Ctx, d.By, d.Request("4200.00"), to)
		d.Must(err)
		s := &storm{t: t, sharings: sharings, draft: draft, issued: map[uuid.UUID]bool{}}
		s.run(round%2 == 0)
		if s.check() {
			issued++
		}
	}
	servicetest.Equal(t, "documents", d.CheckChains(d.Org), issued)
	if issued == 0 || issued == rounds {
		t.Errorf("%d of %d drafts were issued, want some but not all", issued, rounds)
	}
	sharings[0].Service.Close()
	sharings[1].Service.Close()
	servicetest.Equal(t, "deadlocks", deadlocks(t, url), 0)
}

// deadlocks returns the number of deadlocks that PostgreSQL has counted.
// PostgreSQL counts a deadlock when its connection ends.
func deadlocks(t *testing.T, url string) (n int) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	const others = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
	left := 1
	for end := time.Now().Add(servicetest.Patience); err == nil && left > 0 && time.Now().Before(end); {
		err = conn.QueryRow(ctx, others).Scan(&left)
	}
	count := conn.QueryRow(ctx, `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`).Scan(&n)
	if err = errors.Join(err, count); err != nil || left > 0 {
		t.Fatalf("%d other connections are still open (error: %v)", left, err)
	}
	return n
}
