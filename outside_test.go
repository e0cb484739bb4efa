package khatm_test

import (
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestOutsideToolsAreOwnedUpTo(t *testing.T) {
	script, err := os.ReadFile("scripts/missing")
	if err != nil {
		t.Fatal(err)
	}
	report(t, outsideFaults(thisTree(t), string(script)))
}

// outsideFaults holds tests that ask another program to two promises: the
// program has a row in scripts/missing, so that its absence is named, and the
// tests of the folder know KHATM_STRICT, under which absence is a failure.
func outsideFaults(all []source, script string) []string {
	var asking, strict []string
	var faults []string
	for _, s := range all {
		if !s.isTest() {
			continue
		}
		if strings.Contains(string(s.text), `"KHATM_STRICT"`) {
			strict = append(strict, s.dir)
		}
		for _, program := range lookedUp(s) {
			asking = append(asking, s.dir)
			if program != "" && !strings.Contains(script, "\n\t"+program+"|") {
				faults = append(faults, fmt.Sprintf("%s asks for %s, which scripts/missing does not name", s.path, program))
			}
		}
	}
	slices.Sort(asking)
	for _, dir := range slices.Compact(asking) {
		if !slices.Contains(strict, dir) {
			faults = append(faults, fmt.Sprintf("the tests of %s ask for a program and do not know KHATM_STRICT", dir))
		}
	}
	return faults
}

// lookedUp gives the arguments of exec.LookPath in a file, "" for one that is
// not written out.
func lookedUp(s source) []string {
	var programs []string
	ast.Inspect(s.tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != "LookPath" {
			return true
		}
		program := ""
		if lit, ok := call.Args[0].(*ast.BasicLit); ok {
			program, _ = strconv.Unquote(lit.Value)
		}
		programs = append(programs, program)
		return true
	})
	return programs
}

func TestOutsideFaultsAreSeen(t *testing.T) {
	const script = "\n\topenssl|openssl|x\n"
	ask := func(program string) string {
		return `package seal; import "os/exec"; func f() { exec.LookPath(` + program + `) }; `
	}
	const strict = `const strict = "KHATM_STRICT"`
	cases := []struct{ name, path, text, want string }{
		{"named and strict", "seal/a_test.go", ask(`"openssl"`) + strict, ""},
		{"not strict", "seal/a_test.go", ask(`"openssl"`), "do not know KHATM_STRICT"},
		{"not named", "seal/a_test.go", ask(`"gpg"`) + strict, "asks for gpg"},
		{"not written out", "seal/a_test.go", ask(`name`) + strict, ""},
		{"not a test", "seal/a.go", ask(`"gpg"`), ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			wantComplaint(t, outsideFaults(madeTree(t, c.path, c.text), script), c.want)
		})
	}
}
