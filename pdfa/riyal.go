package pdfa

// step is a line or a cubic curve of the outline of the riyal sign, relative to the
// end of the previous step.
type step struct {
	curve  bool
	c1, c2 [2]float64
	to     [2]float64
}

func line(x, y float64) step { return step{to: [2]float64{x, y}} }

func curve(x1, y1, x2, y2, x, y float64) step {
	return step{true, [2]float64{x1, y1}, [2]float64{x2, y2}, [2]float64{x, y}}
}

// riyalHeight is the height of riyalParts, whose y grows downwards.
const riyalHeight = 1256.39

// riyalParts is the riyal sign as published by the Saudi Central Bank: the starting
// point and the steps of each part.
var riyalParts = []struct {
	from  [2]float64
	steps []step
}{
	{[2]float64{699.62, 1113.02}, []step{
		curve(-20.06, 44.48, -33.32, 92.75, -38.4, 143.37), line(424.51, -90.24),
		curve(20.06, -44.47, 33.31, -92.75, 38.4, -143.37),
	}},
	{[2]float64{1085.73, 895.8}, []step{
		curve(20.06, -44.47, 33.32, -92.75, 38.4, -143.37), line(-330.68, 70.33), line(0, -135.2), line(292.27, -62.11),
		curve(20.06, -44.47, 33.32, -92.75, 38.4, -143.37), line(-330.68, 70.27), line(0, -485.59),
		curve(-50.67, 28.45, -95.67, 66.32, -132.25, 110.99), line(0, 403.35), line(-132.25, 28.11), line(0, -608.58),
		curve(-50.67, 28.44, -95.67, 66.32, -132.25, 110.99), line(0, 525.69), line(-295.91, 62.88),
		curve(-20.06, 44.47, -33.33, 92.75, -38.42, 143.37), line(334.33, -71.05), line(0, 170.26), line(-358.3, 76.14),
		curve(-20.06, 44.47, -33.32, 92.75, -38.4, 143.37), line(375.04, -79.7),
		curve(30.53, -6.35, 56.77, -24.4, 73.83, -49.24), line(68.78, -101.97),
		curve(7.14, -10.55, 11.3, -23.27, 11.3, -36.97), line(0, -149.98), line(132.25, -28.11), line(0, 270.4),
	}},
}

// riyalContours returns the riyal sign, scaled to the height of a capital letter.
// Curves become short lines, which is invisible at text sizes.
func riyalContours() [][]point {
	const pieces = 4
	const scale = float64(signTop-signBottom) / riyalHeight
	place := func(x, y float64) point {
		return point{int(x*scale+0.5) + 18, int((riyalHeight-y)*scale+0.5) + signBottom}
	}
	var contours [][]point
	for _, part := range riyalParts {
		x, y := part.from[0], part.from[1]
		contour := []point{place(x, y)}
		for _, s := range part.steps {
			for i := 1; s.curve && i < pieces; i++ {
				t := float64(i) / pieces
				a, b, c := 3*(1-t)*(1-t)*t, 3*(1-t)*t*t, t*t*t
				contour = append(contour, place(x+a*s.c1[0]+b*s.c2[0]+c*s.to[0], y+a*s.c1[1]+b*s.c2[1]+c*s.to[1]))
			}
			x, y = x+s.to[0], y+s.to[1]
			contour = append(contour, place(x, y))
		}
		contours = append(contours, contour)
	}
	return contours
}
