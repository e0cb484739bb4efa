//go:build !linux

package clock

import "time"

// Boot returns the time since the process was started, by Go's monotonic clock.
// If that clock stops while the machine sleeps, the wall clock seems to jump,
// until the authority or an operator confirms it.
func Boot() time.Duration { return sinceStart() }
