package store

import (
	"slices"
	"testing"
)

// Lists of 1 to 2,000 values have few lengths, and the same values as before.
func TestPadded(t *testing.T) {
	t.Parallel()
	lengths := map[int]bool{}
	for n := 1; n <= maxValues; n++ {
		args := []any{"first"}
		for i := range n {
			args = append(args, i)
		}
		got := padded(slices.Clone(args), 1)
		if !slices.Equal(got[:len(args)], args) || slices.ContainsFunc(got[len(args):], func(v any) bool { return v != n-1 }) {
			t.Fatalf("%d values: %v, want them and repetitions of the last", n, got)
		}
		lengths[len(got)-1] = true
	}
	if len(lengths) != 12 {
		t.Errorf("%d lengths, want the 12 powers of two up to 2,048", len(lengths))
	}
	if got := padded([]any{"first"}, 1); len(got) != 1 {
		t.Errorf("no values: %v, want none", got)
	}
}
