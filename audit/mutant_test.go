package audit_test

import (
	"math/rand/v2"
	"testing"

	"khatm/audit"
	"khatm/internal/testtool"
)

// mutant is a kind of fault that is planted into a correct history, and the
// invariant that the audit must report for it.
type mutant struct {
	name  string
	want  audit.Invariant
	plant func(p *planter) bool // false if the history has no suitable record
}

// planter plants a fault.
type planter struct {
	*history
	rng *rand.Rand
}

// some picks a matching document at random.
func (p *planter) some(fit func(*testDevice, int) bool) (t *testDevice, i int, found bool) {
	type at struct {
		t *testDevice
		i int
	}
	var all []at
	for _, t := range p.devices {
		for i := range t.documents {
			if fit == nil || fit(t, i) {
				all = append(all, at{t, i})
			}
		}
	}
	if len(all) == 0 {
		return nil, 0, false
	}
	one := all[p.rng.IntN(len(all))]
	return one.t, one.i, true
}

// doc returns a function that changes a matching document.
func doc(fit func(*audit.Document) bool, change func(*planter, *testDevice, *audit.Document)) func(*planter) bool {
	return func(p *planter) bool {
		t, i, found := p.some(func(t *testDevice, i int) bool { return fit == nil || fit(&t.documents[i]) })
		if found {
			change(p, t, &t.documents[i])
		}
		return found
	}
}

// place returns a function that changes the document at a matching position of
// a chain.
func place(fit func(t *testDevice, i int) bool, change func(p *planter, t *testDevice, i int)) func(*planter) bool {
	return func(p *planter) bool {
		t, i, found := p.some(fit)
		if found {
			change(p, t, i)
		}
		return found
	}
}

func inside(t *testDevice, i int) bool  { return i > 0 && i < len(t.documents)-1 }
func notLast(t *testDevice, i int) bool { return i < len(t.documents)-1 }
func isLast(t *testDevice, i int) bool  { return i == len(t.documents)-1 }
func isFirst(_ *testDevice, i int) bool { return i == 0 }

func isFinal(d *audit.Document) bool   { return d.Status.Final() }
func isOpen(d *audit.Document) bool    { return !d.Status.Final() }
func isCleared(d *audit.Document) bool { return d.Cleared != nil }
func isAccepted(d *audit.Document) bool {
	return d.Status == audit.Cleared || d.Status == audit.Reported
}
func isRejected(d *audit.Document) bool {
	return d.Status == audit.NotCleared || d.Status == audit.NotReported
}

// flip changes one bit of one byte.
func flip(p *planter, bytes []byte) { bytes[p.rng.IntN(len(bytes))] ^= 1 << p.rng.IntN(7) }

// otherHash is a hash that no document has.
const otherHash = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

func TestEveryPlantedFaultIsCaught(t *testing.T) {
	seeds := testtool.Scale(2, 6, 6)
	kinds := append(append(storeMutants(), verdictMutants()...), journalMutants()...)
	if len(kinds) < 25 {
		t.Fatalf("only %d kinds of faults, want at least 25", len(kinds))
	}
	planted := testtool.Count(len(kinds), 2_000)
	ofKind := (planted + len(kinds) - 1) / len(kinds)
	clean := make([]*history, seeds)
	for seed := range clean {
		clean[seed] = made(t, uint64(100+seed))
	}
	caught, done := 0, map[string]int{}
	for n := 0; caught < planted || len(done) < len(kinds); n++ {
		kind := kinds[n%len(kinds)]
		if done[kind.name] == ofKind {
			continue
		}
		rng := rand.New(rand.NewPCG(uint64(n), 7))
		p := &planter{clean[rng.IntN(seeds)].clone(), rng}
		if n > 100*planted {
			t.Fatalf("planted %d faults, want %d", caught, planted)
		}
		if !kind.plant(p) {
			continue
		}
		r := p.audited(t)
		if r.Broken[kind.want] == 0 {
			t.Errorf("fault %q (attempt %d): faults %v, want one of %s", kind.name, n, r.Faults, kind.want)
			return
		}
		caught++
		done[kind.name]++
	}
	for _, kind := range kinds {
		if done[kind.name] == 0 {
			t.Errorf("fault %q was never planted", kind.name)
		}
	}
	t.Logf("%d of %d faults of %d kinds caught", caught, planted, len(kinds))
}
