package pdfa_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/pdfa"
)

// TestReadPagesIsBounded reads pages that are made to need much time or memory, and
// every file that is made for that against Extract.
func TestReadPagesIsBounded(t *testing.T) {
	attacks := testtool.Spread(slicesOf(pageOperators(), pageShapes(), pageImages(t), pageFonts(), pageObjects(t)), 0, 10)
	// The reader of files, which ReadPages uses, has a test with these.
	attacks = append(attacks, testtool.Spread(slicesOf(bombs(), trees(), crossReferences(), lies(), floods(), lookedAtAgain(), filterAttacks()), 0, 60)...)
	readAll(t, attacks, func(t *testing.T, _ attack, data []byte) {
		_, err := pdfa.ReadPages(context.Background(), data, pdfa.Limits{})
		if err != nil && !errors.Is(err, pdfa.ErrLimit) && !errors.Is(err, pdfa.ErrMalformed) && !errors.Is(err, pdfa.ErrEncrypted) {
			t.Errorf("got the error %v, want one of the package or none", err)
		}
	})
}

// on returns an attack by the content of a page, which is compressed.
func on(name, content string) attack {
	return attack{name, func() []byte {
		return pageWith("").with(4, stream("/Filter/FlateDecode", flated("BT /F 9 Tf (text) Tj ET "+content))).bytes()
	}, whatever}
}

func pageOperators() []attack {
	return []attack{
		on("states", strings.Repeat("q ", 2_000_000)),
		on("matrices", strings.Repeat("9 9 9 9 9 9 cm ", 300_000)+"0 0 1 1 re f"),
		on("matrices of zeros", strings.Repeat("0 0 0 0 0 0 cm 0 0 1 1 re f ", 100_000)),
		on("operands", strings.Repeat("1 ", 3_000_000)),
		on("unknown operators", strings.Repeat("x ", 3_000_000)),
		on("deep arrays", strings.Repeat("[", 1_000_000)),
		on("strings", "BT "+strings.Repeat("(a)Tj ", 1_000_000)),
		on("one string", "BT ("+strings.Repeat("a", 1_000_000)+")Tj"),
		on("lines", "BT "+strings.Repeat("(a)Tj 1 1 Td ", 400_000)),
		on("arrays of strings", "BT ["+strings.Repeat("(a)1", 400_000)+"]TJ"),
		on("marked content", strings.Repeat("/Span<</ActualText(abc)>>BDC ", 200_000)),
		on("fonts", strings.Repeat("/F 1 Tf ", 500_000)),
		on("infinite numbers", strings.Repeat("+Inf -Inf +Inf +Inf re f nan 1e308 m ", 100_000)),
		{"a bomb", func() []byte { return pageWith("").with(4, stream("/Filter/FlateDecode", testtool.Zeros(64))).bytes() }, whatever},
		{"a content of all streams", func() []byte {
			return pageWith("").with(3, "<</Type/Page/Parent 2 0 R/Contents["+strings.Repeat("4 0 R ", 50_000)+"]>>").bytes()
		}, whatever},
	}
}

func pageShapes() []attack {
	return []attack{
		on("rectangles", strings.Repeat("1 1 9 9 re ", 500_000)+"f"),
		on("fills of the page", strings.Repeat("0 0 140 140 re f 1 1 138 138 re f ", 60_000)),
		on("a path of zigzags", "0 0 m "+strings.Repeat("100 0 l 0 100 l 140 140 l 3 7 l ", 49_000)+"f* "),
		on("zigzags that fill", strings.Repeat("0 0 m "+strings.Repeat("100 0 l 0 100 l 140 140 l 3 7 l ", 100)+"h f ", 480)),
		on("curves", "0 0 m "+strings.Repeat("9 99 140 3 3 140 c ", 90_000)+"f"),
		on("strokes", "0 0 m "+strings.Repeat("1 0 l 1 1 l ", 90_000)+"S"),
		on("scattered", func() string {
			var b strings.Builder
			for i := range 45_000 {
				fmt.Fprintf(&b, "%d %d 1 1 re f ", i%211*4, i/211*4)
			}
			return b.String()
		}()),
		on("a staircase", func() string {
			var b strings.Builder
			for i := range 45_000 {
				fmt.Fprintf(&b, "%d %d 1 1 re f ", 4*i, 4*i)
			}
			return b.String()
		}()),
		on("drawings", func() string {
			var b strings.Builder
			for i := range 40 {
				fmt.Fprintf(&b, "q 1 0 0 1 %d %d cm %s f Q ", i%6*90, i/6*90, strings.Repeat("0 0 9 60 re 15 0 9 60 re 30 0 40 60 re ", 80))
			}
			return b.String()
		}()),
	}
}

func pageImages(t *testing.T) []attack {
	var small bytes.Buffer
	if err := jpeg.Encode(&small, image.NewGray(image.Rect(0, 0, 64, 64)), nil); err != nil {
		t.Fatal(err)
	}
	// The size is in the frame header, five bytes after its marker.
	sized := func(w, h int) string {
		data := bytes.Clone(small.Bytes())
		at := bytes.Index(data, []byte{0xFF, 0xC0}) + 5
		copy(data[at:], []byte{byte(h >> 8), byte(h), byte(w >> 8), byte(w)})
		return string(data)
	}
	of := func(name, dict, data string) attack {
		return attack{name, func() []byte {
			return pageWith("/X Do").with(6, stream("/Subtype/Image/BitsPerComponent 8/ColorSpace/DeviceGray"+dict, data)).bytes()
		}, whatever}
	}
	return []attack{
		of("a large image", "/Width 1000000/Height 1000000", "x"),
		of("a negative image", "/Width -5/Height -5", "x"),
		of("an overflowing image", "/Width 9223372036854775807/Height 9223372036854775807", "x"),
		of("an image bomb", "/Width 2000/Height 2000/Filter/FlateDecode", testtool.Zeros(64)),
		of("the largest image", "/Width 2048/Height 2048/Filter/FlateDecode", flated(strings.Repeat("\x00\xFF", 2<<20))),
		of("a JPEG bomb", "/Width 65000/Height 65000/Filter/DCTDecode", sized(65000, 65000)),
		of("the largest JPEG", "/Width 2048/Height 2048/Filter/DCTDecode", sized(2048, 2048)),
		of("JPEG scans", "/Width 2048/Height 2048/Filter/DCTDecode", scans(2048, 40_000)),
		of("a CCITT bomb", "/Width 2048/Height 2048/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 2048>>", strings.Repeat("\xFF", 1<<20)),
		of("CCITT of zeros", "/Width 2048/Height 2048/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K 0/Columns 2048>>", strings.Repeat("\x00", 1<<20)),
		of("a soft mask of itself", "/Width 50/Height 50/SMask 6 0 R", strings.Repeat("x", 2500)),
		of("a palette of itself", "/Width 50/Height 50/ColorSpace[/Indexed 6 0 R 1 6 0 R]", strings.Repeat("x", 2500)),
		on("inline images", strings.Repeat("BI /W 30 /H 30 /BPC 1 /CS /G ID "+strings.Repeat("x", 120)+" EI ", 20_000)),
		on("an inline image without an end", strings.Repeat("BI /W 30 /H 30 /F /Fl ID ", 200_000)),
		on("an inline image of half EIs", "BI /W 30 /H 30 /F /Fl ID "+strings.Repeat("EI", 1_000_000)),
		{"many images", func() []byte {
			b, do, names := pageWith(""), "", ""
			for i := range 2000 {
				b.with(100+i, stream("/Subtype/Image/Width 300/Height 300/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode", flated(strings.Repeat("x", 90_000))))
				do += fmt.Sprintf("/I%d Do ", i)
				names += fmt.Sprintf("/I%d %d 0 R", i, 100+i)
			}
			return b.with(4, stream("", "BT (text) Tj ET "+do)).with(3, "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<<"+names+">>>>>>").bytes()
		}, whatever},
	}
}

// scans returns a progressive JPEG image with many scans, each of a few bytes.
func scans(side, many int) string {
	out := []byte{0xFF, 0xD8}
	table := append([]byte{0xFF, 0xDB, 0, 67, 0}, bytes.Repeat([]byte{1}, 64)...)
	out = append(out, table...)
	out = append(out, 0xFF, 0xC2, 0, 11, 8, byte(side>>8), byte(side), byte(side>>8), byte(side), 1, 1, 0x11, 0)
	huffman := func(class byte) []byte { // one code, which is 0, for the value 0xE0
		h := make([]byte, 16)
		h[0] = 1
		return append(append([]byte{0xFF, 0xC4, 0, 20, class}, h...), 0)
	}
	out = append(append(out, huffman(0x00)...), huffman(0x10)...)
	for range many {
		out = append(out, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0)
		out = append(out, make([]byte, 8)...)
	}
	return string(append(out, 0xFF, 0xD9))
}

func pageFonts() []attack {
	mapped := func(name, body string) attack {
		return attack{name, func() []byte {
			return pageWith("").with(5, "<</Subtype/Type0/ToUnicode 9 0 R>>").with(9, stream("/Filter/FlateDecode", flated(body))).bytes()
		}, whatever}
	}
	return []attack{
		mapped("a range of all codes", "1 beginbfrange <000000><FFFFFF><0061> endbfrange"),
		mapped("ranges of all codes", "9 beginbfrange "+strings.Repeat("<0000><FFFF><0061>", 100_000)),
		mapped("ranges beyond all codes", "9 beginbfrange "+strings.Repeat("<00000000><FFFFFFFF><0061>", 100_000)),
		mapped("long texts", "9 beginbfchar "+strings.Repeat("<0001><"+strings.Repeat("0061", 2000)+">", 300)),
		mapped("lists", "9 beginbfrange "+strings.Repeat("<0000><FFFF>["+strings.Repeat("<0061>", 1000)+"]", 60)),
		{"differences", func() []byte {
			return pageWith("").with(5, "<</Subtype/Type1/Encoding<</Differences["+strings.Repeat("/one", 90_000)+"]>>>>").bytes()
		}, whatever},
		{"many fonts", func() []byte {
			b, set, names := pageWith(""), "", ""
			b.with(9, stream("/Filter/FlateDecode", flated("1 beginbfrange <0000><0FFF><0061> endbfrange")))
			for i := range 2000 {
				b.with(100+i, "<</Subtype/Type0/ToUnicode 9 0 R>>")
				set += fmt.Sprintf("/I%d 9 Tf (ab) Tj ", i)
				names += fmt.Sprintf("/I%d %d 0 R", i, 100+i)
			}
			return b.with(4, stream("", set)).with(3, "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<<"+names+">>>>>>").bytes()
		}, whatever},
	}
}

func pageObjects(t testing.TB) []attack {
	return []attack{
		{"a form in itself", func() []byte { return pageWith("/X Do").with(6, stream("/Subtype/Form", "/X Do /X Do")).bytes() }, whatever},
		{"forms in forms", func() []byte {
			return pageWith("/X Do").with(6, stream("/Subtype/Form", strings.Repeat("/Y Do ", 1000))).with(7, stream("/Subtype/Form", strings.Repeat("/X Do ", 1000))).bytes()
		}, whatever},
		{"a form that is a bomb", func() []byte {
			return pageWith(strings.Repeat("/X Do ", 1000)).with(6, stream("/Subtype/Form/Filter/FlateDecode", testtool.Zeros(1))).bytes()
		}, whatever},
		{"a large form, often", func() []byte {
			return pageWith(strings.Repeat("/X Do ", 10_000)).with(6, stream("/Subtype/Form", strings.Repeat("0 0 99 99 re f ", 1000))).bytes()
		}, whatever},
		{"many resources", func() []byte {
			return pageWith(strings.Repeat("/Z Do ", 100_000)).with(3, "<</Type/Page/Contents 4 0 R/Resources<</XObject<<"+strings.Repeat("/A 1", 40_000)+">>>>>>").bytes()
		}, whatever},
		{"many categories", func() []byte {
			return pageWith(strings.Repeat("/Z Do ", 100_000)).with(3, "<</Type/Page/Contents 4 0 R/Resources<<"+strings.Repeat("/A 1", 40_000)+">>>>").bytes()
		}, whatever},
		{"one page, often", func() []byte {
			return pageWith("").with(2, "<</Type/Pages/Kids["+strings.Repeat("<</Contents 4 0 R/Resources<<>>>>", 20_000)+"]>>").bytes()
		}, whatever},
		{"pages with drawings", func() []byte {
			s := symbolOf(t, pageCode)
			rects := modules(s, func(x, y int) string { return fmt.Sprintf("%d %d 1 1 re f ", x, y) })
			return pageWith("").with(4, stream("/Filter/FlateDecode", flated("BT (a) Tj ET "+rects))).with(2, "<</Type/Pages/Kids["+strings.Repeat("<</Contents 4 0 R>>", 50)+"]>>").bytes()
		}, whatever},
	}
}

func FuzzReadPages(f *testing.F) {
	f.Add(pageWith("/X Do").with(6, stream("/Subtype/Form", "/Y Do")).with(7, stream("/Subtype/Form", "/X Do")).bytes())
	f.Add(pageWith("").with(5, "<</Subtype/Type0/ToUnicode 9 0 R>>").with(9, stream("", "1 beginbfrange <0000><00FF><0061> endbfrange")).bytes())
	f.Add(pageWith("9 9 m 1 2 3 4 5 6 c 9 9 l h B* /Span<</ActualText(a)>>BDC [(a)-300(b)]TJ EMC").bytes())
	s := symbolOf(f, "AQFh")
	gray := fmt.Sprintf("/Subtype/Image/Width %d/Height %[1]d/ColorSpace[/Indexed/DeviceRGB 1<FFFFEE000011>]/BitsPerComponent 1", s.Size())
	f.Add(pageWith("/X Do").with(6, stream(gray, bits(s, 1, 1, 0))).bytes())
	f.Add(pageWith("2 0 0 2 9 9 cm " + modules(s, func(x, y int) string { return fmt.Sprintf("%d %d 1 1 re f ", x, y) })).bytes())
	f.Add(pageWith(fmt.Sprintf("BI /W %d /H %[1]d /BPC 1 /CS /G ID %s EI", s.Size(), bits(s, 1, 0, 1))).bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		before := string(data)
		pages, err := pdfa.ReadPages(context.Background(), data, pdfa.Limits{Work: 256 << 10, Decoded: 256 << 10, Pixels: 1 << 16})
		if err != nil && !errors.Is(err, pdfa.ErrLimit) && !errors.Is(err, pdfa.ErrMalformed) && !errors.Is(err, pdfa.ErrEncrypted) {
			t.Errorf("got the error %v, want one of the package or none", err)
		}
		for _, p := range pages {
			for _, img := range p.Pictures {
				if size := img.Rect.Size(); size.X < 21 || size.Y < 21 || len(img.Pix) != size.X*size.Y {
					t.Errorf("got a picture of %s with %d pixels", size, len(img.Pix))
				}
			}
		}
		if string(data) != before {
			t.Error("ReadPages changed its input, want it unchanged")
		}
	})
}

// TestReadPagesOfDamage changes random bytes of pages. Nothing may panic, and the
// errors must be those of the package.
func TestReadPagesOfDamage(t *testing.T) {
	s := symbolOf(t, "AQFh")
	random := rand.New(rand.NewPCG(7, 8))
	whole := [][]byte{
		pageWith("2 0 0 2 9 9 cm " + modules(s, func(x, y int) string { return fmt.Sprintf("%d %d 1 1 re f ", x, y) })).bytes(),
		pageWith("/X Do BI /W 21 /H 21 /BPC 1 /CS /G ID "+bits(s, 1, 0, 1)+" EI").with(6, stream("/Subtype/Image/Width 21/Height 21/ColorSpace[/Indexed/DeviceRGB 1<FFFFEE000011>]/BitsPerComponent 1", bits(s, 1, 1, 0))).bytes(),
		pageWith("9 9 m 1 2 3 4 5 6 c 9 9 l h B* /Span<</ActualText(a)>>BDC BT [(a)-300(b)]TJ EMC").with(5, "<</Subtype/Type0/ToUnicode 9 0 R>>").with(9, stream("", "1 beginbfrange <0000><00FF><0061> endbfrange")).bytes(),
		pageWith("/X Do").with(6, stream("/Subtype/Image/Width 205/Height 205/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode", photo(t, s, true))).bytes(),
	}
	for _, data := range whole {
		for range testtool.Scale(100, 400, 20_000) {
			damaged := bytes.Clone(data)
			for range 1 + random.IntN(12) {
				damaged[random.IntN(len(damaged))] = byte(random.IntN(256))
			}
			if random.IntN(4) == 0 {
				damaged = damaged[:random.IntN(len(damaged))]
			}
			_, err := pdfa.ReadPages(context.Background(), damaged, pdfa.Limits{Work: 1 << 20})
			if err != nil && !errors.Is(err, pdfa.ErrLimit) && !errors.Is(err, pdfa.ErrMalformed) && !errors.Is(err, pdfa.ErrEncrypted) {
				t.Fatalf("got the error %v, want one of the package or none: %q", err, damaged)
			}
		}
	}
}
