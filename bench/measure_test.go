package bench

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
)

// enabled skips a benchmark unless it was asked for: it takes its time, and it
// wants the machine for itself.
func enabled(t *testing.T) {
	t.Helper()
	if os.Getenv("KHATM_BENCH") != "1" {
		t.Skip("benchmarks run with make bench")
	}
	previous := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(previous) })
}

// cpu returns the CPU time of one call, the collector included: the median of
// five rounds, each long enough for the clock.
func cpu(work func()) time.Duration {
	work()
	calls := 1
	for {
		if once := spent(calls, work); once > 100*time.Millisecond {
			break
		}
		calls *= 2
	}
	var rounds []time.Duration
	for range 5 {
		runtime.GC()
		rounds = append(rounds, spent(calls, work)/time.Duration(calls))
	}
	slices.Sort(rounds)
	return rounds[len(rounds)/2]
}

// ratio returns how many times as long many takes as few: the median of five
// rounds in which they take turns, so that a machine that slows down in between
// slows both.
func ratio(many, few func()) (median float64, times [2]time.Duration) {
	many()
	few()
	var ratios []float64
	for range 5 {
		runtime.GC()
		long := spent(10, many) / 10
		runtime.GC()
		short := spent(100, few) / 100
		ratios = append(ratios, float64(long)/float64(short))
		times = [2]time.Duration{long, short}
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2], times
}

func spent(calls int, work func()) time.Duration {
	start := processTime()
	for range calls {
		work()
	}
	return processTime() - start
}

// processTime is the CPU time of this process, user and system.
func processTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// table prints rows of a name and a time, and returns their sum.
func table(t *testing.T, rows []part) time.Duration {
	t.Helper()
	var sum time.Duration
	for _, r := range rows {
		sum += r.time
		t.Logf("  %-42s %10s", r.name, micros(r.time))
	}
	t.Logf("  %-42s %10s", "sum", micros(sum))
	return sum
}

type part struct {
	name string
	time time.Duration
}

func micros(d time.Duration) string {
	return fmt.Sprintf("%.1f µs", float64(d.Nanoseconds())/1000)
}

// hold fails when a ratio is beyond its bound.
func hold(t *testing.T, name string, got, bound float64) {
	t.Helper()
	t.Logf("%s: %.2f (at most %.2f)", name, got, bound)
	if got > bound {
		t.Errorf("%s is %.2f, at most %.2f is allowed", name, got, bound)
	}
}
