package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The reference machine has two CPUs. Each needs referencePiece for one piece of
// work if nothing else runs.
const (
	referenceCPUs  = 2
	referencePiece = 3 * time.Millisecond
)

// pieces is the number of pieces of work that each CPU does in a measurement: 0.3 s
// in total on the reference machine.
const pieces = 100

// machine holds the measurements of a machine.
type machine struct {
	cpus  int
	piece time.Duration // shortest time of a piece of work, the speed of a CPU
	all   time.Duration // time until every CPU had done all pieces
	load  float64       // average number of runnable processes in the last minute; 0 if unknown
}

// chooseTimeout returns the timeout set by the user or the one for this machine, and
// the reason for it.
func chooseTimeout(base time.Duration, set string) (timeout time.Duration, reason string, err error) {
	if set != "" {
		timeout, err = time.ParseDuration(set)
		if err != nil || timeout <= 0 {
			return 0, "", fmt.Errorf("KHATM_TEST_TIMEOUT is %q; set it to a duration such as 40m", set)
		}
		return timeout, "KHATM_TEST_TIMEOUT", nil
	}
	m := measure()
	return m.timeout(base), m.String(), nil
}

// timeout returns base multiplied by the slowness and the contention of the machine,
// rounded up to a multiple of base. Rounding lets go test reuse cached results, whose
// key contains the timeout.
func (m machine) timeout(base time.Duration) time.Duration {
	times := m.slowness() * m.contention()
	return base * time.Duration(max(1, int(times+0.999)))
}

// slowness returns how many times slower than the reference machine this machine is
// if nothing else runs.
func (m machine) slowness() float64 {
	return float64(m.piece) / float64(referencePiece) * max(1, referenceCPUs/float64(m.cpus))
}

// contention returns how many times longer a task takes because of other processes: the
// larger of the measured value and the value according to the load average, at least 1.
func (m machine) contention() float64 {
	return max(1, float64(m.all)/float64(m.piece*pieces), 1+m.load/float64(m.cpus))
}

func (m machine) String() string {
	return fmt.Sprintf("the machine is %.1f times as slow as the reference and %.1f times as busy", m.slowness(), m.contention())
}

// measure runs the pieces of work on every CPU.
func measure() machine {
	m := machine{cpus: runtime.GOMAXPROCS(0), load: loadAverage()}
	shortest := make([]time.Duration, m.cpus)
	var group sync.WaitGroup
	start := time.Now()
	for cpu := range m.cpus {
		group.Go(func() { shortest[cpu] = shortestPiece() })
	}
	group.Wait()
	m.all, m.piece = time.Since(start), slices.Min(shortest)
	return m
}

// shortestPiece runs the pieces of work and returns the shortest time of one. A piece
// is so short that some run without interruption even on a busy CPU.
func shortestPiece() time.Duration {
	numbers := make([]uint64, 1<<15)
	seed := uint64(1)
	shortest := time.Duration(1<<63 - 1)
	for range pieces {
		start := time.Now()
		seed = piece(numbers, seed)
		shortest = min(shortest, time.Since(start))
	}
	return shortest
}

// piece does a fixed amount of work: it sorts pseudo-random numbers and returns the
// median, so that the compiler cannot remove the work.
func piece(numbers []uint64, seed uint64) uint64 {
	for i := range numbers {
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
		numbers[i] = seed
	}
	slices.Sort(numbers)
	return numbers[len(numbers)/2]
}

// loadAverage returns the load average of the last minute on Linux, and 0 elsewhere.
func loadAverage() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return load
}
