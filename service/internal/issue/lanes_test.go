package issue_test

import (
	"fmt"
	"slices"
	"testing"

	"khatm/service/internal/issue"
)

// A batch is limited in documents, lines and bytes, but always has at least one
// document.
func TestBoundsOfABatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines []int
		want  int
	}{
		{[]int{1}, 1},
		{[]int{4000}, 1},
		{[]int{4000, 1}, 1},
		{slices.Repeat([]int{1}, 63), 63},
		{slices.Repeat([]int{1}, 64), 64},
		{slices.Repeat([]int{1}, 65), 64},
		{[]int{1000, 1091}, 2}, // 6,000 and 2,091,000 bytes
		{[]int{1000, 1092}, 1}, // more than 2 MiB
		{[]int{1, 2000, 90, 1}, 2},
		{[]int{1, 1, 4000, 1}, 2},
	} {
		same(t, fmt.Sprint(c.lines), issue.BatchOf(c.lines...), c.want)
	}
}

// At most 1,024 requests of an organisation are queued; the next is refused as
// busy.
func TestFullLane(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bool{1: false, 1023: false, 1024: true, 1025: true} {
		same(t, fmt.Sprint(n), issue.FullLane(n), want)
	}
}
