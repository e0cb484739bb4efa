package pdfa

// Color is an sRGB colour.
type Color struct{ R, G, B uint8 }

// Style is the appearance, direction and language of a text.
type Style struct {
	Size  float64 // in points
	Bold  bool
	Color Color
	Base  Direction // base direction of the whole text
	Lang  string    // BCP 47 tag; if empty, the language of the document
}

// Line is one line of text, shaped and in visual order. It is immutable and can be
// drawn in several documents.
type Line struct {
	style Style
	words []*word
	width float64
	lead  float64 // space at the left end; see Padded
}

// Width returns the width of the line in points.
func (l Line) Width() float64 { return l.width }

// Padded returns the line with a width of at least width. The additional space is
// where the text ends: at the left end if the base direction is right to left,
// otherwise at the right end.
func (l Line) Padded(width float64) Line {
	if more := width - l.width; more > 0 {
		l.width = width
		if l.style.Base == RTL {
			l.lead += more
		}
	}
	return l
}

// Style returns the style of the line.
func (l Line) Style() Style { return l.style }

// Metrics returns the ascent above and the descent below the baseline, in points.
func (f *Fonts) Metrics(s Style) (ascent, descent float64) {
	first := f.chain(s.Bold)[0]
	k := s.Size / float64(first.em)
	return float64(first.ascent) * k, -float64(first.descent) * k
}

// Line shapes a text as one line, of any width.
func (f *Fonts) Line(s Style, text string) Line {
	sc := f.take()
	defer f.scratch.Put(sc)
	sc.begin(s, text, false)
	sc.para.resolve(sc.runes, s.Base)
	sc.para.fillRemoved()
	return sc.line(0, len(sc.runes))
}

// scratch holds the reusable buffers for laying out one text.
type scratch struct {
	fonts  *Fonts
	style  Style
	chain  *chain
	text   []byte
	whole  string // text as a string; words are substrings of it
	runes  []rune
	at     []int // offset of each rune in whole, and at the end its length
	para   paragraph
	origin int // index in runes where para begins
	levels []int8
	spans  []span
	words  []*word
}

func (f *Fonts) take() *scratch {
	sc, ok := f.scratch.Get().(*scratch)
	if !ok {
		panic("pdfa: wrong type in the scratch pool")
	}
	return sc
}

func (sc *scratch) begin(s Style, text string, breaks bool) {
	sc.style, sc.chain, sc.origin = s, sc.fonts.chain(s.Bold), 0
	sc.clean(text, breaks)
}

// line lays out runes[from:to] as one line.
func (sc *scratch) line(from, to int) Line {
	sc.words = sc.words[:0]
	sc.levels = sc.para.lineLevels(sc.levels, from-sc.origin, to-sc.origin)
	sc.spans = reorder(sc.spans, sc.levels)
	em := 0.0
	for _, s := range sc.spans {
		first := len(sc.words)
		sc.cut(from+s.from, from+s.to, s.level&1 == 1, func(w *word) {
			sc.words = append(sc.words, w)
			em += w.width
		})
		if s.level&1 == 1 {
			turned := sc.words[first:]
			for a, b := 0, len(turned)-1; a < b; a, b = a+1, b-1 {
				turned[a], turned[b] = turned[b], turned[a]
			}
		}
	}
	return Line{style: sc.style, words: append([]*word(nil), sc.words...), width: em * sc.style.Size}
}

// cut calls each for the words and spaces of runes[from:to], in logical order.
// All of them must have the same direction.
func (sc *scratch) cut(from, to int, rtl bool, each func(*word)) {
	for i := from; i < to; {
		j := i + 1
		face := sc.chain[0]
		if sc.runes[i] != ' ' {
			face = sc.chain.pick(sc.runes[i], nil)
			for j < to && sc.runes[j] != ' ' && sc.chain.pick(sc.runes[j], face) == face {
				j++
			}
		}
		each(sc.fonts.word(wordKey{sc.whole[sc.at[i]:sc.at[j]], face, rtl}))
		i = j
	}
}
