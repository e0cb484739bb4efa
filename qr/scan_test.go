package qr_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"khatm/internal/testtool"
	"khatm/qr"
)

// picture draws the symbol of a text with its quiet zone.
func picture(t testing.TB, text string, dots, quiet int) *image.Gray {
	t.Helper()
	s, err := qr.NewSymbol(text)
	if err != nil {
		t.Fatal(err)
	}
	side := (s.Size() + 2*quiet) * dots
	out := image.NewGray(image.Rect(0, 0, side, side))
	for i := range out.Pix {
		if !s.Black(i%side/dots-quiet, i/side/dots-quiet) {
			out.Pix[i] = 0xFF
		}
	}
	return out
}

func wantScan(t *testing.T, img *image.Gray, want string) {
	t.Helper()
	got, err := qr.Scan(img)
	if err != nil || got != want {
		t.Errorf("Scan = %.60q, %v; want %.60q", got, err, want)
	}
}

// TestScanReadsEverySize reads symbols of all lengths that Khatm issues, and of the
// largest ones, with one to six pixels a module and with and without a quiet zone.
func TestScanReadsEverySize(t *testing.T) {
	for n, length := range []int{24, 100, 200, 300, 400, len(published), 600, 700, 800, 900, 1000, 2000, 2900} {
		for _, dots := range testtool.Spread([]int{1, 2, 3, 6}, n, 4) {
			for _, quiet := range []int{0, 4} {
				t.Run(fmt.Sprintf("%d characters, %d dots, quiet %d", length, dots, quiet), func(t *testing.T) {
					wantScan(t, picture(t, codeOf(length), dots, quiet), codeOf(length))
				})
			}
		}
	}
}

// TestScanReadsEveryContent encodes random contents and scans their symbols.
func TestScanReadsEveryContent(t *testing.T) {
	word := rapid.StringN(1, -1, 80).Filter(func(s string) bool { return s != "" })
	raw := rapid.SliceOfN(rapid.Byte(), 70, 90)
	rapid.Check(t, func(t *rapid.T) {
		content := qr.Content{SellerName: word.Draw(t, "seller"), VATNumber: "310122393500003", Timestamp: "2026-11-15T09:15:30", Total: "115.00", VATTotal: "15.00"}
		if rapid.Bool().Draw(t, "stamped") {
			content.Hash, content.Signature, content.PublicKey, content.CertificateSignature = word.Draw(t, "hash"), word.Draw(t, "signature"), raw.Draw(t, "key"), raw.Draw(t, "certificate")
		}
		text, err := content.Encode()
		if err != nil {
			t.Fatal(err)
		}
		s, err := qr.NewSymbol(text)
		if err != nil {
			t.Fatal(err)
		}
		img := image.NewGray(image.Rect(0, 0, 3*s.Size(), 3*s.Size()))
		for i := range img.Pix {
			if !s.Black(i%img.Stride/3, i/img.Stride/3) {
				img.Pix[i] = 0xFF
			}
		}
		if got, err := qr.Scan(img); err != nil || got != text {
			t.Fatalf("Scan = %q, %v; want %q", got, err, text)
		}
	})
}

func TestScanReadsOtherPictures(t *testing.T) {
	turned := func(from func(x, y, side int) (int, int)) *image.Gray {
		flat := picture(t, published, 4, 4)
		out := image.NewGray(flat.Rect)
		side := flat.Rect.Dx()
		for y := range side {
			for x := range side {
				a, b := from(x, y, side)
				out.Pix[y*out.Stride+x] = flat.Pix[b*flat.Stride+a]
			}
		}
		return out
	}
	pale := picture(t, published, 4, 4)
	for i, v := range pale.Pix {
		pale.Pix[i] = 150 + v/4
	}
	corner := image.NewGray(image.Rect(0, 0, 1800, 1400))
	for i := range corner.Pix {
		corner.Pix[i] = 0xFF
	}
	small := picture(t, published, 3, 4)
	for y := range small.Rect.Dy() {
		copy(corner.Pix[(y+900)*corner.Stride+1300:], small.Pix[y*small.Stride:][:small.Rect.Dx()])
	}
	noisy := picture(t, published, 6, 4)
	random := rand.New(rand.NewPCG(1, 2))
	for i, v := range noisy.Pix {
		noisy.Pix[i] = byte(20 + int(v)*200/255 + random.IntN(30))
	}
	for name, img := range map[string]*image.Gray{
		"upside down":           turned(func(x, y, side int) (int, int) { return side - 1 - x, side - 1 - y }),
		"a quarter turn":        turned(func(x, y, side int) (int, int) { return y, side - 1 - x }),
		"mirrored":              turned(func(x, y, side int) (int, int) { return side - 1 - x, y }),
		"pale":                  pale,
		"a corner of a picture": corner,
		"noise as of a scan":    noisy,
		"a part of an image":    partOf(corner, image.Rect(1200, 800, 1700, 1300)),
	} {
		t.Run(name, func(t *testing.T) { wantScan(t, img, published) })
	}
}

// partOf returns a part of an image, which shares its pixels.
func partOf(img *image.Gray, r image.Rectangle) *image.Gray {
	return &image.Gray{Pix: img.Pix[img.PixOffset(r.Min.X, r.Min.Y):], Stride: img.Stride, Rect: r}
}

// TestScanOfDamage checks that a damaged symbol is read as it was or not at all.
func TestScanOfDamage(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	read, refused := 0, 0
	for _, percent := range []int{0, 1, 2, 4, 8, 16, 32} {
		for range 6 {
			img := picture(t, published, 4, 4)
			modules := img.Rect.Dx() / 4
			for range modules * modules * percent / 100 {
				x, y := random.IntN(modules), random.IntN(modules)
				for i := range 16 {
					img.Pix[(4*y+i/4)*img.Stride+4*x+i%4] ^= 0xFF
				}
			}
			switch got, err := qr.Scan(img); {
			case err == nil && got == published:
				read++
			case errors.Is(err, qr.ErrNoSymbol):
				refused++
			default:
				t.Errorf("%d%% of the modules changed: Scan = %.60q, %v; want the text or ErrNoSymbol", percent, got, err)
			}
		}
	}
	if read < 6 || refused < 6 {
		t.Errorf("%d symbols were read and %d refused, want at least 6 of each", read, refused)
	}
}

func TestScanRefuses(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	noise := image.NewGray(image.Rect(0, 0, 1000, 1000))
	for i := range noise.Pix {
		noise.Pix[i] = byte(random.IntN(256))
	}
	// Thousands of corner marks, of which the detector would compare every three.
	marks := image.NewGray(image.Rect(0, 0, 2000, 2000))
	for i := range marks.Pix {
		x, y := i%marks.Stride%9-4, i/marks.Stride%9-4
		if ring := max(abs(x), abs(y)); ring == 2 || ring == 4 {
			marks.Pix[i] = 0xFF
		}
	}
	half := picture(t, published, 4, 4)
	for name, img := range map[string]*image.Gray{
		"nothing":       image.NewGray(image.Rectangle{}),
		"one pixel":     image.NewGray(image.Rect(0, 0, 1, 1)),
		"a line":        image.NewGray(image.Rect(0, 0, 1<<20, 1)),
		"black":         image.NewGray(image.Rect(0, 0, 500, 500)),
		"too large":     {Rect: image.Rect(0, 0, 1<<20, 1<<20), Stride: 1 << 20},
		"noise":         noise,
		"marks":         marks,
		"half a symbol": partOf(half, image.Rect(0, 0, half.Rect.Dx(), half.Rect.Dy()/2)),
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := qr.Scan(img); !errors.Is(err, qr.ErrNoSymbol) {
				t.Errorf("Scan = %.60q, %v; want ErrNoSymbol", got, err)
			}
		})
	}
}

func FuzzScan(f *testing.F) {
	s := picture(f, "AQFh", 3, 4)
	f.Add(s.Rect.Dx(), s.Pix)
	f.Add(100, bytes.Repeat([]byte{0, 0xFF, 0, 0, 0, 0xFF, 0}, 1000))
	f.Fuzz(func(t *testing.T, width int, pixels []byte) {
		if width < 1 || width > len(pixels) || len(pixels) > 1<<16 {
			t.Skip()
		}
		img := &image.Gray{Pix: pixels, Stride: width, Rect: image.Rect(0, 0, width, len(pixels)/width)}
		before := string(pixels)
		if text, err := qr.Scan(img); err != nil && !errors.Is(err, qr.ErrNoSymbol) {
			t.Errorf("Scan = %.60q, %v; want a text or ErrNoSymbol", text, err)
		}
		if string(pixels) != before {
			t.Error("Scan changed the image")
		}
	})
}
