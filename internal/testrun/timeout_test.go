package main

import (
	"regexp"
	"testing"
	"time"
)

func TestChooseTimeout(t *testing.T) {
	got, _, err := chooseTimeout(time.Minute, "2h")
	if err != nil || got != 2*time.Hour {
		t.Errorf("KHATM_TEST_TIMEOUT=2h: timeout is %s, want 2h (error: %v)", got, err)
	}
	for _, wrong := range []string{"soon", "-1m", "0"} {
		if _, _, err := chooseTimeout(time.Minute, wrong); err == nil {
			t.Errorf("KHATM_TEST_TIMEOUT=%s was accepted, want an error", wrong)
		}
	}
	got, reason, err := chooseTimeout(time.Minute, "")
	if err != nil || got < time.Minute || got%time.Minute != 0 {
		t.Errorf("measured timeout is %s, want a multiple of 1m (error: %v)", got, err)
	}
	if !regexp.MustCompile(`^the machine is \d+\.\d times as slow as the reference and \d+\.\d times as busy$`).MatchString(reason) {
		t.Errorf("reason is %q, want how slow and how busy the machine is", reason)
	}
}

func TestTimeout(t *testing.T) {
	// quiet returns a machine on which nothing else runs.
	quiet := func(cpus int, piece time.Duration) machine {
		return machine{cpus: cpus, piece: piece, all: piece * pieces}
	}
	shared, loaded := quiet(2, referencePiece), quiet(2, referencePiece)
	shared.all *= 5
	loaded.load = 4
	slowAndLoaded := quiet(2, 2*referencePiece)
	slowAndLoaded.load = 4
	cases := []struct {
		name string
		m    machine
		want time.Duration
	}{
		{"the reference", quiet(2, referencePiece), 10 * time.Minute},
		{"a fast machine", quiet(16, referencePiece/3), 10 * time.Minute},
		{"three times as slow", quiet(2, 3*referencePiece), 30 * time.Minute},
		{"somewhat slower", quiet(2, referencePiece*12/10), 20 * time.Minute},
		{"one CPU", quiet(1, referencePiece), 20 * time.Minute},
		{"shared with others", shared, 50 * time.Minute},
		{"high load average", loaded, 30 * time.Minute},
		{"slow and loaded", slowAndLoaded, 60 * time.Minute},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.m.timeout(10 * time.Minute); got != c.want {
				t.Errorf("timeout %s, want %s", got, c.want)
			}
		})
	}
}

// TestPieceIsFixed checks that a piece of work depends only on its seed.
func TestPieceIsFixed(t *testing.T) {
	a, b := make([]uint64, 1000), make([]uint64, 1000)
	if x, y := piece(a, 1), piece(b, 1); x != y || x == 0 {
		t.Errorf("two runs with the same seed returned %d and %d, want the same number above 0", x, y)
	}
	if x, y := piece(a, 1), piece(b, 2); x == y {
		t.Errorf("two seeds returned the same number %d, want different numbers", x)
	}
}
