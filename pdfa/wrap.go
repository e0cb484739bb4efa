package pdfa

import (
	"math"
	"strings"
)

// maxPiece is the number of characters of a long word that are measured to find
// where to break it.
const maxPiece = 300

// Wrap breaks a text into lines that are no wider than width, in points. It breaks
// inside a word only if the word is wider than a line. A line break in the text
// begins a new paragraph. An empty text has no lines.
func (f *Fonts) Wrap(s Style, text string, width float64) []Line {
	sc := f.take()
	defer f.scratch.Put(sc)
	sc.begin(s, text, true)
	em := 0.0
	if s.Size > 0 {
		em = width / s.Size
	}
	var lines []Line
	for from := 0; from < len(sc.runes); {
		to := from
		for to < len(sc.runes) && sc.runes[to] != '\n' {
			to++
		}
		sc.origin = from
		sc.para.resolve(sc.runes[from:to], s.Base)
		sc.para.fillRemoved()
		lines = sc.wrap(lines, from, to, em)
		from = to + 1
	}
	return lines
}

// wrap appends the lines of one paragraph.
func (sc *scratch) wrap(lines []Line, from, to int, width float64) []Line {
	if from == to {
		return append(lines, sc.line(from, to))
	}
	const slack = 1e-6 // tolerance, so that a text fits into its own measured width
	width += slack
	space := sc.fonts.word(wordKey{" ", sc.chain[0], false}).width
	start, end, used := from, from, 0.0
	longest := maxPiece // the length up to which a word is measured as a whole
	stop := from
	for from < to {
		if stop < from {
			stop, longest = from, maxPiece
		}
		for stop < to && sc.runes[stop] != ' ' {
			stop++
		}
		w := math.Inf(1) // a very long word is broken without measuring it
		if stop-from <= longest {
			w = sc.measure(from, stop)
		}
		switch {
		case end > start && used+space+w <= width:
			end, used = stop, used+space+w
		case end > start:
			lines = append(lines, sc.line(start, end))
			start, end, used = from, from, 0
			continue
		case w <= width:
			end, used = stop, w
		default:
			piece := sc.fit(from, stop, width)
			lines = append(lines, sc.line(from, piece))
			// The rest is measured as a whole only if it may fit on a line: it
			// would otherwise be shaped once for each line.
			longest = min(maxPiece, 6*(piece-from))
			from, start, end, used = piece, piece, piece, 0
			if from < to && sc.runes[from] == ' ' {
				from, start, end = from+1, from+1, from+1
			}
			continue
		}
		from = stop + 1
	}
	if end > start {
		lines = append(lines, sc.line(start, end))
	}
	return lines
}

// measure returns the width of runes[from:to] in em.
func (sc *scratch) measure(from, to int) float64 {
	total := 0.0
	for from < to {
		level := sc.para.levels[from-sc.origin]
		end := from + 1
		for end < to && sc.para.levels[end-sc.origin] == level {
			end++
		}
		sc.cut(from, end, level&1 == 1, func(w *word) { total += w.width })
		from = end
	}
	return total
}

// fit returns the index at which to break a word that is too wide: as late as
// possible, preferably after punctuation, and never between a letter and its mark.
func (sc *scratch) fit(from, to int, width float64) int {
	lo := sc.widest(from, min(to, from+maxPiece), width)
	for at := lo; at > from+(lo-from)*2/3; at-- {
		if lo < to && strings.ContainsRune("-/_.,@:;&|،؛", sc.runes[at-1]) && sc.measure(from, at) <= width {
			return at
		}
	}
	for at := lo; at > from; at-- {
		// A shorter piece may be wider, because final letters have other forms.
		if !sc.joinsPrevious(at, to) && sc.measure(from, at) <= width {
			return at
		}
	}
	at := from + 1
	for sc.joinsPrevious(at, to) {
		at++
	}
	return at
}

// widest returns the largest index up to which the text fits into the width, at
// least from+1. The search starts at a guess from the first letters, because the
// cost of measuring grows with the length: a narrow column holds only a few letters
// of a word that has hundreds.
func (sc *scratch) widest(from, to int, width float64) int {
	const sample = 6
	lo, hi := from+1, to
	guess := from + sample
	if w := sc.measure(from, min(guess, to)); w > 0 {
		guess = from + int(width/w*sample)
	}
	for step := 2; lo < hi; {
		mid := min(max(guess, lo+1), hi)
		if sc.measure(from, mid) <= width {
			lo, guess = mid, mid+step
		} else {
			hi, guess = mid-1, mid-step
		}
		if guess <= lo || guess > hi || step > sample {
			guess = (lo + hi + 1) / 2
		}
		step *= 2
	}
	return lo
}

// joinsPrevious reports whether the character at the index belongs to the one before it.
func (sc *scratch) joinsPrevious(at, to int) bool {
	return at < to && (isMark(sc.runes[at]) || isInvisible(sc.runes[at]))
}
