package pdfa

import (
	"cmp"
	"image"
	"math"
	"slices"
)

// crossing is where an edge crosses the middle of a row of pixels.
type crossing struct {
	row, turn int32 // turn is 1 for an edge that rises, -1 for one that falls
	x         float32
}

// raster is a picture of a region of a page.
type raster struct {
	r         *reader
	img       *image.Gray
	region    bounds
	scale     float32 // pixels per point
	crossings []crossing
}

// rasterize draws a region of a page in black and white.
func (r *reader) rasterize(d *drawing, region bounds) (*image.Gray, error) {
	scale := drawingSide / max(region.width(), region.height())
	pixels := func(length float32) int { return int(math.Ceil(float64(length*scale))) + 2*drawingEdge }
	t := &raster{r: r, region: region, scale: scale, img: image.NewGray(image.Rect(0, 0, pixels(region.width()), pixels(region.height())))}
	if err := r.spend(len(t.img.Pix)/16 + len(d.parts)); err != nil {
		return nil, err
	}
	for i := range t.img.Pix {
		t.img.Pix[i] = 0xFF
	}
	for _, s := range d.shapes {
		if err := t.fill(d, s); err != nil {
			return nil, err
		}
	}
	return t.img, nil
}

// fill draws one shape, as far as it is in the region.
func (t *raster) fill(d *drawing, s painted) error {
	t.crossings = t.crossings[:0]
	for i := s.from; i < s.to; i++ {
		p := &d.parts[i]
		if !p.box.meets(&t.region) {
			continue
		}
		all := d.points[p.from:p.to]
		for j := range all {
			if err := t.edge(t.place(all[j]), t.place(all[(j+1)%len(all)])); err != nil {
				return err
			}
		}
	}
	slices.SortFunc(t.crossings, func(a, b crossing) int {
		return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.x, b.x))
	})
	shade := byte(0xFF)
	if s.dark {
		shade = 0
	}
	var winding int32
	for i := 0; i+1 < len(t.crossings); i++ {
		a, b := t.crossings[i], t.crossings[i+1]
		if winding += a.turn; a.row != b.row {
			winding = 0
			continue
		}
		inside := winding != 0
		if s.evenOdd {
			inside = winding&1 == 1
		}
		if !inside {
			continue
		}
		if err := t.span(int(a.row), a.x, b.x, shade); err != nil {
			return err
		}
	}
	return nil
}

// place converts a point of the page to pixels. The rows of an image go down.
func (t *raster) place(a position) position {
	return position{(a.x-t.region.left)*t.scale + drawingEdge, (t.region.top-a.y)*t.scale + drawingEdge}
}

// edge adds the crossings of an edge.
func (t *raster) edge(a, b position) error {
	turn := int32(1)
	if a.y > b.y {
		a, b, turn = b, a, -1
	}
	from := max(0, math.Ceil(float64(a.y)-0.5))
	to := min(float64(t.img.Rect.Dy()), math.Ceil(float64(b.y)-0.5))
	if err := t.r.spend(16*int(max(0, to-from)) + 1); err != nil {
		return err
	}
	for row := from; row < to; row++ {
		x := a.x + (float32(row)+0.5-a.y)*(b.x-a.x)/(b.y-a.y)
		t.crossings = append(t.crossings, crossing{int32(row), turn, x})
	}
	return nil
}

// span draws a part of a row.
func (t *raster) span(row int, left, right float32, shade byte) error {
	width := float32(t.img.Rect.Dx())
	from := int(min(max(left+0.5, 0), width))
	to := int(min(max(right+0.5, 0), width))
	if from >= to {
		return nil
	}
	pixels := t.img.Pix[row*t.img.Stride+from : row*t.img.Stride+to]
	for i := range pixels {
		pixels[i] = shade
	}
	return t.r.spend(len(pixels) / 32)
}
