package service_test

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/ready"
)

// Inside an append the database is not compared with the marks: that needs the
// writer, which the append holds.
func TestNothingIsComparedInsideAnAppend(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		told := make(chan error, 1)
		stop := errors.New("written nothing")
		err := h.service.Store().Append(t.Context(), org.TenantOf(h.org.ID), issue.Wants{At: h.clock.Now()}, func(*issue.State) (*issue.Entries, error) {
			go func() { told <- h.service.StillIssue() }()
			select {
			case err := <-told:
				told <- err
			case <-time.After(patience):
				t.Error("the check waits for the append that it is part of")
			}
			return nil, stop
		})
		if !errors.Is(err, stop) {
			t.Fatal(err)
		}
		if err := <-told; !errors.Is(err, ready.ErrRecheck) {
			t.Errorf("got %v, want that the conditions are checked again outside", err)
		}
	})
}

// An append that is sent back because the database was not compared is checked
// outside and made again.
func TestAppendAfterARecheck(t *testing.T) {
	h := open(t, nil)
	shop := h.till()
	issuer := h.service.Issuer()
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
	if a := shop.create(shop.simplified()); a.status != http.StatusAccepted {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if n, m := inside.Load(), outside.Load()-before; n != 2 || m < 2 {
		t.Errorf("checked %d times inside and %d times outside", n, m)
	}
}
