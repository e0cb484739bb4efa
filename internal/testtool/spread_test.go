package testtool_test

import (
	"slices"
	"testing"

	"khatm/internal/testtool"
)

func TestSpread(t *testing.T) {
	all := []int{0, 1, 2, 3, 4, 5, 6}
	t.Setenv("KHATM_TORTURE", "")
	t.Setenv("KHATM_ALL", "")
	for part, want := range [][]int{{0, 3, 6}, {1, 4}, {2, 5}, {0, 3, 6}} {
		if got := testtool.Spread(all, part, 3); !slices.Equal(got, want) {
			t.Errorf("Spread(%v, %d, 3) = %v, want %v", all, part, got, want)
		}
	}
	t.Setenv("KHATM_ALL", "1")
	if got := testtool.Spread(all, 1, 3); !slices.Equal(got, all) {
		t.Errorf("Spread under All = %v, want all of %v", got, all)
	}
}
