package journal_test

import (
	"strings"
	"testing"
	"time"

	"khatm/simulator/internal/journal"
)

// Reasons are bounded in number and length, so that any record can be read back.
func TestReasonsAreBounded(t *testing.T) {
	j, err := journal.Open(journal.Config{Path: t.TempDir() + "/journal.jsonl", Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	long := strings.Repeat("<", 10_000) // each byte is escaped
	reason := journal.Reason{Kind: long, Code: long, Cause: long, Field: long, Fix: long}
	given := make([]journal.Reason, 100)
	for i := range given {
		given[i] = reason
	}
	record := journal.Record{
		Environment: long, Endpoint: long, Device: long, UUID: long, Counter: long, PreviousHash: long,
		Hash: "h", Body: long, Mood: long, Reasons: given,
	}
	if _, _, err := j.Accept(record, nil); err != nil {
		t.Fatal(err)
	}
	kept, found, err := j.Lookup(strings.Repeat("<", 512), "h")
	if err != nil || !found {
		t.Fatalf("the record cannot be read back: found %t, error %v", found, err)
	}
	if len(kept.Reasons) != 8 || len(kept.Reasons[7].Fix) != 512 {
		t.Errorf("%d reasons, the last fix has %d bytes, want 8 and 512", len(kept.Reasons), len(kept.Reasons[len(kept.Reasons)-1].Fix))
	}
	if given[0].Fix != long {
		t.Error("the caller's reasons were changed")
	}
	for _, err := range j.All() {
		if err != nil {
			t.Error(err)
		}
	}
}
