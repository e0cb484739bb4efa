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

// The reference machine has two CPUs, and each needs referencePiece for one
// piece of work when nothing else runs.
const (
	referenceCPUs  = 2
	referencePiece = 3 * time.Millisecond
)

// pieces is how often each CPU does the piece of work when a machine is
// measured: 0.3 s in all on the reference machine.
const pieces = 100

// machine is what was measured of a computer.
type machine struct {
	cpus  int
	piece time.Duration // shortest time that a piece of work took: how fast a CPU is
	all   time.Duration // time in which every CPU did all pieces
	load  float64       // average number of runnable processes in the last minute; 0 if unknown
}

// chooseTimeout returns the timeout that is set, or the one for this machine,
// and where it comes from.
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

// timeout returns the base multiplied by how slow and how busy the machine is,
// as a multiple of the base. Few different values let go test find its cached
// results, whose key contains the timeout.
func (m machine) timeout(base time.Duration) time.Duration {
	times := m.slowness() * m.contention()
	return base * time.Duration(max(1, int(times+0.999)))
}

// slowness returns how many times longer than the reference machine this one
// needs when nothing else runs.
func (m machine) slowness() float64 {
	return float64(m.piece) / float64(referencePiece) * max(1, referenceCPUs/float64(m.cpus))
}

// contention returns how many times longer a task takes because other processes
// run: as the pieces showed, or as the load average says if that is more.
func (m machine) contention() float64 {
	return max(1, float64(m.all)/float64(m.piece*pieces), 1+m.load/float64(m.cpus))
}

func (m machine) String() string {
	return fmt.Sprintf("the machine is %.1f times as slow as the reference and %.1f times as busy", m.slowness(), m.contention())
}

// measure has every CPU do the pieces of work.
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

// shortestPiece does the pieces of work and returns the shortest time of one. A
// piece is so short that some run uninterrupted even on a busy CPU.
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

// piece is a fixed amount of work: it sorts pseudo-random numbers and returns
// the median, so that the work is needed.
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

// loadAverage returns the load average of the last minute, where Linux tells it.
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
