package servicetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"khatm/service/internal/limit"
)

// RateWindow holds the rate limit headers of a response.
type RateWindow struct{ Limit, Remaining, Reset, Retry string }

// RateWindowOf reads the rate limit from the headers of a response.
func RateWindowOf(a Answer) RateWindow {
	h := a.Header
	return RateWindow{h.Get("X-RateLimit-Limit"), h.Get("X-RateLimit-Remaining"), h.Get("X-RateLimit-Reset"), h.Get("Retry-After")}
}

// BrokenCounter is a counter that fails for some windows.
type BrokenCounter struct {
	limit.Counter
	Fails []string // names of the failing windows
}

// Add counts a call, or returns an error.
func (b BrokenCounter) Add(ctx context.Context, subject string, start, end time.Time) (int, error) {
	if name, _, _ := strings.Cut(subject, ":"); slices.Contains(b.Fails, name) {
		return 0, errors.New("the counter is unavailable")
	}
	return b.Counter.Add(ctx, subject, start, end)
}
