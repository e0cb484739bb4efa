package pdfa

// paint is a colour as far as it matters: dark or light. Patterns are not known.
type paint struct{ dark, known bool }

// colorFamily is how the components of a colour are converted to grey.
type colorFamily int

const (
	unknownColors colorFamily = iota
	grayColors
	rgbColors
	cmykColors
	inkColors // one ink on white: 1 is dark
	indexedColors
)

// colorSpace is a colour space.
type colorSpace struct {
	family colorFamily
	shades []byte // grey values of an indexed space
}

var grayscale = &colorSpace{family: grayColors}

// components returns the number of components of a colour.
func (s *colorSpace) components() int {
	switch s.family {
	case rgbColors:
		return 3
	case cmykColors:
		return 4
	}
	return 1
}

// gray converts components from 0 to 255 to a grey value.
func (s *colorSpace) gray(c []byte) byte {
	switch s.family {
	case rgbColors:
		return byte((299*int(c[0]) + 587*int(c[1]) + 114*int(c[2])) / 1000)
	case cmykColors:
		ink := (299*int(c[0]) + 587*int(c[1]) + 114*int(c[2])) / 1000
		return byte((255 - ink) * (255 - int(c[3])) / 255)
	case inkColors:
		return 255 - c[0]
	case indexedColors:
		if int(c[0]) < len(s.shades) {
			return s.shades[c[0]]
		}
		return 0
	}
	return c[0]
}

// deviceSpace returns the space of an operator that sets a colour.
func deviceSpace(op keyword) *colorSpace {
	switch op {
	case "rg", "RG":
		return &colorSpace{family: rgbColors}
	case "k", "K":
		return &colorSpace{family: cmykColors}
	}
	return grayscale
}

// setColor sets a colour from the operands.
func (p *interpreter) setColor(space *colorSpace, current **colorSpace, color *paint) {
	*current = space
	n := space.components()
	v, ok := p.numbers(n)
	if !ok || space.family == unknownColors {
		*color = paint{}
		return
	}
	var c [4]byte
	for i := range n {
		if space.family == indexedColors {
			c[i] = byte(min(max(v[i], 0), 255))
		} else {
			c[i] = byte(255 * min(max(v[i], 0), 1))
		}
	}
	*color = paint{dark: space.gray(c[:]) < 128, known: true}
}

// setSpace sets a colour space. Its first colour is dark.
func (p *interpreter) setSpace(current **colorSpace, color *paint) error {
	if len(p.operands) == 0 {
		return nil
	}
	s, err := p.space(p.operands[len(p.operands)-1], 0)
	if err != nil {
		return err
	}
	*current, *color = s, paint{dark: true, known: s.family != unknownColors}
	return nil
}

// spaceFamilies holds the names of colour spaces, with the short ones of inline
// images. The number of components of ICCBased decides its family.
var spaceFamilies = map[pdfName]colorFamily{
	"DeviceGray": grayColors, "G": grayColors, "CalGray": grayColors,
	"DeviceRGB": rgbColors, "RGB": rgbColors, "CalRGB": rgbColors,
	"DeviceCMYK": cmykColors, "CMYK": cmykColors,
	"Separation": inkColors, "Indexed": indexedColors, "I": indexedColors,
}

// space returns the colour space that a value of a content stream or an image
// describes.
func (p *interpreter) space(v any, depth int) (*colorSpace, error) {
	const deepest = 4
	unknown := &colorSpace{}
	v, err := p.doc.r.resolve(v)
	if err != nil || depth > deepest {
		return unknown, err
	}
	if name, ok := v.(pdfName); ok {
		if f := spaceFamilies[name]; f != unknownColors && f != indexedColors && f != inkColors {
			return &colorSpace{family: f}, nil
		}
		if v, _, err = p.named("ColorSpace", name); err != nil || v == nil {
			return unknown, err
		}
		return p.space(v, depth+1)
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return unknown, nil
	}
	name, _ := list[0].(pdfName)
	switch {
	case name == "ICCBased" && len(list) > 1:
		return p.profiled(list[1])
	case name == "Indexed" || name == "I":
		return p.indexedSpace(list, depth)
	}
	return &colorSpace{family: spaceFamilies[name]}, nil
}

// profiled returns the space of an ICC profile.
func (p *interpreter) profiled(profile any) (*colorSpace, error) {
	d, err := p.doc.r.dict(profile)
	if err != nil {
		return nil, err
	}
	n, _ := d.integer("N")
	return &colorSpace{family: map[int]colorFamily{1: grayColors, 3: rgbColors, 4: cmykColors}[n]}, nil
}

// indexedSpace returns a space of numbered colours.
func (p *interpreter) indexedSpace(list []any, depth int) (*colorSpace, error) {
	unknown := &colorSpace{}
	if len(list) < 4 {
		return unknown, nil
	}
	base, err := p.space(list[1], depth+1)
	if err != nil || base.family == unknownColors || base.family == indexedColors {
		return unknown, err
	}
	v, err := p.doc.r.resolve(list[3])
	if err != nil {
		return nil, err
	}
	var table []byte
	switch v := v.(type) {
	case pdfString:
		table = v
	case *pdfStream:
		const largest = 4 * 256
		if table, err = p.doc.r.decode(v, p.doc.r.limits.Decoded); err != nil {
			return unknown, ignoreMalformed(err)
		}
		table = table[:min(len(table), largest)]
	}
	s := &colorSpace{family: indexedColors}
	n := base.components()
	for i := 0; i+n <= len(table) && len(s.shades) < 256; i += n {
		s.shades = append(s.shades, base.gray(table[i:i+n]))
	}
	return s, nil
}
