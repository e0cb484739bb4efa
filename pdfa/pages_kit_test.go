package pdfa_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"testing"

	"khatm/pdfa"
	"khatm/qr"
)

// pageCode is the text of the symbols on the test pages, as long as that of a
// simplified invoice.
var pageCode = strings.Repeat("AQ/YtNix2YPYqSDYrtiq2YUCDzM5OTk5", 16)

func symbolOf(t testing.TB, text string) *qr.Symbol {
	t.Helper()
	s, err := qr.NewSymbol(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// pageWith returns a PDF whose page has a line of text and the given content.
// Object 6 can be used as /X, object 7 as /Y.
func pageWith(content string) *built {
	return &built{root: 1, objects: map[int]string{
		1: "<</Type/Catalog/Pages 2 0 R>>",
		2: "<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R/Y 7 0 R>>/ColorSpace<</Ink[/Separation/Black/DeviceGray<<>>]/Icc[/ICCBased 8 0 R]>>/ExtGState<</W<</LW 1>>>>>>>>",
		3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>",
		4: stream("", "BT /F 12 Tf 50 780 Td (Total 115.00) Tj ET\n"+content),
		5: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
		8: stream("/N 3", "profile"),
	}}
}

// modules returns an operation for every dark module. Row 0 is at the bottom of the
// page, so that the symbol is mirrored.
func modules(s *qr.Symbol, operation func(x, y int) string) string {
	var b strings.Builder
	for y := range s.Size() {
		for x := range s.Size() {
			if s.Black(x, y) {
				b.WriteString(operation(x, y))
			}
		}
	}
	return b.String()
}

// raw returns the samples of the symbol, with one byte per component.
func raw(s *qr.Symbol, dots int, dark, light string) string {
	var b strings.Builder
	for y := range dots * s.Size() {
		for x := range dots * s.Size() {
			if s.Black(x/dots, y/dots) {
				b.WriteString(dark)
			} else {
				b.WriteString(light)
			}
		}
	}
	return b.String()
}

// bits returns the samples with fewer bits than a byte; each row ends with a whole
// byte.
func bits(s *qr.Symbol, width int, dark, light byte) string {
	var out []byte
	for y := range s.Size() {
		var have, n int
		for x := range s.Size() {
			v := light
			if s.Black(x, y) {
				v = dark
			}
			if have, n = have<<width|int(v), n+width; n == 8 {
				out, have, n = append(out, byte(have)), 0, 0
			}
		}
		if n > 0 {
			out = append(out, byte(have<<(8-n)))
		}
	}
	return string(out)
}

func photo(t testing.TB, s *qr.Symbol, colored bool) string {
	t.Helper()
	const dots, quiet = 5, 4
	side := dots * (s.Size() + 2*quiet)
	gray := image.NewGray(image.Rect(0, 0, side, side))
	for i := range gray.Pix {
		if gray.Pix[i] = 240; s.Black(i%side/dots-quiet, i/side/dots-quiet) {
			gray.Pix[i] = 30
		}
	}
	var img image.Image = gray
	if colored {
		rgba := image.NewRGBA(gray.Rect)
		for i, v := range gray.Pix {
			rgba.Set(i%side, i/side, color.RGBA{v, v, 255 - v/4, 255})
		}
		img = rgba
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, &jpeg.Options{Quality: 60}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// readPage returns the only page of a PDF.
func readPage(t *testing.T, data []byte) pdfa.PageContent {
	t.Helper()
	pages, err := pdfa.ReadPages(context.Background(), data, pdfa.Limits{})
	if err != nil || len(pages) != 1 {
		t.Fatalf("ReadPages returned %d pages, %v; want 1 page", len(pages), err)
	}
	return pages[0]
}

// wantCode checks that one picture of a page shows a symbol with the given text.
func wantCode(t *testing.T, page pdfa.PageContent, want string) {
	t.Helper()
	var problems []string
	for _, p := range page.Pictures {
		got, err := qr.Scan(p)
		if err == nil && got == want {
			return
		}
		problems = append(problems, fmt.Sprintf("%s: %.20q, %v", p.Rect, got, err))
	}
	t.Errorf("none of %d pictures (%d unread) shows the symbol: %s", len(page.Pictures), page.Unread, problems)
}
