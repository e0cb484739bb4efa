package pdfa

import (
	"cmp"
	"fmt"
	"image"
	"slices"
)

// What a drawing must have to be a picture. The smallest QR symbol has 21 modules
// per side; at least four white modules, each about a third of a millimetre, are
// around it.
const (
	minGap      = 2.5 // points between two drawings
	minParts    = 4   // subpaths: three corners and some content
	minCorners  = 84  // points of the paths
	minDrawing  = 10  // length of the shorter side
	maxDrawings = 4   // on one page; the largest are taken
	drawingSide = 760 // pixels of the longer side
	drawingEdge = 20  // white pixels around
)

// drawings returns pictures of the parts of a page that consist of many dark
// shapes.
func (d *pagesReader) drawings(c *drawing) ([]*image.Gray, error) {
	var dark []int
	for i := range c.parts[:c.begun] {
		if p := &c.parts[i]; p.dark && !p.isRule() {
			dark = append(dark, i)
		}
	}
	if err := d.r.spend(8 * len(dark)); err != nil {
		return nil, err
	}
	var all []group
	for _, one := range c.split(dark, 0) {
		if g := c.measureGroup(one); g.isPicture() {
			all = append(all, g)
		}
	}
	slices.SortStableFunc(all, func(a, b group) int { return cmp.Compare(b.points, a.points) })
	var out []*image.Gray
	for _, g := range all[:min(len(all), maxDrawings)] {
		if d.pictures++; d.pictures > maxPictures {
			return out, fmt.Errorf("%w: more than %d pictures", ErrLimit, maxPictures)
		}
		img, err := d.r.rasterize(c, g.box)
		if err != nil {
			return out, err
		}
		out = append(out, img)
	}
	return out, nil
}

// isRule reports whether a part is a line, or a box that is too large for a module
// or the corner of a symbol.
func (p *part) isRule() bool {
	const slender, large = 30, 150
	w, h := p.box.width(), p.box.height()
	return p.plain && (w > slender*h || h > slender*w || w > large && h > large)
}

// split divides parts at gaps between them, alternately in both directions.
func (d *drawing) split(parts []int, depth int) [][]int {
	const deepest = 8
	vertical := depth%2 == 1
	ends := func(i int) (from, to float32) {
		if b := &d.parts[i].box; vertical {
			return b.bottom, b.top
		}
		return d.parts[i].box.left, d.parts[i].box.right
	}
	slices.SortStableFunc(parts, func(a, b int) int {
		one, _ := ends(a)
		two, _ := ends(b)
		return cmp.Compare(one, two)
	})
	var all [][]int
	first := 0
	var reach float32
	for i, p := range parts {
		from, to := ends(p)
		if i > first && from-reach > minGap {
			all = append(all, parts[first:i])
			first = i
		}
		if i == first {
			reach = to
		}
		reach = max(reach, to)
	}
	if first < len(parts) {
		all = append(all, parts[first:])
	}
	if len(all) == 1 && vertical || depth >= deepest {
		return all
	}
	var out [][]int
	for _, one := range all {
		if len(one) >= minParts {
			out = append(out, d.split(one, depth+1)...)
		}
	}
	return out
}

// group is a set of parts that are close together.
type group struct {
	box    bounds
	points int
}

func (d *drawing) measureGroup(parts []int) group {
	g := group{box: d.parts[parts[0]].box}
	for _, i := range parts {
		g.box.join(&d.parts[i].box)
		g.points += d.parts[i].to - d.parts[i].from
	}
	return g
}

func (g *group) isPicture() bool {
	const slender = 2.5
	w, h := g.box.width(), g.box.height()
	return g.points >= minCorners && min(w, h) >= minDrawing && w < slender*h && h < slender*w
}
