package metric

import (
	"slices"
	"sync"
)

// Histogram counts values in buckets, separately for all values of its labels.
type Histogram struct {
	family *Family
	bounds []float64

	mu     sync.Mutex
	series map[string]*series // by the values of the labels, each ended by a zero byte
}

// series is what a histogram has counted for certain values of its labels.
type series struct {
	values []string
	counts []int // of values up to each bound and above the one before; the last of those above all
	sum    float64
}

// NewHistogram returns a histogram whose buckets contain the values up to each of the
// bounds, which are in ascending order.
func NewHistogram(name, help string, bounds []float64, labels ...string) *Histogram {
	h := &Histogram{family: &Family{name, "histogram", help, labels}, bounds: bounds, series: map[string]*series{}}
	if len(labels) == 0 {
		h.of(nil) // exists before the first value
	}
	return h
}

// Observe counts a value.
func (h *Histogram) Observe(value float64, values ...string) {
	bucket, _ := slices.BinarySearch(h.bounds, value)
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.of(values)
	s.counts[bucket]++
	s.sum += value
}

func (h *Histogram) of(values []string) *series {
	var space [128]byte
	key := space[:0]
	for _, v := range values {
		key = append(append(key, v...), 0)
	}
	s := h.series[string(key)]
	if s == nil {
		s = &series{values: slices.Clone(values), counts: make([]int, len(h.bounds)+1)}
		h.series[string(key)] = s
	}
	return s
}

// Collect adds the histogram to a page. It formats a copy, so that calls of Observe do
// not wait for it.
func (h *Histogram) Collect(to *Page) {
	h.mu.Lock()
	all := make([]series, 0, len(h.series))
	for _, s := range h.series {
		all = append(all, series{s.values, slices.Clone(s.counts), s.sum})
	}
	h.mu.Unlock()
	for _, s := range all {
		to.add(h.family, metric{s.values, h.lines(&s)})
	}
}

// lines returns the lines of a series. The buckets in the text format contain those
// below them.
func (h *Histogram) lines(s *series) []byte {
	var b []byte
	sum := 0
	for i, n := range s.counts {
		sum += n
		bound := "+Inf"
		if i < len(h.bounds) {
			bound = string(appendNumber(nil, h.bounds[i]))
		}
		b = h.family.appendLine(b, "_bucket", s.values, float64(sum), "le", bound)
	}
	b = h.family.appendLine(b, "_sum", s.values, s.sum)
	return h.family.appendLine(b, "_count", s.values, float64(sum))
}
