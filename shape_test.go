package khatm_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// limits are the maximum numbers of lines of hand-written, non-test Go files and
// functions.
var limits = struct {
	fileMedian, fileP90, fileMax int
	funcP90, funcMax             int
}{
	fileMedian: 120, fileP90: 300, fileMax: 500,
	funcP90: 40, funcMax: 80,
}

// pureTables are the files that may exceed the limits, because they contain only
// tables and no functions. A file that is within the limits or deleted must be
// removed from the list.
var pureTables = []string{}

func TestShapeOfFiles(t *testing.T) {
	report(t, fileFaults(thisTree(t), pureTables))
}

func TestShapeOfFunctions(t *testing.T) {
	report(t, functionFaults(thisTree(t)))
}

func TestEveryPackageHasAComment(t *testing.T) {
	report(t, commentFaults(thisTree(t)))
}

func TestNoInit(t *testing.T) {
	report(t, initFaults(thisTree(t)))
}

func fileFaults(all []source, tables []string) []string {
	var faults []string
	var lengths []length
	short := slices.Clone(tables)
	for _, s := range written(all) {
		n := s.lines()
		lengths = append(lengths, length{s.path, n})
		if n <= limits.fileMax {
			continue
		}
		if !slices.Contains(tables, s.path) {
			faults = append(faults, fmt.Sprintf("%s has %d lines, more than %d; split it", s.path, n, limits.fileMax))
		}
		if len(functions(s)) > 0 && slices.Contains(tables, s.path) {
			faults = append(faults, fmt.Sprintf("%s has a function; move it to another file, or remove the file from pureTables in shape_test.go", s.path))
		}
		short = slices.DeleteFunc(short, func(p string) bool { return p == s.path })
	}
	for _, p := range short {
		faults = append(faults, fmt.Sprintf("%s is short enough or gone; remove it from pureTables in shape_test.go", p))
	}
	faults = append(faults, tooLong("median length of files", lengths, 50, limits.fileMedian)...)
	return append(faults, tooLong("90th percentile of the lengths of files", lengths, 90, limits.fileP90)...)
}

func functionFaults(all []source) []string {
	var faults []string
	var lengths []length
	for _, s := range written(all) {
		for _, f := range functions(s) {
			n := s.line(f.End()) - s.line(f.Pos()) + 1
			lengths = append(lengths, length{s.at(f.Pos()) + " " + f.Name.Name, n})
			if n > limits.funcMax {
				faults = append(faults, fmt.Sprintf("%s: function %s has %d lines, more than %d; split it", s.at(f.Pos()), f.Name.Name, n, limits.funcMax))
			}
		}
	}
	return append(faults, tooLong("90th percentile of the lengths of functions", lengths, 90, limits.funcP90)...)
}

// length is the number of lines of a file or a function.
type length struct {
	where string
	lines int
}

// tooLong reports a percentile of the lengths that exceeds its limit, with the three
// shortest entries above the limit, which are the easiest to shorten.
func tooLong(what string, lengths []length, p, limit int) []string {
	got := percentile(lengths, p)
	if got <= limit {
		return nil
	}
	var over []string
	for _, l := range sortedByLines(lengths) {
		if l.lines > limit && len(over) < 3 {
			over = append(over, fmt.Sprintf("%s (%d)", l.where, l.lines))
		}
	}
	return []string{fmt.Sprintf("the %s is %d lines, more than %d; shorten %s", what, got, limit, strings.Join(over, ", "))}
}

// commentFaults reports packages without a package comment. The comment must be
// in a non-test file if the package has one.
func commentFaults(all []source) []string {
	type state struct{ built, inBuilt, inTest bool }
	dirs := map[string]state{}
	for _, s := range all {
		d := dirs[s.dir]
		has := s.tree.Doc != nil && strings.TrimSpace(s.tree.Doc.Text()) != ""
		if s.isTest() {
			d.inTest = d.inTest || has
		} else {
			d.built, d.inBuilt = true, d.inBuilt || has
		}
		dirs[s.dir] = d
	}
	var faults []string
	for dir, d := range dirs {
		if !d.inBuilt && (d.built || !d.inTest) {
			faults = append(faults, fmt.Sprintf("%s: no file has a package comment; add one that says what the package is", dir))
		}
	}
	slices.Sort(faults)
	return faults
}

// initFaults reports init functions, which run without a visible call.
func initFaults(all []source) []string {
	var faults []string
	for _, s := range all {
		for _, f := range functions(s) {
			if f.Recv == nil && f.Name.Name == "init" {
				faults = append(faults, fmt.Sprintf("%s: func init; call the function where it is needed", s.at(f.Pos())))
			}
		}
	}
	return faults
}

// written returns the files that are neither tests nor generated.
func written(all []source) []source {
	var kept []source
	for _, s := range all {
		if !s.isTest() && !s.isGenerated() {
			kept = append(kept, s)
		}
	}
	return kept
}

func functions(s source) []*ast.FuncDecl {
	var all []*ast.FuncDecl
	for _, d := range s.tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			all = append(all, f)
		}
	}
	return all
}

// percentile returns the nearest-rank percentile of the lengths, or 0 if there are
// none.
func percentile(lengths []length, p int) int {
	if len(lengths) == 0 {
		return 0
	}
	return sortedByLines(lengths)[(len(lengths)*p+99)/100-1].lines
}

func sortedByLines(lengths []length) []length {
	return slices.SortedStableFunc(slices.Values(lengths), func(a, b length) int { return cmp.Compare(a.lines, b.lines) })
}

func TestShapeFaultsAreSeen(t *testing.T) {
	const brief = "// Package a is.\npackage a\n"
	long := func(n int) string { return brief + strings.Repeat("\n", n-2) }
	body := func(n int) string { return brief + "func f() {" + strings.Repeat("\n", n-1) + "}\n" }
	onlyLong := func(n int, more ...string) []string {
		tree := []string{"a/long.go", long(n)}
		for i := range 12 {
			tree = append(tree, fmt.Sprintf("a/%d.go", i), brief)
		}
		return append(tree, more...)
	}
	files := func(tables ...string) func([]source) []string {
		return func(all []source) []string { return fileFaults(all, tables) }
	}
	cases := []struct {
		name  string
		check func([]source) []string
		tree  []string
		want  string
	}{
		{"file at the limit", files(), onlyLong(500), ""},
		{"file over the limit", files(), onlyLong(501), "a/long.go has 501 lines, more than 500; split it"},
		{"file over the limit, a table", files("a/long.go"), onlyLong(501), ""},
		{"file over the limit, generated", files(), onlyLong(3, "a/gen.go", "// Code generated by x. DO NOT EDIT.\n"+long(600)), ""},
		{"file over the limit, a test", files(), onlyLong(3, "a/a_test.go", long(600)), ""},
		{"table with a function", files("a/f.go"), onlyLong(3, "a/f.go", body(501)), "has a function"},
		{"table that is short", files("a/long.go"), onlyLong(400), "remove it from pureTables"},
		{"table that is gone", files("a/gone.go"), onlyLong(400), "remove it from pureTables"},
		{"median", files(), []string{"a/1.go", long(121), "a/2.go", long(121), "a/3.go", brief}, "median length of files is 121 lines, more than 120; shorten a/1.go (121), a/2.go (121)"},
		{"percentile", files(), []string{"a/1.go", long(301), "a/2.go", brief, "a/3.go", brief}, "90th percentile of the lengths of files is 301 lines, more than 300; shorten a/1.go (301)"},
		{"function at the limit", functionFaults, []string{"a/a.go", body(40)}, ""},
		{"function percentile", functionFaults, []string{"a/a.go", body(41)}, "shorten a/a.go:3 f (41)"},
		{"package comment", commentFaults, []string{"a/a.go", brief, "a/b.go", "package a"}, ""},
		{"no package comment", commentFaults, []string{"a/a.go", "package a"}, "a: no file has a package comment"},
		{"package comment in a test only", commentFaults, []string{"a/a.go", "package a", "a/a_test.go", brief}, "a: no file has a package comment"},
		{"tests only, with comment", commentFaults, []string{"a/a_test.go", brief}, ""},
		{"a directive is no comment", commentFaults, []string{"a/a.go", "//go:generate x\npackage a"}, "a: no file has a package comment"},
		{"init", initFaults, []string{"a/a.go", brief + "func init() {}"}, "func init"},
		{"method called init", initFaults, []string{"a/a.go", brief + "type t int\nfunc (t) init() {}"}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { wantFault(t, c.check(madeTree(t, c.tree...)), c.want) })
	}
	if got := functionFaults(madeTree(t, "a/a.go", body(81))); len(got) != 2 {
		t.Errorf("faults of a function of 81 lines = %q, want two", got)
	}
}
