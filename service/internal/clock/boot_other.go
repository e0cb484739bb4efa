//go:build !linux

package clock

import "time"

// Boot returns the time since the process was started, by Go's monotonic clock.
// Where that stops while the machine sleeps, the wall clock seems to have
// jumped afterwards, until the authority or the operator confirms it.
func Boot() time.Duration { return sinceStart() }
