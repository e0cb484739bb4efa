package wire

import (
	"net/http"
	"strconv"

	"khatm/service/internal/fault"
	"khatm/service/internal/limit"
)

// windowSeconds is the length of the window that every caller has.
const windowSeconds = 60

// Names of the headers, as the interface spells them. Go would write
// X-Ratelimit-Limit, so they are put into the map as they are.
const (
	rateLimit     = "X-RateLimit-Limit"
	rateRemaining = "X-RateLimit-Remaining"
	rateReset     = "X-RateLimit-Reset"
)

// rateHeaders tell a caller how the window stands. Reset is the length of the
// window, and the seconds left once it is used up.
func rateHeaders(h http.Header, v limit.Verdict) {
	h[rateLimit] = []string{strconv.Itoa(v.Limit)}
	h[rateRemaining] = []string{strconv.Itoa(v.Remaining)}
	h[rateReset] = []string{strconv.Itoa(windowSeconds)}
}

// tooMany is the fault of a call beyond its window of so many seconds, nil for
// one within.
func tooMany(h http.Header, v limit.Verdict, seconds int) error {
	if v.Allowed {
		return nil
	}
	left := v.SecondsLeft()
	h[rateReset] = []string{strconv.Itoa(left)}
	h.Set("Retry-After", strconv.Itoa(left))
	return (&fault.Error{Kind: fault.Exhausted}).
		With("detail", "Request was throttled. Expected available in "+strconv.Itoa(left)+" seconds.").
		With("limit", v.Limit).
		With("window", seconds).
		With("retry_after", left)
}
