package service_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"strings"
	"testing"
)

// drawing is a picture with some pixels in it.
func drawing() image.Image {
	pixels := image.NewNRGBA(image.Rect(0, 0, 24, 16))
	for x := range 24 {
		for y := range 16 {
			pixels.SetNRGBA(x, y, color.NRGBA{R: uint8(10 * x), G: uint8(15 * y), B: 90, A: 255})
		}
	}
	return pixels
}

func encoded(t testing.TB, as func(*bytes.Buffer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := as(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func aPNG(t testing.TB) string {
	return encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, drawing()) })
}

func aJPEG(t testing.TB) string {
	return encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, drawing(), nil) })
}

func aWebP(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("internal/trade/testdata/opaque.webp")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// vastPNG claims more pixels than anybody has, in a few bytes.
func vastPNG() string {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), 60_000), 60_000)
	head = append(head, 8, 6, 0, 0, 0)
	out := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), uint32(len(head)-4))
	return string(binary.BigEndian.AppendUint32(append(out, head...), crc32.ChecksumIEEE(head)))
}

// noPictures are files that are no picture we take, and what is said of each.
func noPictures(t testing.TB) []struct{ name, content, want string } {
	whole := aPNG(t)
	return []struct{ name, content, want string }{
		{"an SVG", `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, "A picture must be PNG, JPEG or WebP; this is an SVG or another text in XML or HTML."},
		{"an SVG behind a mark and blanks", "\ufeff \n<?xml version=\"1.0\"?><svg/>", "A picture must be PNG, JPEG or WebP; this is an SVG or another text in XML or HTML."},
		{"a page", "<!doctype html><script>alert(1)</script>", "A picture must be PNG, JPEG or WebP; this is an SVG or another text in XML or HTML."},
		{"a GIF", encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, drawing(), nil) }), "A picture must be PNG, JPEG or WebP; this is a GIF."},
		{"a GIF that is a script", "GIF89a/*" + strings.Repeat("x", 40) + "*/=alert(1)", "A picture must be PNG, JPEG or WebP; this is a GIF."},
		{"a PDF with a picture in it", "%PDF-1.7\n" + aJPEG(t), "A picture must be PNG, JPEG or WebP; this is a PDF."},
		{"a script that is a JPEG", "\xff\xd8\xff/*" + strings.Repeat("x", 40) + "*/=alert(1)", "The JPEG picture is damaged or incomplete: save it again."},
		{"a program", "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 60), "A picture must be PNG, JPEG or WebP; this is something else."},
		{"nothing", "", "The picture is empty."},
		{"half a PNG", whole[:len(whole)/2], "The PNG picture is damaged or incomplete: save it again."},
		{"a spoilt PNG", whole[:60] + "\x55" + whole[61:], "The PNG picture is damaged or incomplete: save it again."},
		{"a vast one", vastPNG(), "The picture has 60000 × 60000 pixels: make it smaller, at most 10000 on a side and 25000000 in all."},
		{"one of many bytes", whole + strings.Repeat("\x00", 2<<20), "The picture has " + number(len(whole)+2<<20).String() + " bytes: make it smaller, at most 2097152."},
	}
}
