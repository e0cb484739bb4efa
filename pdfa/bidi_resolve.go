package pdfa

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

// resolveSequence applies rules W1 to W7, N0 to N2, I1 and I2 to p.seq.
func (p *paragraph) resolveSequence(level int8, sos, eos bidi.Class) {
	p.weak(sos)
	p.brackets(level, sos)
	p.neutral(level, sos, eos)
	for _, i := range p.seq {
		switch c := p.class[i]; {
		case level&1 == 0 && c == bidi.R:
			p.levels[i] = level + 1
		case level&1 == 0 && (c == bidi.AN || c == bidi.EN):
			p.levels[i] = level + 2
		case level&1 == 1 && (c == bidi.L || c == bidi.AN || c == bidi.EN):
			p.levels[i] = level + 1
		}
	}
}

// weak implements rules W1 to W7.
func (p *paragraph) weak(sos bidi.Class) {
	before, strong := sos, sos
	for _, i := range p.seq {
		c := p.class[i]
		if c == bidi.NSM { // W1
			c = before
			if isInitiator(before) || before == bidi.PDI {
				c = bidi.ON
			}
		}
		before = c
		switch c {
		case bidi.L, bidi.R:
			strong = c
		case bidi.AL: // W3
			strong = bidi.AL
		case bidi.EN: // W2
			if strong == bidi.AL {
				c, before = bidi.AN, bidi.AN
			}
		}
		p.class[i] = c
	}
	for _, i := range p.seq {
		if p.class[i] == bidi.AL {
			p.class[i] = bidi.R
		}
	}
	p.separators()
	p.terminators()
	strong = sos
	for _, i := range p.seq { // W7
		switch p.class[i] {
		case bidi.L, bidi.R:
			strong = p.class[i]
		case bidi.EN:
			if strong == bidi.L {
				p.class[i] = bidi.L
			}
		}
	}
}

// separators implements rule W4.
func (p *paragraph) separators() {
	for k := 1; k+1 < len(p.seq); k++ {
		c := p.class[p.seq[k]]
		if c != bidi.ES && c != bidi.CS {
			continue
		}
		left, right := p.class[p.seq[k-1]], p.class[p.seq[k+1]]
		if left == right && (left == bidi.EN || left == bidi.AN && c == bidi.CS) {
			p.class[p.seq[k]] = left
		}
	}
}

// terminators implements rules W5 and W6.
func (p *paragraph) terminators() {
	for k := 0; k < len(p.seq); k++ {
		switch p.class[p.seq[k]] {
		case bidi.ES, bidi.CS:
			p.class[p.seq[k]] = bidi.ON
		case bidi.ET:
			end := k
			for end < len(p.seq) && p.class[p.seq[end]] == bidi.ET {
				end++
			}
			to := bidi.ON
			if k > 0 && p.class[p.seq[k-1]] == bidi.EN || end < len(p.seq) && p.class[p.seq[end]] == bidi.EN {
				to = bidi.EN
			}
			for ; k < end; k++ {
				p.class[p.seq[k]] = to
			}
			k--
		}
	}
}

// strongClass returns the class as the rules for neutrals treat it: numbers are R,
// and everything other than L and R is ON.
func strongClass(c bidi.Class) bidi.Class {
	switch c {
	case bidi.L:
		return bidi.L
	case bidi.R, bidi.EN, bidi.AN:
		return bidi.R
	}
	return bidi.ON
}

// neutral implements rules N1 and N2.
func (p *paragraph) neutral(level int8, sos, eos bidi.Class) {
	before := sos
	for k := 0; k < len(p.seq); k++ {
		if c := strongClass(p.class[p.seq[k]]); c != bidi.ON {
			before = c
			continue
		}
		end := k
		for end < len(p.seq) && strongClass(p.class[p.seq[end]]) == bidi.ON {
			end++
		}
		after := eos
		if end < len(p.seq) {
			after = strongClass(p.class[p.seq[end]])
		}
		to := direction(level)
		if before == after {
			to = before
		}
		for ; k < end; k++ {
			p.class[p.seq[k]] = to
		}
		k--
	}
}

// bracketPair holds indexes in p.seq.
type bracketPair struct{ open, shut int }

// maxBrackets is the maximum number of open brackets (BD16).
const maxBrackets = 63

// findPairs finds the bracket pairs (BD16).
func (p *paragraph) findPairs() {
	p.pairs = p.pairs[:0]
	var shuts [maxBrackets]rune
	var opens [maxBrackets]int
	n := 0
	for k, i := range p.seq {
		if p.class[i] != bidi.ON {
			continue
		}
		props, _ := bidi.LookupRune(p.text[i])
		if !props.IsBracket() {
			continue
		}
		if props.IsOpeningBracket() {
			if n == maxBrackets {
				p.pairs = p.pairs[:0]
				return
			}
			shuts[n], opens[n] = canonicalBracket(partner(p.text[i])), k
			n++
			continue
		}
		for j := n - 1; j >= 0; j-- {
			if shuts[j] == canonicalBracket(p.text[i]) {
				p.pairs = append(p.pairs, bracketPair{opens[j], k})
				n = j
				break
			}
		}
	}
	slices.SortFunc(p.pairs, func(a, b bracketPair) int { return a.open - b.open })
}

// partner returns the closing bracket of an opening bracket.
func partner(open rune) rune {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return []rune(bidi.ReverseString(string(open)))[0]
}

// canonicalBracket maps the two brackets that are canonically equivalent to
// others.
func canonicalBracket(r rune) rune {
	switch r {
	case 0x2329:
		return 0x3008
	case 0x232A:
		return 0x3009
	}
	return r
}

// brackets implements rule N0.
func (p *paragraph) brackets(level int8, sos bidi.Class) {
	p.findPairs()
	embedding := direction(level)
	for _, pair := range p.pairs {
		inside := bidi.ON
		for k := pair.open + 1; k < pair.shut; k++ {
			c := strongClass(p.class[p.seq[k]])
			if c == embedding {
				inside = c
				break
			}
			if c != bidi.ON {
				inside = c
			}
		}
		if inside == bidi.ON {
			continue
		}
		if inside != embedding && p.contextBefore(pair.open, sos) != inside {
			inside = embedding
		}
		p.setBracket(pair.open, inside)
		p.setBracket(pair.shut, inside)
	}
}

func (p *paragraph) contextBefore(k int, sos bidi.Class) bidi.Class {
	for k--; k >= 0; k-- {
		if c := strongClass(p.class[p.seq[k]]); c != bidi.ON {
			return c
		}
	}
	return sos
}

// setBracket sets the class of a bracket and of the marks that follow it.
func (p *paragraph) setBracket(k int, c bidi.Class) {
	p.class[p.seq[k]] = c
	for k++; k < len(p.seq) && p.given[p.seq[k]] == bidi.NSM; k++ {
		p.class[p.seq[k]] = c
	}
}
