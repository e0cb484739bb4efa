package invoice_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"khatm/invoice"
)

// wrong is a change of valid facts, with the path and a part of the message of the
// expected problem.
type wrong struct {
	name  string
	edits []string // path, JSON, path, JSON, …; "-" instead of JSON removes the field
	path  string
	says  string
}

// set returns a case that changes one field and expects a problem with it.
func set(name, path, value, says string) wrong {
	return wrong{name, []string{path, value}, path, says}
}

// refusals parses, computes and converts facts and returns the problems.
func refusals(t *testing.T, data []byte) invoice.Problems {
	t.Helper()
	facts, err := invoice.Parse(data)
	if err == nil {
		var document *invoice.Document
		if document, err = invoice.Compute(facts); err == nil {
			_, err = document.UBL(facts.Identity)
		}
	}
	var problems invoice.Problems
	if err != nil && !errors.As(err, &problems) {
		t.Fatalf("the error is a %T, want invoice.Problems: %v", err, err)
	}
	return problems
}

// runWrong checks that each case causes exactly the expected problem.
func runWrong(t *testing.T, base []byte, cases []wrong) {
	t.Helper()
	if got := refusals(t, base); len(got) > 0 {
		t.Fatalf("problems of the unchanged facts = %v, want none", got)
	}
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.name] {
			t.Errorf("two cases have the name %q", c.name)
		}
		seen[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			got := refusals(t, edited(t, base, c.edits...))
			if len(got) != 1 || got[0].Path != c.path || !strings.Contains(got[0].Message, c.says) {
				t.Errorf("got %q, want one problem at %s that contains %q", got, c.path, c.says)
			}
		})
	}
}

// edited returns JSON that is changed at paths such as lines.0.vat_rate.
func edited(t *testing.T, data []byte, edits ...string) []byte {
	t.Helper()
	tree := decoded(t, string(data))
	for i := 0; i+1 < len(edits); i += 2 {
		if edits[i] == "" {
			return []byte(edits[i+1])
		}
		var value any
		if edits[i+1] != "-" {
			value = decoded(t, edits[i+1])
		}
		tree = edit(tree, strings.Split(edits[i], "."), value, edits[i+1] == "-")
	}
	out, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// decoded decodes JSON and keeps numbers as written.
func decoded(t *testing.T, text string) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

func edit(tree any, path []string, value any, remove bool) any {
	if len(path) == 0 {
		return value
	}
	switch node := tree.(type) {
	case map[string]any:
		if remove && len(path) == 1 {
			delete(node, path[0])
			return node
		}
		node[path[0]] = edit(node[path[0]], path[1:], value, remove)
		return node
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i > len(node) {
			panic("no element " + path[0])
		}
		if i == len(node) {
			node = append(node, nil)
		}
		node[i] = edit(node[i], path[1:], value, remove)
		return node
	}
	panic("nothing at " + path[0])
}

// quoted returns a text as a JSON string.
func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func TestInvalidBody(t *testing.T) {
	good := string(read(t, "full"))
	cases := []struct{ name, body, says string }{
		{"nothing", "", "not JSON"},
		{"not JSON", "ref_num=1", "not JSON"},
		{"cut short", good[:len(good)/2], "not JSON"},
		{"two values", good + good, "trailing characters"},
		{"trailing character", good + "x", "trailing characters"},
		{"list", "[" + good + "]", "must be an object"},
		{"text", `"invoice"`, "must be an object"},
		{"null", "null", "must be an object"},
		{"bare NaN", `{"exchange_rate": NaN}`, "not JSON"},
		{"bare infinity", `{"exchange_rate": Infinity}`, "not JSON"},
		{"number with a leading zero", `{"exchange_rate": 03}`, "not JSON"},
		{"control character in a text", "{\"reason\": \"a\x07b\"}", "not JSON"},
		{"invalid UTF-8", "{\"reason\": \"a\xffb\"}", "UTF-8"},
		{"half of an Arabic letter", "{\"reason\": \"\xd8\"}", "UTF-8"},
		{"longer than 4 MiB", `{"reason": "` + strings.Repeat("x", invoice.MaxJSON) + `"}`, "4 MiB"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := refusals(t, []byte(c.body))
			if len(got) != 1 || got[0].Path != "body" || !strings.Contains(got[0].Message, c.says) {
				t.Errorf("got %.300q, want one problem at body that contains %q", got, c.says)
			}
		})
	}
}

// TestNullIsAbsent checks that null is treated like a missing field.
func TestNullIsAbsent(t *testing.T) {
	base := read(t, "full")
	for _, path := range []string{
		"ref_num", "counter", "type_code", "transaction_code", "supply_end_date", "currency", "exchange_rate",
		"payment_means_type_code", "notes", "buyer", "seller", "seller.country_code", "buyer.additional_buyer_id",
		"lines", "lines.0.invoiced_quantity", "lines.0.invoiced_quantity_unit_of_measure", "lines.0.vat_category_code",
		"lines.0.vat_rate", "document_level_allowances", "document_level_allowances.1.reason", "prepaid_invoices",
		"prepaid_invoices.0.vat_breakdown", "original_invoice_reference", "expected_payable_amount",
	} {
		t.Run(path, func(t *testing.T) {
			absent, null := edited(t, base, path, "-"), edited(t, base, path, "null")
			if bytes.Equal(absent, null) {
				t.Fatal("the two bodies are the same, want different ones")
			}
			got, want := refusals(t, null), refusals(t, absent)
			if got.Error() != want.Error() {
				t.Errorf("problems with null = %q, want %q as for a missing field", got, want)
			}
		})
	}
}

// TestAllProblemsAtOnce checks that all problems of a document are returned together,
// in the order of the fields.
func TestAllProblemsAtOnce(t *testing.T) {
	cases := []struct {
		name  string
		edits []string
		want  []string
	}{
		{"types", []string{"type_code", `"388"`, "currency", `1`, "lines.0.vat_rate", `true`, "lines.1.colour", `"red"`, "seller.city", `[]`},
			[]string{"currency", "type_code", "seller.city", "lines.0.vat_rate", "lines.1.colour"}},
		{"values", []string{"supply_date", `"2026-02-30"`, "currency", `"USB"`, "seller.vat_registration_number", `"1"`, "buyer.postal_code", `"1"`,
			"lines.0.item_net_price", `"-1"`, "lines.1.invoiced_quantity", `0`, "prepaid_invoices.0.issue_time", `"9:30"`},
			[]string{"supply_date", "currency", "seller.vat_registration_number", "buyer.postal_code", "lines.0.item_net_price", "lines.1.invoiced_quantity", "prepaid_invoices.0.issue_time"}},
		{"sums", []string{"document_level_allowances.0.vat_rate", `10`, "document_level_allowances.1.allowance_amount", `"21.16"`, "expected_payable_amount", `"0.01"`,
			"prepaid_invoices.1.vat_breakdown.0.vat_category_taxable_amount", `"100000"`, "prepaid_invoices.1.vat_breakdown.0.vat_category_tax_amount", `"5000"`},
			[]string{"document_level_allowances.0.vat_category_code", "document_level_allowances.1.allowance_amount", "prepaid_invoices"}},
		{"identity", []string{"ref_num", `""`, "uuid", `"x"`, "issue_date", `null`, "issue_time", `"24:00:00"`, "counter", `0`, "previous_invoice_hash", `"0"`},
			[]string{"ref_num", "uuid", "issue_date", "issue_time", "counter", "previous_invoice_hash"}},
		{"empty object", []string{"", `{}`},
			[]string{"supply_date", "seller.name", "seller.vat_registration_number", "seller.additional_seller_id.type_id", "seller.additional_seller_id.value",
				"seller.street", "seller.building_number", "seller.district", "seller.city", "seller.postal_code", "seller.country_code", "buyer", "lines"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, p := range refusals(t, edited(t, read(t, "full"), c.edits...)) {
				got = append(got, p.Path)
			}
			if strings.Join(got, " ") != strings.Join(c.want, " ") {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
