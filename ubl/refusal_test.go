package ubl_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"khatm/ubl"
)

func TestWriteRefuses(t *testing.T) {
	unknown := ubl.Rest{Unmodelled: []*ubl.Node{{Name: "cac:InvoicePeriod"}, {Name: "cbc:Other"}}}
	onID := func(id *ubl.Text) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { inv.ID = id }
	}
	onLine := func(l *ubl.Line) func(*ubl.Invoice) {
		return func(inv *ubl.Invoice) { inv.Lines = []*ubl.Line{{}, l} }
	}
	cases := []struct {
		name         string
		change       func(*ubl.Invoice)
		place, about string
	}{
		{"no seller", func(inv *ubl.Invoice) { inv.Supplier = nil }, "/Invoice/cac:AccountingSupplierParty", "seller"},
		{"unknown element in the root", func(inv *ubl.Invoice) { inv.Rest = unknown }, "/Invoice/cac:InvoicePeriod", "element"},
		{"unknown element in a line", onLine(&ubl.Line{Rest: unknown}), "/Invoice/cac:InvoiceLine[2]/cac:InvoicePeriod", "element"},
		{"unknown element in a seller", func(inv *ubl.Invoice) { inv.Supplier.Rest = unknown }, "/Invoice/cac:AccountingSupplierParty/cac:InvoicePeriod", "element"},
		{"unknown element deep in a line", onLine(&ubl.Line{Item: &ubl.Item{TaxCategories: []*ubl.TaxCategory{{TaxScheme: &ubl.Identification{Rest: unknown}}}}}),
			"/Invoice/cac:InvoiceLine[2]/cac:Item/cac:ClassifiedTaxCategory[1]/cac:TaxScheme/cac:InvoicePeriod", "element"},
		{"NUL in a text", onID(ubl.NewText("a\x00")), "/Invoice/cbc:ID", "U+0000"},
		{"U+FFFE in a text", onID(ubl.NewText("\uFFFE")), "/Invoice/cbc:ID", "U+FFFE"},
		{"U+001F in a text of a line", onLine(&ubl.Line{Notes: []*ubl.Text{ubl.NewText("a"), ubl.NewText("\x1F")}}), "/Invoice/cac:InvoiceLine[2]/cbc:Note", "U+001F"},
		{"not UTF-8", onID(ubl.NewText("caf\xE9")), "/Invoice/cbc:ID", "U+FFFD"},
		{"surrogate", onID(ubl.NewText("\xED\xA0\x80")), "/Invoice/cbc:ID", "U+FFFD"},
		{"NUL in an attribute", onID(ubl.NewText("a", "schemeID", "\x00")), "/Invoice/cbc:ID/@schemeID", "U+0000"},
		{"not UTF-8 in an attribute", onID(ubl.NewText("a", "schemeID", "\xFF")), "/Invoice/cbc:ID/@schemeID", "U+FFFD"},
		{"attribute of a namespace", onID(ubl.NewText("a", "{urn:x}lang", "ar")), "/Invoice/cbc:ID/@{urn:x}lang", "attribute"},
		{"attribute with a prefix", onID(ubl.NewText("a", "xml:lang", "ar")), "/Invoice/cbc:ID/@xml:lang", "attribute"},
		{"attribute that declares", onID(ubl.NewText("a", "xmlns", "urn:x")), "/Invoice/cbc:ID/@xmlns", "attribute"},
		{"attribute without a name", onID(ubl.NewText("a", "", "b")), "/Invoice/cbc:ID/@", "attribute"},
		{"attribute with markup in its name", onID(ubl.NewText("a", `a="" b`, "c")), "/Invoice/cbc:ID/@", "attribute"},
		{"attribute twice", onID(ubl.NewText("a", "schemeID", "1", "schemeID", "1")), "/Invoice/cbc:ID/@schemeID", "repeated"},
		{"attribute twice, apart", onID(ubl.NewText("a", "b", "1", "a", "2", "b", "3")), "/Invoice/cbc:ID/@b", "repeated"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			inv := &ubl.Invoice{ID: ubl.NewText("1"), Supplier: &ubl.AccountingParty{}}
			if _, err := ubl.Write(inv); err != nil {
				t.Fatalf("Write before the change: %v", err)
			}
			c.change(inv)
			canon, err := ubl.Write(inv)
			if err == nil {
				t.Fatalf("Write = %s, want an error", canon.Bytes())
			}
			if got := err.Error(); !strings.HasPrefix(got, c.place) || !strings.Contains(got, c.about) {
				t.Errorf("error is %q, want it to begin with %q and contain %q", got, c.place, c.about)
			}
		})
	}
}

// Write returns the first fault in the order of the document.
func TestWriteReportsFirstFault(t *testing.T) {
	_, err := ubl.Write(&ubl.Invoice{
		Lines: []*ubl.Line{{ID: ubl.NewText("\x00")}},
		UUID:  ubl.NewText("\x01"),
	})
	if err == nil || !strings.HasPrefix(err.Error(), "/Invoice/cbc:UUID") {
		t.Errorf("error is %v, want one about cbc:UUID", err)
	}
}

func TestIllegalCharacter(t *testing.T) {
	cases := []struct {
		name, text string
		want       rune
		at         int
		found      bool
	}{
		{"nothing", "", 0, 0, false},
		{"white space", "\t\n\r ", 0, 0, false},
		{"Arabic, emoji, replacement", "ختم 🧾 \uFFFD", 0, 0, false},
		{"delete and C1", "\u007F\u0080\u009F", 0, 0, false},
		{"last of the planes", "\uD7FF\uE000\uFDD0\U0001FFFF\U0010FFFF", 0, 0, false},
		{"NUL", "ab\x00", 0, 2, true},
		{"form feed", "\f", '\f', 0, true},
		{"U+FFFE", "خ\uFFFE", 0xFFFE, 2, true},
		{"U+FFFF", "\uFFFF", 0xFFFF, 0, true},
		{"stray byte", "a\x80", '\uFFFD', 1, true},
		{"cut short", "\xE2\x82", '\uFFFD', 0, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, at, found := ubl.IllegalCharacter(c.text)
			if r != c.want || at != c.at || found != c.found {
				t.Errorf("IllegalCharacter = %U, %d, %v, want %U, %d, %v", r, at, found, c.want, c.at, c.found)
			}
		})
	}
}

func TestIsBlank(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, " \t\n\u00A0": true, "\u200F\u200E \u2060\uFEFF": true, "\u00AD": true,
		"\u200Fخ\u200F": false, ".": false, "\x80": false, "\x00": false,
	} {
		if got := ubl.IsBlank(text); got != want {
			t.Errorf("IsBlank(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestUnfitForLine(t *testing.T) {
	for text, want := range map[string]rune{
		"": 0, "شركة\u200Cها \u200FA\u200E \u061C\u200D.": 0, "\u00AD\u2060": 0,
		"a\u202Ab": 0x202A, "a\u202Eb": 0x202E, "\u2066": 0x2066, "a\u2069": 0x2069, "\uFEFFa": 0xFEFF,
		"a\nb": '\n', "a\tb": '\t', "\u0085": 0x85, "a\u2028b": 0x2028, "a\u2029b": 0x2029, "\xff": 0xFFFD, "\uFFFF": 0xFFFF,
	} {
		if got, found := ubl.UnfitForLine(text); got != want || found != (want != 0) {
			t.Errorf("UnfitForLine(%q) = %U, %v; want %U", text, got, found, want)
		}
	}
	if r, found := ubl.Reordering("one\ntwo\t\u200F"); found {
		t.Errorf("Reordering finds %U in a text of two lines", r)
	}
}

// Write refuses what Read would refuse, so that every sealed document can be
// read.
func TestWriteRefusesTooLargeDocuments(t *testing.T) {
	long := strings.Repeat("ط", 4000)
	cases := []struct {
		name  string
		spoil func(*ubl.Invoice)
		want  string
	}{
		{"too many bytes", func(i *ubl.Invoice) {
			for range 2200 {
				i.Notes = append(i.Notes, ubl.NewText(long))
			}
		}, "bytes"},
		{"too many elements", func(i *ubl.Invoice) {
			for range ubl.MaxElements {
				i.Notes = append(i.Notes, ubl.NewText("x"))
			}
		}, "elements"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			inv := &ubl.Invoice{Supplier: &ubl.AccountingParty{}}
			c.spoil(inv)
			_, err := ubl.Write(inv)
			var refused *ubl.WriteError
			if !errors.As(err, &refused) || !strings.Contains(refused.Reason, c.want) {
				t.Errorf("error is %v, want a WriteError with %q", err, c.want)
			}
		})
	}
}

// Refusing a document because of its size costs no more than writing one.
func TestWriteStopsAtLimits(t *testing.T) {
	line := &ubl.Line{ID: ubl.NewText("1"), Item: &ubl.Item{Name: ubl.NewText(strings.Repeat("&", 1000))}, Price: &ubl.Price{PriceAmount: ubl.NewText("1", "currencyID", "SAR")}}
	many := func(n int, l *ubl.Line) []*ubl.Line { return slices.Repeat([]*ubl.Line{l}, n) }
	row := &ubl.TaxSubtotal{TaxCategory: &ubl.TaxCategory{TaxScheme: &ubl.Identification{ID: ubl.NewText("VAT")}}}
	rows := &ubl.Line{TaxTotals: []*ubl.TaxTotal{{Subtotals: slices.Repeat([]*ubl.TaxSubtotal{row}, 4000)}}}
	for _, c := range []struct {
		name string
		inv  *ubl.Invoice
	}{
		{"long texts", &ubl.Invoice{Lines: many(100_000, line)}},
		{"one long text", &ubl.Invoice{Notes: []*ubl.Text{ubl.NewText(strings.Repeat("n", 64<<20))}}},
		{"many rows", &ubl.Invoice{Lines: many(4_000, rows)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := ubl.Write(c.inv)
			runtime.ReadMemStats(&after)
			var refused *ubl.WriteError
			if !errors.As(err, &refused) || refused.Path != "/Invoice" {
				t.Errorf("error is %v, want a WriteError about the document", err)
			}
			// The buffer is reallocated several times until it reaches the limit.
			if took := after.TotalAlloc - before.TotalAlloc; took > 8*ubl.MaxBytes {
				t.Errorf("Write allocated %d MiB, want at most 128", took>>20)
			}
		})
	}
}
