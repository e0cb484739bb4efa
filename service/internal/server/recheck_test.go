package server_test

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/ready"
	"khatm/service/internal/servicetest"
)

// Inside an append the database is not compared with the marks, because the
// comparison needs the write lock that the append holds.
func TestNothingIsComparedInsideAnAppend(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		told := make(chan error, 1)
		stop := errors.New("written nothing")
		err := h.Service.Store().Append(t.Context(), org.TenantOf(h.Org.ID), issue.Wants{At: h.Clock.Now()}, func(*issue.State) (*issue.Entries, error) {
			go func() { told <- h.Service.StillIssue() }()
			select {
			case err := <-told:
				told <- err
			case <-time.After(servicetest.Patience):
				t.Error("the check waits for the append that it is part of (deadlock)")
			}
			return nil, stop
		})
		if !errors.Is(err, stop) {
			t.Fatal(err)
		}
		if err := <-told; !errors.Is(err, ready.ErrRecheck) {
			t.Errorf("StillIssue = %v, want ErrRecheck", err)
		}
	})
}

// If the check inside an append asks for a recheck, the recheck runs outside
// the lock and the append is repeated.
func TestAppendAfterARecheck(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	shop := h.NewSeller()
	issuer := h.Service.Issuer()
	still, whole := issuer.StillReady, issuer.Ready
	var inside, outside atomic.Int64
	issuer.Ready = func() error { outside.Add(1); return whole() }
	issuer.StillReady = func() error {
		if inside.Add(1) == 1 {
			return ready.ErrRecheck
		}
		return still()
	}
	before := outside.Load()
	if a := shop.Create(shop.Simplified()); a.Status != http.StatusAccepted {
		t.Fatalf("create after a recheck: got %d %s, want 202", a.Status, a.Body)
	}
	if n, m := inside.Load(), outside.Load()-before; n != 2 || m < 2 {
		t.Errorf("checked %d times under the lock and %d times outside, want 2 and at least 2", n, m)
	}
}
