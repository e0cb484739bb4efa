package paper_test

import (
	"strings"
	"testing"

	"khatm/paper"
)

func TestStem(t *testing.T) {
	cases := []struct{ name, number, time, want string }{
		{"example of the standard", "2021/05/26/23555", "13:24:00", "310175397400003_20210526T132400_2021-05-26-23555"},
		{"time in UTC", "INV-1", "13:24:00Z", "310175397400003_20210526T132400_INV-1"},
		{"other scripts", "فاتورة 7", "13:24:00", "310175397400003_20210526T132400_-------7"},
		{"a path", "../../x", "13:24:00", "310175397400003_20210526T132400_------x"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := paper.Stem("310175397400003", "2021-05-26", c.time, c.number); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	if got := len(paper.Stem("310175397400003", "2021-05-26", "13:24:00", strings.Repeat("9", 10_000))); got > 200 {
		t.Errorf("the name has %d bytes, want at most 200", got)
	}
}
