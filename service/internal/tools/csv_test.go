package tools_test

import (
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"khatm/invoice"
	"khatm/service/internal/servicetest"
)

// cell returns the cell of a row, counted from 1, in the named column.
func cell(s servicetest.Sheet, t testing.TB, row int, name string) string {
	t.Helper()
	at := slices.Index(s[0], name)
	if at < 0 {
		t.Fatalf("no column %q in %v", name, s[0])
	}
	return s[row][at]
}

func TestInterface_4_7_Export_CSV(t *testing.T) {
	h := openTools(t)
	facts := sampleFacts()[onCredit]
	facts.Lines[0].Name = "ورق \"A4\", أبيض\nناعم"
	a := exports(h, invoiceJSON(facts), "csv")
	text := saved(a, t, "text/csv", savedAs+".csv")
	if !strings.HasPrefix(text, "\xef\xbb\xbf") {
		t.Error("the CSV has no byte order mark")
	}
	if strings.Count(text, "\n") != strings.Count(text, "\r\n") || !strings.HasSuffix(text, "\r\n") {
		t.Error("a line of the CSV does not end with CR LF")
	}
	rows := a.Sheet(t)
	servicetest.Equal(t, "rows", len(rows), 1+len(facts.Lines))
	for i := range facts.Lines {
		for name, want := range map[string]string{
			"Invoice number": facts.Number, "Issue date": facts.IssueDate, "Currency": "SAR", "Seller VAT number": facts.Seller.VATNumber,
			"Buyer name (Arabic)": facts.Buyer.NameArabic,
			"Line":                []string{"1", "2"}[i], "Item": facts.Lines[i].Name, "Unit": facts.Lines[i].Unit,
			"Line net amount": []string{"2274.00", "150.00"}[i], "Line VAT amount": []string{"341.10", "22.50"}[i], "Line total with VAT": []string{"2615.10", "172.50"}[i],
			// Other values are on the first row only, so that sums are right.
			"Payment terms": []string{facts.PaymentTerms, ""}[i], "Notes": []string{facts.Notes[0].Text, ""}[i],
			"Total with VAT": []string{"2787.60", ""}[i], "Payable amount": []string{"2787.60", ""}[i],
		} {
			servicetest.Equal(t, name, cell(rows, t, i+1, name), want)
		}
	}
}

// TestInterface_4_7_Export_CSVKeepsPrices checks that prices are not rounded.
func TestInterface_4_7_Export_CSVKeepsPrices(t *testing.T) {
	h := openTools(t)
	facts := sampleFacts()[onCredit]
	for price, want := range map[string]string{"0.12556": "0.12556", "0.5": "0.50", "7": "7.00", "1.005": "1.005"} {
		facts.Lines[0].Price = dec(price)
		servicetest.Equal(t, price, cell(exports(h, invoiceJSON(facts), "csv").Sheet(t), t, 1, "Net price"), want)
	}
}

// TestX2_CSVGrowsWithItsInvoice checks that values of the document are not repeated
// for every line, and that a table that would be too large is not started.
func TestX2_CSVGrowsWithItsInvoice(t *testing.T) {
	h := openTools(t)
	facts := sampleFacts()[onCredit]
	facts.Notes = nil
	for range 1_500 {
		facts.Notes = append(facts.Notes, invoice.Note{Language: "en", Text: strings.Repeat("n", 900)})
	}
	one := facts.Lines[0]
	for i := range 4_000 - len(facts.Lines) {
		one.Name = "Paper " + strconv.Itoa(i)
		facts.Lines = append(facts.Lines, one)
	}
	in := invoiceJSON(facts)
	body := servicetest.AsJSON(t, in)
	a := exports(h, in, "csv")
	servicetest.Equal(t, "rows", len(a.Sheet(t)), 4_001)
	if len(a.Body) > 2*len(body) {
		t.Errorf("%d bytes of JSON became %d bytes of CSV, want at most twice as many", len(body), len(a.Body))
	}
	// With an Arabic name this name is not in the document, so no rule limits it.
	set(t, in, "seller.name", long(5_000))
	before := allocated()
	detail := detail(exports(h, in, "csv"), t)
	servicetest.Equal(t, "detail", detail, "The CSV of the invoice would have more than 16777216 bytes. Export it as ubl-xml or json, or shorten the texts.")
	if took := allocated() - before; took > 256<<20 {
		t.Errorf("a refused export allocated %d MiB, want at most 256 MiB", took>>20)
	}
}

// TestX8_ExportedCellsAreNoFormulas checks that a text that a spreadsheet would read
// as a formula is quoted, and that our own numbers are not.
func TestX8_ExportedCellsAreNoFormulas(t *testing.T) {
	h := openTools(t)
	for text, formula := range map[string]bool{
		"=cmd|' /C calc'!A0": true, "+1+2": true, "-1+2": true, "@SUM(A1)": true, "\t=1+1": true, "\r=1+1": true,
		" =1+1": true, "\n=1+1": true, " \n\t @SUM(A1)": true, "\u00a0-1+2": true, "\u3000+1+2": true,
		"\ufeff=1+1": true, "\u200f=1+1": true, "\u2066 \u200b+1+2": true, "\u00ad@SUM(A1)": true, "＝1+1": true, "＋1+2": true,
		"<script>": false, "a=1": false, " a=1": false, "\u200fعربي=1": false, "1-2 kg": false, "'=1+1": false,
	} {
		facts := sampleFacts()[onCredit]
		facts.Lines[0].Name = text
		facts.Notes[0].Text = text
		expected := dec("2787.59") // a cent less than the total
		facts.ExpectedPayable = &expected
		a := exports(h, invoiceJSON(facts), "csv")
		rows := a.Sheet(t)
		for _, name := range []string{"Item", "Notes"} {
			got := cell(rows, t, 1, name)
			if quoted := strings.HasPrefix(got, "'") && !strings.HasPrefix(text, "'"); quoted != formula {
				t.Errorf("cell of %s %q = %q, want it quoted: %t", name, text, got, formula)
			}
		}
		servicetest.Equal(t, "rounding", cell(rows, t, 1, "Payable rounding"), "-0.01")
	}
}

// allocated returns the bytes allocated by this process so far.
func allocated() uint64 {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return now.TotalAlloc
}
