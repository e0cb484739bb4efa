package store_test

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// Batches of several organisations that wait together are written in one
// transaction. One that cannot be written does not affect the others.
func TestAppendTogether(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		store.AppendOneByOne(s.Store)
		ours, theirs := s.seller(s.by), s.seller(s.other)
		first := ours.issue(asIs)
		for name, test := range map[string]struct {
			change func(*issue.Entry)
			fails  bool
		}{
			"both can be written":    {change: asIs},
			"one cannot be written":  {change: func(e *issue.Entry) { e.Invoice.Number = first.Number }, fails: true},
			"one is without its XML": {change: func(e *issue.Entry) { e.XML = nil }, fails: true},
		} {
			t.Run(name, func(t *testing.T) {
				no := errors.New("no")
				begun, release := make(chan struct{}), make(chan struct{})
				var all sync.WaitGroup
				all.Go(func() {
					if err := s.Append(s.ctx, s.by.Tenant, issue.Wants{At: s.config.Now()}, func(*issue.State) (*issue.Entries, error) {
						close(begun)
						<-release
						return nil, no
					}); !errors.Is(err, no) {
						t.Errorf("the batch that is not to be written: %v, want %v", err, no)
					}
				})
				<-begun
				var ourErr, theirErr error
				all.Go(func() { _, ourErr = ours.append(test.change) })
				all.Go(func() { _, theirErr = theirs.append(asIs, asIs) })
				for store.WaitingAppends(s.Store) < 2 {
					time.Sleep(time.Millisecond)
				}
				close(release)
				all.Wait()
				if (ourErr != nil) != test.fails || theirErr != nil {
					t.Errorf("errors %v and %v, want an error of the first: %t", ourErr, theirErr, test.fails)
				}
				s.tallied()
			})
		}
	})
}

// Batches that are written one by one after a failure use few connections.
func TestAppendAloneUsesFewConnections(t *testing.T) {
	t.Parallel()
	const others, few = 12, 4
	c := storetest.Postgres(t)
	c.Connections = few + 2
	s := open(t, c)
	store.AppendOneByOne(s.Store)
	ours := s.seller(s.by)
	first := ours.issue(asIs)
	no := errors.New("no")
	begun, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		_ = s.Append(s.ctx, s.other.Tenant, issue.Wants{At: s.config.Now()}, func(*issue.State) (*issue.Entries, error) {
			close(begun)
			<-release
			return nil, no
		})
	})
	<-begun
	all.Go(func() {
		if _, err := ours.append(func(e *issue.Entry) { e.Invoice.Number = first.Number }); err == nil {
			t.Error("a number was used twice")
		}
	})
	var calls, active atomic.Int32
	full := make(chan struct{})
	for n := range others {
		of := benchOrganisation(t, s.Store, s.config, n)
		all.Go(func() {
			err := s.Append(s.ctx, of, issue.Wants{At: s.config.Now()}, func(*issue.State) (*issue.Entries, error) {
				call := calls.Add(1)
				if call <= others {
					return &issue.Entries{}, nil // in the transaction that fails
				}
				if now := active.Add(1); now > few {
					t.Errorf("%d batches are written at once, want at most %d", now, few)
				}
				defer active.Add(-1)
				if call == others+few {
					close(full)
				}
				<-full
				return nil, no
			})
			if !errors.Is(err, no) {
				t.Errorf("error %v, want %v", err, no)
			}
		})
	}
	for store.WaitingAppends(s.Store) < others+1 {
		time.Sleep(time.Millisecond)
	}
	close(release)
	all.Wait()
}

// Append asks for more documents when it has the book, as many as its transaction has
// room for, and reads the state that all of them want.
func TestAppendAddsDocuments(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		ours := s.seller(s.by)
		ours.issue(asIs)
		wants := issue.Wants{At: s.config.Now(), Guards: make([]issue.Digest, 3), Bytes: 1000}
		more := wants
		more.Devices, more.Guards = []uuid.UUID{ours.device}, make([]issue.Digest, 4)
		var rooms []int
		wants.More = func(documents, bytes int) issue.Wants {
			rooms = append(rooms, documents, bytes)
			return more
		}
		state := s.taken(s.by.Tenant, wants)
		if want := []int{61, 8<<20 - 1000}; !slices.Equal(rooms, want) {
			t.Errorf("asked for documents and bytes %v, want %v", rooms, want)
		}
		if state.Devices[ours.device] == nil {
			t.Error("the state lacks the device of the added document")
		}
	})
}

// Append asks for more documents only when no other server has the book.
func TestAppendAddsDocumentsBehindTheLock(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	ours := s.seller(s.by)
	ours.issue(asIs)
	name := ""
	wants := issue.Wants{At: s.config.Now()}
	wants.More = func(int, int) issue.Wants {
		ok(t, s.raw.QueryRowContext(s.ctx, `SELECT name FROM organisation WHERE id = $1`, s.by.Tenant.ID()).Scan(&name))
		return issue.Wants{At: s.config.Now(), Devices: []uuid.UUID{ours.device}}
	}
	s.beside(t, `SELECT documents FROM book WHERE org_id = $1 FOR NO KEY UPDATE`, []any{s.by.Tenant.ID()},
		func() error {
			s.taken(s.by.Tenant, wants)
			return nil
		},
		`UPDATE organisation SET name = 'renamed' WHERE id = $1`, s.by.Tenant.ID())
	if name != "renamed" {
		t.Errorf("the name was %q when documents were added, want the one that the other server committed", name)
	}
}

// SQLite writes up to 16 rows of a table with one statement. PostgreSQL gets
// statements with up to 8 rows or with 16, so that few have to be prepared.
func TestAppendStatements(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		ours := s.seller(s.by)
		want := []int{4, 7, 15, 16}
		if s.config.URL != "" {
			want = []int{4, 7, 8, 16}
		}
		for _, documents := range []int{7, 15, 20} {
			changes := slices.Repeat([]func(*issue.Entry){asIs}, documents)
			if _, err := ours.append(changes...); err != nil {
				t.Fatal(err)
			}
		}
		if got := store.InsertedInvoices(s.Store); !slices.Equal(got, want) {
			t.Errorf("statements with %v rows, want %v", got, want)
		}
	})
}
