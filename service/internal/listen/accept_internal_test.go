package listen

import (
	"testing"
	"time"
)

func TestFailuresAreLoggedOnceAMinute(t *testing.T) {
	t.Parallel()
	var f failures
	start := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{0, 1}, {time.Second, 0}, {59 * time.Second, 0}, {60 * time.Second, 3}, {61 * time.Second, 0}, {time.Hour, 2}} {
		if got := f.due(start.Add(c.after)); got != c.want {
			t.Errorf("after %s: %d failures to log, want %d", c.after, got, c.want)
		}
	}
}
