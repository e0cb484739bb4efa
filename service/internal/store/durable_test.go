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

// commitLog collects what a store says of its transactions.
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

// Each transaction that writes is reported, and those that read or are refused
// are not: they say nothing about whether writing works.
func TestOutcomeOfEveryCommit(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		var said commitLog
		var broken atomic.Bool
		c.Committed = said.add
		c.Point = func(step string) error {
			if step == "committed" && broken.Load() {
				return errors.New("the connection broke")
			}
			return nil
		}
		s := open(t, c)
		said.take()
		ok(t, s.TryWrite(s.ctx))
		if got := said.take(); len(got) != 1 || got[0] != nil {
			t.Errorf("a write that works: %v", got)
		}
		if err := s.AddReason(s.ctx, org.Operator(org.Tenant{}, "nobody"), sampleReason(c.NewID())); err == nil {
			t.Error("nobody wrote something")
		}
		ok(t, s.SweepGuards(s.ctx, noon()))
		if got := said.take(); len(got) != 0 {
			t.Errorf("a refusal and a write of nothing: %v", got)
		}
		if c.URL != "" {
			return
		}
		broken.Store(true)
		if err := s.TryWrite(s.ctx); err == nil {
			t.Error("a commit that fails is told as one that works")
		}
		if got := said.take(); len(got) != 1 || got[0] == nil {
			t.Errorf("a commit that fails: %v", got)
		}
	})
}

// The log is copied into the database although SQLite does not do it by itself.
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
	if most := int64(12 << 20); info.Size() > most {
		t.Errorf("the log has %d MiB", info.Size()>>20)
	}
}

// A server empties the log that another has left.
func TestServerSettlesTheLog(t *testing.T) {
	t.Parallel()
	c := storetest.SQLite(t)
	p := start(t, "serve", c)
	if got := p.line(); got != "ready" {
		t.Fatal(got)
	}
	p.kill()
	log := filepath.Join(c.Dir, "khatm.db-wal")
	if info, err := os.Stat(log); err != nil || info.Size() == 0 {
		t.Fatalf("a killed server left no log: %v", err)
	}
	s, err := store.Serve(context.Background(), c)
	ok(t, err)
	defer s.Close()
	if info, err := os.Stat(log); err != nil || info.Size() != 0 {
		t.Errorf("the log is as it was: %v", err)
	}
}
