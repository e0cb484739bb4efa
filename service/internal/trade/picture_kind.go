package trade

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"

	"khatm/service/internal/fault"
)

// kind is a picture format.
type kind struct {
	name   string
	lossy  bool
	begins func(data []byte) bool
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
	// weight returns the maximum bytes of memory per pixel while decoding.
	weight func(model color.Model, data []byte) (int, error)
}

var kinds = []kind{
	{"PNG", false, prefix("\x89PNG\r\n\x1a\n"), png.DecodeConfig, png.Decode, pngWeight},
	{"JPEG", true, prefix("\xff\xd8\xff"), jpeg.DecodeConfig, jpeg.Decode, jpegWeight},
	{"WebP", false, isWebP, webp.DecodeConfig, webp.Decode, webpWeight},
}

// strangers are other formats that people upload, named in the error. SVG can
// contain scripts and is never accepted.
var strangers = []struct{ name, begins string }{
	{"a GIF", "GIF8"},
	{"an SVG or another text in XML or HTML", "<"},
	{"a PDF", "%PDF"},
	{"a ZIP archive", "PK"},
	{"a BMP", "BM"},
	{"a TIFF", "II*\x00"},
	{"a TIFF", "MM\x00*"},
}

// kindOf detects the format from the first bytes, not from the file name or
// media type.
func kindOf(data []byte) (kind, error) {
	switch {
	case len(data) == 0:
		return kind{}, fault.New(fault.InvalidPicture, "The picture is empty.").Arabic("ملف الصورة فارغ.")
	case len(data) > MaxPicture:
		return kind{}, fault.New(fault.InvalidPicture, "The picture has %d bytes: make it smaller, at most %d.", len(data), MaxPicture).Arabic("حجم الصورة %d بايت. صغّرها إلى %d بايت على الأكثر.", len(data), MaxPicture)
	}
	for _, k := range kinds {
		if k.begins(data) {
			return k, nil
		}
	}
	found := "something else"
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	for _, s := range strangers {
		if bytes.HasPrefix(text, []byte(s.begins)) {
			found = s.name
			break
		}
	}
	return kind{}, fault.New(fault.InvalidPicture, "A picture must be PNG, JPEG or WebP; this is %s.", found).Arabic("يجب أن تكون الصورة بصيغة PNG أو JPEG أو WebP.")
}

func prefix(magic string) func([]byte) bool {
	return func(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }
}

func isWebP(data []byte) bool {
	return len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP"
}

// pngWeight returns the bytes of memory per pixel, including the temporary copy
// that the encoder makes of 16-bit pixels.
func pngWeight(model color.Model, _ []byte) (int, error) {
	if model == color.NRGBA64Model || model == color.RGBA64Model {
		return 16, nil
	}
	return 4, nil
}

// webpWeight returns the bytes of memory per pixel, including the separate
// picture for transparency and the second copy of a lossless picture.
func webpWeight(model color.Model, _ []byte) (int, error) {
	switch model {
	case color.YCbCrModel:
		return 2, nil
	case color.NRGBAModel:
		return 8, nil
	}
	return 10, nil
}
