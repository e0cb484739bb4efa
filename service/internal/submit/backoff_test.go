package submit_test

import (
	"testing"
	"time"

	"khatm/service/internal/submit"
)

func TestBackoffDoublesToItsMost(t *testing.T) {
	t.Parallel()
	b := submit.Backoff{First: 2 * time.Second, Most: 15 * time.Minute}
	for failures, want := range map[int]time.Duration{
		0: 2 * time.Second, 1: 2 * time.Second, 2: 4 * time.Second, 3: 8 * time.Second, 9: 512 * time.Second,
		10: 15 * time.Minute, 11: 15 * time.Minute, 1_000_000: 15 * time.Minute,
	} {
		if got := b.After(failures); got != want {
			t.Errorf("After(%d) = %s, want %s", failures, got, want)
		}
	}
}
