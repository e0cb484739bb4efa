package bench

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
)

// enabled skips a benchmark unless KHATM_BENCH is 1: benchmarks take long and need an
// idle machine.
func enabled(t *testing.T) {
	t.Helper()
	if os.Getenv("KHATM_BENCH") != "1" {
		t.Skip("benchmarks run with make bench")
	}
	previous := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(previous) })
}

// part is a piece of work with a name.
type part struct {
	name string
	work func()
}

// beside returns the CPU time of the whole divided by that of its parts together,
// including garbage collection. The result is the median of nine rounds in which the
// whole and the parts take turns, so that a change of the machine's speed affects all
// of them. beside logs the time of each.
func beside(t *testing.T, whole part, parts ...part) float64 {
	t.Helper()
	all := append([]part{whole}, parts...)
	calls, times := make([]int, len(all)), make([][]time.Duration, len(all))
	for n, p := range all {
		calls[n] = enough(p.work)
	}
	var ratios []float64
	for range 9 {
		var sum time.Duration
		for n, p := range all {
			runtime.GC()
			once := spent(calls[n], p.work) / time.Duration(calls[n])
			times[n] = append(times[n], once)
			if n > 0 {
				sum += once
			}
		}
		ratios = append(ratios, float64(times[0][len(ratios)])/float64(sum))
	}
	for n, p := range append(parts, whole) {
		t.Logf("  %-45s %10s", p.name, micros(median(times[(n+1)%len(all)])))
	}
	return median(ratios)
}

// enough returns a number of calls that takes long enough to be measured.
func enough(work func()) int {
	work()
	calls := 1
	for spent(calls, work) < 40*time.Millisecond {
		calls *= 2
	}
	return calls
}

func median[T cmp.Ordered](of []T) T {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

// ratio returns the CPU time of many divided by that of few. The result is the median
// of fifteen rounds in which the two take turns, so that a change of the machine's
// speed affects both. times are those of the last round.
func ratio(many, few func()) (asLong float64, times [2]time.Duration) {
	many()
	few()
	var ratios []float64
	for range 15 {
		runtime.GC()
		long := spent(10, many) / 10
		runtime.GC()
		short := spent(100, few) / 100
		ratios = append(ratios, float64(long)/float64(short))
		times = [2]time.Duration{long, short}
	}
	return median(ratios), times
}

func spent(calls int, work func()) time.Duration {
	start := processTime()
	for range calls {
		work()
	}
	return processTime() - start
}

// processTime returns the CPU time of this process, user and system.
func processTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func micros(d time.Duration) string {
	return fmt.Sprintf("%.1f µs", float64(d.Nanoseconds())/1000)
}

// hold fails the test if a value exceeds its limit.
func hold(t *testing.T, name string, got, bound float64) {
	t.Helper()
	t.Logf("%s: %.2f (at most %.2f)", name, got, bound)
	if got > bound {
		t.Errorf("%s = %.2f, want at most %.2f", name, got, bound)
	}
}
