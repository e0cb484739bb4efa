package servicetest

import (
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Soon is a second, with a margin for a busy machine.
const Soon = 1500 * time.Millisecond

// Stopped waits until readiness reports a cause, and checks that requests to
// create an invoice return 503 with the given words, while reads work and
// /readyz is ok.
func (t *Seller) Stopped(cause, words string) {
	t.TB.Helper()
	begun := time.Now()
	Eventually(t.TB, "issuing stops for "+cause, func() bool {
		ready := t.Ask("/readyz/issuing")
		return ready.Status == http.StatusServiceUnavailable && strings.Contains(ready.Body, words)
	})
	if took := time.Since(begun); took > Soon {
		t.TB.Errorf("readiness reported %s after %s, want at most %s", cause, took, Soon)
	}
	a := t.Create(t.Simplified(Fields{"notes": Note(uuid.NewString())}))
	if a.Status != http.StatusServiceUnavailable || !strings.Contains(a.Body, words) || a.Header.Get("Retry-After") == "" {
		t.TB.Errorf("create while stopped for %s: got %d %s, want 503 with %q and Retry-After", cause, a.Status, a.Body, words)
	}
	if metrics := t.Ask("/metrics").Body; !strings.Contains(metrics, `khatm_issuing_stopped{cause="`+cause+`"} 1`) {
		t.TB.Errorf("khatm_issuing_stopped is not 1 for cause %s", cause)
	}
	if list := t.Call(http.MethodGet, "/v1/api/invoices/", ""); list.Status != http.StatusOK {
		t.TB.Errorf("list while stopped for %s: got %d %s, want 200", cause, list.Status, list.Body)
	}
	if ready := t.Ask("/readyz"); ready.Status != http.StatusOK {
		t.TB.Errorf("/readyz is not ok while stopped for %s: %s", cause, ready.Body)
	}
}

// Continues waits until invoices are issued again, issues one and returns its
// id, and checks that the log has the start and the end of each cause exactly
// once.
func (t *Seller) Continues(causes ...string) uuid.UUID {
	t.TB.Helper()
	begun := time.Now()
	Eventually(t.TB, "issuing continues", func() bool { return t.Ask("/readyz/issuing").Status == http.StatusOK })
	if took := time.Since(begun); took > Soon {
		t.TB.Errorf("issuing resumed after %s, want at most %s", took, Soon)
	}
	id := t.Created(t.Simplified(Fields{"notes": Note(uuid.NewString())}))
	for _, cause := range causes {
		for _, message := range []string{"issuing is stopped", "a cause that stopped issuing has ended"} {
			if n := strings.Count(t.Log.String(), `"msg":"`+message+`","cause":"`+cause+`"`); n != 1 {
				t.TB.Errorf("%q is logged %d times for %s, want 1", message, n, cause)
			}
		}
	}
	return id
}
