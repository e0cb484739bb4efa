package pdfa_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"khatm/pdfa"
)

func TestReadPagesFindsDrawings(t *testing.T) {
	s := symbolOf(t, pageCode)
	rects := modules(s, func(x, y int) string { return fmt.Sprintf("%d %d 1 1 re\n", x, y) })
	placed := func(content string) string { return "q 1.5 0 0 1.5 100 300 cm\n" + content + "\nQ\n" }
	rules := strings.Repeat("0.5 w 40 250 m 555 250 l S 40 255 515 0.7 re f 40 100 510 3 re f 300 600 200 180 re f ", 20)
	cases := map[string]*built{
		"one path":          pageWith(placed(rects + "f")),
		"a fill per module": pageWith(placed(strings.ReplaceAll(rects, "re\n", "re f\n"))),
		"lines": pageWith(placed(modules(s, func(x, y int) string {
			return fmt.Sprintf("%d %d m %d %d l %d %d l %d %d l h\n", x, y, x+1, y, x+1, y+1, x, y+1)
		}) + "f*")),
		"dots":               pageWith(placed(modules(s, func(x, y int) string { return dot(float64(x), float64(y)) }) + "f")),
		"strokes":            pageWith(placed(modules(s, func(x, y int) string { return fmt.Sprintf("%d %d.5 m %d %d.5 l ", x, y, x+1, y) }) + "S")),
		"strokes, filled":    pageWith(placed("9 w /W gs " + modules(s, func(x, y int) string { return fmt.Sprintf("%d.5 %d m %d.5 %d l ", x, y, x, y+1) }) + "B")),
		"corners as squares": pageWith(placed(squares(s.Size()) + modules(s, func(x, y int) string { return cornerless(x, y, s.Size()) }) + "f")),
		"beside rules":       pageWith(rules + placed(rects+"f") + rules),
		"in a frame":         pageWith(placed(fmt.Sprintf("-4 -4 %d %d re 0.3 w S ", s.Size()+8, s.Size()+8) + rects + "f")),
		"rotated":            pageWith("0.8 0.6 -0.6 0.8 200 300 cm " + rects + "f"),
		"a quarter turn":     pageWith("0 1 -1 0 300 300 cm " + rects + "f"),
		"upright":            pageWith("1 0 0 -1 100 500 cm " + rects + "f"),
		"small":              pageWith("0.7 0 0 0.7 100 300 cm " + rects + "f"),
		"large":              pageWith("6 0 0 6 10 100 cm " + rects + "f"),
		"red":                pageWith(placed("0.6 0 0 rg " + rects + "f")),
		"CMYK":               pageWith(placed("0.7 0.6 0.5 0.9 k " + rects + "f")),
		"an ink":             pageWith(placed("/Ink cs 1 scn " + rects + "f")),
		"a profile":          pageWith(placed("/Icc cs 0.1 0.1 0.2 sc " + rects + "f")),
		"after a clip":       pageWith(placed("0 0 500 500 re W n " + rects + "f")),
		"in a form":          pageWith("q 2 0 0 2 0 0 cm /X Do Q").with(6, stream("/Subtype/Form/BBox[0 0 99 99]/Matrix[0.8 0 0 0.8 50 50]", rects+"f")),
		"in nested forms":    pageWith("/X Do").with(6, stream("/Subtype/Form/Resources<</XObject<</Z 7 0 R>>>>", "2 0 0 2 9 9 cm /Z Do")).with(7, stream("/Subtype/Form", rects+"f")),
		"in several streams": pageWith("").with(3, "<</Type/Page/Parent 2 0 R/Contents[4 0 R 6 0 R 7 0 R]>>").with(6, stream("/Filter/FlateDecode", flated("q 2 0 0 2 90 90"))).with(7, stream("", "cm "+rects+"f")),
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { wantCode(t, readPage(t, c.bytes()), pageCode) })
	}
	t.Run("packed", func(t *testing.T) {
		wantCode(t, readPage(t, cases["one path"].packed("/Filter/FlateDecode", flated)), pageCode)
	})
	t.Run("wrong startxref", func(t *testing.T) {
		data := strings.Replace(string(cases["one path"].bytes()), "startxref\n", "startxref\n9", 1)
		wantCode(t, readPage(t, []byte(data)), pageCode)
	})
}

// dot returns a circle in the place of a module.
func dot(x, y float64) string {
	const r, k = 0.5, 0.276
	x, y = x+r, y+r
	return fmt.Sprintf("%g %g m %g %g %g %g %g %g c %g %g %g %g %g %g c %g %g %g %g %g %g c %g %g %g %g %g %g c h\n",
		x+r, y, x+r, y+k, x+k, y+r, x, y+r, x-k, y+r, x-r, y+k, x-r, y, x-r, y-k, x-k, y-r, x, y-r, x+k, y-r, x+r, y-k, x+r, y)
}

// squares returns the three corners of a symbol as a dark, a light and a dark square
// on each other.
func squares(size int) string {
	var b strings.Builder
	for _, at := range [][2]int{{0, 0}, {size - 7, 0}, {0, size - 7}} {
		for i, shade := range []int{0, 1, 0} {
			fmt.Fprintf(&b, "%d g %d %d %d %d re f ", shade, at[0]+i, at[1]+i, 7-2*i, 7-2*i)
		}
	}
	return b.String()
}

// cornerless returns a module unless it is in a corner of the symbol.
func cornerless(x, y, size int) string {
	if x < 7 && (y < 7 || y >= size-7) || y < 7 && x >= size-7 {
		return ""
	}
	return fmt.Sprintf("%d %d 1 1 re ", x, y)
}

func TestReadPagesFindsImages(t *testing.T) {
	s := symbolOf(t, pageCode)
	n := s.Size()
	gray := raw(s, 1, "\x00", "\xFF")
	of := func(side int, dict, data string) *built {
		return pageWith("q 90 0 0 90 400 700 cm /X Do Q").with(6, stream(fmt.Sprintf("/Subtype/Image/Width %d/Height %d%s", side, side, dict), data))
	}
	inline := func(dict, data string) *built {
		return pageWith(fmt.Sprintf("q 90 0 0 90 400 700 cm BI /W %d /H %d %s ID %s\nEI Q 1 g", n, n, dict, data))
	}
	const palette = "[/Indexed/DeviceRGB 1<FFFFEE000011>]"
	jpegSide := 5 * (n + 8)
	cases := map[string]*built{
		"gray, 8 bits":          of(n, "/ColorSpace/DeviceGray/BitsPerComponent 8", gray),
		"gray, 1 bit":           of(n, "/ColorSpace/DeviceGray/BitsPerComponent 1", bits(s, 1, 0, 1)),
		"gray, 2 bits":          of(n, "/ColorSpace/DeviceGray/BitsPerComponent 2", bits(s, 2, 0, 3)),
		"gray, 4 bits":          of(n, "/ColorSpace/CalGray/BitsPerComponent 4", bits(s, 4, 1, 15)).with(9, "null"),
		"gray, 16 bits":         of(n, "/ColorSpace/DeviceGray/BitsPerComponent 16", raw(s, 1, "\x01\xFF", "\xFE\x00")),
		"gray, inverted":        of(n, "/ColorSpace/DeviceGray/BitsPerComponent 1/Decode[1 0]", bits(s, 1, 1, 0)),
		"RGB":                   of(n, "/ColorSpace/DeviceRGB/BitsPerComponent 8", raw(s, 1, "\x10\x00\x40", "\xFF\xFF\xF0")),
		"CMYK":                  of(n, "/ColorSpace/DeviceCMYK/BitsPerComponent 8", raw(s, 1, "\x00\x00\x00\xFF", "\x00\x00\x10\x00")),
		"profile":               of(n, "/ColorSpace[/ICCBased 8 0 R]/BitsPerComponent 8", raw(s, 1, "\x10\x00\x40", "\xFF\xFF\xF0")),
		"an ink":                of(n, "/ColorSpace[/Separation/Black/DeviceGray<<>>]/BitsPerComponent 8", raw(s, 1, "\xFF", "\x00")),
		"indexed, 8 bits":       of(n, "/ColorSpace"+palette+"/BitsPerComponent 8", raw(s, 1, "\x01", "\x00")),
		"indexed, 1 bit":        of(n, "/ColorSpace"+palette+"/BitsPerComponent 1", bits(s, 1, 1, 0)),
		"indexed, 4 bits":       of(n, "/ColorSpace"+palette+"/BitsPerComponent 4", bits(s, 4, 1, 0)),
		"indexed, in a stream":  of(n, "/ColorSpace[/Indexed/DeviceGray 1 9 0 R]/BitsPerComponent 8", raw(s, 1, "\x01", "\x00")).with(9, stream("", "\xFF\x00")),
		"a named colour space":  of(n, "/ColorSpace/Icc/BitsPerComponent 8", raw(s, 1, "\x10\x00\x40", "\xFF\xFF\xF0")),
		"mask":                  of(n, "/ImageMask true", bits(s, 1, 0, 1)),
		"mask, inverted":        of(n, "/ImageMask true/Decode[1 0]", bits(s, 1, 1, 0)),
		"soft mask":             of(n, "/ColorSpace/DeviceGray/BitsPerComponent 8/SMask 7 0 R", strings.Repeat("\x00", n*n)).with(7, stream(fmt.Sprintf("/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8", n, n), raw(s, 1, "\xFF", "\x00"))),
		"stencil mask":          of(n, "/ColorSpace/DeviceGray/BitsPerComponent 8/Mask 7 0 R", strings.Repeat("\x00", n*n)).with(7, stream(fmt.Sprintf("/Width %d/Height %d/ImageMask true/BitsPerComponent 1", n, n), bits(s, 1, 0, 1))),
		"flate":                 of(n, "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode", flated(gray)),
		"flate, PNG predictor":  of(n, fmt.Sprintf("/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns %d>>", n), flated(rowsUp(gray, n))),
		"flate, TIFF predictor": of(n, fmt.Sprintf("/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode/DecodeParms<</Predictor 2/Columns %d>>", n), flated(differences(gray, n))),
		"LZW":                   of(n, "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/LZWDecode", lzwEarly(gray)),
		"run lengths":           of(n, "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/RunLengthDecode", runLengths(gray)),
		"two filters":           of(n, "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter[/ASCII85Decode/FlateDecode]", ascii85ed(flated(gray))),
		"JPEG":                  of(jpegSide, "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode", photo(t, s, false)),
		"JPEG, coloured":        of(jpegSide, "/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter[/FlateDecode/DCTDecode]", flated(photo(t, s, true))),
		"inline":                inline("/CS /G /BPC 8", gray),
		"inline, flate":         inline("/CS /RGB /BPC 8 /F /Fl", flated(raw(s, 1, "\x10\x00\x40", "\xFF\xFF\xF0"))),
		"inline, hexadecimal":   inline("/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter [/AHx]", hexed(bits(s, 1, 0, 1))),
		"inline mask":           inline("/IM true /BPC 1", bits(s, 1, 0, 1)),
		"in a form":             of(n, "/ColorSpace/DeviceGray/BitsPerComponent 8", gray).with(4, stream("", "BT /F 9 Tf (text) Tj ET /Y Do")).with(7, stream("/Subtype/Form/Resources<</XObject<</X 6 0 R>>>>", "/X Do")),
		"beside a logo":         of(n, "/ColorSpace/DeviceGray/BitsPerComponent 8", gray).with(4, stream("", "BT /F 9 Tf (text) Tj ET /Y Do /X Do")).with(7, stream("/Subtype/Image/Width 4000/Height 4000/ColorSpace/DeviceGray/BitsPerComponent 8", "too large")),
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { wantCode(t, readPage(t, c.bytes()), pageCode) })
	}
}

// rowsUp applies the PNG predictor Up to samples of a byte.
func rowsUp(s string, width int) string {
	var out []byte
	for i := range len(s) {
		if i%width == 0 {
			out = append(out, 2)
		}
		above := byte(0)
		if i >= width {
			above = s[i-width]
		}
		out = append(out, s[i]-above)
	}
	return string(out)
}

// differences applies the TIFF predictor to samples of a byte.
func differences(s string, width int) string {
	out := []byte(s)
	for at := 0; at < len(out); at += width {
		for i := min(at+width, len(out)) - 1; i > at; i-- {
			out[i] -= out[i-1]
		}
	}
	return string(out)
}

// TestReadPagesOfOtherProducers reads pages that other programs wrote: a QR code as
// SVG and as a PNG image with a soft mask (Chromium), as rectangles (ReportLab), and
// as a CCITT image and as strokes (fpdf2).
func TestReadPagesOfOtherProducers(t *testing.T) {
	code, err := os.ReadFile("testdata/pages/code.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"chromium-svg.pdf", "chromium-png.pdf", "reportlab.pdf", "fpdf2-ccitt.pdf", "fpdf2-svg.pdf"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("testdata/pages/" + name)
			if err != nil {
				t.Fatal(err)
			}
			page := readPage(t, data)
			wantCode(t, page, strings.TrimSpace(string(code)))
			want := []string{"310122393500003", "1,150.00", "150.00", "09:15:30"}
			if strings.HasPrefix(name, "chromium") {
				want = append(want, "شركة الأفق للتجارة", "فاتورة ضريبية مبسطة")
			}
			for _, w := range want {
				if !strings.Contains(page.Text, w) {
					t.Errorf("the text lacks %q: %q", w, page.Text)
				}
			}
		})
	}
}

// TestReadPagesWithoutText checks that nothing is read from pages without text.
func TestReadPagesWithoutText(t *testing.T) {
	s := symbolOf(t, pageCode)
	rects := modules(s, func(x, y int) string { return fmt.Sprintf("%d %d 1 1 re ", x, y) }) + "f"
	for name, c := range map[string]*built{
		"a drawing":   pageWith("").with(4, stream("", rects)),
		"an image":    pageWith("").with(4, stream("", "/X Do")).with(6, stream(fmt.Sprintf("/Subtype/Image/Width %d/Height %[1]d/ColorSpace/DeviceGray/BitsPerComponent 8", s.Size()), raw(s, 1, "\x00", "\xFF"))),
		"an empty BT": pageWith("").with(4, stream("", "BT /F 12 Tf () Tj [-400] TJ ET "+rects)),
		"no content":  pageWith("").with(4, "null"),
		"no pages":    pageWith("").with(1, "<</Type/Catalog>>"),
	} {
		t.Run(name, func(t *testing.T) {
			pages, err := pdfa.ReadPages(context.Background(), c.bytes(), pdfa.Limits{})
			if err != nil || len(pages) != 0 {
				t.Errorf("ReadPages returned %d pages, %v; want none", len(pages), err)
			}
		})
	}
}

func TestReadPagesNumbersPages(t *testing.T) {
	b := pageWith("").with(2, "<</Type/Pages/Kids[9 0 R 3 0 R 10 0 R]/Resources<</Font<</F 5 0 R>>>>>>").
		with(9, "<</Type/Page>>").with(10, "<</Type/Pages/Kids[3 0 R 11 0 R]>>").with(11, "<</Type/Page/Contents 4 0 R>>")
	pages, err := pdfa.ReadPages(context.Background(), b.bytes(), pdfa.Limits{})
	if err != nil || len(pages) != 2 || pages[0].Number != 2 || pages[1].Number != 3 {
		t.Errorf("ReadPages returned %v, %v; want the pages 2 and 3", pages, err)
	}
	pages, err = pdfa.ReadPages(context.Background(), b.bytes(), pdfa.Limits{Pages: 2})
	if err != nil || len(pages) != 1 {
		t.Errorf("ReadPages of two pages returned %d pages, %v; want 1", len(pages), err)
	}
}

func TestReadPagesText(t *testing.T) {
	cmap := func(body string) string {
		return stream("", "/CIDInit/ProcSet findresource begin begincmap "+body+" endcmap")
	}
	font := func(m string) *built {
		return pageWith("").with(5, "<</Type/Font/Subtype/Type0/Encoding/Identity-H/ToUnicode 9 0 R>>").with(9, cmap(m)).
			with(4, stream("", "BT /F 9 Tf <000100020003> Tj ET"))
	}
	show := func(content string) *built { return pageWith("").with(4, stream("", content)) }
	for name, c := range map[string]struct {
		pdf  *built
		want string
	}{
		"Latin":             {show(`BT /F 9 Tf (caf\351 \200) Tj ET`), "café €\n"},
		"no font":           {show("BT (abc) Tj ET"), "abc\n"},
		"kerning":           {show("BT /F 9 Tf [(T)80(o)-20(tal)-300(115.00)] TJ ET"), "Total 115.00\n"},
		"lines":             {show("BT /F 9 Tf 9 TL (a) Tj T* (b) Tj (c) ' 1 2 (d) \" 0 -9 Td (e) Tj 1 0 0 1 5 5 Tm (f) Tj ET"), "a\nb\nc\nd\ne\nf\n"},
		"differences":       {show("BT /F 9 Tf (ABCD) Tj ET").with(5, "<</Type/Font/Subtype/Type3/Encoding<</Differences[65/one/period/uni0665/x]>>>>"), "1.٥x\n"},
		"bfchar":            {font("3 beginbfchar <0001><0061> <0002><0062> <0003><D83DDE00> endbfchar"), "ab😀\n"},
		"bfrange":           {font("1 beginbfrange <0001><0003><0061> endbfrange"), "abc\n"},
		"bfrange of a list": {font("1 beginbfrange <0001><0003>[<0078><0079><007A0031>] endbfrange"), "xyz1\n"},
		"unmapped":          {font("1 beginbfchar <0002><0062> endbfchar"), "\uFFFDb\uFFFD\n"},
		"replacement text":  {show("/Span<</ActualText<FEFF0641>>>BDC BT /F 9 Tf 5 5 Td (xyz) Tj ET EMC BT (a) Tj ET"), "ف\na\n\u200Bف\n"},
		"right to left":     {font("3 beginbfchar <0001><0643> <0002><0020> <0003><0623> endbfchar"), "ك أ\n\u200Bأ ك\n"},
		"a number":          {font("1 beginbfrange <0001><0002><0031> endbfrange 1 beginbfchar <0003><0623> endbfchar"), "12أ\n\u200Bأ12\n"},
		"a ligature":        {font("1 beginbfchar <0001><06440627> endbfchar"), "لا\uFFFD\uFFFD\n\u200B\uFFFD\uFFFDلا\n\u200B\uFFFD\uFFFDال\n"},
		"a form":            {pageWith("/X Do").with(6, stream("/Subtype/Form", "BT /F 9 Tf (in) Tj ET")), "Total 115.00\nin\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := readPage(t, c.pdf.bytes()).Text; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
