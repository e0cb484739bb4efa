package spreadsheet_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"khatm/spreadsheet"
)

// written returns a file with the given rows.
func written(t testing.TB, format spreadsheet.Format, sheet spreadsheet.Sheet, rows ...[]spreadsheet.Cell) []byte {
	t.Helper()
	var file bytes.Buffer
	w := spreadsheet.NewWriter(&file, format, sheet)
	for _, cells := range rows {
		if err := w.Write(cells...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// many returns n different rows.
func many(n int) [][]spreadsheet.Cell {
	rows := make([][]spreadsheet.Cell, n)
	for i := range rows {
		rows[i] = []spreadsheet.Cell{spreadsheet.Text(fmt.Sprintf("عميل %d", i)), spreadsheet.Number(fmt.Sprintf("%d.75", i))}
	}
	return rows
}

func TestWriter_RoundTrip(t *testing.T) {
	rows := [][]spreadsheet.Cell{
		{spreadsheet.Heading("التاريخ"), spreadsheet.Heading("Amount")},
		{spreadsheet.Text("2026-11-17"), spreadsheet.Number("-1234.50"), spreadsheet.Text(" a <b> & \"c\" ")},
		{},
		{spreadsheet.Text(""), spreadsheet.Number("12345678901234567.89"), spreadsheet.Text("one\ntwo")},
		{spreadsheet.Text("+966500000000"), spreadsheet.Text("007"), spreadsheet.Number("0.5")},
	}
	for _, format := range []spreadsheet.Format{spreadsheet.CSV, spreadsheet.XLSX} {
		t.Run(format.String(), func(t *testing.T) {
			amount := "-1234.50"
			if format == spreadsheet.XLSX {
				amount = "-1234.5"
			}
			wantRows(t, written(t, format, spreadsheet.Sheet{RightToLeft: true, Frozen: 1}, rows...),
				row{1, []string{"التاريخ", "Amount"}},
				row{2, []string{"2026-11-17", amount, " a <b> & \"c\" "}},
				row{4, []string{"", "12345678901234567.89", "one\ntwo"}},
				row{5, []string{"+966500000000", "007", "0.5"}})
		})
	}
}

// TestWriter_AnyText checks that texts of any characters are read as written.
func TestWriter_AnyText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.OneOf(
			rapid.StringMatching(`[_x0-9A-F]{1,30}`),
			rapid.StringMatching(`['=+@\t -]{0,4}[a-c"';,\n]{1,5}`),
			rapid.String(),
		).Filter(func(s string) bool { return strings.TrimSpace(s) != "" }).Draw(rt, "text")
		want := strings.ReplaceAll(text, "\x00", "\ufffd")
		if rest, quoted := strings.CutPrefix(want, "'"); quoted && spreadsheet.Harmless(rest) != rest {
			want = rest // as if it had been typed into a spreadsheet
		}
		got, _, err := readAll(written(t, spreadsheet.XLSX, spreadsheet.Sheet{}, []spreadsheet.Cell{spreadsheet.Text(text)}), spreadsheet.Limits{})
		if err != nil || len(got) != 1 || got[0].Cells[0] != want {
			rt.Fatalf("XLSX: %q was read as %+v, error %v", text, got, err)
		}
		if strings.ContainsAny(text, "\x00\r") {
			return // CSV has no NUL, and line ends become \n
		}
		heading := make([]spreadsheet.Cell, 5) // its separators are more than those of the text
		got, _, err = readAll(written(t, spreadsheet.CSV, spreadsheet.Sheet{}, heading, []spreadsheet.Cell{spreadsheet.Text(text)}), spreadsheet.Limits{})
		if err != nil || len(got) != 1 || got[0].Cells[0] != want {
			rt.Fatalf("CSV: %q was read as %+v, error %v", text, got, err)
		}
	})
}

var formulas = []string{"=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1", " =1", "\u200f=cmd|' /C calc'!A0", "＝1"}

func TestFormulaInjection_CSVAndXLSX(t *testing.T) {
	for _, formula := range formulas {
		row := []spreadsheet.Cell{spreadsheet.Text(formula), spreadsheet.Heading(formula), spreadsheet.Number(formula), spreadsheet.Number("-5.00")}
		text := string(written(t, spreadsheet.CSV, spreadsheet.Sheet{}, row))
		if got := strings.Count(text, "'"+formula); got != 3 {
			t.Errorf("CSV of %q = %q, want three quoted cells", formula, text)
		}
		if !strings.HasSuffix(text, ",-5.00\r\n") {
			t.Errorf("CSV of %q = %q, want the number without quotes", formula, text)
		}
		sheet := part(t, written(t, spreadsheet.XLSX, spreadsheet.Sheet{}, row), "xl/worksheets/sheet1.xml")
		var parsed struct {
			Cells []struct {
				Type    string  `xml:"t,attr"`
				Formula *string `xml:"f"`
				Text    string  `xml:"is>t"`
				Value   string  `xml:"v"`
			} `xml:"sheetData>row>c"`
		}
		if err := xml.Unmarshal([]byte(sheet), &parsed); err != nil || len(parsed.Cells) != 4 {
			t.Fatalf("worksheet %s: %v", sheet, err)
		}
		for i, c := range parsed.Cells {
			switch {
			case c.Formula != nil:
				t.Errorf("cell %d of %q has a formula", i, formula)
			case i < 3 && (c.Type != "inlineStr" || c.Text != "'"+formula):
				t.Errorf("cell %d of %q = %+v, want a quoted text", i, formula, c)
			case i == 3 && (c.Type != "" || c.Value != "-5.00"):
				t.Errorf("cell of -5.00 = %+v, want a number", c)
			}
		}
	}
}

// part returns a part of a workbook.
func part(t *testing.T, file []byte, name string) string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWriter_Worksheet(t *testing.T) {
	file := written(t, spreadsheet.XLSX, spreadsheet.Sheet{Name: `كشف: "A & B" [2026]`, RightToLeft: true, Frozen: 2}, many(3)...)
	if !bytes.Equal(file, written(t, spreadsheet.XLSX, spreadsheet.Sheet{Name: `كشف: "A & B" [2026]`, RightToLeft: true, Frozen: 2}, many(3)...)) {
		t.Error("the same rows make different files")
	}
	for name, want := range map[string]string{
		"xl/workbook.xml":          `<sheet name="كشف &#34;A &amp; B&#34; 2026" sheetId="1"`,
		"xl/worksheets/sheet1.xml": `<sheetView rightToLeft="true" workbookViewId="0"><pane ySplit="2" topLeftCell="A3" `,
	} {
		if got := part(t, file, name); !strings.Contains(got, want) {
			t.Errorf("%s = %s, want %s in it", name, got, want)
		}
	}
	for name, want := range map[string]string{"": "Sheet1", "'[]'": "Sheet1", strings.Repeat("س", 40): strings.Repeat("س", 31)} {
		if got := part(t, written(t, spreadsheet.XLSX, spreadsheet.Sheet{Name: name}), "xl/workbook.xml"); !strings.Contains(got, `name="`+want+`"`) {
			t.Errorf("the worksheet %q is in %s, want it named %q", name, got, want)
		}
	}
}

func TestWriter_Refuses(t *testing.T) {
	for _, format := range []spreadsheet.Format{spreadsheet.CSV, spreadsheet.XLSX} {
		w := spreadsheet.NewWriter(io.Discard, format, spreadsheet.Sheet{})
		if err := w.Write(spreadsheet.Text("a"), spreadsheet.Text(strings.Repeat("س", 32_767))); !errors.Is(err, spreadsheet.ErrLength) {
			t.Errorf("%s: error of a long text = %v, want ErrLength", format, err)
		}
		if err := w.Close(); !errors.Is(err, spreadsheet.ErrLength) {
			t.Errorf("%s: error of Close after a long text = %v, want ErrLength", format, err)
		}
		w = spreadsheet.NewWriter(io.Discard, format, spreadsheet.Sheet{})
		if err := w.Write(make([]spreadsheet.Cell, 1<<14+1)...); err == nil {
			t.Errorf("%s: no error of a row with too many cells", format)
		}
		w = spreadsheet.NewWriter(io.Discard, format, spreadsheet.Sheet{})
		if err := w.Close(); err != nil {
			t.Errorf("%s: error of an empty table = %v", format, err)
		}
		if err := w.Write(spreadsheet.Text("a")); err == nil {
			t.Errorf("%s: no error of a row after the end", format)
		}
	}
}

// full is a disk with room for some bytes.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errDisk
	}
	return len(p), nil
}

func TestWriter_ErrorOfTheFile(t *testing.T) {
	for _, format := range []spreadsheet.Format{spreadsheet.CSV, spreadsheet.XLSX} {
		size := len(written(t, format, spreadsheet.Sheet{}, many(200)...))
		for room := 0; room < size; room += 131 {
			space := full(room)
			w := spreadsheet.NewWriter(&space, format, spreadsheet.Sheet{})
			for _, cells := range many(200) {
				_ = w.Write(cells...)
			}
			if err := w.Close(); !errors.Is(err, errDisk) {
				t.Fatalf("%s with room for %d of %d bytes: error = %v, want the error of the disk", format, room, size, err)
			}
		}
	}
}
