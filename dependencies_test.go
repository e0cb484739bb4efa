package khatm_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestDependenciesPage(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	report(t, dependencyFaults(string(mod), string(page)))
}

// dependencyFaults compares the rows of the page with the direct requirements of
// go.mod. Tools have a module of their own, so their section is skipped.
func dependencyFaults(mod, page string) []string {
	page, _, _ = strings.Cut(page, "\n## Tools\n")
	var required, listed []string
	for line := range strings.Lines(mod) {
		f := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(f) == 2 && strings.HasPrefix(f[1], "v") {
			required = append(required, f[0]+" "+f[1])
		}
	}
	for line := range strings.Lines(page) {
		cells := strings.Split(line, "|")
		if len(cells) > 3 && strings.HasPrefix(strings.TrimSpace(cells[2]), "v") {
			listed = append(listed, strings.TrimSpace(cells[1])+" "+strings.TrimSpace(cells[2]))
		}
	}
	var faults []string
	for _, r := range required {
		if !slices.Contains(listed, r) {
			faults = append(faults, fmt.Sprintf("go.mod requires %s; add a row with the reason to docs/dependencies.md", r))
		}
	}
	for _, a := range listed {
		if !slices.Contains(required, a) {
			faults = append(faults, fmt.Sprintf("docs/dependencies.md has a row for %s, which go.mod does not require; change or remove the row", a))
		}
	}
	return faults
}

func TestDependencyFaultsAreSeen(t *testing.T) {
	const mod = "module m\n\ngo 1.26.0\n\nrequire (\n\texample.com/a v1.0.0\n\texample.com/b v1.0.0 // indirect\n)\n"
	const row = "| example.com/a | v1.0.0 | MIT |\n"
	cases := []struct{ name, page, want string }{
		{"listed", row, ""},
		{"not listed", "", "go.mod requires example.com/a v1.0.0; add a row"},
		{"listed, not required", row + "| example.com/c | v1.0.0 | MIT |\n", "example.com/c v1.0.0, which go.mod does not require"},
		{"a tool", row + "\n## Tools\n| example.com/c | v1.0.0 | MIT |\n", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { wantFault(t, dependencyFaults(mod, c.page), c.want) })
	}
	if got := dependencyFaults(mod, "| example.com/a | v0.9.0 | MIT |\n"); len(got) != 2 {
		t.Errorf("faults with another version = %q, want two", got)
	}
}
