package khatm_test

import "testing"

// smallPlan is a plan in miniature for the tests of the checkers.
var smallPlan = []row{
	{library, "money", ""},
	{library, "seal", "money"},
	{library, "witness", ""},
	{service, "service/internal/fault", ""},
	{service, "service", "service/internal/*"},
	{command, "cmd/khatm", "seal"},
}

func TestImportFaultsAreSeen(t *testing.T) {
	cases := []struct {
		name, path, text, want string
	}{
		{"allowed", "seal/seal.go", `package seal; import "khatm/money"`, ""},
		{"foreign", "seal/seal.go", `package seal; import "encoding/xml"`, ""},
		{"wildcard", "service/service.go", `package service; import "khatm/service/internal/fault"`, ""},
		{"not allowed", "money/money.go", `package money; import "khatm/seal"`, "money may not import seal"},
		{"the root", "money/money.go", `package money; import "khatm"`, "money may not import ."},
		{"under an alias", "money/money.go", `package money; import s "khatm/seal"`, "may not import seal"},
		{"behind a build tag", "money/x.go", "//go:build ignore\n\npackage money; import \"khatm/seal\"", "may not import seal"},
		{"no row", "extra/x.go", `package extra`, "not on the plan"},
		{"nested without a row", "money/internal/x/x.go", `package x`, "not on the plan"},
		{"vague package name in a folder with a row", "money/x.go", `package helpers`, "no name for a package"},
		{"external test of the library", "seal/x_test.go", `package seal_test; import "khatm/witness"`, ""},
		{"inner test keeps to its row", "seal/x_test.go", `package seal; import "khatm/witness"`, "may not import witness"},
		{"library test of the service", "seal/x_test.go", `package seal_test; import "khatm/service"`, "may not import service"},
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
	cases := []struct {
		name string
		plan []row
		want string
	}{
		{"good", smallPlan, ""},
		{"cycle", []row{{library, "a", "b"}, {library, "b", "c"}, {library, "c", "a"}}, "a → b → c → a"},
		{"itself", []row{{library, "a", "a"}}, "a → a"},
		{"unknown", []row{{library, "a", "b"}}, "no row"},
		{"twice", []row{{library, "a", ""}, {library, "a", ""}}, "two rows"},
		{"vague name", []row{{library, "a/utils", ""}}, "no name for a package"},
		{"library on service", []row{{library, "a", "service"}, {service, "service", ""}}, "may not import service"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { wantFault(t, planFaults(c.plan), c.want) })
	}
}

func TestPageFaultsAreSeen(t *testing.T) {
	plan := []row{{library, "money", ""}, {library, "seal", "money"}, {service, "service/internal/fault", "money"}}
	table := func(rows string) string {
		return "<!-- plan -->\n| Package | What | May import | State |\n|---|---|---|---|\n" + rows + "<!-- end of plan -->"
	}
	const (
		money = "| `money` | x | – | built |\n"
		seal  = "| `seal` | x | money | planned |\n"
		fault = "| `fault` | x | money | planned |\n"
	)
	cases := []struct{ name, page, want string }{
		{"true", table(money + seal + fault), ""},
		{"row missing", table(money + fault), "does not show seal"},
		{"row too many", table(money + seal + fault + "| `more` | x | – | planned |\n"), "more, which is not on the plan"},
		{"other imports", table("| `money` | x | seal | built |\n" + seal + fault), `imports "seal"`},
		{"shown as built", table(money + "| `seal` | x | money | built |\n" + fault), `seal is shown as "built"`},
		{"shown as planned", table("| `money` | x | – | planned |\n" + seal + fault), `money is shown as "planned"`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			wantFault(t, pageFaults(plan, c.page, madeTree(t, "money/money.go", "package money")), c.want)
		})
	}
	if got := pageFaults(plan, "no table", nil); len(got) == 0 {
		t.Error("a page without a marked table passed")
	}
}
