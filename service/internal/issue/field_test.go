package issue_test

import (
	"fmt"
	"slices"
	"testing"

	"khatm/rules"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/ubl"
)

// pathOf returns the path of the field that a refusal is about.
func pathOf(e *fault.Error) string {
	if len(e.Problems) > 0 {
		return e.Problems[0].Path
	}
	path, _ := e.Fields["path"].(string)
	return path
}

// Problems name the fields of the request, with the index of the line.
func TestFieldsOfProblems(t *testing.T) {
	t.Parallel()
	second := func(with func(*issue.FormLine)) change {
		l := line()
		with(&l)
		return lines(line(), l)
	}
	for _, c := range []struct {
		path   string
		change change
	}{
		{"type_code", kind(380)},
		{"supply_date", func(r *issue.Request) { r.SupplyDate = "2026-02-30" }},
		{"supply_end_date", func(r *issue.Request) { r.SupplyEndDate = "2026-11-13" }},
		{"payment_means_type_code", func(r *issue.Request) { r.PaymentMeans = "99" }},
		{"notes.1.language_id", all(note("a"), func(r *issue.Request) { r.Notes = append(r.Notes, issue.Note{Language: "fr", Text: "b"}) })},
		{"notes.0.note", note(" ")},
		{"form_lines.1.item_name", second(func(l *issue.FormLine) { l.Name = "" })},
		{"form_lines.1.item_net_price", second(func(l *issue.FormLine) { l.Price = dec("0") })},
		{"form_lines.1.item_net_price", second(func(l *issue.FormLine) { l.Price = dec("1.001") })},
		{"form_lines.1.item_net_price", second(func(l *issue.FormLine) { l.Price = dec("1000000000") })},
		{"form_lines.1.invoiced_quantity", second(func(l *issue.FormLine) { l.Quantity = dec("0") })},
		{"form_lines.1.invoiced_quantity", second(func(l *issue.FormLine) { l.Quantity = dec("0.0000001") })},
		{"form_lines.1.invoiced_quantity", second(func(l *issue.FormLine) { l.Quantity = dec("100000000000") })},
		{"form_lines.1.invoiced_quantity_unit_of_measure", second(func(l *issue.FormLine) { l.Unit = "" })},
		{"form_lines.1.vat_category_code", second(func(l *issue.FormLine) { l.Category = "X" })},
		{"form_lines.1.vat_rate", second(func(l *issue.FormLine) { l.Rate = dec("0") })},
		{"form_lines.1.vat_rate", second(func(l *issue.FormLine) { l.Rate = dec("100.01") })},
		{"form_lines.1.vat_exemption_reason_code", second(func(l *issue.FormLine) { l.ReasonCode = "VATEX-SA-35" })},
		{"lines.1.quantity", all(items(paper, "1"), items(paper, "0"))},
		{"lines.0.quantity", items(paper, "0.0000001")},
		{"document_level_allowances.0.allowance_amount", func(r *issue.Request) {
			r.Allowances = []issue.Allowance{{Amount: dec("100.01"), Category: "S", Rate: dec("15")}}
		}},
		{"document_level_allowances.0.vat_category_code", func(r *issue.Request) {
			r.Allowances = []issue.Allowance{{Amount: dec("1"), Category: "S", Rate: dec("5")}}
		}},
	} {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			e := open(t).refused(standard(c.change))
			same(t, "kind", e.Kind(), fault.Invalid)
			same(t, "path", pathOf(e), "invoice_schema_data."+c.path)
			if len(e.Problems) == 0 || e.Problems[0].Message == "" {
				t.Errorf("%+v has no problem with a message", e)
			}
		})
	}
}

// All problems are reported, in the order of the fields.
func TestSeveralProblems(t *testing.T) {
	t.Parallel()
	e := open(t).refused(standard(func(r *issue.Request) {
		r.SupplyDate, r.ExchangeRate = "yesterday", dec("2")
		r.FormLines[0].Unit = ""
	}))
	var got []string
	for _, p := range e.Problems {
		got = append(got, p.Path)
	}
	same(t, "paths", fmt.Sprint(got), "[invoice_schema_data.supply_date invoice_schema_data.exchange_rate invoice_schema_data.form_lines.0.invoiced_quantity_unit_of_measure]")
}

// A problem in data that the service adds names the request field that refers
// to the data.
func TestFieldsThatTheServiceFillsIn(t *testing.T) {
	t.Parallel()
	long := make([]byte, 1001)
	for n := range long {
		long[n] = 'x'
	}
	for _, c := range []struct {
		name    string
		prepare func(*book)
		change  change
		path    string
	}{
		{"reason of a note", func(b *book) {
			b.reasons[reasonID] = trade.Reason{ID: reasonID, Description: string(long), Active: true}
		}, corrects(381, id(40)), "reason_id"},
		{"payment terms", func(b *book) {
			b.reasons[reasonID] = trade.Reason{ID: reasonID, Description: string(long), Active: true}
		}, func(r *issue.Request) { r.Reason = reasonID }, "reason_id"},
		{"buyer", func(b *book) {
			c := b.clients[buyerID]
			c.PostalCode = "1"
			b.clients[buyerID] = c
		}, note("x"), "buyer.postal_code"},
		{"seller", func(b *book) { b.organisation.Identification = org.Identification{Type: "CRN", Value: "!"} }, note("x"), "seller.additional_seller_id.value"},
		{"price of an item", func(b *book) {
			i := b.items[paper]
			i.Price = dec("0.001")
			b.items[paper] = i
		}, items(paper, "1"), "lines.0.item_net_price"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.book.imported(id(40), buyerID, "1000")
			c.prepare(s.book)
			same(t, "path", pathOf(s.refused(standard(c.change))), "invoice_schema_data."+c.path)
		})
	}
}

// A refusal by a rule of the authority has the text of the rule in both
// languages, its id and the field.
func TestRefusalByARule(t *testing.T) {
	t.Parallel()
	health := func(r *issue.Request) {
		r.FormLines[0] = zero("100")
		r.FormLines[0].ReasonCode, r.FormLines[0].ReasonText = "VATEX-SA-HEA", "Private healthcare to citizen"
	}
	for _, c := range []struct {
		rule, path string
		change     change
	}{
		{"BR-KSA-49", "invoice_schema_data.buyer", health},
		{"BR-CL-04", "invoice_schema_data.currency", func(r *issue.Request) { r.Currency = "ZZZ" }},
	} {
		e := open(t).refused(standard(c.change))
		same(t, "rule", e.Fields["rule_id"], any(c.rule))
		path, _ := e.Fields["path"].(string)
		if len(path) < len(c.path) || path[:len(c.path)] != c.path {
			t.Errorf("%s: path = %q, want %q", c.rule, path, c.path)
		}
		for _, field := range []string{"message_ar", "fix", "fix_ar"} {
			if text, _ := e.Fields[field].(string); text == "" {
				t.Errorf("%s: field %s is missing", c.rule, field)
			}
		}
		if e.Message == "" || e.Kind() != fault.Invalid {
			t.Errorf("%s: %+v, want kind invalid with a message", c.rule, e)
		}
	}
}

// A rule that only warns does not refuse a document. Two reasons in one
// category violate such a rule.
func TestWarnings(t *testing.T) {
	t.Parallel()
	s := open(t)
	military := zero("1")
	military.ReasonCode, military.ReasonText = "VATEX-SA-36", "Military goods"
	s.create(standard(lines(zero("1"), military)))
	doc, err := ubl.Read(s.book.entries[0].XML)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(rules.CheckUnsealed(doc, morning), func(r rules.Result) bool { return r.Status == rules.Failed && r.Rule.Flag == rules.Warning }) {
		t.Error("the document fails no rule that warns")
	}
}

// Unusual rates of category S are accepted here; the authority decides on them.
func TestUnusualRates(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, rate := range []string{"15", "5", "14", "0.5", "100", "7.125"} {
		got := s.create(standard(lines(lineOf("100", "1", rate))))
		amounts(t, rate, got.Record.Breakdown[0].Rate, rate)
	}
}
