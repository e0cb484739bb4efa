package server_test

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
)

// revokeUnderLoad calls concurrently, revokes the key meanwhile, and checks
// that the calls that begin afterwards are refused.
func revokeUnderLoad(t *testing.T, call func() int, revoke func()) {
	t.Helper()
	before, after := int64(testtool.Scale(60, 200, 200)), int64(testtool.Scale(60, 200, 200))
	var revoked atomic.Bool
	var answered, late, wrong atomic.Int64
	half := make(chan struct{})
	began := time.Now()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for late.Load() < after {
				isLate := revoked.Load()
				status := call()
				switch {
				case isLate:
					late.Add(1)
					if status != http.StatusUnauthorized {
						wrong.Add(1)
					}
				case status != http.StatusOK && status != http.StatusUnauthorized:
					t.Errorf("call before the revocation: got %d, want 200 or 401", status)
				}
				if answered.Add(1) == before {
					close(half)
				}
			}
		})
	}
	<-half
	revoke()
	revoked.Store(true)
	all.Wait()
	if wrong.Load() > 0 {
		t.Errorf("%d of %d calls after the revocation were not refused with 401, want 0", wrong.Load(), late.Load())
	}
	t.Logf("%d calls, %.0f a second; %d began after the revocation, %d of them were not refused",
		answered.Load(), float64(answered.Load())/time.Since(began).Seconds(), late.Load(), wrong.Load())
}

func TestC9_RevokedKeyUnderFire(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		revokeUnderLoad(t,
			func() int { return h.Call(http.MethodGet, servicetest.UsagePath, "").Status },
			func() { h.Revoke(h.Org, h.Key) })
	})
}

// With two servers on one database, a key revoked on one is refused by the
// other.
func TestC9_RevokedByAnotherServer(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t).URL
	database := func(c *server.Config) { c.Database, c.MasterKey = url, server.NewSecret(servicetest.MasterKey) }
	one, two := servicetest.Open(t, database), servicetest.Open(t, database)
	revokeUnderLoad(t,
		func() int { return two.As(one.Key, http.MethodGet, servicetest.UsagePath, "").Status },
		func() { one.Revoke(one.Org, one.Key) })
}
