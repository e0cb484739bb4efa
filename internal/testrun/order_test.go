package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLongestFirst(t *testing.T) {
	t.Chdir("../..")
	got := longestFirst("go", []string{"-count=1", "./..."})
	if len(got) < 2+len(longest) || got[0] != "-count=1" {
		t.Fatalf("arguments %q, want -count=1 and all packages", got)
	}
	for n, folder := range longest {
		if want := "khatm/" + folder; got[1+n] != want {
			t.Errorf("package %d is %s, want %s", n, got[1+n], want)
		}
		if tests, err := filepath.Glob(filepath.Join(folder, "*_test.go")); err != nil || len(tests) == 0 {
			t.Errorf("%s has no tests: %v", folder, err)
		}
	}
	rest := got[1+len(longest):]
	if !slices.IsSorted(rest) || !slices.Contains(rest, "khatm/money") {
		t.Errorf("the other packages are %q, want all of them in the order of go list", rest)
	}
}

// Arguments that go list does not accept are left to go test.
func TestLongestFirstWithoutPackages(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, arguments := range [][]string{{"-count=1"}, {"./..."}, {"-v", "./none", "./neither"}} {
		if got := longestFirst("go", arguments); !slices.Equal(got, arguments) {
			t.Errorf("arguments %s for %s, want them unchanged", strings.Join(got, " "), strings.Join(arguments, " "))
		}
	}
}
