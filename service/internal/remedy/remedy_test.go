package remedy

import (
	"testing"

	"khatm/money"
	"khatm/rules"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
)

func dec(text string) money.Decimal { return money.MustParse(text) }

// Every rule with the flag error has a row, every row is such a rule, and every
// rule has a cause and advice in both languages.
func TestEveryErrorRuleHasARow(t *testing.T) {
	left := map[string]bool{}
	for id := range sources {
		left[id] = true
	}
	for _, rule := range rules.Book() {
		m, _ := Propose(rule.ID, issue.Request{})
		if m.Code != rule.ID || !m.Known || m.Source == "" || m.Cause.EN == "" || m.Cause.AR == "" || m.Fix.EN == "" || m.Fix.AR == "" {
			t.Errorf("%s: remedy %+v lacks a text or a source", rule.ID, m)
		}
		if rule.Flag == rules.Error && !left[rule.ID] {
			t.Errorf("%s: an error without a row", rule.ID)
		}
		delete(left, rule.ID)
	}
	for id := range left {
		t.Errorf("%s: the row is not a rule", id)
	}
	for id := range proposals {
		if sources[id] != InRequest {
			t.Errorf("%s: has a proposal but its source is %q", id, sources[id])
		}
	}
	if m, _ := Propose("BR-KSA-9999", issue.Request{}); m.Known || m.Code != "BR-KSA-9999" || m.Cause.AR == "" {
		t.Errorf("unknown code: %+v, want a remedy without proposals", m)
	}
}

func TestPropose(t *testing.T) {
	total := dec("110")
	line := func(category, rate string) issue.FormLine { return issue.FormLine{Category: category, Rate: dec(rate)} }
	allowance := func(category, rate string) issue.Allowance {
		return issue.Allowance{Category: category, Rate: dec(rate)}
	}
	for _, c := range []struct {
		code    string
		request issue.Request
		want    []Change
	}{
		{"BR-KSA-84", issue.Request{FormLines: []issue.FormLine{line("S", "10"), line("S", "15"), line("Z", "0"), line("S", "9.99")}}, []Change{
			{"invoice_schema_data.form_lines.0.vat_rate", "10", "15"}, {"invoice_schema_data.form_lines.3.vat_rate", "9.99", "5"},
		}},
		{"BR-KSA-DEC-02", issue.Request{FormLines: []issue.FormLine{line("S", "15.123")}}, []Change{{"invoice_schema_data.form_lines.0.vat_rate", "15.123", "15"}}},
		{"BR-E-05", issue.Request{FormLines: []issue.FormLine{line("E", "5")}}, []Change{{"invoice_schema_data.form_lines.0.vat_rate", "5", "0"}}},
		{"BR-32", issue.Request{FormLines: []issue.FormLine{line("S", "15")}, Allowances: []issue.Allowance{allowance("", "0")}}, []Change{
			{"invoice_schema_data.document_level_allowances.0.vat_category_code", "", "S"}, {"invoice_schema_data.document_level_allowances.0.vat_rate", "0", "15"},
		}},
		{"BR-32", issue.Request{FormLines: []issue.FormLine{line("S", "15"), line("Z", "0")}, Allowances: []issue.Allowance{allowance("", "0")}}, nil},
		{"BR-CL-04", issue.Request{Currency: " usd"}, []Change{{"invoice_schema_data.currency", " usd", "USD"}}},
		{"BR-CL-04", issue.Request{Currency: "moon"}, nil},
		{"BR-KSA-49", issue.Request{FormLines: []issue.FormLine{line("Z", "0")}}, nil},
	} {
		c.request.ExpectedPayable = &total
		before := clone(c.request)
		m, changed := Propose(c.code, c.request)
		if len(m.Changes) != len(c.want) {
			t.Fatalf("%s: changes %v, want %v", c.code, m.Changes, c.want)
		}
		for n := range c.want {
			if m.Changes[n] != c.want[n] {
				t.Errorf("%s: change %v, want %v", c.code, m.Changes[n], c.want[n])
			}
		}
		if (changed.ExpectedPayable == nil) != (len(c.want) > 0) {
			t.Errorf("%s: expected payable is %v", c.code, changed.ExpectedPayable)
		}
		if again, _ := Propose(c.code, changed); len(c.want) > 0 && len(again.Changes) > 0 {
			t.Errorf("%s: a second proposal has changes %v", c.code, again.Changes)
		}
		for n := range before.FormLines {
			if !before.FormLines[n].Rate.Equal(c.request.FormLines[n].Rate) {
				t.Errorf("%s: the request itself was changed", c.code)
			}
		}
	}
}

// Values are suggested only for rules that the document violates. A rule that our
// own check decides and that is not violated needs nothing but another issue.
func TestFor(t *testing.T) {
	rejected := ledger.Invoice{Record: ledger.Record{Lines: []ledger.Line{{Category: "S", Rate: dec("10")}}}}
	for _, c := range []struct {
		code    string
		broken  bool
		source  Source
		changes int
		person  bool
	}{
		{"BR-KSA-84", true, InRequest, 1, false},
		{"BR-KSA-84", false, InService, 0, false},
		{"BR-22", true, InRequest, 0, true},
		{"BR-KSA-49", false, ByPerson, 0, true},
		{"BR-KSA-44", false, InRecord, 0, true},
		{"BR-KSA-63", false, InService, 0, false},
		{"BR-KSA-63", true, ByPerson, 0, true},
		{"BR-CO-15", true, InService, 0, false},
		{"X-1", false, InService, 0, false},
	} {
		p := For(rejected, []string{c.code}, map[string]issue.Explained{c.code: {Broken: c.broken, Path: "invoice_schema_data.x"}})
		m := p.Remedies[0]
		if m.Source != c.source || len(m.Changes) != c.changes || m.NeedsPerson() != c.person || m.Fix.AR == "" {
			t.Errorf("%s, violated: %v: remedy %+v, want %s with %d changes, person: %v", c.code, c.broken, m, c.source, c.changes, c.person)
		}
		if rate := p.Request.FormLines[0].Rate; rate.Equal(dec("15")) != (c.changes > 0) {
			t.Errorf("%s, violated: %v: the rate is %s", c.code, c.broken, rate)
		}
	}
}
