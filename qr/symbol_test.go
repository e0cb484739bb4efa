package qr_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os/exec"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/qr"
)

// codeOf returns a text like that of a code, with the given length.
func codeOf(length int) string {
	return strings.Repeat(published, length/len(published)+1)[:length]
}

func TestSymbolSize(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       int
	}{
		{"one letter", "a", 21},
		{"published code", published, 77},
		{"700 characters", codeOf(700), 89},
		{"all 1,000 the authority allows", codeOf(1000), 105},
		{"the largest", codeOf(2953), 177},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := qr.NewSymbol(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if s.Size() != test.want {
				t.Errorf("got %d modules, want %d", s.Size(), test.want)
			}
		})
	}
}

func TestSymbolRefuses(t *testing.T) {
	for name, text := range map[string]string{"nothing": "", "too much": codeOf(2954)} {
		if s, err := qr.NewSymbol(text); err == nil {
			t.Errorf("%s: got a symbol of %d modules, want an error", name, s.Size())
		}
	}
}

func TestSymbolPatterns(t *testing.T) {
	s, err := qr.NewSymbol(codeOf(700))
	if err != nil {
		t.Fatal(err)
	}
	far := s.Size() - 7
	for _, corner := range [][2]int{{0, 0}, {far, 0}, {0, far}} {
		checkFinder(t, s, corner[0], corner[1])
	}
	for i := 8; i < s.Size()-8; i++ {
		if want := i%2 == 0; s.Black(i, 6) != want || s.Black(6, i) != want {
			t.Fatalf("timing pattern at %d: black = %t and %t, want %t", i, s.Black(i, 6), s.Black(6, i), want)
		}
	}
	if !s.Black(8, s.Size()-8) {
		t.Error("the dark module is white, want black")
	}
	for _, outside := range [][2]int{{-1, 0}, {0, -1}, {s.Size(), 0}, {0, s.Size()}} {
		if s.Black(outside[0], outside[1]) {
			t.Errorf("the module at %v, outside of the symbol, is black, want white", outside)
		}
	}
}

// checkFinder checks a finder pattern and the white line around it.
func checkFinder(t *testing.T, s *qr.Symbol, left, top int) {
	t.Helper()
	for y := -1; y <= 7; y++ {
		for x := -1; x <= 7; x++ {
			ring := max(abs(x-3), abs(y-3)) // 0 is the center, 4 the white line
			want := ring <= 1 || ring == 3
			if got := s.Black(left+x, top+y); got != want {
				t.Fatalf("finder at %d,%d: module %d,%d: black = %t, want %t", left, top, x, y, got, want)
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

// TestSymbolIsRead reads the symbol with zbarimg, at three dots a module as on a
// receipt.
func TestSymbolIsRead(t *testing.T) {
	scanner := testtool.Path(t, "zbarimg")
	for _, length := range []int{1, 100, len(published), 700, 1000, 2953} {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			text := codeOf(length)
			s, err := qr.NewSymbol(text)
			if err != nil {
				t.Fatal(err)
			}
			scan := exec.Command(scanner, "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "png:-")
			scan.Stdin = bytes.NewReader(draw(t, s, 3))
			got, err := scan.Output()
			if err != nil {
				t.Fatal(err)
			}
			if strings.TrimSuffix(string(got), "\n") != text {
				t.Errorf("zbarimg read %q, want %q", got, text)
			}
		})
	}
}

// draw returns a PNG of the symbol with its quiet zone.
func draw(t *testing.T, s *qr.Symbol, dots int) []byte {
	t.Helper()
	const quiet = 4
	side := (s.Size() + 2*quiet) * dots
	picture := image.NewGray(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			shade := color.Gray{Y: 0xff}
			if s.Black(x/dots-quiet, y/dots-quiet) {
				shade.Y = 0
			}
			picture.SetGray(x, y, shade)
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func ExampleNewSymbol() {
	s, err := qr.NewSymbol("khatm")
	if err != nil {
		fmt.Println(err)
		return
	}
	for y := range 7 {
		for x := range 7 {
			fmt.Print(map[bool]string{true: "#", false: "."}[s.Black(x, y)])
		}
		fmt.Println()
	}
	fmt.Println(s.Size())
	// Output:
	// #######
	// #.....#
	// #.###.#
	// #.###.#
	// #.###.#
	// #.....#
	// #######
	// 21
}

func BenchmarkNewSymbol(b *testing.B) {
	text := codeOf(700)
	for b.Loop() {
		if _, err := qr.NewSymbol(text); err != nil {
			b.Fatal(err)
		}
	}
}
