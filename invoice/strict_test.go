package invoice_test

import (
	"strings"
	"testing"

	"khatm/invoice"
	"khatm/money"
	"khatm/sample"
)

// TestParseIsStrict checks that Parse rejects what encoding/json silently ignores.
func TestParseIsStrict(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"a field twice", `{"currency":"SAR","currency":"USD"}`, `"currency" twice`},
		{"lines twice", `{"lines":[{"item_name":"a"}],"lines":[]}`, `"lines" twice`},
		{"a field twice through an escape", `{"reason":"a","re\u0061son":"b"}`, "twice"},
		{"a price twice", `{"lines":[{"item_net_price":"10","item_net_price":"20"}]}`, `lines.0: has the field "item_net_price" twice`},
		{"half a character", `{"reason":"a\ud800b"}`, "half of a surrogate pair"},
		{"the other half", `{"reason":"\udc00"}`, "half of a surrogate pair"},
		{"two first halves", `{"reason":"\ud83e\ud83e"}`, "half of a surrogate pair"},
		{"half a character in a name", `{"a\ud800":1}`, "a\ufffd: is not a field"},
		{"half a character in a name given twice", `{"a\ud800":{"b":1,"b":2}}`, "a\ufffd: has the field"},
		{"unknown escape", `{"reason":"\x41"}`, "escape"},
		{"short escape", `{"reason":"\u12"}`, "escape"},
		{"control character", "{\"reason\":\"a\tb\"}", "control character"},
		{"text not closed", `{"reason":"a`, "closing quote"},
		{"escape at the end", `{"reason":"a\`, "escape"},
		{"comma at the end of an object", `{"reason":"a",}`, "expected a name"},
		{"comma at the end of a list", `{"lines":[{},]}`, "expected a value"},
		{"no comma", `{"reason":"a" "b":1}`, "comma"},
		{"no colon", `{"reason" "a"}`, "colon"},
		{"number with zeros before it", `{"counter":007}`, "expected a comma"},
		{"number that ends in a point", `{"counter":1.}`, "expected a digit"},
		{"NaN", `{"counter":NaN}`, "expected a value"},
		{"literal too long", `{"reason":nullx}`, "comma"},
		{"deep nesting", strings.Repeat("[", 100_000), "deeper"},
		{"nothing", "", "expected a value"},
		{"a second value", `{} {}`, "trailing characters"},
		{"bad byte", "{\"reason\":\"\xff\"}", "UTF-8"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := invoice.Parse([]byte(c.body)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error that contains %q", err, c.want)
			}
		})
	}
}

func TestParseReadsEscapes(t *testing.T) {
	facts, err := invoice.Parse([]byte(`{"reason":"\u0634\ud83e\uddfe \"\\\/\b\f\n\r\t","exchange_rate":1e0}`))
	if want := "ش🧾 \"\\/\b\f\n\r\t"; err != nil || facts.Reason != want {
		t.Errorf("reason = %q, %v, want %q", facts.Reason, err, want)
	}
}

// TestComputeIsBounded checks the limits on the lengths of lists.
func TestComputeIsBounded(t *testing.T) {
	cases := []struct {
		name, path string
		spoil      func(*invoice.Facts)
	}{
		{"notes", "notes", func(f *invoice.Facts) { f.Notes = make([]invoice.Note, 101) }},
		{"originals", "original_invoice_reference", func(f *invoice.Facts) {
			f.Kind, f.Reason = invoice.CreditNote, "back"
			f.Originals = make([]invoice.Original, 1001)
		}},
		{"rows of an advance", "prepaid_invoices.0.vat_breakdown", func(f *invoice.Facts) {
			f.Advances = []invoice.Advance{{Number: "A", IssueDate: "2026-01-01", IssueTime: "10:00:00", Breakdown: make([]invoice.Subtotal, 101)}}
		}},
		{"ids of the buyer", "buyer.additional_buyer_id", func(f *invoice.Facts) { f.Buyer.IDs = make([]invoice.PartyID, 101) }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := sample.Invoice()
			c.spoil(&f)
			_, err := invoice.Compute(f)
			if err == nil || !strings.HasPrefix(err.Error(), c.path+": must have") {
				t.Errorf("got %v, want a problem at %s", err, c.path)
			}
		})
	}
}

func TestProblemsAreLimited(t *testing.T) {
	_, err := invoice.Parse([]byte(`{"lines":[` + strings.Repeat("0,", 3999) + `0]}`))
	problems, ok := err.(invoice.Problems) //nolint:errorlint // Parse returns it bare
	if !ok || len(problems) != 101 {
		t.Errorf("got %d problems, want 101: 100 and a note that there are more", len(problems))
	}
	if _, err := invoice.Parse([]byte(`{"lines":[` + strings.Repeat("0,", 4000) + `0]}`)); err == nil || !strings.Contains(err.Error(), "at most 4000") {
		t.Errorf("got %v, want an error that contains \"at most 4000\"", err)
	}
}

func TestInvalidAdvance(t *testing.T) {
	zero := invoice.Subtotal{Tax: sample.Standard("15")}
	odd := invoice.Subtotal{
		Tax:     invoice.Tax{Category: "Z", ReasonCode: "VATEX-SA-35", ReasonText: "Medicines"},
		Taxable: money.FromInt(10), Amount: money.MustParse("0.01"),
	}
	for name, s := range map[string]invoice.Subtotal{"zero amount": zero, "VAT at the zero rate": odd} {
		f := sample.Invoice()
		f.Advances = []invoice.Advance{{Number: "A", IssueDate: "2026-01-01", IssueTime: "10:00:00", Breakdown: []invoice.Subtotal{s}}}
		if _, err := invoice.Compute(f); err == nil || !strings.Contains(err.Error(), "prepaid_invoices.0.vat_breakdown.0") {
			t.Errorf("%s: got %v, want a problem of the breakdown", name, err)
		}
	}
}

func TestPrivateEducationShowsNationalID(t *testing.T) {
	f := sample.Invoice()
	f.Buyer.IDs = append(f.Buyer.IDs, invoice.PartyID{Scheme: "NAT", Value: "1083726154"})
	f.Lines[0].Tax = invoice.Tax{Category: "Z", ReasonCode: "VATEX-SA-EDU", ReasonText: "Education"}
	inv := asUBL(t, f)
	if got := inv.Customer.Party.Identifications[0].ID.Attr("schemeID"); got != "NAT" {
		t.Errorf("scheme of the buyer's id = %s, want NAT", got)
	}
}

// TestDocumentWithoutChain checks that a document without counter and previous hash
// can be converted.
func TestDocumentWithoutChain(t *testing.T) {
	d, err := invoice.Compute(sample.Invoice())
	if err != nil {
		t.Fatal(err)
	}
	id := identity
	id.Counter, id.PreviousHash = 0, ""
	inv, err := d.UBL(id)
	if err != nil || len(inv.AdditionalDocumentReferences) > 0 {
		t.Errorf("got %v, %v, want no counter and no previous hash", inv, err)
	}
	id.Counter = 3
	if _, err := d.UBL(id); err == nil {
		t.Error("counter without a previous hash: UBL succeeded, want an error")
	}
}
