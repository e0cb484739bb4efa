package trade

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"

	"khatm/service/internal/fault"
)

// MaxPicture is how many bytes a picture may have when it is handed in.
const MaxPicture = 2 << 20

// Bounds of what is decoded. A file of a few kilobytes can claim any size, so
// they are asked before a pixel is read.
const (
	maxSide    = 10_000      // pixels
	maxPixels  = 25_000_000  // in all
	maxDecoded = 200_000_000 // bytes of memory; only what is stored extravagantly gets there
	maxClean   = 8 << 20     // bytes of the clean copy
)

// quality of a clean JPEG: a second compression that nobody sees.
const quality = 85

// Picture is a logo or the picture of an item, as it may be kept and shown.
type Picture struct {
	Type          string // of its content: image/png or image/jpeg
	Bytes         []byte
	Width, Height int
}

// Clean reads a PNG, JPEG or WebP picture, whatever its name said, and writes
// it anew: only the pixels stay. Where and when it was taken, and whatever was
// hidden in the file or behind its end, is gone; so are the colour profile and
// the note of a camera that it was held on its side. WebP becomes JPEG or PNG,
// which every reader of a PDF knows. Anything else is refused as fault.Invalid.
//
// It may take as much memory as maxDecoded says and a second or two: whoever
// calls it for strangers lets few in at a time.
func Clean(data []byte) (Picture, error) {
	kind, err := kindOf(data)
	if err != nil {
		return Picture{}, err
	}
	head, err := kind.config(bytes.NewReader(data))
	if err != nil {
		return Picture{}, damaged(kind, err)
	}
	if err := affordable(kind, head, data); err != nil {
		return Picture{}, err
	}
	pixels, err := kind.decode(bytes.NewReader(data))
	if err != nil {
		return Picture{}, damaged(kind, err)
	}
	return encode(pixels, kind.lossy || pixels.ColorModel() == color.YCbCrModel)
}

func damaged(k kind, cause error) error {
	err := fault.New(fault.Invalid, "The %s picture is damaged or incomplete: save it again.", k.name)
	err.Cause = cause
	return err
}

// affordable refuses a picture by what its head promises.
func affordable(k kind, head image.Config, data []byte) error {
	w, h := head.Width, head.Height
	if w <= 0 || h <= 0 {
		return damaged(k, errors.New("no pixels"))
	}
	if w > maxSide || h > maxSide || w*h > maxPixels {
		return fault.New(fault.Invalid, "The picture has %d × %d pixels: make it smaller, at most %d on a side and %d in all.", w, h, maxSide, maxPixels)
	}
	weight, err := k.weight(head.ColorModel, data)
	if err != nil {
		return damaged(k, err)
	}
	if w*h*weight > maxDecoded {
		return fault.New(fault.Invalid, "The picture has %d × %d pixels, too many for how it is stored: make it smaller, or save it as a plain (not progressive) JPEG.", w, h)
	}
	return nil
}

// encode writes photographs as JPEG and drawings as PNG.
func encode(pixels image.Image, photograph bool) (Picture, error) {
	size := pixels.Bounds().Size()
	p := Picture{Type: "image/png", Width: size.X, Height: size.Y}
	out := &bounded{}
	var err error
	if photograph {
		p.Type = "image/jpeg"
		err = jpeg.Encode(out, pixels, &jpeg.Options{Quality: quality})
	} else {
		err = png.Encode(out, pixels)
	}
	if err != nil {
		// Only the bound makes an encoder fail.
		refusal := fault.New(fault.Invalid, "The picture is too large once it is cleaned: make it smaller.")
		refusal.Cause = err
		return Picture{}, refusal
	}
	p.Bytes = out.Bytes()
	return p, nil
}

// bounded is a buffer that does not grow beyond maxClean.
type bounded struct{ bytes.Buffer }

var errTooLarge = errors.New("the clean copy is too large")

func (b *bounded) Write(data []byte) (int, error) {
	if b.Len()+len(data) > maxClean {
		return 0, errTooLarge
	}
	return b.Buffer.Write(data)
}
