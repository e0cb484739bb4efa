package paper_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"sync"
	"testing"

	"khatm/paper"
	"khatm/sample"
)

// mark returns a PNG image of a ring.
func mark(t *testing.T, width, height int) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			dx, dy := x-height/2, y-height/2
			if d := dx*dx + dy*dy; d < height*height/5 && d > height*height/10 {
				img.Set(x, y, color.NRGBA{G: 0x6c, B: 0x5c, A: 0xff})
			}
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// photograph returns a JPEG image with many colours.
func photograph(t *testing.T, width, height int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.Set(x, y, color.RGBA{R: uint8(x * 255 / width), G: uint8(y * 255 / height), B: uint8((x * y) % 251), A: 0xff})
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestPhotograph checks that a logo with many colours is embedded as JPEG.
func TestPhotograph(t *testing.T) {
	logo, err := press(t).Logo(photograph(t, 300, 200))
	if err != nil {
		t.Fatal(err)
	}
	for _, on := range papers {
		pdf := draw(t, sealed(t, sample.Invoice()).XML, paper.Options{Logo: logo, Paper: on})
		if got := bytes.Count(pdf, []byte("/DCTDecode")); got != 1 {
			t.Errorf("%s: got %d JPEG images, want 1", on, got)
		}
	}
}

// TestLogo draws logos of several shapes and checks that each is in the file once.
func TestLogo(t *testing.T) {
	document := sealed(t, sample.Invoice()).XML
	for _, size := range []image.Point{{1, 1}, {400, 120}, {120, 400}, {2000, 20}} {
		logo, err := press(t).Logo(mark(t, size.X, size.Y))
		if err != nil {
			t.Fatal(err)
		}
		for _, on := range papers {
			pdf := draw(t, document, paper.Options{Logo: logo, Paper: on})
			if got := bytes.Count(pdf, []byte("/Subtype/Image")); got != 1 {
				t.Errorf("%v on %s: got %d images, want 1", size, on, got)
			}
		}
	}
	if _, err := press(t).Logo([]byte("GIF89a")); err == nil {
		t.Error("Logo accepted an image that is neither PNG nor JPEG, want an error")
	}
}

// TestDrawConcurrently checks that concurrent calls of Draw return the same bytes.
func TestDrawConcurrently(t *testing.T) {
	document := sealed(t, sample.Simplified()).XML
	want := draw(t, document, paper.Options{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			got, err := press(t).Draw(document, paper.Options{})
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("concurrent Draw returned %d bytes, %v; want the %d bytes of the first call", len(got), err, len(want))
			}
		})
	}
	group.Wait()
}
