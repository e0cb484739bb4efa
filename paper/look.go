package paper

import "khatm/pdfa"

// look holds the font sizes and colours for a paper size.
type look struct {
	title, subtitle, name, text, small, tiny float64

	ink, soft, brand, onBrand, pale, rule pdfa.Color
	markInk, markPale                     pdfa.Color

	hair  float64 // width of thin rules
	ruled bool    // whether there are thin rules between facts
	bands bool    // whether the amount due has a coloured background
	wide  bool    // whether two languages fit beside each other
	dense float64 // factor of the space above and below texts
	least float64 // least width of the column of a table that gets the remaining width
	rates float64 // width of a column of rates
	sums  float64 // width of a column of amounts
}

// onA4 uses one dark colour, greys with enough contrast, and thin rules.
var onA4 = look{
	title: 19, subtitle: 11, name: 9.5, text: 8, small: 7, tiny: 6.2,
	ink:      pdfa.Color{R: 0x1f, G: 0x29, B: 0x37},
	soft:     pdfa.Color{R: 0x5b, G: 0x64, B: 0x70},
	brand:    pdfa.Color{R: 0x0f, G: 0x4c, B: 0x5c},
	onBrand:  pdfa.Color{R: 0xff, G: 0xff, B: 0xff},
	pale:     pdfa.Color{R: 0xee, G: 0xf3, B: 0xf5},
	rule:     pdfa.Color{R: 0xd5, G: 0xdb, B: 0xe0},
	markInk:  pdfa.Color{R: 0x8a, G: 0x3b, B: 0x00},
	markPale: pdfa.Color{R: 0xff, G: 0xf1, B: 0xdc},
	hair:     0.5, ruled: true, bands: true, wide: true, dense: 1, least: 90, rates: 48, sums: 96,
}

// onRoll is black and white, because thermal printers have no colours and print
// grey as dots.
var onRoll = look{
	title: 12.5, subtitle: 9, name: 10, text: 8, small: 7, tiny: 6.2,
	onBrand:  pdfa.Color{R: 0xff, G: 0xff, B: 0xff},
	pale:     pdfa.Color{R: 0xff, G: 0xff, B: 0xff},
	markPale: pdfa.Color{R: 0xff, G: 0xff, B: 0xff},
	hair:     0.35, dense: 1, least: 60, rates: 30, sums: 46,
}

// run is a text in one style. Its direction is derived from the text.
type run struct {
	text  string
	style pdfa.Style
}

func (k look) styled(size float64, color pdfa.Color) pdfa.Style {
	return pdfa.Style{Size: size, Color: color}
}

func bold(s pdfa.Style) pdfa.Style {
	s.Bold = true
	return s
}

// runs returns the texts of a phrase: the second language is smaller and lighter.
func (k look) runs(p phrase, main pdfa.Style) []run {
	list := []run{{p.main, main}}
	if p.other != "" {
		other := k.styled(main.Size*k.small/k.text, k.soft)
		if main.Color == k.onBrand {
			other.Color = k.onBrand
		}
		list = append(list, run{p.other, other})
	}
	return list
}

// inStyle returns texts in the same style.
func inStyle(s pdfa.Style, list ...string) []run {
	var runs []run
	for _, text := range list {
		runs = append(runs, run{text, s})
	}
	return runs
}
