package khatm_test

import (
	"fmt"
	"go/ast"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestExternalProgramsAreDeclared(t *testing.T) {
	script, err := os.ReadFile("scripts/missing")
	if err != nil {
		t.Fatal(err)
	}
	report(t, outsideFaults(thisTree(t), string(script)))
}

// outsideFaults reports tests that look for an external program without
// internal/testtool, and programs without a row in scripts/missing, which lists the
// tests that were skipped.
func outsideFaults(all []source, script string) []string {
	var faults []string
	for _, s := range all {
		if !s.isTest() || s.dir == "internal/testtool" {
			continue
		}
		for _, use := range lookups(s) {
			if use.function == "LookPath" {
				faults = append(faults, fmt.Sprintf("%s: call testtool.Path instead of exec.LookPath", s.path))
			} else if !strings.Contains(script, "\n\t"+use.program+"|") {
				faults = append(faults, fmt.Sprintf("%s uses %q: add it to the table in scripts/missing", s.path, use.program))
			}
		}
	}
	return faults
}

// lookup is a call that looks for a program. program is empty if the argument
// is not a literal.
type lookup struct{ function, program string }

// lookups returns the calls of exec.LookPath, testtool.Path and testtool.Find.
func lookups(s source) []lookup {
	var uses []lookup
	ast.Inspect(s.tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		from, ok := sel.X.(*ast.Ident)
		if !ok || from.Name+"."+sel.Sel.Name != "exec.LookPath" && from.Name != "testtool" {
			return true
		}
		if sel.Sel.Name != "LookPath" && sel.Sel.Name != "Path" && sel.Sel.Name != "Find" {
			return true
		}
		use := lookup{function: sel.Sel.Name}
		if lit, ok := call.Args[len(call.Args)-1].(*ast.BasicLit); ok {
			use.program, _ = strconv.Unquote(lit.Value)
		}
		uses = append(uses, use)
		return true
	})
	return uses
}

func TestOutsideFaultsAreSeen(t *testing.T) {
	const script = "\n\topenssl|openssl|x\n"
	cases := []struct{ name, path, call, want string }{
		{"declared", "seal/a_test.go", `testtool.Path(t, "openssl")`, ""},
		{"declared, found", "seal/a_test.go", `testtool.Find("openssl")`, ""},
		{"not declared", "seal/a_test.go", `testtool.Path(t, "gpg")`, `uses "gpg"`},
		{"not a literal", "seal/a_test.go", `testtool.Find(name)`, `uses ""`},
		{"without testtool", "seal/a_test.go", `exec.LookPath("openssl")`, "call testtool.Path"},
		{"not a test", "seal/a.go", `exec.LookPath("gpg")`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			wantFault(t, outsideFaults(madeTree(t, c.path, `package seal; func f() { `+c.call+` }`), script), c.want)
		})
	}
}
