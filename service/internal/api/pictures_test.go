package api_test

import (
	"bytes"
	"image/gif"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

// noPictures returns files that are not accepted as pictures, and their errors.
func noPictures(t testing.TB) []struct{ name, content, want string } {
	whole := servicetest.APNG(t)
	return []struct{ name, content, want string }{
		{"an SVG", `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, "A picture must be PNG, JPEG or WebP; this is an SVG or another text in XML or HTML."},
		{"an SVG after a byte order mark and spaces", "\ufeff \n<?xml version=\"1.0\"?><svg/>", "A picture must be PNG, JPEG or WebP; this is an SVG or another text in XML or HTML."},
		{"an HTML page", "<!doctype html><script>alert(1)</script>", "A picture must be PNG, JPEG or WebP; this is an SVG or another text in XML or HTML."},
		{"a GIF", servicetest.Encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, servicetest.Drawing(), nil) }), "A picture must be PNG, JPEG or WebP; this is a GIF."},
		{"a GIF that is a script", "GIF89a/*" + strings.Repeat("x", 40) + "*/=alert(1)", "A picture must be PNG, JPEG or WebP; this is a GIF."},
		{"a PDF with a picture in it", "%PDF-1.7\n" + servicetest.AJPEG(t), "A picture must be PNG, JPEG or WebP; this is a PDF."},
		{"a script that is a JPEG", "\xff\xd8\xff/*" + strings.Repeat("x", 40) + "*/=alert(1)", "The JPEG picture is damaged or incomplete: save it again."},
		{"a program", "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 60), "A picture must be PNG, JPEG or WebP; this is something else."},
		{"nothing", "", "The picture is empty."},
		{"half a PNG", whole[:len(whole)/2], "The PNG picture is damaged or incomplete: save it again."},
		{"a damaged PNG", whole[:60] + "\x55" + whole[61:], "The PNG picture is damaged or incomplete: save it again."},
		{"a picture of too many pixels", servicetest.VastPNG(), "The picture has 60000 × 60000 pixels: make it smaller, at most 10000 on a side and 25000000 in all."},
		{"a picture of too many bytes", whole + strings.Repeat("\x00", 2<<20), "The picture has " + servicetest.Number(len(whole)+2<<20).String() + " bytes: make it smaller, at most 2097152."},
	}
}
