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

// MaxPicture is the maximum size of an uploaded picture in bytes.
const MaxPicture = 2 << 20

// Limits of decoding. They are checked against the header before any pixel is
// read, because a small file can claim any size.
const (
	maxSide    = 10_000      // pixels
	maxPixels  = 25_000_000  // in total
	maxDecoded = 200_000_000 // bytes of memory; only wasteful encodings reach it
	maxClean   = 8 << 20     // bytes of the clean copy
)

// quality is the JPEG quality of a cleaned picture; the recompression is not
// visible.
const quality = 85

// Picture is a cleaned logo or item picture.
type Picture struct {
	Type          string // media type: image/png or image/jpeg
	Bytes         []byte
	Width, Height int
}

// Clean decodes a PNG, JPEG or WebP picture and encodes it again, so that only
// the pixels remain: metadata such as location and time, hidden data, the
// colour profile and the camera orientation are dropped. The format is detected
// from the content, not from the file name. WebP becomes JPEG or PNG, which all
// PDF readers support. For any other data Clean returns an error of kind
// fault.Invalid.
//
// Clean may use up to maxDecoded bytes of memory (see DecodedBytes) and a second or
// two, so callers should limit how many run at a time.
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

// DecodedBytes returns how much memory Clean needs for a picture, at least its
// size and at most maxDecoded. It reads only the header.
func DecodedBytes(data []byte) int64 {
	least := int64(len(data))
	kind, err := kindOf(data)
	if err != nil {
		return least
	}
	head, err := kind.config(bytes.NewReader(data))
	if err != nil || affordable(kind, head, data) != nil {
		return least // Clean refuses it
	}
	weight, err := kind.weight(head.ColorModel, data)
	if err != nil {
		return least
	}
	return max(least, int64(head.Width*head.Height*weight))
}

func damaged(k kind, cause error) error {
	err := fault.New(fault.InvalidPicture, "The %s picture is damaged or incomplete: save it again.", k.name).Arabic("صورة %s تالفة أو غير مكتملة. احفظها مرة أخرى.", k.name)
	err.Cause = cause
	return err
}

// affordable refuses a picture whose header exceeds the limits.
func affordable(k kind, head image.Config, data []byte) error {
	w, h := head.Width, head.Height
	if w <= 0 || h <= 0 {
		return damaged(k, errors.New("no pixels"))
	}
	if w > maxSide || h > maxSide || w*h > maxPixels {
		return fault.New(fault.InvalidPicture, "The picture has %d × %d pixels: make it smaller, at most %d on a side and %d in all.", w, h, maxSide, maxPixels).
			Arabic("أبعاد الصورة %d × %d بكسل. صغّرها بحيث لا يزيد أي ضلع على %d بكسل، ولا يزيد عدد البكسلات على %d.", w, h, maxSide, maxPixels)
	}
	weight, err := k.weight(head.ColorModel, data)
	if err != nil {
		return damaged(k, err)
	}
	if w*h*weight > maxDecoded {
		return fault.New(fault.InvalidPicture, "The picture has %d × %d pixels, too many for how it is stored: make it smaller, or save it as a plain (not progressive) JPEG.", w, h).
			Arabic("أبعاد الصورة %d × %d بكسل، وهي كبيرة لطريقة حفظها. صغّرها، أو احفظها بصيغة JPEG عادية غير متدرجة.", w, h)
	}
	return nil
}

// encode writes photographs as JPEG and other pictures as PNG.
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
		// Only the size limit makes an encoder fail.
		refusal := fault.New(fault.InvalidPicture, "The picture is too large once it is cleaned: make it smaller.").Arabic("الصورة كبيرة. صغّرها.")
		refusal.Cause = err
		return Picture{}, refusal
	}
	p.Bytes = out.Bytes()
	return p, nil
}

// bounded is a buffer limited to maxClean bytes.
type bounded struct{ bytes.Buffer }

var errTooLarge = errors.New("the clean copy is too large")

func (b *bounded) Write(data []byte) (int, error) {
	if b.Len()+len(data) > maxClean {
		return 0, errTooLarge
	}
	return b.Buffer.Write(data)
}
