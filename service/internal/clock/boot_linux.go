package clock

import (
	"time"

	"golang.org/x/sys/unix"
)

// Boot returns the time since the machine was started. It includes time asleep
// and does not change when the wall clock is set.
func Boot() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		return sinceStart() // kernels before 2.6.39
	}
	return time.Duration(t.Nano())
}
