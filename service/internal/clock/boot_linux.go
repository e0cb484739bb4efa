package clock

import (
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Boot returns the time since the machine was started. It includes time asleep
// and does not change when the wall clock is set.
func Boot() time.Duration {
	var t unix.Timespec
	// The call never blocks, so the scheduler need not know of it.
	_, _, failed := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, unix.CLOCK_BOOTTIME, uintptr(unsafe.Pointer(&t)), 0)
	if failed != 0 {
		return sinceStart() // kernels before 2.6.39
	}
	return time.Duration(t.Nano())
}
