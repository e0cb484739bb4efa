package clock_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/clock"
)

// machine has a wall clock and a boot clock that a test moves.
type machine struct {
	wall time.Time
	boot time.Duration
	*clock.Clock
}

func newMachine() *machine {
	m := &machine{wall: time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC), boot: 42 * time.Hour}
	m.Clock = clock.New(func() time.Time { return m.wall }, func() time.Duration { return m.boot })
	return m
}

// passes advances both clocks.
func (m *machine) passes(d time.Duration) { m.wall, m.boot = m.wall.Add(d), m.boot+d }

// set moves the wall clock only.
func (m *machine) set(by time.Duration) { m.wall = m.wall.Add(by) }

// hear simulates two responses of the authority, whose clock is ahead of the
// wall clock by the given time.
func (m *machine) hear(ahead time.Duration) {
	for range 2 {
		m.passes(time.Second)
		m.Heard(m.wall.Add(ahead).Truncate(time.Second), m.boot)
	}
}

func (m *machine) want(t *testing.T, what string, ahead time.Duration) {
	t.Helper()
	err := m.Check()
	var wrong *clock.Wrong
	switch {
	case ahead == 0 && err != nil:
		t.Errorf("%s: %v, want no error", what, err)
	case ahead != 0 && (!errors.As(err, &wrong) || (wrong.Ahead-ahead).Abs() > time.Second):
		t.Errorf("%s: got %v, want a clock that is %s ahead", what, err, ahead)
	}
}

func TestJumps(t *testing.T) {
	m := newMachine()
	m.passes(100 * 24 * time.Hour)
	m.want(t, "after a hundred days, some of them asleep", 0)
	for range 10 {
		m.set(time.Minute)
		m.want(t, "a small step", 0)
	}
	m.set(time.Minute)
	m.want(t, "many small steps", 11*time.Minute)
	m.set(-11 * time.Minute)
	m.want(t, "set back", 0)
	m.set(-2 * 365 * 24 * time.Hour)
	m.want(t, "two years back", -2*365*24*time.Hour)
	m.passes(time.Hour)
	m.want(t, "an hour later", -2*365*24*time.Hour)
}

// A monotonic reading in a time.Time does not hide a jump.
func TestMonotonicReadingIsIgnored(t *testing.T) {
	at := time.Now()
	c := clock.New(func() time.Time { return at }, func() time.Duration { return 0 })
	at = at.Round(0).Add(time.Hour)
	if c.Check() == nil {
		t.Error("Check = nil after a jump of an hour, want an error")
	}
}

func TestAuthorityExplainsAJump(t *testing.T) {
	m := newMachine()
	m.set(3 * time.Hour) // the clock was three hours behind, and NTP corrected it
	m.want(t, "before the authority answers", 3*time.Hour)
	m.Heard(m.wall, m.boot)
	m.want(t, "after one response", 3*time.Hour)
	m.hear(0)
	m.want(t, "after two responses that agree", 0)
	right := m.wall
	m.set(time.Hour)
	if got := m.Now().Sub(right); got.Abs() > time.Second {
		t.Errorf("Now is %s later than the authority's time, want at most 1s", got)
	}
	m.want(t, "after the next jump", time.Hour)
}

func TestAuthorityContradicts(t *testing.T) {
	m := newMachine()
	m.hear(9 * time.Minute)
	m.want(t, "nine minutes apart", 0)
	m.hear(-2 * time.Hour)
	m.want(t, "two hours apart", 2*time.Hour)
	if err := m.Check(); !strings.Contains(err.Error(), "2h0m0s ahead of the tax authority's") {
		t.Errorf("Check = %v, want 2h0m0s ahead of the tax authority's clock", err)
	}
	m.set(-2 * time.Hour)
	m.want(t, "set right", 0)
}

// Contradictory responses do not set the authority's time.
func TestAuthorityWithoutATime(t *testing.T) {
	m := newMachine()
	for n := range 100 {
		m.passes(time.Second)
		m.Heard(m.wall.Add(time.Duration(n%2)*time.Hour), m.boot)
	}
	m.want(t, "contradictory responses", 0)
	if m.Known() {
		t.Error("Known = true after contradictory responses")
	}
}

func TestOffset(t *testing.T) {
	m := newMachine()
	if _, known := m.Offset(); known {
		t.Error("the offset is known before the authority has answered")
	}
	m.hear(-3 * time.Minute)
	m.passes(time.Hour)
	if ahead, known := m.Offset(); !known || (ahead-3*time.Minute).Abs() > time.Second {
		t.Errorf("offset = %s, %t; want 3m0s", ahead, known)
	}
	m.set(-4 * time.Minute)
	if ahead, _ := m.Offset(); (ahead + time.Minute).Abs() > time.Second {
		t.Errorf("offset = %s, want -1m0s", ahead)
	}
}

func TestAccept(t *testing.T) {
	m := newMachine()
	m.set(5 * time.Hour)
	if m.Accept(m.wall.Add(-11*time.Minute)) || m.Check() == nil {
		t.Error("Accept accepted a time that differs from the clock")
	}
	if !m.Accept(m.wall.Add(9 * time.Minute)) {
		t.Error("Accept refused a time within the tolerance")
	}
	m.want(t, "accepted", 0)
	m.set(-5 * time.Hour)
	m.want(t, "back again", -5*time.Hour)
}

func TestAcceptAgainstTheAuthority(t *testing.T) {
	m := newMachine()
	m.hear(-5 * time.Hour)
	m.want(t, "contradicted", 5*time.Hour)
	m.Accept(m.wall)
	m.hear(-5 * time.Hour)
	m.want(t, "accepted, with the authority as wrong as before", 0)
	m.set(time.Hour)
	m.want(t, "the next jump", 6*time.Hour)
	m.set(-6 * time.Hour)
	m.want(t, "set to the authority's time after all", 0)
	m.set(5 * time.Hour)
	m.want(t, "as far off as was accepted", 0)
	m.set(-5 * time.Hour)
	m.hear(0)
	m.want(t, "the authority agrees", 0)
	m.set(5 * time.Hour)
	m.want(t, "off again by what was accepted before they agreed", 5*time.Hour)
}

// After a pause of the whole machine the next response contradicts the known
// time, and a second response decides.
func TestContradicted(t *testing.T) {
	m := newMachine()
	m.Heard(m.wall, m.boot)
	m.Heard(m.wall.Add(time.Hour), m.boot)
	if m.Contradicted() {
		t.Error("Contradicted = true while the time is not known")
	}
	m.hear(0)
	if m.Contradicted() {
		t.Error("Contradicted = true after responses that agree")
	}
	m.passes(time.Second)
	m.Heard(m.wall.Add(time.Hour), m.boot)
	if !m.Contradicted() || m.Check() != nil {
		t.Errorf("after one different response: Contradicted = %t, Check = %v; want true, nil", m.Contradicted(), m.Check())
	}
	m.hear(time.Hour)
	m.want(t, "two different responses", -time.Hour)
	if m.Contradicted() {
		t.Error("Contradicted = true after the second response")
	}
}

func TestRandomJumps(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 16))
	m := newMachine()
	truth, boot := m.wall, m.boot
	for range 100_000 {
		truth, boot = truth.Add(time.Second), boot+time.Second
		m.boot = boot
		m.wall = truth.Add(time.Duration(random.Int64N(int64(4*365*24*time.Hour))) - 2*365*24*time.Hour)
		if random.IntN(2) == 0 {
			m.wall = truth.Add(time.Duration(random.Int64N(int64(40*time.Minute))) - 20*time.Minute)
		}
		off := m.wall.Sub(truth).Abs()
		if got := m.Now().Sub(truth).Abs(); got > clock.Tolerance || off <= clock.Tolerance && got != off {
			t.Fatalf("with a clock %s off, Now is %s off, want the clock if it is within the tolerance, otherwise less", off, got)
		}
		if (m.Check() == nil) != (off <= clock.Tolerance) {
			t.Fatalf("with a clock %s off, Check = %v, want an error beyond the tolerance", off, m.Check())
		}
	}
}

func TestBootGoesForward(t *testing.T) {
	first := clock.Boot()
	time.Sleep(2 * time.Millisecond)
	if second := clock.Boot(); second <= first || second > first+time.Minute {
		t.Errorf("Boot = %s, then %s; want a later time within a minute", first, second)
	}
}
