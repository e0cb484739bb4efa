package qr

import (
	"errors"
	"fmt"
	"image"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode/decoder"
	"github.com/makiuchi-d/gozxing/qrcode/detector"
)

// Limits of Scan. The detector compares every three of the marks that look like
// the corner of a symbol, so that their number must be small.
const (
	maxPixels = 4 << 20
	maxMarks  = 200
	minSide   = 21  // modules of the smallest symbol
	smallSide = 480 // images with a smaller side are magnified
)

// ErrNoSymbol means that an image shows no QR symbol that can be read.
var ErrNoSymbol = errors.New("no readable QR symbol")

// Scan returns the text of the QR symbol in an image. The symbol may be rotated
// or mirrored, may have another shade than black on white, and needs no quiet
// zone. The error is ErrNoSymbol if the image shows no symbol, if the symbol is
// damaged more than its error correction allows, or if the image has more than
// 4,194,304 pixels. Memory and time are bounded for any image.
func Scan(img *image.Gray) (string, error) {
	size := img.Rect.Size()
	if size.X < minSide || size.Y < minSide || size.X > maxPixels/size.Y {
		return "", fmt.Errorf("%w: the image has %d by %d pixels", ErrNoSymbol, size.X, size.Y)
	}
	flat := magnified(img)
	text, err := read(flat, byThreshold)
	if err == nil || shades(img) <= 2 { // the other method gives the same matrix
		return text, err
	}
	return read(flat, byNeighbours)
}

// tooManyMarks is the panic that stops the detector.
type tooManyMarks struct{}

// read finds and decodes the symbol in an image, which the binarizer converts to
// black and white. The decoder can panic on a damaged symbol; that is an error
// like any other.
func read(img *image.Gray, binarizer func(*image.Gray) (*gozxing.BitMatrix, error)) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			text, err = "", fmt.Errorf("%w: %v", ErrNoSymbol, r)
		}
	}()
	bits, err := binarizer(img)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoSymbol, err)
	}
	if g, err := newGrid(bits); err == nil {
		if text, err := decode(g.modules()); err == nil {
			return text, nil
		}
	}
	return decode(detect(bits))
}

// detect returns the modules of a symbol that is anywhere in a matrix.
func detect(bits *gozxing.BitMatrix) (*gozxing.BitMatrix, error) {
	marks := 0
	found, err := detector.NewDetector(bits).Detect(map[gozxing.DecodeHintType]any{
		gozxing.DecodeHintType_TRY_HARDER: true,
		gozxing.DecodeHintType_NEED_RESULT_POINT_CALLBACK: gozxing.ResultPointCallback(func(gozxing.ResultPoint) {
			if marks++; marks > maxMarks {
				panic(tooManyMarks{})
			}
		}),
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoSymbol, err)
	}
	return found.GetBits(), nil
}

// decode returns the text of the modules of a symbol.
func decode(modules *gozxing.BitMatrix, err error) (string, error) {
	if err != nil {
		return "", err
	}
	out, err := decoder.NewDecoder().Decode(modules, nil)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoSymbol, err)
	}
	return out.GetText(), nil
}

// magnified returns the image with a white margin. A small image is repeated in
// both directions by a whole number, because the detector needs several pixels
// per module.
func magnified(img *image.Gray) *image.Gray {
	size := img.Rect.Size()
	times := max(1, smallSide/max(size.X, size.Y))
	margin := times * max(size.X, size.Y) / 16
	out := image.NewGray(image.Rect(0, 0, times*size.X+2*margin, times*size.Y+2*margin))
	for i := range out.Pix {
		out.Pix[i] = 0xFF
	}
	for y := range times * size.Y {
		from := img.Pix[y/times*img.Stride:][:size.X]
		to := out.Pix[(y+margin)*out.Stride+margin:]
		for x, v := range from {
			for i := range times {
				to[x*times+i] = v
			}
		}
	}
	return out
}

// byThreshold divides the pixels at the middle between the darkest and the
// lightest, which suits drawings.
func byThreshold(img *image.Gray) (*gozxing.BitMatrix, error) {
	size := img.Rect.Size()
	darkest := byte(0xFF)
	for _, v := range img.Pix {
		darkest = min(darkest, v)
	}
	middle := byte((int(darkest) + 0xFF) / 2)
	bits, err := gozxing.NewBitMatrix(size.X, size.Y)
	if err != nil {
		return nil, fmt.Errorf("create a matrix: %w", err)
	}
	for y := range size.Y {
		for x, v := range img.Pix[y*img.Stride:][:size.X] {
			if v < middle {
				bits.Set(x, y)
			}
		}
	}
	return bits, nil
}

// byNeighbours compares the pixels with those around them, which suits scans.
func byNeighbours(img *image.Gray) (*gozxing.BitMatrix, error) {
	size := img.Rect.Size()
	source, err := gozxing.NewPlanarYUVLuminanceSource(img.Pix, img.Stride, size.Y, 0, 0, size.X, size.Y, false)
	if err != nil {
		return nil, fmt.Errorf("read the pixels: %w", err)
	}
	bits, err := gozxing.NewHybridBinarizer(source).GetBlackMatrix()
	if err != nil {
		return nil, fmt.Errorf("find black pixels: %w", err)
	}
	return bits, nil
}

// shades returns the number of different values of the pixels, at most 3.
func shades(img *image.Gray) int {
	var seen [256]bool
	many := 0
	for y := range img.Rect.Dy() {
		for _, v := range img.Pix[y*img.Stride:][:img.Rect.Dx()] {
			if seen[v] {
				continue
			}
			seen[v] = true
			if many++; many == 3 {
				return many
			}
		}
	}
	return many
}
