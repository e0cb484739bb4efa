package trade_test

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/trade"
)

// drawing returns a small picture with the given transparency.
func drawing(alpha uint8) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 24, 16))
	for i := range 24 * 16 {
		img.SetNRGBA(i%24, i/24, color.NRGBA{R: uint8(10 * (i % 24)), G: uint8(15 * (i / 24)), B: 90, A: alpha})
	}
	return img
}

func pngOf(t testing.TB, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func jpegOf(t testing.TB, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gifOf(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := gif.Encode(&out, drawing(255), nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestInterface_4_3_PicturesAreWrittenAnew(t *testing.T) {
	gray := image.NewGray(image.Rect(0, 0, 24, 16))
	palette := image.NewPaletted(image.Rect(0, 0, 24, 16), color.Palette{color.Transparent, color.Black})
	deep := image.NewNRGBA64(image.Rect(0, 0, 24, 16))
	photo := jpegOf(t, drawing(255))
	cases := []struct {
		name string
		data []byte
		want string
	}{
		{"PNG", pngOf(t, drawing(255)), "image/png"},
		{"transparent PNG", pngOf(t, drawing(90)), "image/png"},
		{"PNG with a palette", pngOf(t, palette), "image/png"},
		{"gray PNG", pngOf(t, gray), "image/png"},
		{"PNG of 16 bits", pngOf(t, deep), "image/png"},
		{"JPEG", photo, "image/jpeg"},
		{"JPEG with idle markers", append([]byte("\xff\xd8\xff\xff\xff\xd0"), photo[2:]...), "image/jpeg"},
		{"gray JPEG", jpegOf(t, gray), "image/jpeg"},
		{"progressive JPEG", progressive(24, 16, 1), "image/jpeg"},
		{"WebP photograph", file(t, "opaque.webp"), "image/jpeg"},
		{"transparent WebP", file(t, "transparent.webp"), "image/png"},
		{"lossless WebP", file(t, "lossless.webp"), "image/png"},
		{"WebP of one colour", losslessWebP(24, 16), "image/png"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := trade.Clean(c.data)
			if err != nil {
				t.Fatal(err)
			}
			if got.Type != c.want || got.Width != 24 || got.Height != 16 {
				t.Errorf("cleaned copy is %s of %d × %d, want %s of 24 × 16", got.Type, got.Width, got.Height, c.want)
			}
			img, format, err := image.Decode(bytes.NewReader(got.Bytes))
			if err != nil || "image/"+format != got.Type || img.Bounds().Dx() != 24 {
				t.Errorf("the cleaned copy decodes as %s, %v; want %s", format, err, got.Type)
			}
			again, err := trade.Clean(got.Bytes)
			if err != nil || again.Type != got.Type {
				t.Errorf("cleaned again, the copy is %s, %v; want %s", again.Type, err, got.Type)
			}
		})
	}
}

func TestDecodedBytes(t *testing.T) {
	plain, deep := pngOf(t, image.NewNRGBA(image.Rect(0, 0, 300, 200))), pngOf(t, image.NewNRGBA64(image.Rect(0, 0, 300, 200)))
	for _, c := range []struct {
		name string
		data []byte
		want int64
	}{
		{"PNG", plain, 300 * 200 * 4},
		{"PNG of 16 bits", deep, 300 * 200 * 8},
		{"no picture", []byte("no picture"), 10},
		{"damaged PNG", plain[:20], 20},
		{"too many pixels", progressive(10_001, 1, 1), int64(len(progressive(10_001, 1, 1)))},
	} {
		if got := trade.DecodedBytes(c.data); got < c.want || got > 2*c.want {
			t.Errorf("%s needs %d bytes, want %d to %d", c.name, got, c.want, 2*c.want)
		}
	}
}

func TestInterface_4_3_PixelsOfAPNGStay(t *testing.T) {
	for _, alpha := range []uint8{255, 90} {
		want := drawing(alpha)
		got, err := trade.Clean(pngOf(t, want))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(got.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 24 * 16 {
			x, y := i%24, i/24
			if c := color.NRGBAModel.Convert(img.At(x, y)); c != want.At(x, y) {
				t.Fatalf("pixel %d,%d is %v, want %v", x, y, c, want.At(x, y))
			}
		}
	}
}

func TestInterface_4_3_PicturesRefused(t *testing.T) {
	whole, photo := pngOf(t, drawing(255)), jpegOf(t, drawing(255))
	webp := file(t, "opaque.webp")
	cases := []struct {
		name string
		data []byte
		want string // part of the error
	}{
		{"empty", nil, "empty"},
		{"too many bytes", append(bytes.Clone(whole), make([]byte, trade.MaxPicture)...), "at most 2097152"},
		{"GIF", gifOf(t), "a GIF"},
		{"SVG with a script", []byte("\ufeff <?xml version=\"1.0\"?><svg><script>alert(1)</script></svg>"), "an SVG"},
		{"HTML", []byte("\n<html>"), "HTML"},
		{"PDF", []byte("%PDF-1.7"), "a PDF"},
		{"text", []byte("buyer_name"), "something else"},
		{"GIF with a JPEG after its header", append([]byte("GIF89a"), photo...), "a GIF"},
		{"truncated PNG", whole[:len(whole)-20], "PNG picture is damaged"},
		{"PNG without its end", whole[:len(whole)-12], "PNG picture is damaged"},
		{"PNG header only", whole[:33], "PNG picture is damaged"},
		{"PNG with a changed byte", changed(whole, len(whole)/2), "PNG picture is damaged"},
		{"truncated JPEG", photo[:len(photo)/2], "JPEG picture is damaged"},
		{"JPEG without its end", photo[:len(photo)-2], "JPEG picture is damaged"},
		{"JPEG header only", photo[:3], "JPEG picture is damaged"},
		{"JPEG with stray bytes before its frame", append([]byte("\xff\xd8\xff\xfe\x00\x02stray"), photo[2:]...), "JPEG picture is damaged"},
		{"truncated WebP", webp[:len(webp)-40], "WebP picture is damaged"},
		{"WebP header only", webp[:12], "WebP picture is damaged"},
		{"PNG of 30,000 × 30,000", pngHead(30_000, 30_000, 8, 6), "30000 × 30000 pixels"},
		{"PNG with a side that is too long", pngHead(10_001, 1, 8, 6), "at most 10000 on a side"},
		{"PNG of too many pixels", pngHead(10_000, 2_501, 8, 6), "25000000 in all"},
		{"PNG of no width", pngHead(0, 1, 8, 6), "PNG picture is damaged"},
		{"JPEG of 60,000 × 60,000", progressive(60_000, 60_000, 1)[:1000], "60000 × 60000 pixels"},
		{"WebP of 16,384 × 16,384", losslessWebP(16_384, 16_384), "16384 × 16384 pixels"},
		{"PNG of 25 megapixels and 16 bits", pngHead(5_000, 5_000, 16, 6), "too many for how it is stored"},
		{"transparent WebP of 25 megapixels", webpHead(5_000, 5_000), "too many for how it is stored"},
		{"progressive JPEG of 25 megapixels", progressive(5_000, 5_000, 1), "not progressive"},
		{"JPEG refined too often", progressive(64, 64, 101), "JPEG picture is damaged"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := trade.Clean(c.data)
			if err == nil {
				t.Fatalf("Clean accepted the data as %s, want an error", got.Type)
			}
			if fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Clean = %v, want an error with %q", err, c.want)
			}
		})
	}
}
