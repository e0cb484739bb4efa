package pdfa

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
)

// Limits of the images that are decoded, and the size and quality of those that
// are encoded.
const (
	maxImageBytes  = 8 << 20
	maxImagePixels = 16 << 20
	maxImageEdge   = 1200
	photoQuality   = 90
)

// Image is an encoded image that can be drawn in any number of documents.
type Image struct {
	width, height int
	dict          string
	data          []byte // encoded as in the PDF
	palette       []byte
}

// DecodeImage decodes a PNG or JPEG image of up to 8 MiB and 16 million pixels.
func (f *Fonts) DecodeImage(data []byte) (*Image, error) {
	if len(data) > maxImageBytes {
		return nil, fmt.Errorf("image has %d bytes, at most %d are allowed", len(data), maxImageBytes)
	}
	// Not image.Decode, which accepts every format that some package has registered.
	readHead, read := png.DecodeConfig, png.Decode
	if bytes.HasPrefix(data, []byte{0xFF, 0xD8}) {
		readHead, read = jpeg.DecodeConfig, jpeg.Decode
	}
	head, err := readHead(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decode image: %w", err)
	}
	if head.Width < 1 || head.Height < 1 || head.Width > maxImagePixels/head.Height {
		return nil, fmt.Errorf("image has %d by %d pixels, at most %d in total are allowed", head.Width, head.Height, maxImagePixels)
	}
	img, err := read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decode image: %w", err)
	}
	return f.NewImage(img)
}

// NewImage encodes an image. Transparent parts become white, and an image with more
// pixels than a printed page can show is scaled down.
func (f *Fonts) NewImage(img image.Image) (*Image, error) {
	size := img.Bounds().Size()
	if size.X < 1 || size.Y < 1 || size.X > maxImagePixels/size.Y {
		return nil, fmt.Errorf("image has %d by %d pixels, at most %d in total are allowed", size.X, size.Y, maxImagePixels)
	}
	flat := flatten(img)
	i := &Image{width: flat.Rect.Dx(), height: flat.Rect.Dy()}
	if pixels, palette, ok := indexed(flat); ok {
		i.palette = palette
		i.data = f.deflate(nil, pixels)
		i.dict = "/Filter/FlateDecode"
		return i, nil
	}
	rgb := make([]byte, 0, 3*i.width*i.height)
	for at := 0; at < len(flat.Pix); at += 4 {
		rgb = append(rgb, flat.Pix[at:at+3]...)
	}
	i.data, i.dict = f.deflate(nil, rgb), "/Filter/FlateDecode"
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, flat, &jpeg.Options{Quality: photoQuality}); err != nil {
		return nil, fmt.Errorf("encode image: %w", err)
	}
	if photo.Len() < len(i.data) {
		i.data, i.dict = photo.Bytes(), "/Filter/DCTDecode"
	}
	return i, nil
}

// Size returns the size of the image in pixels, after scaling.
func (i *Image) Size() (width, height int) { return i.width, i.height }

// flatten draws an image on white, scaled down to at most maxImageEdge.
func flatten(img image.Image) *image.RGBA {
	from := img.Bounds()
	w, h := from.Dx(), from.Dy()
	if longest := max(w, h); longest > maxImageEdge {
		w, h = max(1, w*maxImageEdge/longest), max(1, h*maxImageEdge/longest)
	}
	flat := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(flat, flat.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	if w == from.Dx() && h == from.Dy() {
		draw.Draw(flat, flat.Rect, img, from.Min, draw.Over)
	} else {
		draw.CatmullRom.Scale(flat, flat.Rect, img, from, draw.Over, nil)
	}
	return flat
}

// indexed returns an image as indexes of a palette. It returns false if the
// image has more than 256 colours.
func indexed(flat *image.RGBA) (pixels, palette []byte, ok bool) {
	numbers := map[[3]byte]byte{}
	pixels = make([]byte, 0, len(flat.Pix)/4)
	for at := 0; at < len(flat.Pix); at += 4 {
		c := [3]byte(flat.Pix[at : at+3])
		n, known := numbers[c]
		if !known {
			if len(numbers) == 256 {
				return nil, nil, false
			}
			n = byte(len(numbers))
			numbers[c] = n
			palette = append(palette, c[:]...)
		}
		pixels = append(pixels, n)
	}
	return pixels, palette, true
}

// write writes the image and returns its object number.
func (i *Image) write(o *objects) int {
	space := "/DeviceRGB"
	if i.palette != nil {
		space = fmt.Sprintf("[/Indexed/DeviceRGB %d<%X>]", len(i.palette)/3-1, i.palette)
	}
	id := o.next()
	o.raw(id, fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace%s%s", i.width, i.height, space, i.dict), i.data)
	return id
}
