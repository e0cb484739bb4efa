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

// leaving is the context of a caller who leaves after the write was handed in
// and before its turn: it is asked once when it is handed in.
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

// oddities are writes among many that do not go well, and one that does
// although its caller has left.
func oddities(s *shop, kept trade.Client) map[string]func() error {
	gone, leave := context.WithCancel(s.ctx)
	leave()
	during, leaveDuring := context.WithCancel(s.ctx)
	return map[string]func() error{
		"one that fails": func() error { return s.AddClient(s.ctx, s.by, kept) },
		"one that panics": func() error {
			_, err := s.ChangeClient(s.ctx, s.by, kept.ID, func(*trade.Client) error { panic("a mistake of ours") })
			return err
		},
		"one whose caller left before":    func() error { return s.AddClient(gone, s.by, sampleClient(s.config.NewID())) },
		"one whose caller left meanwhile": func() error { return s.AddClient(&leaving{Context: s.ctx}, s.by, sampleClient(s.config.NewID())) },
		"good: one whose caller left during the write": func() error {
			_, err := s.ChangeClient(during, s.by, kept.ID, func(c *trade.Client) error {
				leaveDuring()
				c.Name = "written all the same"
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
	odd := oddities(s, kept)
	odd["one of nobody"] = func() error { return s.AddClient(s.ctx, org.Actor{}, sampleClient(s.config.NewID())) }
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
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	close(gate)
	all.Wait()
	if got := s.count(`SELECT count(*) FROM client`); got != writes+1 {
		t.Errorf("%d clients, want %d", got, writes+1)
	}
	kept.Name = "written all the same"
	same(t, kept)(s.Client(s.ctx, s.by.Tenant, kept.ID))
	s.tallied()
	if got := s.count(`SELECT count(*) FROM event WHERE action LIKE 'client.%'`); got != writes+2 {
		t.Errorf("%d entries in the trail, want %d", got, writes+2)
	}
}

// The caller of a write that panics is told, on either engine, and everybody
// writes on. (PostgreSQL lets the panic pass to its caller.)
func TestWritesGoOnAfterAPanic(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		kept := sampleClient(s.config.NewID())
		ok(t, s.AddClient(s.ctx, s.by, kept))
		for range 30 { // more than there are connections
			told := func() (told bool) {
				defer func() { told = told || recover() != nil }()
				_, err := s.ChangeClient(s.ctx, s.by, kept.ID, func(*trade.Client) error { panic("a mistake of ours") })
				return err != nil
			}()
			if !told {
				t.Error("the caller was not told")
			}
		}
		ok(t, s.AddClient(s.ctx, s.by, sampleClient(s.config.NewID())))
		same(t, kept)(s.Client(s.ctx, s.by.Tenant, kept.ID))
	})
}

// Closing while writes wait: each was written or was refused.
func TestWritesThatWaitWhenTheStoreIsClosed(t *testing.T) {
	const writes = 400
	each(t, func(t *testing.T, s *shop) {
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
				t.Errorf("the write that was under way: %v", err)
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
			t.Errorf("%d clients are there and %d were acknowledged", got, acknowledged.Load())
		}
		s.tallied()
		s.Close() // once more changes nothing
		if err := s.AddClient(s.ctx, s.by, sampleClient(s.config.NewID())); err == nil {
			t.Error("a closed store writes")
		}
		if _, err := s.Client(s.ctx, s.by.Tenant, kept.ID); err == nil {
			t.Error("a closed store reads")
		}
	})
}

// A caller who has left is told so, and nothing of it is written.
func TestWritesOfCallersWhoHaveLeft(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		gone, leave := context.WithCancel(s.ctx)
		leave()
		before := s.contents()
		for name, err := range map[string]error{
			"client": s.AddClient(gone, s.by, sampleClient(s.config.NewID())),
			"status": s.SetStatus(gone, s.by, org.Active),
			"stamp":  s.Stamp(gone, "simulator"),
		} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		}
		same(t, before)(s.contents(), nil)
	})
}
