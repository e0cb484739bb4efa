package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// commitLog collects the results of transactions.
type commitLog struct {
	mu   sync.Mutex
	list []error
}

func (o *commitLog) add(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = append(o.list, err)
}

func (o *commitLog) take() (list []error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	list, o.list = o.list, nil
	return list
}

// Each transaction that writes is reported. Transactions that only read or are
// refused are not, because they do not show whether writing works.
func TestCommitsAreReported(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		var reports commitLog
		var broken atomic.Bool
		c.Committed = reports.add
		c.Point = func(step string) error {
			if step == "committed" && broken.Load() {
				return errors.New("connection lost")
			}
			return nil
		}
		s := open(t, c)
		reports.take()
		ok(t, s.TryWrite(s.ctx))
		if got := reports.take(); len(got) != 1 || got[0] != nil {
			t.Errorf("reports of a successful write = %v, want one without an error", got)
		}
		if err := s.AddReason(s.ctx, org.Operator(org.Tenant{}, "nobody"), sampleReason(c.NewID())); err == nil {
			t.Error("a write without an organisation succeeded, want an error")
		}
		ok(t, s.SweepGuards(s.ctx, noon()))
		if got := reports.take(); len(got) != 0 {
			t.Errorf("reports of a refusal and a write without rows = %v, want none", got)
		}
		if c.URL != "" {
			return
		}
		broken.Store(true)
		if err := s.TryWrite(s.ctx); err == nil {
			t.Error("a write with a failed commit succeeded, want an error")
		}
		if got := reports.take(); len(got) != 1 || got[0] == nil {
			t.Errorf("reports of a failed commit = %v, want one error", got)
		}
	})
}

// The log is copied into the database although SQLite's automatic checkpoints
// are off, and not more often than necessary.
func TestLogStaysShort(t *testing.T) {
	t.Parallel()
	c := storetest.SQLite(t)
	s := open(t, c)
	for range 40 {
		client := sampleClient(c.NewID())
		client.Logo = strings.Repeat("x", 1<<20) // some 250 frames
		ok(t, s.AddClient(s.ctx, s.by, client))
	}
	info, err := os.Stat(filepath.Join(c.Dir, "khatm.db-wal"))
	ok(t, err)
	if least, most := int64(15<<20), int64(18<<20); info.Size() < least || info.Size() > most {
		t.Errorf("the write-ahead log has %d MiB, want 15 to 18", info.Size()>>20)
	}
}

// A server empties the write-ahead log of a killed server.
func TestServerEmptiesTheLog(t *testing.T) {
	t.Parallel()
	c := storetest.SQLite(t)
	p := start(t, "serve", c)
	if got := p.line(); got != "ready" {
		t.Fatal(got)
	}
	p.kill()
	log := filepath.Join(c.Dir, "khatm.db-wal")
	if info, err := os.Stat(log); err != nil || info.Size() == 0 {
		t.Fatalf("write-ahead log of the killed server = %v, %v, want a file that is not empty", info, err)
	}
	s, err := store.Serve(context.Background(), c)
	ok(t, err)
	defer s.Close()
	if info, err := os.Stat(log); err != nil || info.Size() != 0 {
		t.Errorf("write-ahead log after the start = %v, %v, want an empty file", info, err)
	}
}
