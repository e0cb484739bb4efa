package store_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/trade"
)

// leaving is a context that is cancelled after the write is queued and before
// it runs: its first Err returns nil.
type leaving struct {
	context.Context
	asked atomic.Int32
}

func (l *leaving) Err() error {
	if l.asked.Add(1) > 1 {
		return context.Canceled
	}
	return nil
}

// unusualWrites returns writes that fail, and one that succeeds although its
// context is cancelled.
func unusualWrites(s *fixture, kept trade.Client) map[string]func() error {
	gone, leave := context.WithCancel(s.ctx)
	leave()
	during, leaveDuring := context.WithCancel(s.ctx)
	return map[string]func() error{
		"write that fails": func() error { return s.AddClient(s.ctx, s.by, kept) },
		"write that panics": func() error {
			_, err := s.ChangeClient(s.ctx, s.by, kept.ID, func(*trade.Client) error { panic("test") })
			return err
		},
		"context cancelled before the call": func() error { return s.AddClient(gone, s.by, sampleClient(s.config.NewID())) },
		"context cancelled while waiting":   func() error { return s.AddClient(&leaving{Context: s.ctx}, s.by, sampleClient(s.config.NewID())) },
		"good: context cancelled during the write": func() error {
			_, err := s.ChangeClient(during, s.by, kept.ID, func(c *trade.Client) error {
				leaveDuring()
				c.Name = "written"
				return nil
			})
			return err
		},
	}
}

func TestWritesOfOthersAreCommitted(t *testing.T) {
	const writes = 200
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	kept := sampleClient(s.config.NewID())
	ok(t, s.AddClient(s.ctx, s.by, kept))
	odd := unusualWrites(s, kept)
	odd["write without an organisation"] = func() error { return s.AddClient(s.ctx, org.Actor{}, sampleClient(s.config.NewID())) }
	var all sync.WaitGroup
	gate := make(chan struct{})
	for range writes {
		all.Go(func() {
			<-gate
			if err := s.AddClient(s.ctx, s.by, sampleClient(s.config.NewID())); err != nil {
				t.Error(err)
			}
		})
	}
	for name, write := range odd {
		all.Go(func() {
			<-gate
			if err := write(); (err == nil) != strings.HasPrefix(name, "good") {
				t.Errorf("%s: error = %v, want an error: %t", name, err, !strings.HasPrefix(name, "good"))
			}
		})
	}
	close(gate)
	all.Wait()
	if got := s.count(`SELECT count(*) FROM client`); got != writes+1 {
		t.Errorf("%d clients were written, want %d", got, writes+1)
	}
	kept.Name = "written"
	same(t, kept)(s.Client(s.ctx, s.by.Tenant, kept.ID))
	s.tallied()
	if got := s.count(`SELECT count(*) FROM event WHERE action LIKE 'client.%'`); got != writes+2 {
		t.Errorf("%d entries in the audit trail, want %d", got, writes+2)
	}
}

// A write that panics returns an error. Later writes succeed.
func TestWritesGoOnAfterAPanic(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		kept := sampleClient(s.config.NewID())
		ok(t, s.AddClient(s.ctx, s.by, kept))
		for range 30 { // more than there are connections
			if _, err := s.ChangeClient(s.ctx, s.by, kept.ID, func(*trade.Client) error { panic("test") }); err == nil {
				t.Error("a write that panics succeeded, want an error")
			}
		}
		ok(t, s.AddClient(s.ctx, s.by, sampleClient(s.config.NewID())))
		same(t, kept)(s.Client(s.ctx, s.by.Tenant, kept.ID))
	})
}

// When the store is closed while writes wait, each of them is written or fails.
func TestWritesThatWaitWhenTheStoreIsClosed(t *testing.T) {
	const writes = 400
	each(t, func(t *testing.T, s *fixture) {
		kept := sampleClient(s.config.NewID())
		ok(t, s.AddClient(s.ctx, s.by, kept))
		began, goOn := make(chan struct{}), make(chan struct{})
		var all sync.WaitGroup
		var acknowledged atomic.Int64
		all.Go(func() {
			_, err := s.ChangeClient(s.ctx, s.by, kept.ID, func(*trade.Client) error {
				close(began)
				<-goOn
				return nil
			})
			if err != nil {
				t.Errorf("write that was running during Close: %v, want no error", err)
			}
		})
		<-began
		for range writes {
			all.Go(func() {
				if s.AddClient(s.ctx, s.by, sampleClient(s.config.NewID())) == nil {
					acknowledged.Add(1)
				}
			})
		}
		all.Go(s.Close)
		close(goOn)
		all.Wait()
		if got := s.count(`SELECT count(*) FROM client`) - 1; got != int(acknowledged.Load()) {
			t.Errorf("%d clients were written, want the %d that were acknowledged", got, acknowledged.Load())
		}
		s.tallied()
		s.Close() // closing twice is allowed
		if err := s.AddClient(s.ctx, s.by, sampleClient(s.config.NewID())); err == nil {
			t.Error("a write to a closed store succeeded, want an error")
		}
		if _, err := s.Client(s.ctx, s.by.Tenant, kept.ID); err == nil {
			t.Error("a read from a closed store succeeded, want an error")
		}
	})
}

// A write with a cancelled context fails and writes nothing.
func TestWritesOfCallersWhoHaveLeft(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		gone, leave := context.WithCancel(s.ctx)
		leave()
		before := s.contents()
		for name, err := range map[string]error{
			"client": s.AddClient(gone, s.by, sampleClient(s.config.NewID())),
			"status": s.SetStatus(gone, s.by, org.Active),
			"stamp":  s.Stamp(gone, "simulator"),
		} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("write of a %s with a cancelled context: %v, want %v", name, err, context.Canceled)
			}
		}
		same(t, before)(s.contents(), nil)
	})
}
