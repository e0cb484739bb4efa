package mood

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

// drawn is the set of faults chosen for one request. It depends only on the
// seed, the endpoint, the request number and the plan, not on other requests.
type drawn struct {
	late   bool
	fault  *knob   // at most one
	shapes []*knob // any number
}

// draw chooses the faults for the n-th request of an endpoint. The delay and
// each shape have their own random source, so that changing one of them does
// not affect the others. All knobs of the kind fault share one source.
func draw(seed uint64, e Endpoint, n uint64, positions []Setting) drawn {
	var d drawn
	at := Rate(stream(seed, e, n, "fault").IntN(int(Always)))
	sum := Rate(0)
	for i := range table {
		k, rate := &table[i], positions[i].Rate
		if rate == 0 || !k.scope.has(e) {
			continue
		}
		if k.kind == fault {
			if sum += rate; d.fault == nil && at < sum {
				d.fault = k
			}
			continue
		}
		if Rate(stream(seed, e, n, k.Name).IntN(int(Always))) < rate {
			d.add(k)
		}
	}
	return d
}

func (d *drawn) add(k *knob) {
	switch k.kind {
	case delay:
		d.late = true
	case fault:
		d.fault = k
	case shape:
		d.shapes = append(d.shapes, k)
	}
}

func (d *drawn) has(k *knob) bool {
	if d.late && k.kind == delay || d.fault == k {
		return true
	}
	for _, s := range d.shapes {
		if s == k {
			return true
		}
	}
	return false
}

func (d *drawn) empty() bool { return !d.late && d.fault == nil && len(d.shapes) == 0 }

// String returns the names of the chosen faults, separated by commas, in the
// order of table.
func (d *drawn) String() string {
	var names []string
	for i := range table {
		if d.has(&table[i]) {
			names = append(names, table[i].Name)
		}
	}
	return strings.Join(names, ",")
}

// stream returns the random source for one decision about one request.
func stream(seed uint64, e Endpoint, n uint64, question string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(string(e) + "\x00" + question)) // never returns an error
	key := h.Sum64()
	return rand.New(rand.NewPCG(mix(mix(seed)^key), mix(n^key)))
}

// mix is the finalizer of splitmix64. It maps neighbouring inputs to very
// different values, as the generator needs for its seeds.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

const (
	z99     = 2.3263478740408408 // standard normal quantile of 0.99
	lateCap = 10                 // in multiples of p99
)

// lateness draws a delay from the log-normal distribution with the given median
// and p99.
func lateness(rng *rand.Rand, s Setting) time.Duration {
	sigma := math.Log(float64(s.P99)/float64(s.Median)) / z99
	d := time.Duration(float64(s.Median) * math.Exp(sigma*rng.NormFloat64()))
	return min(d, lateCap*s.P99).Round(time.Microsecond)
}
