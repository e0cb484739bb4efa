package spreadsheet_test

import (
	"archive/zip"
	"encoding/csv"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"khatm/spreadsheet"
)

var small = spreadsheet.Limits{Rows: 50, Columns: 10, Cell: 100, Unpacked: 1 << 20, Shared: 1 << 16}

// FuzzReader checks that every file is read within the limits or refused, and
// that CSV which encoding/csv accepts has the same cells.
func FuzzReader(f *testing.F) {
	for _, text := range []string{"", "a,b\n1,\"2\"\"3\"\n", "a;b\r\n\r\n=1;'=1", "sep=|\na|b", "\ufeff" + arabicCSV, "\xff\xfea\x00,\x00", "\xc7\xe1,\xc7\n", "\"a\n", "a,\"b\"c\rd"} {
		f.Add([]byte(text))
	}
	f.Add(written(f, spreadsheet.XLSX, spreadsheet.Sheet{}, many(3)...))
	f.Add(zipped(f, parts(`<row><c t="s"><v>0</v></c></row>`, "<t>a</t>")))
	f.Fuzz(func(t *testing.T, file []byte) {
		got := readWithin(t, file)
		if want, ok := likeEncodingCSV(file); ok {
			var cells [][]string
			for _, r := range got {
				cells = append(cells, r.Cells)
			}
			if diff := cmp.Diff(want, cells); diff != "" {
				t.Errorf("rows of %q (-encoding/csv +got):\n%s", file, diff)
			}
		}
	})
}

// FuzzWorksheet checks that every worksheet is read within the limits or refused.
func FuzzWorksheet(f *testing.F) {
	f.Add(`<row r="2"><c r="B2" t="s"><v>0</v></c><c t="b"><v>1</v></c><c t="e"/></row>`, `<t>a</t>`)
	f.Add(`<row><c t="inlineStr"><is><r><t>a</t></r><t>_x000D_</t></is></c><c><f>1</f><v>-1.5E-3</v></c></row>`, `<r><t>a</t></r><rPh><t>b</t></rPh>`)
	f.Add(`<!-- a --><row><c r="XFD1"/></row></sheetData>`, `</si><si><t>&#x10FFFF;`)
	f.Fuzz(func(t *testing.T, rows, text string) { readWithin(t, packed(t, parts(rows, text), zip.Store)) })
}

// readWithin reads a file and checks the limits, the order of the rows and the
// errors.
func readWithin(t *testing.T, file []byte) []row {
	t.Helper()
	got, cells, err := readAll(file, small)
	known := []error{spreadsheet.ErrFormat, spreadsheet.ErrMalformed, spreadsheet.ErrTooManyRows, spreadsheet.ErrTooLarge}
	if err != nil && !isAny(err, known) {
		t.Errorf("unknown error %v", err)
	}
	if len(got) > small.Rows {
		t.Errorf("%d rows, want at most %d", len(got), small.Rows)
	}
	last := 0
	for _, r := range got {
		if r.Number <= last || len(r.Cells) > small.Columns {
			t.Errorf("row %d after row %d has %d cells", r.Number, last, len(r.Cells))
		}
		last = r.Number
		for i, text := range r.Cells {
			if len(text) > 3*small.Cell || !utf8.ValidString(text) || strings.Contains(text, "\x00") {
				t.Errorf("cell %d of row %d = %q", i+1, r.Number, text)
			}
		}
	}
	for _, c := range cells {
		if !isAny(c, []error{spreadsheet.ErrColumn, spreadsheet.ErrLength, spreadsheet.ErrNumber, spreadsheet.ErrValue}) {
			t.Errorf("unknown error of a cell: %v", c)
		}
	}
	return got
}

func isAny(err error, known []error) bool {
	for _, k := range known {
		if errors.Is(err, k) {
			return true
		}
	}
	return false
}

// likeEncodingCSV returns the rows that encoding/csv finds in a file, if they must
// be the same as those of the reader: it has no limits, other separators or
// encodings.
func likeEncodingCSV(file []byte) (rows [][]string, ok bool) {
	text := string(file)
	if !utf8.Valid(file) || strings.ContainsAny(text, ";\t\r\x00\ufeff") || strings.HasPrefix(text, "sep=") || strings.HasPrefix(text, "PK") {
		return nil, false
	}
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = -1
	records, err := r.ReadAll()
	if err != nil || len(records) > small.Rows {
		return nil, false
	}
	for _, cells := range records {
		if len(cells) > small.Columns {
			return nil, false
		}
		for i, text := range cells {
			if len(text) > small.Cell {
				return nil, false
			}
			if rest, quoted := strings.CutPrefix(text, "'"); quoted && spreadsheet.Harmless(rest) != rest {
				cells[i] = rest
			}
		}
		for len(cells) > 0 && strings.TrimSpace(cells[len(cells)-1]) == "" {
			cells = cells[:len(cells)-1]
		}
		if len(cells) > 0 {
			rows = append(rows, cells)
		}
	}
	return rows, true
}
