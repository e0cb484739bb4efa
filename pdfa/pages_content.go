package pdfa

import (
	"errors"
	"math"
)

// Limits of the content of pages.
const (
	maxForms    = 12 // nested form XObjects
	maxStates   = 64 // nested graphics states
	maxOperands = 64
	maxPictures = 32 // of all pages
)

// interpreter executes the content of one page as far as needed to find its text
// and its pictures.
type interpreter struct {
	doc       *pagesReader
	resources pdfDict
	operands  []any
	state     graphics
	states    []graphics
	canvas    drawing
	text      pageText
	images    []placedImage
	placed    map[int]bool // images of the page, by object number
	forms     int          // nesting depth
}

// graphics is the graphics state.
type graphics struct {
	ctm                  matrix
	fill, stroke         paint
	fillSpace, lineSpace *colorSpace
	lineWidth            float64
	font                 *readFont
}

// matrix maps (x, y) to (a x + c y + e, b x + d y + f).
type matrix [6]float64

// apply returns the position of a point.
func (m *matrix) apply(x, y float64) position {
	return position{coordinate(m[0]*x + m[2]*y + m[4]), coordinate(m[1]*x + m[3]*y + m[5])}
}

// coordinate returns a coordinate within the range of a page.
func coordinate(v float64) float32 {
	const most = 1e6
	if !(v >= -most) { // also if it is not a number
		return -most
	}
	return float32(min(v, most))
}

// times returns the matrix that applies m first and then n.
func (m *matrix) times(n *matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// scale returns the factor by which the matrix enlarges lengths.
func (m *matrix) scale() float64 { return math.Sqrt(math.Abs(m[0]*m[3] - m[1]*m[2])) }

func newInterpreter(d *pagesReader) *interpreter {
	return &interpreter{doc: d, placed: map[int]bool{}, state: graphics{
		ctm: matrix{1, 0, 0, 1, 0, 0}, fill: paint{dark: true, known: true}, stroke: paint{dark: true, known: true},
		fillSpace: grayscale, lineSpace: grayscale, lineWidth: 1,
	}}
}

// run executes content. Invalid content ends early; only exceeded limits are
// errors.
func (p *interpreter) run(data []byte, resources pdfDict, forms int) error {
	outer, depth := p.resources, p.forms
	p.resources, p.forms = resources, forms
	defer func() { p.resources, p.forms = outer, depth }()
	r := p.doc.r
	l := &lexer{r: r, data: data}
	p.operands = p.operands[:0]
	for {
		if err := l.skip(); err != nil {
			return err
		}
		if l.at >= len(l.data) {
			return nil
		}
		kept := r.values
		err := p.step(l)
		r.values = kept // operands are not kept
		if err != nil {
			return ignoreMalformed(err)
		}
	}
}

// ignoreMalformed returns nil for ErrMalformed, and other errors unchanged.
func ignoreMalformed(err error) error {
	if errors.Is(err, ErrMalformed) {
		return nil
	}
	return err
}

// step reads one operand, or reads one operator and executes it.
func (p *interpreter) step(l *lexer) error {
	t, err := l.token()
	if err != nil {
		return err
	}
	switch t {
	case keyword("["):
		t, err = l.array()
	case keyword("<<"):
		t, err = l.dict()
	case keyword("BI"):
		return p.inlineImage(l)
	}
	if err != nil {
		return err
	}
	if op, ok := t.(keyword); ok {
		err = p.execute(op)
		p.operands = p.operands[:0]
		return err
	}
	if len(p.operands) < maxOperands {
		p.operands = append(p.operands, t)
	}
	return nil
}

// execute executes an operator. Unknown operators, and operators without their
// operands, are ignored.
func (p *interpreter) execute(op keyword) error {
	if err := p.doc.r.spend(8); err != nil {
		return err
	}
	if p.setState(op) || p.moveText(op) {
		return nil
	}
	if p.drawPath(op) {
		return p.canvas.checkSize()
	}
	switch op {
	case "f", "F", "f*":
		return p.canvas.fill(p.doc.r, p.state.fill, op == "f*")
	case "S", "s", "B", "b", "B*", "b*":
		return p.canvas.stroke(p.doc.r, &p.state, op[0]|0x20 == 'b', len(op) == 2)
	case "gs":
		return p.setParameters()
	case "cs":
		return p.setSpace(&p.state.fillSpace, &p.state.fill)
	case "CS":
		return p.setSpace(&p.state.lineSpace, &p.state.stroke)
	case "Tf":
		return p.setFont()
	case "Tj", "'", "\"", "TJ":
		return p.showText(op)
	case "BDC":
		return p.beginMarked()
	case "Do":
		return p.drawObject()
	}
	return nil
}

// numbers returns the last n operands if they are numbers within the range of a
// page.
func (p *interpreter) numbers(n int) (v [6]float64, ok bool) {
	const most = 1e6
	if len(p.operands) < n {
		return v, false
	}
	for i, o := range p.operands[len(p.operands)-n:] {
		switch o := o.(type) {
		case int:
			v[i] = float64(o)
		case float64:
			v[i] = o
		default:
			return v, false
		}
		if !(math.Abs(v[i]) <= most) {
			return v, false
		}
	}
	return v, true
}

// setState executes the operators of the graphics state.
func (p *interpreter) setState(op keyword) bool {
	s := &p.state
	switch op {
	case "q":
		if len(p.states) < maxStates {
			p.states = append(p.states, *s)
		}
	case "Q":
		if n := len(p.states); n > 0 {
			*s, p.states = p.states[n-1], p.states[:n-1]
		}
	case "cm":
		if v, ok := p.numbers(6); ok {
			m := matrix(v)
			s.ctm = m.times(&s.ctm)
		}
	case "w":
		if v, ok := p.numbers(1); ok {
			s.lineWidth = v[0]
		}
	case "g", "rg", "k":
		p.setColor(deviceSpace(op), &s.fillSpace, &s.fill)
	case "G", "RG", "K":
		p.setColor(deviceSpace(op), &s.lineSpace, &s.stroke)
	case "sc", "scn":
		p.setColor(s.fillSpace, &s.fillSpace, &s.fill)
	case "SC", "SCN":
		p.setColor(s.lineSpace, &s.lineSpace, &s.stroke)
	default:
		return false
	}
	return true
}

// setParameters sets the line width of a dictionary of parameters, if it has one.
func (p *interpreter) setParameters() error {
	v, _, err := p.resource("ExtGState")
	if err != nil {
		return err
	}
	d, ok := v.(pdfDict)
	if !ok {
		return nil
	}
	p.operands = append(p.operands[:0], d.get("LW"))
	if v, ok := p.numbers(1); ok {
		p.state.lineWidth = v[0]
	}
	return nil
}

// pathOperands holds the number of operands of the operators that build a path.
var pathOperands = map[keyword]int{"m": 2, "l": 2, "c": 6, "v": 4, "y": 4, "re": 4}

// drawPath executes the operators that build a path, and the one that ends it
// without painting.
func (p *interpreter) drawPath(op keyword) bool {
	n, known := pathOperands[op]
	switch {
	case op == "h":
		p.canvas.closePath()
		return true
	case op == "n":
		p.canvas.discard()
		return true
	case !known:
		return false
	}
	v, ok := p.numbers(n)
	if !ok {
		return true
	}
	at := func(i int) position { return p.state.ctm.apply(v[i], v[i+1]) }
	switch op {
	case "m":
		p.canvas.moveTo(at(0))
	case "l":
		p.canvas.lineTo(at(0))
	case "c":
		p.canvas.curveTo(at(0), at(2), at(4))
	case "v":
		p.canvas.curveTo(p.canvas.last(), at(0), at(2))
	case "y":
		p.canvas.curveTo(at(0), at(2), at(2))
	case "re":
		corner := func(x, y float64) position { return p.state.ctm.apply(v[0]+x*v[2], v[1]+y*v[3]) }
		p.canvas.rectangle(corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1))
	}
	return true
}

// drawObject executes a form XObject, or remembers an image.
func (p *interpreter) drawObject() error {
	r := p.doc.r
	v, number, err := p.resource("XObject")
	if err != nil {
		return err
	}
	s, ok := v.(*pdfStream)
	if !ok {
		return nil
	}
	if err := r.spend(4 * len(s.dict)); err != nil {
		return err
	}
	switch s.dict.get("Subtype") {
	case pdfName("Image"):
		return p.placeImage(placedImage{number: number, dict: s.dict, from: s})
	case pdfName("Form"):
	default:
		return nil
	}
	if p.forms >= maxForms {
		return nil
	}
	data, err := r.decode(s, r.limits.Decoded)
	if err != nil {
		return ignoreMalformed(err)
	}
	resources := p.resources
	if own := s.dict.get("Resources"); own != nil {
		if resources, err = r.dict(own); err != nil {
			return err
		}
	}
	outer, states := p.state, p.states
	p.states = nil
	p.state.ctm = p.formMatrix(s.dict)
	p.text.flush()
	err = p.run(data, resources, p.forms+1)
	p.text.flush()
	p.canvas.discard()
	p.state, p.states = outer, states
	return err
}

// formMatrix returns the transformation matrix inside of a form.
func (p *interpreter) formMatrix(form pdfDict) matrix {
	v, ok := form.get("Matrix").([]any)
	if !ok || len(v) != 6 {
		return p.state.ctm
	}
	p.operands = append(p.operands[:0], v...)
	m, ok := p.numbers(6)
	if !ok {
		return p.state.ctm
	}
	own := matrix(m)
	return own.times(&p.state.ctm)
}

// resource returns the resource of a category that the last operand names, and its
// object number if it has one.
func (p *interpreter) resource(category pdfName) (v any, number int, err error) {
	if len(p.operands) == 0 {
		return nil, 0, nil
	}
	name, ok := p.operands[len(p.operands)-1].(pdfName)
	if !ok {
		return nil, 0, nil
	}
	return p.named(category, name)
}

// named returns the resource with the given name, and its object number if it has
// one.
func (p *interpreter) named(category, name pdfName) (v any, number int, err error) {
	if err := p.doc.r.spend(len(p.resources)); err != nil {
		return nil, 0, err
	}
	all, err := p.doc.r.dict(p.resources.get(category))
	if err != nil {
		return nil, 0, err
	}
	v = all.get(name)
	if ref, ok := v.(pdfRef); ok {
		number = ref.number
	}
	v, err = p.doc.r.resolve(v)
	return v, number, err
}
