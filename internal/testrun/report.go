package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// event is one line of go test -json; see go doc test2json and go help buildjson.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64 // seconds
}

// report prints a report of a stream of events.
type report struct {
	out      io.Writer
	packages map[string]*packageRun
	seconds  map[timedTest]float64
	failed   failures
}

// packageRun is the run of one package's tests.
type packageRun struct {
	tests  []string                    // tests with output, in the order of their first output
	output map[string]*strings.Builder // by test; "" is the package itself
	action map[string]string           // final action of each test; unfinished tests are missing
	cached bool
}

// timedTest is a test or a subtest that has ended.
type timedTest struct{ pkg, name string }

func newReport(out io.Writer) *report {
	return &report{out: out, packages: map[string]*packageRun{}, seconds: map[timedTest]float64{}}
}

// read reports all events. Lines that are not events are copied.
func (r *report) read(events io.Reader) error {
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) == nil && e.Action != "" {
			r.add(e)
		} else {
			fmt.Fprint(r.out, string(line))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// add reports one event.
func (r *report) add(e event) {
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "build-fail":
		r.failed.other = true
	case "output":
		r.addOutput(r.packageOf(e.Package), e)
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.endPackage(e.Package, e.Action)
			return
		}
		r.packageOf(e.Package).action[e.Test] = e.Action
		if e.Action != "skip" {
			r.seconds[timedTest{e.Package, e.Test}] = e.Elapsed
		}
	}
}

func (r *report) packageOf(name string) *packageRun {
	p := r.packages[name]
	if p == nil {
		p = &packageRun{output: map[string]*strings.Builder{}, action: map[string]string{}}
		r.packages[name] = p
	}
	return p
}

// addOutput keeps the output until the package ends, because it is printed only if
// the package fails. The ok line of a package is printed at once.
func (r *report) addOutput(p *packageRun, e event) {
	switch {
	case e.Test == "" && (strings.HasPrefix(e.Output, "ok  \t") || strings.HasPrefix(e.Output, "?   \t")):
		p.cached = strings.Contains(e.Output, "\t(cached)")
		fmt.Fprint(r.out, e.Output)
		return
	case strings.HasPrefix(e.Output, "=== "): // === RUN, === CONT and so on
		return
	}
	b := p.output[e.Test]
	if b == nil {
		b = &strings.Builder{}
		p.output[e.Test] = b
		p.tests = append(p.tests, e.Test)
	}
	b.WriteString(e.Output)
}

// endPackage prints the output of a failed package and discards that of others.
func (r *report) endPackage(name, action string) {
	p := r.packageOf(name)
	if action == "fail" {
		r.failed.add(name, p)
		r.printFailure(p)
	}
	p.tests, p.output = nil, map[string]*strings.Builder{}
}

// printFailure prints the output of the tests that failed or did not finish. If all
// tests passed, it prints the output of all, which may contain the reason. The
// output of the package itself, which ends with its result, comes last.
func (r *report) printFailure(p *packageRun) {
	var all, notPassed []string
	for _, test := range p.tests {
		if test == "" {
			continue
		}
		all = append(all, test)
		if p.action[test] != "pass" && p.action[test] != "skip" {
			notPassed = append(notPassed, test)
		}
	}
	if len(notPassed) == 0 {
		notPassed = all
	}
	for _, test := range append(notPassed, "") {
		if b := p.output[test]; b != nil {
			fmt.Fprint(r.out, b.String())
		}
	}
}

// end prints the output of packages that did not end because go test was
// interrupted.
func (r *report) end() {
	for _, p := range r.packages {
		r.failed.other = r.failed.other || len(p.tests) > 0
		r.printFailure(p)
	}
}

// printSlowest prints the n slowest top-level tests.
func (r *report) printSlowest(n int) {
	total := r.withParallelSubtests()
	var tests []timedTest
	for t := range total {
		if !strings.Contains(t.name, "/") {
			tests = append(tests, t)
		}
	}
	if len(tests) == 0 {
		return
	}
	slices.SortFunc(tests, func(a, b timedTest) int {
		return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.name, b.name))
	})
	fmt.Fprintln(r.out, "slowest tests:")
	for _, t := range tests[:min(n, len(tests))] {
		note := ""
		if r.packages[t.pkg].cached {
			note = "  (cached)"
		}
		fmt.Fprintf(r.out, "%8.2fs  %s  %s%s\n", total[t], t.pkg, t.name, note)
	}
}

// withParallelSubtests returns the duration of each test in seconds. The time that
// go test reports for a test does not include parallel subtests, which run after its
// function has returned. So the sum of its subtests is used if it is longer.
func (r *report) withParallelSubtests() map[timedTest]float64 {
	total, below := map[timedTest]float64{}, map[timedTest]float64{}
	names := slices.SortedFunc(maps.Keys(r.seconds), func(a, b timedTest) int {
		return cmp.Compare(strings.Count(b.name, "/"), strings.Count(a.name, "/")) // innermost first
	})
	for _, t := range names {
		total[t] = max(r.seconds[t], below[t])
		if parent, ok := r.parent(t); ok {
			below[parent] += total[t]
		}
	}
	return total
}

// parent returns the test that t is a subtest of. The name of a subtest may
// contain slashes itself.
func (r *report) parent(t timedTest) (_ timedTest, ok bool) {
	for i := strings.LastIndex(t.name, "/"); i >= 0; i = strings.LastIndex(t.name, "/") {
		t.name = t.name[:i]
		if _, ok := r.seconds[t]; ok {
			return t, true
		}
	}
	return timedTest{}, false
}
