package main

import (
	"strings"
	"testing"
)

func TestWithoutRepeats(t *testing.T) {
	a, b := finding{ID: "BR-A", Message: "First."}, finding{ID: "BR-B", Message: "Second."}
	elsewhere := a
	elsewhere.Path = "/Invoice"
	for _, c := range []struct {
		findings []finding
		want     string
	}{
		{nil, ""},
		{[]finding{a, b}, "First.|Second."},
		{[]finding{a, a, a, b}, "First. (reported 3 times)|Second."},
		{[]finding{a, elsewhere, a}, "First.|First.|First."},
	} {
		var got []string
		for _, f := range withoutRepeats(verdict{Findings: c.findings}, "en").Findings {
			got = append(got, f.Message)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
