package pdfa_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"golang.org/x/image/tiff"
)

func TestDecodeImage(t *testing.T) {
	picture := func(w, h int) image.Image {
		m := image.NewNRGBA(image.Rect(3, 5, 3+w, 5+h))
		for x := range w {
			m.Set(3+x, 5+x%h, color.NRGBA{uint8(x), 99, 7, uint8(200 - x%50)})
		}
		return m
	}
	asPNG := func(m image.Image) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	asJPEG := func(m image.Image) []byte {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, m, nil); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	asTIFF := func(m image.Image) []byte {
		var b bytes.Buffer
		if err := tiff.Encode(&b, m, nil); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	huge := asPNG(image.NewGray(image.Rect(0, 0, 5000, 5000)))
	cases := map[string]struct {
		data []byte
		w, h int // 0 if an error is expected
	}{
		"png":             {asPNG(picture(40, 30)), 40, 30},
		"jpeg":            {asJPEG(picture(40, 30)), 40, 30},
		"scaled down":     {asPNG(picture(2400, 600)), 1200, 300},
		"thin":            {asPNG(picture(3000, 1)), 1200, 1},
		"too many pixels": {huge, 0, 0},
		"too many bytes":  {make([]byte, 9<<20), 0, 0},
		"not an image":    {[]byte("GIF89a nothing"), 0, 0},
		"another format":  {asTIFF(picture(40, 30)), 0, 0},
		"truncated":       {asPNG(picture(40, 30))[:60], 0, 0},
		"nothing":         {nil, 0, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			i, err := testFonts(t).DecodeImage(c.data)
			if c.w == 0 {
				if err == nil {
					t.Error("DecodeImage succeeded, want an error")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if w, h := i.Size(); w != c.w || h != c.h {
				t.Errorf("got %d by %d, want %d by %d", w, h, c.w, c.h)
			}
		})
	}
}
