package pdfa

// Color is a colour of the sRGB space.
type Color struct{ R, G, B uint8 }

// Style says how a text looks and how it is to be read. Base is the direction
// of the text as a whole; Lang its language as a BCP 47 tag, and if it is empty
// that of the document.
type Style struct {
	Size  float64 // in points
	Bold  bool
	Color Color
	Base  Direction
	Lang  string
}

// Line is one line of text, shaped and in visual order, ready to be drawn. It
// does not change and belongs to no document.
type Line struct {
	style Style
	words []*word
	width float64
}

// Width is the width of the line in points.
func (l Line) Width() float64 { return l.width }

// Style is the style the line was made with.
func (l Line) Style() Style { return l.style }

// Metrics gives how far letters reach above and below the base line, in points.
func (f *Fonts) Metrics(s Style) (ascent, descent float64) {
	first := f.chain(s.Bold)[0]
	k := s.Size / float64(first.em)
	return float64(first.ascent) * k, -float64(first.descent) * k
}

// Line shapes a text as one line, however long it gets.
func (f *Fonts) Line(s Style, text string) Line {
	sc := f.take()
	defer f.scratch.Put(sc)
	sc.begin(s, text, false)
	sc.para.resolve(sc.runes, s.Base)
	sc.para.settle()
	return sc.line(0, len(sc.runes))
}

// scratch is what laying out one text needs for itself.
type scratch struct {
	fonts  *Fonts
	style  Style
	chain  *chain
	text   []byte
	whole  string // text as a string: words are cut out of it
	runes  []rune
	at     []int // place of each character in whole, and its length
	para   paragraph
	origin int // where para begins in runes
	levels []int8
	spans  []span
	words  []*word
}

func (f *Fonts) take() *scratch {
	sc, ok := f.scratch.Get().(*scratch)
	if !ok {
		panic("pdfa: the pool of scratch space holds something else")
	}
	return sc
}

func (sc *scratch) begin(s Style, text string, breaks bool) {
	sc.style, sc.chain, sc.origin = s, sc.fonts.chain(s.Bold), 0
	sc.clean(text, breaks)
}

// line lays out the characters from..to of the text as one line.
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
	return Line{sc.style, append([]*word(nil), sc.words...), em * sc.style.Size}
}

// cut hands out the words and spaces of a stretch of one direction, in logical
// order.
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
