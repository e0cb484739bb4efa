package khatm_test

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
)

func TestGoldenFilesAreRewrittenByMakeGolden(t *testing.T) {
	report(t, goldenFaults(thisTree(t)))
}

// goldenFaults reports tests that rewrite golden files but are not run by make
// golden, because their name does not contain Golden.
func goldenFaults(all []source) []string {
	var faults []string
	for _, functions := range testFunctions(all) {
		for name, f := range functions {
			if strings.HasPrefix(name, "Test") && !strings.Contains(name, "Golden") && reachesUpdate(functions, name, map[string]bool{}) {
				faults = append(faults, fmt.Sprintf("%s: %s rewrites golden files: put Golden in its name, so that make golden runs it", f.at, name))
			}
		}
	}
	slices.Sort(faults)
	return faults
}

// testFunction is a function of a test file: its position, the names that its body
// uses, and whether it reads *update.
type testFunction struct {
	at     string
	uses   []string
	update bool
}

// testFunctions returns the functions of test files by folder and name.
func testFunctions(all []source) map[string]map[string]testFunction {
	dirs := map[string]map[string]testFunction{}
	for _, s := range all {
		if !s.isTest() {
			continue
		}
		if dirs[s.dir] == nil {
			dirs[s.dir] = map[string]testFunction{}
		}
		for _, f := range functions(s) {
			found := testFunction{at: s.at(f.Pos())}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					found.uses = append(found.uses, n.Name)
				case *ast.StarExpr:
					id, ok := n.X.(*ast.Ident)
					found.update = found.update || ok && id.Name == "update"
				}
				return true
			})
			same := dirs[s.dir][f.Name.Name] // a method may have the name of a function
			found.uses, found.update = append(found.uses, same.uses...), found.update || same.update
			dirs[s.dir][f.Name.Name] = found
		}
	}
	return dirs
}

// reachesUpdate reports whether the function reads *update, itself or through
// a function of the same package.
func reachesUpdate(functions map[string]testFunction, name string, seen map[string]bool) bool {
	f, ok := functions[name]
	if !ok || seen[name] {
		return false
	}
	seen[name] = true
	return f.update || slices.ContainsFunc(f.uses, func(used string) bool { return reachesUpdate(functions, used, seen) })
}

func TestGoldenFaultsAreSeen(t *testing.T) {
	const head = "package a\nvar update = flag.Bool(\"update\", false, \"\")\n"
	cases := []struct{ name, path, text, want string }{
		{"named", "a/a_test.go", "func TestGoldenPage() { if *update {} }", ""},
		{"not named", "a/a_test.go", "func TestPage() { if *update {} }", "a/a_test.go:3: TestPage rewrites golden files"},
		{"through a helper", "a/a_test.go", "func TestPage() { write() }\nfunc write() { golden() }\nfunc golden() { if *update {} }", "put Golden in its name"},
		{"helpers that call each other", "a/a_test.go", "func TestPage() { b() }\nfunc b() { c() }\nfunc c() { b() }", ""},
		{"another value of that name", "a/a_test.go", "func TestPage() { update := 1; _ = update }", ""},
		{"not a test", "a/a.go", "func TestPage() { if *update {} }", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			wantFault(t, goldenFaults(madeTree(t, c.path, head+c.text)), c.want)
		})
	}
}
