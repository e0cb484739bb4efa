package servicetest

import (
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Soon is a second, and something for a machine that is busy.
const Soon = 1500 * time.Millisecond

// Stopped waits until readiness tells of a cause, and demands that creates
// answer 503 with its words while reads and the process are well.
func (t *Seller) Stopped(cause, words string) {
	t.TB.Helper()
	begun := time.Now()
	Eventually(t.TB, "issuing stops for "+cause, func() bool {
		ready := t.Ask("/readyz/issuing")
		return ready.Status == http.StatusServiceUnavailable && strings.Contains(ready.Body, words)
	})
	if took := time.Since(begun); took > Soon {
		t.TB.Errorf("readiness told of %s after %s", cause, took)
	}
	a := t.Create(t.Simplified(Fields{"notes": Note(uuid.NewString())}))
	if a.Status != http.StatusServiceUnavailable || !strings.Contains(a.Body, words) || a.Header.Get("Retry-After") == "" {
		t.TB.Errorf("a create while stopped for %s: %d %s", cause, a.Status, a.Body)
	}
	if metrics := t.Ask("/metrics").Body; !strings.Contains(metrics, `khatm_issuing_stopped{cause="`+cause+`"} 1`) {
		t.TB.Errorf("the metrics do not tell of %s", cause)
	}
	if list := t.Call(http.MethodGet, "/v1/api/invoices/", ""); list.Status != http.StatusOK {
		t.TB.Errorf("a read while stopped for %s: %d %s", cause, list.Status, list.Body)
	}
	if ready := t.Ask("/readyz"); ready.Status != http.StatusOK {
		t.TB.Errorf("the process is not ready because of %s: %s", cause, ready.Body)
	}
}

// Continues waits until invoices are issued again, and demands that the log tells
// of the beginning and of the end of each cause once.
func (t *Seller) Continues(causes ...string) uuid.UUID {
	t.TB.Helper()
	begun := time.Now()
	Eventually(t.TB, "issuing goes on", func() bool { return t.Ask("/readyz/issuing").Status == http.StatusOK })
	if took := time.Since(begun); took > Soon {
		t.TB.Errorf("issuing went on after %s", took)
	}
	id := t.Created(t.Simplified(Fields{"notes": Note(uuid.NewString())}))
	for _, cause := range causes {
		for _, message := range []string{"issuing is stopped", "a cause that stopped issuing has ended"} {
			if n := strings.Count(t.Log.String(), `"msg":"`+message+`","cause":"`+cause+`"`); n != 1 {
				t.TB.Errorf("%q is logged %d times of %s", message, n, cause)
			}
		}
	}
	return id
}
