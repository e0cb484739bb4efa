package khatm_test

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// limits bound the shape of the tree: lines of hand-written, non-test Go.
var limits = struct {
	fileMedian, fileP90, fileMax int
	funcP90, funcMax             int
}{
	fileMedian: 120, fileP90: 300, fileMax: 500,
	funcP90: 40, funcMax: 80,
}

// pureTables may be longer than a file otherwise is: they hold rows and no
// function. A file that is short enough, or gone, does not stay on the list.
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
	var lengths []int
	short := slices.Clone(tables)
	for _, s := range written(all) {
		n := s.lines()
		lengths = append(lengths, n)
		if n <= limits.fileMax {
			continue
		}
		if !slices.Contains(tables, s.path) {
			faults = append(faults, fmt.Sprintf("%s has %d lines, more than %d", s.path, n, limits.fileMax))
		}
		if len(functions(s)) > 0 && slices.Contains(tables, s.path) {
			faults = append(faults, fmt.Sprintf("%s is listed as a pure table and has a function", s.path))
		}
		short = slices.DeleteFunc(short, func(p string) bool { return p == s.path })
	}
	for _, p := range short {
		faults = append(faults, fmt.Sprintf("%s needs no place on the list of pure tables", p))
	}
	faults = append(faults, tooLong("median of lines a file", percentile(lengths, 50), limits.fileMedian)...)
	return append(faults, tooLong("p90 of lines a file", percentile(lengths, 90), limits.fileP90)...)
}

func functionFaults(all []source) []string {
	var faults []string
	var lengths []int
	for _, s := range written(all) {
		for _, f := range functions(s) {
			n := s.line(f.End()) - s.line(f.Pos()) + 1
			lengths = append(lengths, n)
			if n > limits.funcMax {
				faults = append(faults, fmt.Sprintf("%s: %s has %d lines, more than %d", s.at(f.Pos()), f.Name.Name, n, limits.funcMax))
			}
		}
	}
	return append(faults, tooLong("p90 of lines a function", percentile(lengths, 90), limits.funcP90)...)
}

func tooLong(what string, got, limit int) []string {
	if got <= limit {
		return nil
	}
	return []string{fmt.Sprintf("%s is %d, more than %d", what, got, limit)}
}

// commentFaults asks for a package comment in each folder, in a file that is
// built if there is one.
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
			faults = append(faults, fmt.Sprintf("package %s has no package comment", dir))
		}
	}
	slices.Sort(faults)
	return faults
}

// initFaults finds functions that run before main and that no reader called.
func initFaults(all []source) []string {
	var faults []string
	for _, s := range all {
		for _, f := range functions(s) {
			if f.Recv == nil && f.Name.Name == "init" {
				faults = append(faults, fmt.Sprintf("%s: func init", s.at(f.Pos())))
			}
		}
	}
	return faults
}

// written keeps what a person wrote and the compiler builds.
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

// percentile is the nearest-rank percentile, 0 for nothing.
func percentile(values []int, p int) int {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)*p+99)/100-1]
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
		{"file over the limit", files(), onlyLong(501), "501 lines"},
		{"file over the limit, a table", files("a/long.go"), onlyLong(501), ""},
		{"file over the limit, generated", files(), onlyLong(3, "a/gen.go", "// Code generated by x. DO NOT EDIT.\n"+long(600)), ""},
		{"file over the limit, a test", files(), onlyLong(3, "a/a_test.go", long(600)), ""},
		{"table with a function", files("a/f.go"), onlyLong(3, "a/f.go", body(501)), "has a function"},
		{"table that is short", files("a/long.go"), onlyLong(400), "no place on the list"},
		{"table that is gone", files("a/gone.go"), onlyLong(400), "no place on the list"},
		{"median", files(), []string{"a/1.go", long(121), "a/2.go", long(121), "a/3.go", brief}, "median"},
		{"p90", files(), []string{"a/1.go", long(301), "a/2.go", brief, "a/3.go", brief}, "p90"},
		{"function at the limit", functionFaults, []string{"a/a.go", body(40)}, ""},
		{"function p90", functionFaults, []string{"a/a.go", body(41)}, "p90"},
		{"package comment", commentFaults, []string{"a/a.go", brief, "a/b.go", "package a"}, ""},
		{"no package comment", commentFaults, []string{"a/a.go", "package a"}, "no package comment"},
		{"package comment in a test only", commentFaults, []string{"a/a.go", "package a", "a/a_test.go", brief}, "no package comment"},
		{"tests only, with comment", commentFaults, []string{"a/a_test.go", brief}, ""},
		{"a directive is no comment", commentFaults, []string{"a/a.go", "//go:generate x\npackage a"}, "no package comment"},
		{"init", initFaults, []string{"a/a.go", brief + "func init() {}"}, "func init"},
		{"method called init", initFaults, []string{"a/a.go", brief + "type t int\nfunc (t) init() {}"}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { wantFault(t, c.check(madeTree(t, c.tree...)), c.want) })
	}
	if got := functionFaults(madeTree(t, "a/a.go", body(81))); len(got) != 2 {
		t.Errorf("a function of 81 lines: %q", got)
	}
}
