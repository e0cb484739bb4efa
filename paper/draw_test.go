package paper_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"khatm/codes"
	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/paper"
	"khatm/pdfa"
	"khatm/sample"
	"khatm/ubl"
)

var (
	languages = []paper.Language{paper.Bilingual, paper.Arabic, paper.English}
	papers    = []paper.Paper{paper.A4, paper.Roll80}
)

// kinds are samples that together have every feature of a document.
var kinds = []string{
	"credit", "till", "rounding-down", "several-originals", "difficult-texts", "largest-amounts", "foreign-consumer",
	"381-standard-s15-sar", "381-simplified-s15-sar", "383-standard-s15-e-o-usd-discount", "386-standard-s15-sar",
	"386-simplified-all-jpy-discount", "388-export-z32-usd-discount", "388-standard-all-usd-advance-two-rates",
	"388-simplified-VATEX-SA-EDU", "transaction-0110000", "transaction-0100001",
}

// TestDrawEveryKind draws every kind of document in every language. It checks that
// drawing succeeds, gives the same bytes a second time, and embeds the document.
func TestDrawEveryKind(t *testing.T) {
	for k, kind := range kinds {
		document := sealed(t, facts(t, kind))
		for l, language := range languages {
			for p, on := range papers {
				if (k+l+p)%2 == 0 && !testtool.Torture() {
					continue // drawn by TestPagesContainEveryText
				}
				t.Run(strings.Join([]string{kind, string(language), string(on)}, "/"), func(t *testing.T) {
					o := paper.Options{Language: language, Paper: on}
					first := draw(t, document.XML, o)
					if !bytes.Equal(first, draw(t, document.XML, o)) {
						t.Error("second Draw returned different bytes, want the same")
					}
					embedded(t, first, document.XML)
				})
			}
		}
	}
}

func draw(t *testing.T, document []byte, o paper.Options) []byte {
	t.Helper()
	pdf, err := press(t).Draw(document, o)
	if err != nil {
		t.Fatal(err)
	}
	return pdf
}

// embedded checks that the document is the only embedded file, unchanged and with the
// file name of the authority's standard.
func embedded(t *testing.T, pdf, document []byte) {
	t.Helper()
	files, err := pdfa.Extract(context.Background(), pdf, pdfa.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 || !bytes.Equal(files[0].Data, document) {
		t.Fatalf("got %d embedded files, want only the unchanged document", len(files))
	}
	inv, err := ubl.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	vatNumber := inv.Supplier.Party.TaxSchemes[0].CompanyID.String()
	want := paper.Stem(vatNumber, inv.IssueDate.String(), inv.IssueTime.String(), inv.ID.String()) + ".xml"
	if files[0].Name != want {
		t.Errorf("name: got %q, want %q", files[0].Name, want)
	}
}

// TestMarks checks which documents are marked as not being a tax invoice.
func TestMarks(t *testing.T) {
	stamped := sealed(t, sample.Invoice()).XML
	unsigned := unsealed(t, sample.Invoice())
	note, bareNote := sealed(t, facts(t, "381-simplified-s15-sar")).XML, unsealed(t, facts(t, "381-simplified-s15-sar"))
	cases := []struct {
		name     string
		document []byte
		options  paper.Options
		mark     string // key of the expected mark
		code     bool
		files    int
	}{
		{"stamped", stamped, paper.Options{}, "", true, 1},
		{"test", stamped, paper.Options{Test: true}, "mark_test", true, 1},
		{"draft", unsigned, paper.Options{Draft: true}, "mark_draft", false, 0},
		{"draft of a stamped document", stamped, paper.Options{Draft: true, Test: true}, "mark_draft", false, 0},
		{"unsigned", unsigned, paper.Options{}, "mark_unsigned", false, 1},
		{"unsigned test", unsigned, paper.Options{Test: true}, "mark_unsigned", false, 1},
		{"stamped note", note, paper.Options{}, "", true, 1},
		{"test note", note, paper.Options{Test: true}, "mark_test_note", true, 1},
		{"draft note", bareNote, paper.Options{Draft: true}, "mark_draft_note", false, 0},
		{"unsigned note", bareNote, paper.Options{}, "mark_unsigned_note", false, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.options.Language = paper.English
			said, err := paper.Said(c.document, c.options)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(said, "code: [true]"); got != c.code {
				t.Errorf("QR code: got %t, want %t", got, c.code)
			}
			for _, only := range []string{"issue_date", "uuid"} { // not on drafts
				if got := strings.Contains(said, codes.MustWord(only).EN); got != !c.options.Draft {
					t.Errorf("shows %s: got %t, want %t", only, got, !c.options.Draft)
				}
			}
			if got := strings.Contains(said, "\nmark: "); got != (c.mark != "") {
				t.Errorf("marked: got %t, want %t", got, c.mark != "")
			}
			if c.mark != "" && !strings.Contains(said, "\nmark: ["+codes.MustWord(c.mark).EN+"]\n") {
				t.Errorf("content lacks the mark %s:\n%s", c.mark, said)
			}
			files, err := pdfa.Extract(context.Background(), draw(t, c.document, c.options), pdfa.Limits{})
			if err != nil || len(files) != c.files {
				t.Errorf("embedded: got %d files (%v), want %d", len(files), err, c.files)
			}
		})
	}
}

// unsealed returns a document without a stamp, such as an exported draft.
func unsealed(t *testing.T, f invoice.Facts) []byte {
	t.Helper()
	computed, err := invoice.Compute(f)
	if err != nil {
		t.Fatal(err)
	}
	inv, err := computed.UBL(invoice.Identity{Number: "INV-1", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", IssueDate: "2026-11-14", IssueTime: "09:00:00"})
	if err != nil {
		t.Fatal(err)
	}
	canon, err := ubl.Write(inv)
	if err != nil {
		t.Fatal(err)
	}
	return canon.Bytes()
}

func TestDrawRefuses(t *testing.T) {
	stamped := sealed(t, sample.Invoice()).XML
	cases := []struct {
		name     string
		document []byte
		options  paper.Options
	}{
		{"not XML", []byte("%PDF"), paper.Options{}},
		{"unknown language", stamped, paper.Options{Language: "fr"}},
		{"unknown paper", stamped, paper.Options{Paper: "a5"}},
		{"unknown document type", bytes.Replace(stamped, []byte(">388<"), []byte(">380<"), 1), paper.Options{}},
		{"QR code too long for a symbol", recoded(t, sealed(t, sample.Invoice()), func(raw []byte) []byte {
			for tag := range byte(12) {
				raw = append(append(raw, 100+tag, 255), bytes.Repeat([]byte("a"), 255)...)
			}
			return raw
		}), paper.Options{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := press(t).Draw(c.document, c.options); err == nil {
				t.Error("Draw succeeded, want an error")
			}
		})
	}
}
