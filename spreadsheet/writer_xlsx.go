package spreadsheet

import (
	"archive/zip"
	"bufio"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode"
)

const xmlHead = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"

// The namespaces of workbooks.
const (
	mainSpace     = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relationSpace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageSpace  = "http://schemas.openxmlformats.org/package/2006/relationships"
)

// fixedParts are the parts that are the same in every workbook.
var fixedParts = []struct{ name, text string }{
	{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>` +
		`</Types>`},
	{"_rels/.rels", `<Relationships xmlns="` + packageSpace + `">` +
		`<Relationship Id="rId1" Type="` + relationSpace + `/officeDocument" Target="xl/workbook.xml"/>` +
		`</Relationships>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packageSpace + `">` +
		`<Relationship Id="rId1" Type="` + relationSpace + `/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + relationSpace + `/styles" Target="styles.xml"/>` +
		`</Relationships>`},
	{"xl/styles.xml", `<styleSheet xmlns="` + mainSpace + `">` +
		`<fonts count="2"><font><sz val="11"/><name val="Arial"/></font><font><b/><sz val="11"/><name val="Arial"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="4">` +
		`<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>` +
		`<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`</cellXfs></styleSheet>`},
}

// Places of styles in xl/styles.xml. The format of texts keeps a cell a text when
// it is edited.
const (
	generalStyle = iota
	textStyle
	headingStyle
	amountStyle // two decimal places, thousands separated
)

// sheetWriter writes a workbook with one worksheet.
type sheetWriter struct {
	file  io.Writer
	sheet Sheet
	zip   *zip.Writer
	out   *bufio.Writer // the part with the worksheet
}

func (w *sheetWriter) begin() error {
	if w.zip != nil {
		return nil
	}
	w.zip = zip.NewWriter(w.file)
	for _, p := range fixedParts {
		if err := w.part(p.name, p.text); err != nil {
			return err
		}
	}
	book := `<workbook xmlns="` + mainSpace + `" xmlns:r="` + relationSpace + `"><bookViews><workbookView/></bookViews><sheets><sheet name="` +
		attributeText(sheetName(w.sheet.Name)) + `" sheetId="1" r:id="rId1"/></sheets></workbook>`
	if err := w.part("xl/workbook.xml", book); err != nil {
		return err
	}
	part, err := w.zip.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		return err
	}
	w.out = bufio.NewWriter(part)
	fmt.Fprintf(w.out, `%s<worksheet xmlns="%s"><sheetViews><sheetView rightToLeft="%t" workbookViewId="0">`, xmlHead, mainSpace, w.sheet.RightToLeft)
	if n := w.sheet.Frozen; n > 0 {
		fmt.Fprintf(w.out, `<pane ySplit="%d" topLeftCell="A%d" activePane="bottomLeft" state="frozen"/>`, n, n+1)
	}
	_, err = w.out.WriteString(`</sheetView></sheetViews><sheetFormatPr defaultColWidth="18" defaultRowHeight="15"/><sheetData>`)
	return err
}

func (w *sheetWriter) part(name, text string) error {
	part, err := w.zip.Create(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(part, xmlHead+text)
	return err
}

// sheetName returns a name without what the names of worksheets cannot contain.
func sheetName(name string) string {
	clean := []rune(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\`, r) || unicode.IsControl(r) {
			return -1
		}
		return r
	}, name))
	return cmp.Or(strings.Trim(string(clean[:min(len(clean), 31)]), "' "), "Sheet1")
}

func attributeText(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // writing to memory cannot fail
	return b.String()
}

// write writes a row. The buffer keeps the first error and returns it at the
// end.
func (w *sheetWriter) write(row int, cells []Cell) error {
	if err := w.begin(); err != nil {
		return err
	}
	fmt.Fprintf(w.out, `<row r="%d">`, row)
	for i, c := range cells {
		if c.text != "" {
			w.cell(address(row, i+1), c)
		}
	}
	_, err := w.out.WriteString(`</row>`)
	return err
}

func (w *sheetWriter) cell(address string, c Cell) {
	_, fraction, _ := strings.Cut(c.text, ".")
	style := textStyle
	switch {
	case c.kind == numberCell && significantDigits(c.text) <= maxDigits:
		style = generalStyle
		if len(fraction) == 2 {
			style = amountStyle
		}
		fmt.Fprintf(w.out, `<c r="%s" s="%d"><v>%s</v></c>`, address, style, c.text)
		return
	case c.kind == headingCell:
		style = headingStyle
	}
	text := c.text
	if c.kind != numberCell {
		// A workbook cannot contain NUL.
		text = escaped(Harmless(strings.ReplaceAll(text, "\x00", "\ufffd")))
	}
	fmt.Fprintf(w.out, `<c r="%s" s="%d" t="inlineStr"><is><t xml:space="preserve">`, address, style)
	_ = xml.EscapeText(w.out, []byte(text)) // the buffer keeps the error
	_, _ = w.out.WriteString(`</t></is></c>`)
}

// significantDigits counts the digits of a plain decimal without leading zeros.
func significantDigits(number string) int {
	return len(strings.TrimLeft(strings.ReplaceAll(number, ".", ""), "-0"))
}

func (w *sheetWriter) close() error {
	if err := w.begin(); err != nil {
		return err
	}
	if _, err := w.out.WriteString(`</sheetData></worksheet>`); err != nil {
		return err
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	return w.zip.Close()
}
