package store

import (
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/org"
)

// TestAppendsOfOneTransaction checks the limits of one transaction.
func TestAppendsOfOneTransaction(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		documents int // of each batch
		bytes     int // of each batch
		want      int // batches of the first transaction
	}{
		{"small", 1, 7_000, appendBatches},
		{"many documents", 20, 140_000, 3},
		{"large documents", 1, 3 << 20, 2},
		{"larger than a transaction", 1, 9 << 20, 1},
	} {
		q := &appends{running: 1}
		for n := range 40 {
			q.waiting = append(q.waiting, &appending{
				of: org.TenantOf(uuid.UUID{15: byte(n + 1)}), wants: issue.Wants{Guards: make([]issue.Digest, c.documents), Bytes: c.bytes},
			})
		}
		if got := len(q.next()); got != c.want || len(q.waiting) != 40-c.want {
			t.Errorf("%s: %d batches, %d still waiting; want %d and %d", c.name, got, len(q.waiting), c.want, 40-c.want)
		}
	}
}
