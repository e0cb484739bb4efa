package spreadsheet_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"hash/crc32"
	"html"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"khatm/spreadsheet"
)

// parts are the parts of a workbook as spreadsheet programs write them, by name.
func parts(rows string, texts ...string) map[string]string {
	items := ""
	for _, text := range texts {
		items += "<si>" + text + "</si>"
	}
	const types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	return map[string]string{
		"[Content_Types].xml": `<Types/>`,
		"_rels/.rels": `<?xml version="1.0"?><Relationships><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>` +
			`<Relationship Id="rId1" Type="` + types + `officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet name="Old" sheetId="1" state="hidden" r:id="rId1"/><sheet name="Chart" sheetId="2" r:id="rId3"/>` +
			`<sheet name="Clients" sheetId="3" r:id="rId5"/><sheet name="More" sheetId="4" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="` + types + `worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="rId3" Type="` + types + `chartsheet" Target="chartsheets/sheet1.xml"/>` +
			`<Relationship Id="rId4" Type="` + types + `sharedStrings" Target="/xl/sharedStrings.xml"/>` +
			`<Relationship Id="rId5" Type="` + types + `worksheet" Target="worksheets/sheet2.xml"/></Relationships>`,
		"xl/sharedStrings.xml":     `<sst>` + items + `</sst>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>wrong sheet</t></is></c></row></sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml": `<worksheet><cols><col min="1"/></cols><sheetData>` + rows + `</sheetData><mergeCells/></worksheet>`,
	}
}

// zipped returns a ZIP file of the parts.
func zipped(t testing.TB, parts map[string]string) []byte { return packed(t, parts, zip.Deflate) }

func packed(t testing.TB, parts map[string]string, method uint16) []byte {
	t.Helper()
	var file bytes.Buffer
	w := zip.NewWriter(&file)
	for name, text := range parts {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestXLSX_Cells(t *testing.T) {
	cases := []struct{ name, cell, want string }{
		{"shared text", `<c r="A1" t="s"><v>0</v></c>`, "شركة"},
		{"shared text of runs", `<c r="A1" t="s"><v>1</v></c>`, "one two"},
		{"escaped text", `<c r="A1" t="s"><v>2</v></c>`, "a\rb_x000D_"},
		{"text in the cell", `<c r="A1" t="inlineStr"><is><t xml:space="preserve"> a&amp;b </t></is></c>`, " a&b "},
		{"text of a formula", `<c r="A1" t="str"><f>A2&amp;A3</f><v>joined</v></c>`, "joined"},
		{"number of a formula", `<c r="A1"><f>1+1</f><v>2</v></c>`, "2"},
		{"text that looks like a formula", `<c r="A1" t="str"><v>=1+1</v></c>`, "=1+1"},
		{"number", `<c r="A1" t="n"><v>12.50</v></c>`, "12.5"},
		{"VAT number", `<c r="A1"><v>3.10122393500003E+14</v></c>`, "310122393500003"},
		{"true", `<c r="A1" t="b"><v>1</v></c>`, "TRUE"},
		{"false", `<c r="A1" t="b"><v>0</v></c>`, "FALSE"},
		{"date", `<c r="A1" t="d"><v>2026-11-17</v></c>`, "2026-11-17"},
		{"section", `<c r="A1" t="inlineStr"><is><t><![CDATA[<a>]]></t></is></c>`, "<a>"},
		{"prefix", `<x:c r="A1"><x:v>7</x:v></x:c>`, "7"},
		{"no address", `<c><v>7</v></c>`, "7"},
		{"lower case", `<c r="a1"><v>7</v></c>`, "7"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			file := zipped(t, parts(`<row r="1">`+c.cell+`</row>`, `<t>شركة</t>`,
				`<r><rPr><b/></rPr><t>one </t></r><r><t>two</t></r><rPh sb="0" eb="1"><t>wrong</t></rPh>`, `<t>a_x000D_b_x005F_x000D_</t>`))
			wantRows(t, file, row{1, []string{c.want}})
		})
	}
}

func TestXLSX_Rows(t *testing.T) {
	empty := ""
	for i := range 100 {
		empty += fmt.Sprintf(`<row r="%d" s="1" customFormat="1"/>`, 10+i)
	}
	file := zipped(t, parts(`<row r="2" spans="1:5"><c r="A2"/><c r="B2"><v>1</v></c><c r="D2"><v>2</v></c><c r="E2" t="s"><v/></c><c r="F2" t="s"/><c r="XFD2" s="4"/></row>`+
		empty+`<row><c><v>3</v></c><c><v>4</v></c></row><row r="1048576"><c r="C1048576"><v>5</v></c></row>`))
	wantRows(t, file, row{2, []string{"", "1", "", "2"}}, row{110, []string{"3", "4"}}, row{1 << 20, []string{"", "", "5"}})
}

// TestXLSX_CellErrors checks that a cell without a value does not end the
// reading.
func TestXLSX_CellErrors(t *testing.T) {
	file := zipped(t, parts(`<row r="1"><c r="A1"><v>1</v></c><c r="B1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="C1"><v>2</v></c></row>`+
		`<row r="2"><c r="A2"><v>1,5</v></c></row><row r="3"><c r="B3" t="s"><v>0</v></c></row><row r="4"><c r="AA4"><v>1</v></c></row>`+
		`<row r="5"><c r="A5" t="str"><v>12345</v></c></row>`, `<t>123</t><r><t>456</t></r>`))
	got, cells, err := readAll(file, spreadsheet.Limits{Columns: 26, Cell: 5})
	if err != nil {
		t.Fatal(err)
	}
	wantFaults(t, cells, "cell B1: formula without a value", "cell A2: invalid number", "cell B3: text too long", "cell AA4: beyond the last column allowed")
	want := []row{{1, []string{"1", "", "2"}}, {2, nil}, {3, nil}, {4, nil}, {5, []string{"12345"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestXLSX_Numbers(t *testing.T) {
	for value, want := range map[string]string{
		"0": "0", "-0": "0", "-0.0": "0", "007": "7", "1.50": "1.5", "-1.5": "-1.5", ".5": "0.5", "5.": "5",
		"0.30000000000000004": "0.3", "0.1": "0.1", "1.1499999999999999": "1.15", "99.999999999999999": "100", "9.99999999999999949E-2": "0.1",
		"1.5E+3": "1500", "1.5e3": "1500", "1E-7": "0.0000001", "-2.5E-3": "-0.0025", "1E2": "100", "0E5": "0",
		"1234567890123456789": "1234567890123456789", "1234567890123456.7": "1234567890123460", "100": "100",
	} {
		t.Run(value, func(t *testing.T) {
			wantRows(t, zipped(t, parts(`<row><c><v> `+value+` </v></c></row>`)), row{1, []string{want}})
		})
	}
	for _, value := range []string{"-", ".", "E5", "1E", "1E999", "1E99999999999999999999", "0x10", "1_000", "+1", "--1", "1.2.3", "NaN", "INF", "١٢"} {
		_, cells, err := readAll(zipped(t, parts(`<row><c><v>`+value+`</v></c></row>`)), spreadsheet.Limits{})
		if err != nil || len(cells) != 1 || !errors.Is(cells[0], spreadsheet.ErrNumber) {
			t.Errorf("number %q: errors = %v, %v, want ErrNumber", value, err, cells)
		}
	}
}

// TestXLSX_Styles checks that a number is read as its style shows it, if that
// changes its meaning.
func TestXLSX_Styles(t *testing.T) {
	cases := []struct{ format, value, want string }{
		{"General", "0.15", "0.15"},
		{"0%", "0.15", "15%"},
		{"0.00%", "7.4999999999999997E-2", "7.5%"},
		{"0%", "1", "100%"},
		{"0%", "0", "0%"},
		{"#,##0.00", "1234.5", "1234.5"},
		{`0" % of days"`, "15", "15"},
		{`0\%`, "15", "15"},
		{`[Red]0.0`, "1.5", "1.5"},
		{"0;0%", "1.5", "1.5"},
		{"dd/mm/yyyy", "46343", "2026-11-17"},
		{"[$-2010000]yyyy/mm/dd", "46343", "2026-11-17"},
		{"yyyy-mm-dd hh:mm", "46343.395833333336", "2026-11-17 09:30:00"},
		{"yyyy-mm-dd hh:mm", "46343.999999999", "2026-11-18 00:00:00"},
		{"d-mmm-yy", "1", "1900-01-01"},
		{"d-mmm-yy", "59", "1900-02-28"},
		{"d-mmm-yy", "61", "1900-03-01"},
		{"d-mmm-yy", "-1", "-1"},
		{"d-mmm-yy", "99999999", "99999999"},
		{"hh:mm", "0.5", "0.5"},
	}
	for _, c := range cases {
		t.Run(c.format+" "+c.value, func(t *testing.T) {
			p := withStyles(parts(`<row><c s="2"><v>`+c.value+`</v></c><c s="9"><v>1</v></c></row>`), c.format)
			wantRows(t, zipped(t, p), row{1, []string{c.want, "1"}})
		})
	}
	rows := `<row><c s="1"><v>0.05</v></c><c s="3"><v>46343</v></c></row>`
	wantRows(t, zipped(t, withStyles(parts(rows), "")), row{1, []string{"5%", "2026-11-17"}})
	since1904 := change(withStyles(parts(rows), ""), "xl/workbook.xml", "<sheets>", `<workbookPr date1904="1"/><sheets>`)
	wantRows(t, zipped(t, since1904), row{1, []string{"5%", "2030-11-18"}})
}

// withStyles adds the styles 0 plain, 1 percent, 2 with the given format, 3 date.
func withStyles(p map[string]string, format string) map[string]string {
	change(p, "xl/_rels/workbook.xml.rels", "</Relationships>", `<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`)
	p["xl/styles.xml"] = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="` + html.EscapeString(format) + `"/></numFmts>` +
		`<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="9"><alignment/></xf><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs>` +
		`<cellStyles><xf numFmtId="9"/></cellStyles></styleSheet>`
	return p
}

func TestXLSX_Refused(t *testing.T) {
	cell := `<row r="1"><c r="A1"><v>1</v></c></row>`
	cases := []struct {
		name   string
		change func(map[string]string)
		want   error
	}{
		{"another ZIP file", func(p map[string]string) { clear(p); p["a.txt"] = "a" }, spreadsheet.ErrFormat},
		{"binary workbook", replace("_rels/.rels", "workbook.xml", "workbook.bin"), spreadsheet.ErrFormat},
		{"text document", replace("xl/workbook.xml", "sheet ", "paragraph "), spreadsheet.ErrFormat},
		{"only hidden sheets", replace("xl/workbook.xml", "<sheet ", `<sheet state="veryHidden" `), spreadsheet.ErrFormat},
		{"no worksheet part", func(p map[string]string) { delete(p, "xl/worksheets/sheet2.xml") }, spreadsheet.ErrMalformed},
		{"no shared texts", func(p map[string]string) { delete(p, "xl/sharedStrings.xml") }, spreadsheet.ErrMalformed},
		{"no rows", replace("xl/worksheets/sheet2.xml", "sheetData", "data"), spreadsheet.ErrMalformed},
		{"cut off", replace("xl/worksheets/sheet2.xml", "</row>", ""), spreadsheet.ErrMalformed},
		{"document type", replace("xl/worksheets/sheet2.xml", "<worksheet>", `<!DOCTYPE a [<!ENTITY b "c">]><worksheet>`), spreadsheet.ErrMalformed},
		{"unknown entity", replace("xl/worksheets/sheet2.xml", "<v>1", "<v>&b;"), spreadsheet.ErrMalformed},
		{"deep", replace("xl/worksheets/sheet2.xml", "<cols>", strings.Repeat("<a>", 100)+strings.Repeat("</a>", 100)+"<cols>"), spreadsheet.ErrMalformed},
		{"missing shared text", replace("xl/worksheets/sheet2.xml", `<c r="A1">`, `<c r="A1" t="s">`), spreadsheet.ErrMalformed},
		{"repeated row", replace("xl/worksheets/sheet2.xml", "</row>", `</row><row r="1"/>`), spreadsheet.ErrMalformed},
		{"row zero", replace("xl/worksheets/sheet2.xml", `"1"`, `"0"`), spreadsheet.ErrMalformed},
		{"row too far down", replace("xl/worksheets/sheet2.xml", `<row r="1"`, `<row r="1048577"`), spreadsheet.ErrMalformed},
		{"column too far right", replace("xl/worksheets/sheet2.xml", `"A1"`, `"XFE1"`), spreadsheet.ErrMalformed},
		{"strange address", replace("xl/worksheets/sheet2.xml", `"A1"`, `"$A$1"`), spreadsheet.ErrMalformed},
		{"address without column", replace("xl/worksheets/sheet2.xml", `"A1"`, `"11"`), spreadsheet.ErrMalformed},
		{"repeated cell", replace("xl/worksheets/sheet2.xml", "</c>", `</c><c r="A1"/>`), spreadsheet.ErrMalformed},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := parts(cell)
			wantRows(t, zipped(t, p), row{1, []string{"1"}})
			c.change(p)
			if _, _, err := readAll(zipped(t, p), spreadsheet.Limits{}); !errors.Is(err, c.want) {
				t.Errorf("error = %v, want %v", err, c.want)
			}
		})
	}
}

// replace returns a change of one part.
func replace(name, old, to string) func(map[string]string) {
	return func(p map[string]string) { change(p, name, old, to) }
}

// change changes a part and returns all parts.
func change(p map[string]string, name, old, to string) map[string]string {
	p[name] = strings.ReplaceAll(p[name], old, to)
	return p
}

// TestXLSX_Damaged checks that a changed byte in the worksheet is found, though
// it is still XML: the ZIP file has a checksum.
func TestXLSX_Damaged(t *testing.T) {
	file := withSheet(t, parts(`<row r="1"><c r="A1"><v>115</v></c></row>`), func(h *zip.FileHeader) { h.CRC32++ })
	if got, _, err := readAll(file, spreadsheet.Limits{}); !errors.Is(err, spreadsheet.ErrMalformed) {
		t.Errorf("rows %v, error = %v, want ErrMalformed", got, err)
	}
}

// withSheet returns a ZIP file of the parts, with another header for the
// worksheet.
func withSheet(t *testing.T, p map[string]string, header func(*zip.FileHeader)) []byte {
	t.Helper()
	const name = "xl/worksheets/sheet2.xml"
	text := []byte(p[name])
	delete(p, name)
	var file, packed bytes.Buffer
	deflater, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = deflater.Write(text)
	_ = deflater.Close()
	w := zip.NewWriter(&file)
	for name, text := range p {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.Write([]byte(text))
	}
	h := &zip.FileHeader{
		Name: name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(text),
		CompressedSize64: uint64(packed.Len()), UncompressedSize64: uint64(len(text)),
	}
	header(h)
	f, err := w.CreateRaw(h)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.Write(packed.Bytes())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}
