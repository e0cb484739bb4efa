package pdfa

import (
	"fmt"
	"math"
)

// maxPoints limits the points of the painted paths of a page.
const maxPoints = 200_000

// position is a point of a page.
type position struct{ x, y float32 }

// drawing collects the paths that are painted on a page, in the order of painting.
type drawing struct {
	points []position
	parts  []part
	shapes []painted
	begun  int  // index of the first part of the current path
	open   bool // whether the last part can be extended
}

// part is one subpath: points[from:to]. It counts as closed.
type part struct {
	from, to int
	box      bounds
	dark     bool
	plain    bool // a rectangle with sides parallel to the axes
}

// painted is a filled path: parts[from:to].
type painted struct {
	from, to int
	evenOdd  bool
	dark     bool
}

// bounds is a box around points.
type bounds struct{ left, bottom, right, top float32 }

func (b *bounds) width() float32  { return b.right - b.left }
func (b *bounds) height() float32 { return b.top - b.bottom }

// meets reports whether two boxes have a point in common.
func (b *bounds) meets(o *bounds) bool {
	return b.left <= o.right && o.left <= b.right && b.bottom <= o.top && o.bottom <= b.top
}

// join enlarges the box so that it contains the other one.
func (b *bounds) join(o *bounds) {
	b.left, b.bottom = min(b.left, o.left), min(b.bottom, o.bottom)
	b.right, b.top = max(b.right, o.right), max(b.top, o.top)
}

func (d *drawing) moveTo(to position) {
	d.parts = append(d.parts, part{from: len(d.points), to: len(d.points) + 1})
	d.points = append(d.points, to)
	d.open = true
}

// lineTo extends the last part. Without one, the path is invalid, and the operator
// is ignored.
func (d *drawing) lineTo(to position) {
	if len(d.parts) == d.begun {
		return
	}
	if !d.open { // the path continues where the closed part began
		d.moveTo(d.points[d.parts[len(d.parts)-1].from])
	}
	d.points = append(d.points, to)
	d.parts[len(d.parts)-1].to++
}

// last returns the current point.
func (d *drawing) last() position {
	switch {
	case len(d.parts) == d.begun:
		return position{}
	case !d.open:
		return d.points[d.parts[len(d.parts)-1].from]
	}
	return d.points[len(d.points)-1]
}

// curveTo appends a curve as two lines.
func (d *drawing) curveTo(one, two, to position) {
	const lines = 2
	from := d.last()
	for i := 1; i <= lines; i++ {
		t := float32(i) / lines
		u := 1 - t
		a, b, c, e := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
		d.lineTo(position{a*from.x + b*one.x + c*two.x + e*to.x, a*from.y + b*one.y + c*two.y + e*to.y})
	}
}

func (d *drawing) closePath() { d.open = false }

func (d *drawing) rectangle(corners ...position) {
	d.moveTo(corners[0])
	for _, c := range corners[1:] {
		d.lineTo(c)
	}
	d.open = false
}

// discard removes the current path.
func (d *drawing) discard() {
	d.points, d.parts = d.points[:d.first()], d.parts[:d.begun]
	d.open = false
}

// fill paints the current path. Colours that are not known paint nothing.
func (d *drawing) fill(r *reader, color paint, evenOdd bool) error {
	if !color.known {
		d.discard()
		return nil
	}
	if err := d.checkSize(); err != nil || d.begun == len(d.parts) {
		return err
	}
	for i := d.begun; i < len(d.parts); i++ {
		d.measure(&d.parts[i], color.dark)
	}
	d.shapes = append(d.shapes, painted{d.begun, len(d.parts), evenOdd, color.dark})
	first := d.first()
	d.begun, d.open = len(d.parts), false
	return r.spend(len(d.points) - first)
}

// checkSize returns an error if the paths have too many points.
func (d *drawing) checkSize() error {
	if len(d.points) > maxPoints {
		return fmt.Errorf("%w: too many points", ErrLimit)
	}
	return nil
}

// measure sets the box of a part and whether it is plain.
func (d *drawing) measure(p *part, dark bool) {
	all := d.points[p.from:p.to]
	p.dark = dark
	p.box = bounds{all[0].x, all[0].y, all[0].x, all[0].y}
	for _, a := range all {
		p.box.join(&bounds{a.x, a.y, a.x, a.y})
	}
	if n := len(all); n == 5 && all[0] == all[4] {
		all = all[:4]
	}
	p.plain = len(all) == 4
	for i := 0; p.plain && i < 4; i++ {
		a, b := all[i], all[(i+1)%4]
		p.plain = (near(a.x, b.x) || near(a.y, b.y)) && all[i] != all[(i+2)%4]
	}
}

// near reports whether two coordinates are the same for the eye.
func near(a, b float32) bool { return math.Abs(float64(a-b)) < 0.01 }

// stroke paints the current path with a pen of the given width, after filling it
// if fill is set.
func (d *drawing) stroke(r *reader, g *graphics, fill, evenOdd bool) error {
	if err := r.spend(len(d.points) - d.first()); err != nil {
		return err
	}
	boxes := d.strokes(float32(g.lineWidth * g.ctm.scale() / 2))
	if !fill {
		d.discard()
	} else if err := d.fill(r, g.fill, evenOdd); err != nil {
		return err
	}
	for _, b := range boxes {
		d.rectangle(position{b.left, b.bottom}, position{b.right, b.bottom}, position{b.right, b.top}, position{b.left, b.top})
	}
	return d.fill(r, g.stroke, false)
}

// first returns the index of the first point of the current path.
func (d *drawing) first() int {
	if d.begun == len(d.parts) {
		return len(d.points)
	}
	return d.parts[d.begun].from
}

// strokes returns the boxes of the lines of the current path that could be modules
// of a symbol: horizontal and vertical ones. Longer ones are rules of a table.
func (d *drawing) strokes(half float32) []bounds {
	const longest = 40 // times the width
	var boxes []bounds
	for _, p := range d.parts[d.begun:] {
		for i := p.from + 1; i < p.to && 4*len(boxes) <= maxPoints; i++ {
			a, b := d.points[i-1], d.points[i]
			box := bounds{min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)}
			switch {
			case max(box.width(), box.height()) > 2*longest*half || a == b:
				continue
			case near(a.y, b.y):
				box.bottom, box.top = box.bottom-half, box.top+half
			case near(a.x, b.x):
				box.left, box.right = box.left-half, box.right+half
			default:
				continue
			}
			boxes = append(boxes, box)
		}
	}
	return boxes
}
