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

func TestImportFaultsAreSeen(t *testing.T) {
	cases := []struct {
		name, path, text, want string
	}{
		{"allowed", "seal/seal.go", `package seal; import "khatm/money"`, ""},
		{"foreign", "seal/seal.go", `package seal; import "encoding/xml"`, ""},
		{"allowed, below internal", "service/service.go", `package service; import "khatm/service/internal/fault"`, ""},
		{"not allowed", "money/money.go", `package money; import "khatm/seal"`, "money/money.go imports khatm/seal; add seal to the row of money in plan_test.go or remove the import"},
		{"the root", "money/money.go", `package money; import "khatm"`, "imports khatm; . has no row"},
		{"a missing package", "money/money.go", `package money; import "khatm/gone"`, "imports khatm/gone; gone has no row"},
		{"under an alias", "money/money.go", `package money; import s "khatm/seal"`, "imports khatm/seal"},
		{"behind a build tag", "money/x.go", "//go:build ignore\n\npackage money; import \"khatm/seal\"", "imports khatm/seal"},
		{"no row", "extra/x.go", `package extra`, "extra/x.go: package extra has no row; add one to plan_test.go"},
		{"nested without a row", "money/internal/x/x.go", `package x`, "package money/internal/x has no row"},
		{"vague package name in a folder with a row", "money/x.go", `package helpers`, "rename package helpers"},
		{"external test of the library", "seal/x_test.go", `package seal_test; import "khatm/witness"`, ""},
		{"inner test keeps to its row", "seal/x_test.go", `package seal; import "khatm/witness"`, "imports khatm/witness"},
		{"test with a program", "seal/x_test.go", `package seal; import "khatm/internal/testtool"`, ""},
		{"library on a program", "seal/x.go", `package seal; import "khatm/internal/testtool"`, "the library layer may not import the command layer"},
		{"library on service", "seal/x.go", `package seal; import "khatm/service"`, "the library layer may not import the service layer: remove the import"},
		{"library test of the service", "seal/x_test.go", `package seal_test; import "khatm/service"`, "the library layer may not import the service layer"},
		{"service on simulator", "service/x.go", `package service; import "khatm/simulator"`, "the service layer may not import the simulator layer"},
		{"inner test of a command", "cmd/khatm/x_test.go", `package main; import "khatm/witness"`, ""},
		{"service test of the library", "service/x_test.go", `package service_test; import "khatm/witness"`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			wantFault(t, importFaults(smallPlan, madeTree(t, c.path, c.text)), c.want)
		})
	}
}

func TestPlanFaultsAreSeen(t *testing.T) {
	lib := func(dir, imports string) row { return row{layer: library, dir: dir, imports: imports} }
	cases := []struct {
		name string
		plan []row
		want string
	}{
		{"good", smallPlan, ""},
		{"cycle", []row{lib("a", "b"), lib("b", "c"), lib("c", "a")}, "a → b → c → a"},
		{"itself", []row{lib("a", "a")}, "a → a"},
		{"unknown", []row{lib("a", "b")}, "a may import b, which has no row; remove b from the row of a"},
		{"twice", []row{lib("a", ""), lib("a", "")}, "a has two rows"},
		{"same base name", []row{lib("a", ""), lib("b/a", "")}, "a and b/a have the same base name; rename one"},
		{"vague name", []row{lib("a/utils", "")}, "rename utils"},
		{"library on service", []row{lib("a", "service"), {layer: service, dir: "service"}}, "the library layer may not import service"},
		{"simulator on service", []row{{layer: simulator, dir: "a", imports: "service"}, {layer: service, dir: "service"}}, "the simulator layer may not import service"},
		{"service on a command", []row{{layer: service, dir: "a", imports: "x"}, {layer: command, dir: "cmd/x"}}, "the service layer may not import cmd/x"},
		{"service on a tool for tests", []row{{layer: service, dir: "a", imports: "testtool"}, {layer: command, dir: testtool}}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { wantFault(t, planFaults(c.plan), c.want) })
	}
}

func TestUnusedFaultsAreSeen(t *testing.T) {
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
		{"package of tests", []string{"money/a_test.go", money, "seal/a.go", use}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { wantFault(t, unusedFaults(plan, madeTree(t, c.tree...)), c.want) })
	}
}

func TestPageFaultsAreSeen(t *testing.T) {
	page := "# Page\n" + tableBegin + planTable(smallPlan) + tableEnd + "more\n"
	const seal = "| `seal` | stamps | money |\n"
	cases := []struct{ name, page, want string }{
		{"current", page, ""},
		{"row missing", strings.Replace(page, seal, "", 1), "ARCHITECTURE.md:7 is not as in plan_test.go"},
		{"row too many", strings.Replace(page, seal, seal+seal, 1), "ARCHITECTURE.md:8 is not"},
		{"other imports", strings.Replace(page, seal, "| `seal` | stamps | – |\n", 1), "ARCHITECTURE.md:7 is not"},
		{"other words", strings.Replace(page, "stamps", "keys", 1), "ARCHITECTURE.md:7 is not"},
		{"no table", strings.Replace(page, planTable(smallPlan), "", 1), "ARCHITECTURE.md:3 is not"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want, err := withTable(c.page, planTable(smallPlan))
			if err != nil {
				t.Fatal(err)
			}
			if want != page {
				t.Errorf("rewritten page:\n%s\nwant:\n%s", want, page)
			}
			wantFault(t, pageFaults(c.page, want), c.want)
		})
	}
	for _, p := range []string{"no table", tableBegin, tableEnd} {
		if _, err := withTable(p, ""); err == nil {
			t.Errorf("withTable(%q) succeeded, want an error because a line around the table is missing", p)
		}
	}
}
