package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// mostRetried is the number of failed tests up to which they run again.
const mostRetried = 3

// failures are the tests that failed in a run.
type failures struct {
	tests []failedTest
	other bool // something failed that is not a test, or that must not be tried again
}

// failedTest is a test function that failed.
type failedTest struct{ pkg, name string }

// add adds the tests of a package that failed.
func (f *failures) add(pkg string, p *packageRun) {
	before := len(f.tests)
	for test, action := range p.action {
		if action == "fail" && !strings.Contains(test, "/") {
			f.tests = append(f.tests, failedTest{pkg, test})
		}
	}
	if len(f.tests) == before {
		f.other = true
	}
	for _, output := range p.output {
		for _, sign := range []string{"panic: ", "fatal error: ", "race detected during execution", "WARNING: DATA RACE"} {
			if strings.Contains(output.String(), sign) {
				f.other = true
			}
		}
	}
}

// few reports whether the tests that failed may run again.
func (f *failures) few() bool {
	return !f.other && len(f.tests) > 0 && len(f.tests) <= mostRetried
}

// retry runs each failed test again with run and returns the exit status: 0 if all
// pass. run gets a package and the pattern of a test, and returns its exit status.
func retry(f failures, out io.Writer, run func(pkg, tests string) (status int)) int {
	worst := 0
	var unstable []failedTest
	for _, t := range f.tests {
		fmt.Fprintf(out, "%s of %s failed, and runs again alone\n", t.name, t.pkg)
		status := run(t.pkg, "^"+regexp.QuoteMeta(t.name)+"$")
		if status == 0 {
			unstable = append(unstable, t)
		}
		worst = max(worst, status)
	}
	for _, t := range unstable {
		fmt.Fprintf(out, "UNSTABLE: %s of %s failed, and passed when it ran alone\n", t.name, t.pkg)
	}
	return worst
}

// flagsOf returns the arguments of go test without the packages and without a pattern
// of tests.
func flagsOf(arguments []string) []string {
	var flags []string
	for i := 0; i < len(arguments); i++ {
		switch {
		case arguments[i] == "-run":
			i++
		case strings.HasPrefix(arguments[i], "-") && !strings.HasPrefix(arguments[i], "-run="):
			flags = append(flags, arguments[i])
		}
	}
	return slices.Clip(flags)
}
