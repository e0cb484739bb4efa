package clock

import "time"

var start = time.Now()

// sinceStart returns the time since the process was started, by Go's monotonic
// clock.
func sinceStart() time.Duration { return time.Since(start) }
