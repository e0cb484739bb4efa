package tools_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/servicetest"
)

func TestX2_HostilePages(t *testing.T) {
	withstand(t, 10, 1800, newCanary(t), hostilePages(t))
}

// hostilePages returns PDFs whose pages are made to keep the reader of QR codes busy.
func hostilePages(t testing.TB) []hostile {
	page := func(content string) *servicetest.PDFObjects {
		return drawnPDF(t, "", "").With(4, servicetest.PDFStream("/Filter/FlateDecode", servicetest.Flated("BT /F 9 Tf (text) Tj ET "+content)))
	}
	picture := func(side int, data func() string) func() string {
		return func() string {
			return page("/X Do").With(6, servicetest.PDFStream(fmt.Sprintf("/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode", side, side), servicetest.Flated(data()))).String()
		}
	}
	several := func(many int, content string) func() string {
		return func() string {
			return page(content).With(2, "<</Type/Pages/Kids["+strings.Repeat("<</Contents 4 0 R/Resources<<>>>>", many)+"]>>").String()
		}
	}
	return []hostile{
		{"an image of noise", picture(1700, func() string { return noise(1700 * 1700) })},
		{"an image of corner marks", picture(1700, func() string { return cornerMarks(1700, 9) })},
		{"an image of large corner marks", picture(1700, func() string { return cornerMarks(1700, 120) })},
		{"an image of two hundred corner marks", picture(1000, func() string { return cornerMarks(1000, 72) })},
		{"many images of noise", func() string {
			p, names, do := page(""), "", ""
			for i := range 40 {
				p.With(100+i, servicetest.PDFStream("/Subtype/Image/Width 280/Height 280/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode", servicetest.Flated(noise(280*280))))
				names += fmt.Sprintf("/I%d %d 0 R", i, 100+i)
				do += fmt.Sprintf("/I%d Do ", i)
			}
			return p.With(3, "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<<"+names+">>>>>>").With(4, servicetest.PDFStream("", "BT (text) Tj ET "+do)).String()
		}},
		{"twenty pages of drawn marks", several(20, strings.Repeat("0 0 7 7 re 1 1 5 5 re 2 2 3 3 re f* 1 0 0 1 9 0 cm ", 40)+"1 0 0 1 -360 9 cm "+strings.Repeat("0 0 7 7 re 1 1 5 5 re 2 2 3 3 re f* 1 0 0 1 0 9 cm ", 40))},
		{"twenty pages of drawn noise", several(20, drawnNoise(150))},
		{"a drawing of noise", func() string { return page(drawnNoise(220)).String() }},
		{"a thousand pages", several(1000, "0 0 1 1 re f")},
		{"a content bomb", func() string {
			return drawnPDF(t, "", "").With(4, servicetest.PDFStream("/Filter/FlateDecode", testtool.Zeros(64))).String()
		}},
		{"forms in forms", func() string {
			return page("/X Do").With(6, servicetest.PDFStream("/Subtype/Form", strings.Repeat("/X Do ", 500))).String()
		}},
		{"lines of text", func() string { return page("BT " + strings.Repeat("(1,150.00 2026-11-15) Tj T* ", 100_000)).String() }},
		{"digits", func() string { return page("BT (" + strings.Repeat("1,1.", 200_000) + ") Tj ET").String() }},
	}
}

func noise(n int) string {
	random := rand.New(rand.NewPCG(3, 4))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(random.UintN(256))
	}
	return string(out)
}

// cornerMarks returns the pixels of an image that is full of the corners of symbols.
func cornerMarks(side, mark int) string {
	out := make([]byte, side*side)
	for i := range out {
		x, y := (i%side%mark)*9/mark-4, (i/side%mark)*9/mark-4
		if ring := max(x, -x, y, -y); ring == 2 || ring == 4 {
			out[i] = 0xFF
		}
	}
	return string(out)
}

// drawnNoise returns a square of random modules.
func drawnNoise(side int) string {
	random := rand.New(rand.NewPCG(5, 6))
	var b strings.Builder
	for i := range side * side {
		if random.UintN(2) == 0 {
			fmt.Fprintf(&b, "%d %d 1 1 re ", i%side, i/side)
		}
	}
	return b.String() + "f "
}
