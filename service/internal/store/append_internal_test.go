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

// TestWaitingDocumentsShareTheLimit checks that the organisations of a transaction
// together add no more documents and bytes than it may contain.
func TestWaitingDocumentsShareTheLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		documents, bytes int // that wait for each organisation, and bytes of each document
		want             []int
	}{
		{"few", 5, 7_000, []int{6, 6, 6}},
		{"many", 40, 7_000, []int{41, 22, 1}},
		{"all", 90, 7_000, []int{62, 1, 1}},
		{"large", 10, 1 << 20, []int{6, 1, 1}},
	} {
		var group []*appending
		for range c.want {
			a := &appending{wants: issue.Wants{Guards: make([]issue.Digest, 1), Bytes: c.bytes}}
			a.wants.More = func(documents, bytes int) issue.Wants {
				n := 1 + min(c.documents, documents, bytes/c.bytes)
				return issue.Wants{Guards: make([]issue.Digest, n), Bytes: n * c.bytes}
			}
			group = append(group, a)
		}
		addWaiting(group)
		for n, a := range group {
			if got := len(a.wants.Guards); got != c.want[n] {
				t.Errorf("%s: batch %d has %d documents, want %d", c.name, n, got, c.want[n])
			}
		}
	}
}
