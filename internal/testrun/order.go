package main

import (
	"cmp"
	"os/exec"
	"slices"
	"strings"
)

// longest contains the folders of the packages whose tests take longest, the longest
// first. go test starts packages in the order of its arguments: if one of these
// started last, it would run alone while other CPUs are idle.
var longest = []string{
	"service/internal/server",
	"service/internal/store",
	"service",
	"cmd/khatm",
	"service/internal/tools",
	"service/internal/app",
	"service/internal/api",
	"simulator",
	"service/internal/issue",
	"service/internal/guest",
	"service/internal/submit",
	"service/internal/share",
	"service/admin",
	"paper",
	"service/internal/wire",
	"pdfa",
	"service/internal/onboard",
}

// longestFirst replaces the patterns among the arguments of go test by the packages
// that they match, the longest first. It returns the arguments unchanged if go list
// fails, because go test then reports the reason.
func longestFirst(goCommand string, arguments []string) []string {
	at := slices.IndexFunc(arguments, func(a string) bool { return !strings.HasPrefix(a, "-") })
	if at < 0 {
		return arguments
	}
	list := exec.Command(goCommand, append([]string{"list", "-f", "{{.Module.Path}} {{.ImportPath}}"}, arguments[at:]...)...)
	out, err := list.Output()
	if err != nil {
		return arguments
	}
	var packages []string
	rank := map[string]int{}
	for line := range strings.Lines(string(out)) {
		module, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		packages = append(packages, path)
		if n := slices.Index(longest, strings.TrimPrefix(path, module+"/")); n >= 0 {
			rank[path] = n - len(longest)
		}
	}
	slices.SortStableFunc(packages, func(a, b string) int { return cmp.Compare(rank[a], rank[b]) })
	return slices.Concat(arguments[:at], packages)
}
