package pdfa

import "golang.org/x/text/unicode/bidi"

// Direction is the base direction of a text.
type Direction uint8

// The base directions. Auto is the direction of the first strong character; a
// text without strong characters is left to right. Do not use Auto for texts
// that may begin with a foreign name.
const (
	LTR Direction = iota
	RTL
	Auto
)

// removed is the level of a character that rule X9 removes.
const removed int8 = -1

// maxDepth is the deepest explicit level (BD2).
const maxDepth = 125

// paragraph resolves the embedding levels of one paragraph (UAX #9). It can be
// reused.
type paragraph struct {
	text   []rune
	given  []bidi.Class // original classes
	class  []bidi.Class // classes as changed by the rules
	levels []int8
	base   int8
	match  []int // index of the matching PDI or isolate initiator, or -1
	seq    []int // one isolating run sequence: indexes in text
	pairs  []bracketPair
}

// resolve computes the level of each character, before the rules for lines.
func (p *paragraph) resolve(text []rune, base Direction) {
	p.text = text
	p.given, p.class, p.levels = p.given[:0], p.class[:0], p.levels[:0]
	explicit, rightToLeft := false, base == RTL
	for _, r := range text {
		c := classOf(r)
		p.given = append(p.given, c)
		switch c {
		case bidi.R, bidi.AL, bidi.AN:
			rightToLeft = true
		case bidi.LRE, bidi.RLE, bidi.LRO, bidi.RLO, bidi.PDF, bidi.LRI, bidi.RLI, bidi.FSI, bidi.PDI, bidi.BN, bidi.B:
			explicit = true
		}
	}
	p.class = append(p.class, p.given...)
	p.levels = append(p.levels, make([]int8, len(text))...)
	p.base = 0
	if !rightToLeft && !explicit {
		return // all characters have level 0
	}
	if explicit {
		p.matchIsolates()
	}
	p.base = p.baseLevel(base, explicit)
	if explicit {
		p.explicitLevels()
		p.eachSequence()
		return
	}
	p.seq = p.seq[:0]
	for i := range text {
		p.levels[i] = p.base
		p.seq = append(p.seq, i)
	}
	p.resolveSequence(p.base, direction(p.base), direction(p.base))
}

func classOf(r rune) bidi.Class {
	props, _ := bidi.LookupRune(r)
	return props.Class()
}

// direction returns the class R or L for a level.
func direction(level int8) bidi.Class {
	if level&1 == 1 {
		return bidi.R
	}
	return bidi.L
}

func isInitiator(c bidi.Class) bool { return c == bidi.LRI || c == bidi.RLI || c == bidi.FSI }

// matchIsolates pairs isolate initiators with their PDI (BD9).
func (p *paragraph) matchIsolates() {
	p.match = p.match[:0]
	var open []int
	for i, c := range p.given {
		p.match = append(p.match, -1)
		switch {
		case isInitiator(c):
			open = append(open, i)
		case c == bidi.PDI && len(open) > 0:
			o := open[len(open)-1]
			open = open[:len(open)-1]
			p.match[o], p.match[i] = i, o
		}
	}
}

// baseLevel implements rules P2 and P3.
func (p *paragraph) baseLevel(base Direction, isolates bool) int8 {
	switch base {
	case RTL:
		return 1
	case LTR:
		return 0
	}
	return p.firstStrong(0, len(p.given), isolates)
}

// firstStrong returns the base level given by the first strong character
// outside of an isolate, or 0 if no character is strong.
func (p *paragraph) firstStrong(from, to int, isolates bool) int8 {
	for i := from; i < to; i++ {
		switch c := p.given[i]; {
		case c == bidi.L:
			return 0
		case c == bidi.R || c == bidi.AL:
			return 1
		case isolates && isInitiator(c):
			if p.match[i] < 0 {
				return 0
			}
			i = p.match[i]
		}
	}
	return 0
}

// fillRemoved sets the level of each character that X9 removes to that of the
// character before it, so that a joiner stays with its letter.
func (p *paragraph) fillRemoved() {
	last := p.base
	for i, l := range p.levels {
		if l == removed {
			p.levels[i] = last
		}
		last = p.levels[i]
	}
}

// lineLevels returns the levels of text[from:to] as one line (rule L1). It
// reuses the memory of out.
func (p *paragraph) lineLevels(out []int8, from, to int) []int8 {
	out = append(out[:0], p.levels[from:to]...)
	trailing := true
	for i := to - 1; i >= from; i-- {
		switch c := p.given[i]; {
		case c == bidi.B || c == bidi.S:
			trailing = true
			out[i-from] = p.base
		case out[i-from] == removed || c == bidi.BN:
		case c == bidi.WS || isInitiator(c) || c == bidi.PDI:
			if trailing {
				out[i-from] = p.base
			}
		default:
			trailing = false
		}
	}
	return out
}

// span is a part of a line with one level.
type span struct {
	from, to int
	level    int8
}

// reorder splits a line into spans of one level and returns them in visual
// order (rule L2). It reuses the memory of spans. Removed characters belong to
// the span before them.
func reorder(spans []span, levels []int8) []span {
	spans = spans[:0]
	var high int8
	for i, l := range levels {
		if l == removed {
			continue
		}
		high = max(high, l)
		if n := len(spans); n > 0 && spans[n-1].level == l {
			spans[n-1].to = i + 1
			continue
		}
		spans = append(spans, span{i, i + 1, l})
	}
	for level := high; level > 0; level-- {
		for i := 0; i < len(spans); i++ {
			j := i
			for j < len(spans) && spans[j].level >= level {
				j++
			}
			for a, b := i, j-1; a < b; a, b = a+1, b-1 {
				spans[a], spans[b] = spans[b], spans[a]
			}
			i = max(i, j)
		}
	}
	return spans
}
