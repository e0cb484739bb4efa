package pdfa

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/jpeg"

	"slices"

	"golang.org/x/image/ccitt"
)

// maxImages limits the images of a page.
const maxImages = 200

// placedImage is an image on a page.
type placedImage struct {
	number        int // object number, or 0
	width, height int
	dict          pdfDict
	data          []byte     // of an inline image
	from          *pdfStream // of any other image
	space         *colorSpace
	color         paint        // of an image mask
	alpha         *placedImage // how opaque the image is, if it has a mask
	cut           bool         // alpha is a stencil: 1 is transparent
}

// placeImage remembers an image, unless it is smaller than any symbol.
func (p *interpreter) placeImage(one placedImage) error {
	const smallest = 21 // pixels of the smallest QR symbol
	if one.number > 0 && p.placed[one.number] || len(p.images) >= maxImages {
		return nil
	}
	p.placed[one.number] = true
	if err := p.doc.size(&one); err != nil {
		return err
	}
	if one.width < smallest || one.height < smallest {
		return nil
	}
	var err error
	if one.space, err = p.space(one.dict.get("ColorSpace"), 0); err != nil {
		return err
	}
	one.color = p.state.fill
	for _, key := range []pdfName{"SMask", "Mask"} {
		v, err := p.doc.r.resolve(one.dict.get(key))
		if err != nil {
			return err
		}
		if mask, ok := v.(*pdfStream); ok && one.alpha == nil {
			one.alpha, one.cut = &placedImage{dict: mask.dict, from: mask, space: grayscale}, key == "Mask"
			if err := p.doc.size(one.alpha); err != nil {
				return err
			}
		}
	}
	p.images = append(p.images, one)
	return nil
}

// size sets the size of an image.
func (d *pagesReader) size(one *placedImage) error {
	for key, value := range map[pdfName]*int{"Width": &one.width, "Height": &one.height} {
		v, err := d.r.resolve(one.dict.get(key))
		if err != nil {
			return err
		}
		const most = 1 << 20
		if n, ok := v.(int); ok && n < most {
			*value = n
		}
	}
	return nil
}

// addImages adds the images of a page that were not read before, the smallest
// first, because a symbol is smaller than a photograph.
func (d *pagesReader) addImages(one *PageContent, images []placedImage) error {
	slices.SortStableFunc(images, func(a, b placedImage) int { return cmp.Compare(a.width*a.height, b.width*b.height) })
	for _, placed := range images {
		if placed.number > 0 && d.images[placed.number] {
			continue
		}
		d.images[placed.number] = true
		img, err := d.image(placed)
		if errors.Is(err, ErrMalformed) {
			one.Unread++
			continue
		}
		if err != nil {
			return err
		}
		if d.pictures++; d.pictures > maxPictures {
			return fmt.Errorf("%w: more than %d pictures", ErrLimit, maxPictures)
		}
		one.Pictures = append(one.Pictures, img)
	}
	return nil
}

// image decodes an image to shades of grey. The error is ErrMalformed if the image
// cannot be read.
func (d *pagesReader) image(one placedImage) (*image.Gray, error) {
	img, err := d.samples(one)
	if err != nil || one.alpha == nil {
		return img, err
	}
	alpha, err := d.samples(*one.alpha)
	if err != nil {
		return nil, err
	}
	if alpha.Rect != img.Rect {
		return nil, fmt.Errorf("%w: the mask of an image has another size", ErrMalformed)
	}
	for i, a := range alpha.Pix {
		if one.cut {
			a = ^a
		}
		img.Pix[i] = byte((int(img.Pix[i])*int(a) + 255*(255-int(a))) / 255)
	}
	return img, nil
}

// imageKind is the form of the samples of an image.
type imageKind struct {
	width, height, bits int
	space               *colorSpace
	inverted            bool
}

// kind returns the form of the samples, and counts the pixels. The error is
// ErrMalformed if there are too many, so that other images are read.
func (d *pagesReader) kind(one placedImage) (imageKind, error) {
	k := imageKind{width: one.width, height: one.height, space: one.space}
	v, err := d.r.resolve(one.dict.get("BitsPerComponent"))
	if err != nil {
		return k, err
	}
	k.bits, _ = v.(int)
	decode, err := d.r.array(one.dict.get("Decode"))
	if err != nil {
		return k, err
	}
	if len(decode) > 1 {
		k.inverted = decode[0] == 1 || decode[0] == 1.0
	}
	if one.dict.get("ImageMask") == true {
		k.space, k.bits = grayscale, 1
		// A sample of 0 is painted. Painting with a light colour makes the rest
		// look dark.
		if one.color.known && !one.color.dark {
			k.inverted = !k.inverted
		}
	}
	pixels := k.width * k.height
	if pixels < 1 || pixels > d.r.limits.Pixels-d.pixels {
		return k, fmt.Errorf("%w: an image has %d by %d pixels", ErrMalformed, k.width, k.height)
	}
	d.pixels += pixels
	return k, nil
}

// samples decodes an image without its mask.
func (d *pagesReader) samples(one placedImage) (*image.Gray, error) {
	k, err := d.kind(one)
	if err != nil {
		return nil, err
	}
	data := one.data
	if one.from != nil {
		if data, err = d.r.raw(one.from); err != nil {
			return nil, err
		}
	}
	filters, options, err := d.r.filters(one.dict)
	if err != nil {
		return nil, err
	}
	last := any(nil)
	if n := len(filters); n > 0 {
		if last, err = d.r.resolve(filters[n-1]); err != nil {
			return nil, err
		}
	}
	switch last {
	case pdfName("DCTDecode"), pdfName("DCT"):
		if data, err = d.r.undoAll(filters[:len(filters)-1], options, data); err != nil {
			return nil, err
		}
		return d.photo(k, data)
	case pdfName("CCITTFaxDecode"), pdfName("CCF"):
		if data, err = d.r.undoAll(filters[:len(filters)-1], options, data); err != nil {
			return nil, err
		}
		if data, err = d.fax(k, filters, options, data); err != nil {
			return nil, err
		}
		return k.unpack(data)
	}
	if k.bytes() > d.r.limits.Decoded-d.r.decoded {
		return nil, fmt.Errorf("%w: an image has %d bytes", ErrMalformed, k.bytes())
	}
	if data, err = d.r.undoAll(filters, options, data); err != nil {
		return nil, err
	}
	if err := d.r.spend(k.width * k.height / 8); err != nil {
		return nil, err
	}
	return k.unpack(data)
}

// bytes returns the length of the samples.
func (k imageKind) bytes() int { return (k.width*k.space.components()*k.bits + 7) / 8 * k.height }

// unpack converts samples to grey.
func (k imageKind) unpack(data []byte) (*image.Gray, error) {
	n := k.space.components()
	row := (k.width*n*k.bits + 7) / 8
	switch {
	case k.space.family == unknownColors:
		return nil, fmt.Errorf("%w: unknown colour space of an image", ErrMalformed)
	case k.bits != 1 && k.bits != 2 && k.bits != 4 && k.bits != 8 && k.bits != 16:
		return nil, fmt.Errorf("%w: an image with %d bits", ErrMalformed, k.bits)
	case len(data) < k.bytes():
		return nil, fmt.Errorf("%w: an image ends early", ErrMalformed)
	}
	out := image.NewGray(image.Rect(0, 0, k.width, k.height))
	most := 1<<min(k.bits, 8) - 1
	var c [4]byte
	for y := range k.height {
		line := data[y*row : (y+1)*row]
		for x := range k.width {
			for i := range n {
				v := sample(line, x*n+i, k.bits)
				if k.inverted {
					v = most - v
				}
				if k.space.family != indexedColors {
					v = v * 255 / most
				}
				c[i] = byte(v)
			}
			out.Pix[y*out.Stride+x] = k.space.gray(c[:])
		}
	}
	return out, nil
}

// sample returns a sample of a row; of 16 bits the higher ones.
func sample(line []byte, i, bits int) int {
	switch bits {
	case 8:
		return int(line[i])
	case 16:
		return int(line[2*i])
	}
	at := i * bits
	return int(line[at/8]) >> (8 - bits - at%8) & (1<<bits - 1)
}

// photo decodes a JPEG image. Its own size counts, not that of the dictionary.
func (d *pagesReader) photo(k imageKind, data []byte) (*image.Gray, error) {
	head, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if err != nil || head.Width != k.width || head.Height != k.height {
		return nil, fmt.Errorf("%w: a JPEG image of another size: %w", ErrMalformed, err)
	}
	// The image is decoded as often as it has scans, of which a few bytes are
	// enough.
	scans := 2 + bytes.Count(data, []byte{0xFF, 0xDA})
	if err := d.r.spend(len(data)/4 + scans*(head.Width*head.Height/8)); err != nil {
		return nil, err
	}
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	out := image.NewGray(image.Rect(0, 0, head.Width, head.Height))
	fill := func(space colorFamily, pix []byte, stride, step int) {
		s := colorSpace{family: space}
		for y := range head.Height {
			for x := range head.Width {
				out.Pix[y*out.Stride+x] = s.gray(pix[y*stride+x*step:][:step])
			}
		}
	}
	switch img := img.(type) {
	case *image.Gray:
		fill(grayColors, img.Pix, img.Stride, 1)
	case *image.YCbCr: // the brightness is the first component
		fill(grayColors, img.Y, img.YStride, 1)
	case *image.RGBA:
		fill(rgbColors, img.Pix, img.Stride, 4)
	case *image.CMYK:
		fill(cmykColors, img.Pix, img.Stride, 4)
	default:
		return nil, fmt.Errorf("%w: a JPEG image of an unknown kind", ErrMalformed)
	}
	return out, nil
}

// fax decodes the data of a CCITT filter, the last one of an image. A mixture of
// encodings (K above 0) is not supported.
func (d *pagesReader) fax(k imageKind, filters, options []any, data []byte) ([]byte, error) {
	var o pdfDict
	if len(options) == len(filters) {
		var err error
		if o, err = d.r.dict(options[len(options)-1]); err != nil {
			return nil, err
		}
	}
	columns, ok := o.integer("Columns")
	if !ok {
		columns = 1728
	}
	mode, _ := o.integer("K")
	encoding := ccitt.Group4
	if mode == 0 {
		encoding = ccitt.Group3
	}
	if mode > 0 || columns != k.width {
		return nil, fmt.Errorf("%w: a CCITT image with the mode %d and %d columns", ErrMalformed, mode, columns)
	}
	if err := d.r.spend(k.width * k.height / 8); err != nil {
		return nil, err
	}
	set := ccitt.Options{Align: o.get("EncodedByteAlign") == true, Invert: o.get("BlackIs1") == true}
	return d.r.readAll(ccitt.NewReader(bytes.NewReader(data), ccitt.MSB, encoding, k.width, k.height, &set))
}
