package wire

import (
	"net/http"
	"strconv"

	"khatm/service/internal/fault"
	"khatm/service/internal/limit"
)

// windowSeconds is the length in seconds of the rate window of every caller.
const windowSeconds = 60

// Header names as docs/contract.md spells them. They are set in the map directly,
// because http.Header.Set would write X-Ratelimit-Limit.
const (
	rateLimit     = "X-RateLimit-Limit"
	rateRemaining = "X-RateLimit-Remaining"
	rateReset     = "X-RateLimit-Reset"
)

// rateHeaders sets the rate limit headers. X-RateLimit-Reset is the length of the
// window; tooMany replaces it by the seconds left.
func rateHeaders(h http.Header, v limit.Verdict) {
	h[rateLimit] = []string{strconv.Itoa(v.Limit)}
	h[rateRemaining] = []string{strconv.Itoa(v.Remaining)}
	h[rateReset] = []string{strconv.Itoa(windowSeconds)}
}

// ofDay and ofMonth end the names of the headers about the limits of public
// routes, which follow the rate limit headers about a minute.
const (
	ofDay   = "-Day"
	ofMonth = "-Month"
)

// moreHeaders sets the rate limit headers of a longer window, with the seconds
// until it ends.
func moreHeaders(h http.Header, of string, v limit.Verdict) {
	h[rateLimit+of] = []string{strconv.Itoa(v.Limit)}
	h[rateRemaining+of] = []string{strconv.Itoa(v.Remaining)}
	h[rateReset+of] = []string{strconv.Itoa(v.SecondsLeft())}
}

// tooMany returns the error for a call beyond its window of the given length, or
// nil if the call is allowed.
func tooMany(h http.Header, v limit.Verdict, seconds int) error {
	if v.Allowed {
		return nil
	}
	left := v.SecondsLeft()
	h[rateReset] = []string{strconv.Itoa(left)}
	h.Set("Retry-After", strconv.Itoa(left))
	return fault.Detail(fault.RateLimited, "Request was throttled. Expected available in "+strconv.Itoa(left)+" seconds.").
		With("limit", v.Limit).
		With("window", seconds).
		With("retry_after", left)
}
