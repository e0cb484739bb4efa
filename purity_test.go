package khatm_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exact are the packages that may not use floating point.
var exact = []string{"money", "invoice", "ubl", "rules"}

// inexact are the exceptions: files that must give the same results as the
// official rule sheets, which compute in floating point.
var inexact = []string{"rules/xpath.go"}

// float matches the floating-point types and every name that contains Float.
var float = regexp.MustCompile(`^float(32|64)$|Float`)

// impureImports are the packages that access something outside of the process.
// The packages below them are impure, too.
var impureImports = []string{"os", "net", "syscall", "log", "database/sql", "flag", "plugin"}

// impureNames are the names, by package, that use a global clock, a global random
// source or a file, or write to standard output.
var impureNames = map[string]*regexp.Regexp{
	"time":                   regexp.MustCompile(`^(Now|Since|Until|Sleep|After|AfterFunc|Tick|NewTicker|NewTimer|Local|LoadLocation)$`),
	"math/rand":              topLevelRandom,
	"math/rand/v2":           topLevelRandom,
	"crypto/rand":            regexp.MustCompile(`^(Reader|Read|Text)$`),
	"fmt":                    regexp.MustCompile(`^(Print|Printf|Println|Scan|Scanf|Scanln)$`),
	"github.com/google/uuid": regexp.MustCompile(`^New(String|Random|UUID|V6|V7)?$`),
	"github.com/decred/dcrd/dcrec/secp256k1/v4": regexp.MustCompile(`^GeneratePrivateKey$`),
}

// topLevelRandom matches the functions that use the global random source.
var topLevelRandom = regexp.MustCompile(`^(Seed|Read|Perm|Shuffle|N|U?[Ii]nt.*|Float.*|NormFloat64|ExpFloat64)$`)

func TestMoneyIsExact(t *testing.T) {
	report(t, floatFaults(thisTree(t)))
}

func TestLibraryIsPure(t *testing.T) {
	report(t, purityFaults(libraryPackages(plan), thisTree(t)))
}

// libraryPackages returns the packages of the document library, which use no
// files, network, clock or random source except those passed to them.
func libraryPackages(plan []row) []string {
	var dirs []string
	for _, r := range plan {
		if r.layer == library {
			dirs = append(dirs, r.dir)
		}
	}
	return dirs
}

// floatFaults reports floating point in packages that compute amounts: the types,
// literals (whose default type is float64), and calls that convert to or from them.
func floatFaults(all []source) []string {
	var faults []string
	for _, s := range all {
		if s.isTest() || !slices.Contains(exact, s.dir) || slices.Contains(inexact, s.path) {
			continue
		}
		ast.Inspect(s.tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if float.MatchString(n.Name) {
					faults = append(faults, fmt.Sprintf("%s: %s is floating point; use money.Decimal", s.at(n.Pos()), n.Name))
				}
			case *ast.BasicLit:
				if n.Kind == token.FLOAT {
					faults = append(faults, fmt.Sprintf("%s: %s is floating point; use money.Decimal", s.at(n.Pos()), n.Value))
				}
			}
			return true
		})
	}
	return faults
}

// purityFaults reports imports and names that make a pure package depend on
// more than its arguments.
func purityFaults(pure []string, all []source) []string {
	var faults []string
	for _, s := range all {
		if s.isTest() || !slices.Contains(pure, s.dir) {
			continue
		}
		known := map[string]string{} // local name → import path
		for _, spec := range s.tree.Imports {
			p := importPath(spec)
			known[localName(spec)] = p
			if isImpure(p) {
				faults = append(faults, fmt.Sprintf("%s: a library package imports %s; take what it needs as an argument", s.at(spec.Pos()), p))
			}
			if _, listed := impureNames[p]; listed && localName(spec) == "." {
				faults = append(faults, fmt.Sprintf("%s: imports %s under the name \".\"; remove the dot", s.at(spec.Pos()), p))
			}
		}
		faults = append(faults, impureUses(s, known)...)
	}
	return faults
}

func impureUses(s source, known map[string]string) []string {
	var faults []string
	ast.Inspect(s.tree, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		from, ok := sel.X.(*ast.Ident)
		if !ok {
			return true
		}
		names, listed := impureNames[known[from.Name]]
		if listed && names.MatchString(sel.Sel.Name) {
			faults = append(faults, fmt.Sprintf("%s: a library package uses %s.%s; take the value as an argument", s.at(sel.Pos()), known[from.Name], sel.Sel.Name))
		}
		return true
	})
	return faults
}

func isImpure(imported string) bool {
	return slices.ContainsFunc(impureImports, func(p string) bool {
		return imported == p || strings.HasPrefix(imported, p+"/")
	})
}

// version matches the last element of a path that is a major version.
var version = regexp.MustCompile(`^v[0-9]+$`)

// localName returns the name of an import in its file.
func localName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p := importPath(spec)
	if base := path.Base(p); !version.MatchString(base) {
		return base
	}
	return path.Base(path.Dir(p))
}

func TestFloatsAreSeen(t *testing.T) {
	cases := []struct{ name, path, text, want string }{
		{"type", "money/a.go", "package money\nvar x float64", "money/a.go:2: float64 is floating point; use money.Decimal"},
		{"narrow type", "ubl/a.go", "package ubl\nfunc f(float32) {}", "float32"},
		{"literal", "invoice/a.go", "package invoice\nvar rate = 0.15", "0.15 is floating point; use money.Decimal"},
		{"conversion", "rules/a.go", "package rules\nvar x = d.InexactFloat64()", "InexactFloat64"},
		{"parsing", "money/a.go", "package money\nimport \"strconv\"\nvar x = strconv.ParseFloat", "ParseFloat"},
		{"excused", "rules/xpath.go", "package rules\nvar x float64", ""},
		{"test", "money/a_test.go", "package money\nvar x float64", ""},
		{"elsewhere", "qr/a.go", "package qr\nvar x float64", ""},
		{"in words only", "money/a.go", "package money\n// No float64 here.\nvar x = \"0.15\"", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { wantFault(t, floatFaults(madeTree(t, c.path, c.text)), c.want) })
	}
}

func TestImpurityIsSeen(t *testing.T) {
	cases := []struct{ name, path, text, want string }{
		{"clock", "seal/a.go", `package seal; import "time"; var x = time.Now()`, "time.Now"},
		{"clock under an alias", "seal/a.go", `package seal; import t "time"; var x = t.Now`, "time.Now"},
		{"clock without its name", "seal/a.go", `package seal; import . "time"; var x = Now()`, "remove the dot"},
		{"time as an argument", "seal/a.go", `package seal; import "time"; func f(t time.Time) {}`, ""},
		{"random numbers", "qr/a.go", `package qr; import "math/rand/v2"; var x = rand.IntN(6)`, "math/rand/v2.IntN"},
		{"random numbers, first version", "qr/a.go", `package qr; import "math/rand"; var x = rand.Intn(6)`, "math/rand.Intn"},
		{"random source as an argument", "qr/a.go", `package qr; import "math/rand/v2"; func f(r *rand.Rand) {}`, ""},
		{"random source of the system", "seal/a.go", `package seal; import "crypto/rand"; var x = rand.Reader`, "crypto/rand.Reader"},
		{"files", "ubl/a.go", `package ubl; import "os"`, "imports os"},
		{"child process", "ubl/a.go", `package ubl; import "os/exec"`, "imports os/exec"},
		{"network", "witness/a.go", `package witness; import "net/http"`, "imports net/http"},
		{"standard output", "codes/a.go", `package codes; import "fmt"; func f() { fmt.Println() }`, "fmt.Println"},
		{"errors", "codes/a.go", `package codes; import "fmt"; var err = fmt.Errorf("x")`, ""},
		{"test", "seal/a_test.go", `package seal; import "os"`, ""},
		{"service", "service/a.go", `package service; import "os"`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			wantFault(t, purityFaults(libraryPackages(plan), madeTree(t, c.path, c.text)), c.want)
		})
	}
}
