package khatm_test

import (
	"strings"
	"testing"
)

// smallPlan is a small plan for the tests of the checks.
var smallPlan = []row{
	{library, "money", "", "decimals"},
	{library, "seal", "money", "stamps"},
	{library, "witness", "", "verifier"},
	{service, "service/internal/fault", "", "errors"},
	{service, "service", "fault", "start and stop"},
	{simulator, "simulator", "", "the authority"},
	{command, "cmd/khatm", "seal", "commands"},
	{command, testtool, "", "programs"},
}

func TestImportFaultsAreReported(t *testing.T) {
	cases := []struct {
		name, path, text, want string
	}{
		{"allowed", "seal/seal.go", `package seal; import "khatm/money"`, ""},
		{"package outside the module", "seal/seal.go", `package seal; import "encoding/xml"`, ""},
		{"allowed, below internal", "service/service.go", `package service; import "khatm/service/internal/fault"`, ""},
		{"not allowed", "money/money.go", `package money; import "khatm/seal"`, "money/money.go imports khatm/seal; add seal to the row of money in plan_test.go or remove the import"},
		{"import of the root", "money/money.go", `package money; import "khatm"`, "imports khatm; . has no row"},
		{"import of a missing package", "money/money.go", `package money; import "khatm/gone"`, "imports khatm/gone; gone has no row"},
		{"import with an alias", "money/money.go", `package money; import s "khatm/seal"`, "imports khatm/seal"},
		{"import in a file with a build tag", "money/x.go", "//go:build ignore\n\npackage money; import \"khatm/seal\"", "imports khatm/seal"},
		{"package without a row", "extra/x.go", `package extra`, "extra/x.go: package extra has no row; add one to plan_test.go"},
		{"nested package without a row", "money/internal/x/x.go", `package x`, "package money/internal/x has no row"},
		{"vague package name in a folder with a row", "money/x.go", `package helpers`, "rename package helpers"},
		{"external test of a library package", "seal/x_test.go", `package seal_test; import "khatm/witness"`, ""},
		{"internal test follows the row", "seal/x_test.go", `package seal; import "khatm/witness"`, "imports khatm/witness"},
		{"test imports testtool", "seal/x_test.go", `package seal; import "khatm/internal/testtool"`, ""},
		{"library imports testtool", "seal/x.go", `package seal; import "khatm/internal/testtool"`, "the library layer may not import the command layer"},
		{"library imports service", "seal/x.go", `package seal; import "khatm/service"`, "the library layer may not import the service layer: remove the import"},
		{"library test imports service", "seal/x_test.go", `package seal_test; import "khatm/service"`, "the library layer may not import the service layer"},
		{"service imports simulator", "service/x.go", `package service; import "khatm/simulator"`, "the service layer may not import the simulator layer"},
		{"internal test of a command", "cmd/khatm/x_test.go", `package main; import "khatm/witness"`, ""},
		{"service test imports library", "service/x_test.go", `package service_test; import "khatm/witness"`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			wantFault(t, importFaults(smallPlan, madeTree(t, c.path, c.text)), c.want)
		})
	}
}

func TestPlanFaultsAreReported(t *testing.T) {
	lib := func(dir, imports string) row { return row{layer: library, dir: dir, imports: imports} }
	cases := []struct {
		name string
		plan []row
		want string
	}{
		{"valid", smallPlan, ""},
		{"cycle", []row{lib("a", "b"), lib("b", "c"), lib("c", "a")}, "a → b → c → a"},
		{"import of itself", []row{lib("a", "a")}, "a → a"},
		{"import without a row", []row{lib("a", "b")}, "a may import b, which has no row; remove b from the row of a"},
		{"two rows", []row{lib("a", ""), lib("a", "")}, "a has two rows"},
		{"same base name", []row{lib("a", ""), lib("b/a", "")}, "a and b/a have the same base name; rename one"},
		{"vague name", []row{lib("a/utils", "")}, "rename utils"},
		{"library imports service", []row{lib("a", "service"), {layer: service, dir: "service"}}, "the library layer may not import service"},
		{"simulator imports service", []row{{layer: simulator, dir: "a", imports: "service"}, {layer: service, dir: "service"}}, "the simulator layer may not import service"},
		{"service imports a command", []row{{layer: service, dir: "a", imports: "x"}, {layer: command, dir: "cmd/x"}}, "the service layer may not import cmd/x"},
		{"service imports testtool", []row{{layer: service, dir: "a", imports: "testtool"}, {layer: command, dir: testtool}}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { wantFault(t, planFaults(c.plan), c.want) })
	}
}

func TestUnusedFaultsAreReported(t *testing.T) {
	plan := []row{{library, "money", "", ""}, {library, "seal", "money", ""}}
	const money, use = "package money", `package seal; import "khatm/money"`
	const unused = "no non-test file of seal imports money; remove money from the row of seal"
	cases := []struct {
		name string
		tree []string
		want string
	}{
		{"used", []string{"money/a.go", money, "seal/a.go", use}, ""},
		{"used in one of two files", []string{"money/a.go", money, "seal/a.go", use, "seal/b.go", "package seal"}, ""},
		{"not used", []string{"money/a.go", money, "seal/a.go", "package seal"}, unused},
		{"used in a test only", []string{"money/a.go", money, "seal/a.go", "package seal", "seal/a_test.go", use}, unused},
		{"used elsewhere", []string{"money/a.go", money, "seal/a.go", "package seal", "qr/a.go", `package qr; import "khatm/money"`}, unused},
		{"row without a package", []string{"seal/a.go", use}, "money has no Go files; remove its row"},
		{"package with tests only", []string{"money/a_test.go", money, "seal/a.go", use}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { wantFault(t, unusedFaults(plan, madeTree(t, c.tree...)), c.want) })
	}
}

func TestPageFaultsAreReported(t *testing.T) {
	page := "# Page\n" + tableBegin + planTable(smallPlan) + tableEnd + "more\n"
	const seal = "| `seal` | stamps | money |\n"
	cases := []struct{ name, page, want string }{
		{"current", page, ""},
		{"row missing", strings.Replace(page, seal, "", 1), "ARCHITECTURE.md:7 differs from plan_test.go"},
		{"row twice", strings.Replace(page, seal, seal+seal, 1), "ARCHITECTURE.md:8 differs"},
		{"other imports", strings.Replace(page, seal, "| `seal` | stamps | – |\n", 1), "ARCHITECTURE.md:7 differs"},
		{"other description", strings.Replace(page, "stamps", "keys", 1), "ARCHITECTURE.md:7 differs"},
		{"no table", strings.Replace(page, planTable(smallPlan), "", 1), "ARCHITECTURE.md:3 differs"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want, err := withTable(c.page, planTable(smallPlan))
			if err != nil {
				t.Fatal(err)
			}
			if want != page {
				t.Errorf("updated page:\n%s\nwant:\n%s", want, page)
			}
			wantFault(t, pageFaults(c.page, want), c.want)
		})
	}
	for _, p := range []string{"no table", tableBegin, tableEnd} {
		if _, err := withTable(p, ""); err == nil {
			t.Errorf("withTable accepts the page %q, which lacks a line around the table", p)
		}
	}
}
