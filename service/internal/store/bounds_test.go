package store_test

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// Queries that depend on the caller's page, size, filters or search words are
// not kept prepared.
func TestStatementsAreBounded(t *testing.T) {
	t.Parallel()
	lists := testtool.Count(60, 300)
	storetest.Each(t, func(t *testing.T, c store.Config) {
		s := storetest.Open(t, c)
		of := benchOrganisation(t, s, c, 1)
		before := 0
		for n := range lists {
			page := org.Page{Number: 1 + n%20, Size: 1 + n%100}
			search := strings.TrimSpace(strings.Repeat("word ", n%12))
			if _, err := s.Clients(context.Background(), of, search, page); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Items(context.Background(), of, search, page); err != nil {
				t.Fatal(err)
			}
			filter := ledger.Filter{Search: search}
			for i := range n % 7 {
				filter.IDs = append(filter.IDs, uuid.UUID{0: byte(i)})
				filter.Statuses = append(filter.Statuses, ledger.Status(strconv.Itoa(i)))
			}
			if n%3 == 0 {
				filter.Kind, filter.From, filter.Buyer = invoice.TaxInvoice, "2026-01-01", uuid.Max
			}
			if _, err := s.Invoices(context.Background(), of, filter, page); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Drafts(context.Background(), of, share.Filter{Search: search, States: []share.State{share.Open, share.Shared}[:n%3]}, page); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Look(context.Background(), of, issue.Wants{Devices: filter.IDs, Items: filter.IDs, Earlier: filter.IDs, Keys: strings.Fields(search)}); err != nil {
				t.Fatal(err)
			}
			if n == 20 {
				before = s.KeptStatements()
			}
		}
		if after := s.KeptStatements(); after != before {
			t.Errorf("prepared statements after %d lists = %d, want %d as after 20", lists, after, before)
		}
	})
}

// frozen is a proxy to PostgreSQL that can stop forwarding, like a network that
// drops packets.
type frozen struct {
	address string
	stopped atomic.Bool
	wait    chan struct{}
}

// freezable starts a proxy to target.
func freezable(t *testing.T, target string) *frozen {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &frozen{address: listener.Addr().String(), wait: make(chan struct{})}
	var all sync.WaitGroup
	t.Cleanup(func() {
		_ = listener.Close()
		close(f.wait)
		all.Wait()
	})
	pass := func(to, from net.Conn) {
		defer func() { _ = to.Close() }()
		buffer := make([]byte, 32<<10)
		for {
			n, err := from.Read(buffer)
			if f.stopped.Load() {
				<-f.wait
				return
			}
			if _, failed := to.Write(buffer[:n]); err != nil || failed != nil {
				return
			}
		}
	}
	all.Go(func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", target)
			if err != nil {
				_ = in.Close()
				continue
			}
			all.Go(func() { pass(out, in) })
			all.Go(func() { pass(in, out) })
		}
	})
	return f
}

// If PostgreSQL hangs, reads fail with an error of kind Unavailable. Each read
// uses an open connection, because opening a new one would fail differently. All reads
// wait for their timeout at the same time; as parallel tests they would keep others
// from running.
func TestHangingPostgresIsUnavailable(t *testing.T) {
	t.Parallel()
	some, page := []uuid.UUID{uuid.Max}, org.Page{Size: 9, Number: 1}
	var reads sync.WaitGroup
	defer reads.Wait()
	for name, read := range map[string]func(context.Context, *store.Store, org.Tenant) error{
		"usage": func(ctx context.Context, s *store.Store, of org.Tenant) error {
			_, err := s.Used(ctx, of, noon())
			return err
		},
		"earlier": func(ctx context.Context, s *store.Store, of org.Tenant) error {
			_, err := s.Earlier(ctx, of, some)
			return err
		},
		"state": func(ctx context.Context, s *store.Store, of org.Tenant) error {
			_, err := s.Look(ctx, of, issue.Wants{})
			return err
		},
		"items": func(ctx context.Context, s *store.Store, of org.Tenant) error {
			_, err := s.ItemsByID(ctx, of, some)
			return err
		},
		"invoices": func(ctx context.Context, s *store.Store, of org.Tenant) error {
			_, err := s.Invoices(ctx, of, ledger.Filter{}, page)
			return err
		},
	} {
		c := storetest.Postgres(t)
		address, err := url.Parse(c.URL)
		ok(t, err)
		way := freezable(t, address.Host)
		address.Host = way.address
		c.URL = address.String()
		s := storetest.Open(t, c)
		of := benchOrganisation(t, s, c, 1)
		way.stopped.Store(true)
		reads.Go(func() {
			if err := read(context.Background(), s, of); fault.KindOf(err) != fault.Unavailable {
				t.Errorf("read of %s from a hanging PostgreSQL: %v, want an error of kind Unavailable", name, err)
			}
		})
	}
}

func TestDatabaseFilesArePrivate(t *testing.T) {
	t.Parallel()
	c := storetest.Empty(t)
	if err := os.Chmod(c.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, c)
	benchOrganisation(t, s, c, 1)
	for _, name := range []string{"khatm.db", "khatm.db-wal", "khatm.db-shm"} {
		info, err := os.Stat(c.Dir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %s, want 600", name, fmt.Sprintf("%o", mode))
		}
	}
}
