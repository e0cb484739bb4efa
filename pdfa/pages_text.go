package pdfa

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// maxLetters limits the characters of the text of all pages. More are ignored.
const maxLetters = 100_000

// pageText collects the text of a page.
type pageText struct {
	pieces  []textPiece
	line    []string // the text of each character of the current piece
	at      position // where the current piece begins
	start   matrix   // of the current line
	leading float64
	shown   bool   // whether a character was shown
	marked  int    // nested marked content
	skipped int    // nesting depth of the content that has a replacement text; 0 for none
	instead string // the replacement text until a character is shown
}

// textPiece is a text that is positioned separately.
type textPiece struct {
	at      position
	letters []string // the text of each character
}

// addText adds the text of one character.
func (p *interpreter) addText(text string) {
	if text == "" || p.doc.letters >= maxLetters {
		return
	}
	p.doc.letters++
	if len(p.text.line) == 0 {
		m := p.text.start.times(&p.state.ctm)
		p.text.at = m.apply(0, 0)
	}
	p.text.line = append(p.text.line, text)
}

// flush ends a piece.
func (t *pageText) flush() {
	if len(t.line) > 0 {
		t.pieces = append(t.pieces, textPiece{t.at, slices.Clone(t.line)})
	}
	t.line = t.line[:0]
}

// String returns the text of a page: the pieces as they are drawn, and those in
// rows with right-to-left letters again in reading order.
func (t *pageText) String() string {
	var out strings.Builder
	write := func(letters []string) {
		for _, l := range letters {
			out.WriteString(l)
		}
		out.WriteByte('\n')
	}
	for _, p := range t.pieces {
		write(p.letters)
	}
	for _, row := range t.rows() {
		var letters []string
		for _, p := range row {
			letters = append(append(letters, p.letters...), "\u200B")
		}
		if !slices.ContainsFunc(letters, isRightToLeft) {
			continue
		}
		// Producers disagree whether the text of a ligature is in reading order.
		single := strings.Split(strings.Join(letters, ""), "")
		turn(letters)
		write(letters)
		if len(single) > len(letters) {
			turn(single)
			write(single)
		}
	}
	return out.String()
}

// rows returns the pieces from top to bottom, those of one row from left to right.
func (t *pageText) rows() [][]textPiece {
	const tolerance = 1 // points
	slices.SortStableFunc(t.pieces, func(a, b textPiece) int { return cmp.Compare(b.at.y, a.at.y) })
	var rows [][]textPiece
	for from := 0; from < len(t.pieces); {
		to := from
		for to < len(t.pieces) && t.pieces[from].at.y-t.pieces[to].at.y <= tolerance {
			to++
		}
		row := t.pieces[from:to]
		slices.SortStableFunc(row, func(a, b textPiece) int { return cmp.Compare(a.at.x, b.at.x) })
		rows = append(rows, row)
		from = to
	}
	return rows
}

// turn reverses a line that was drawn from left to right, except for numbers and
// Latin words.
func turn(line []string) {
	slices.Reverse(line)
	for from := 0; from < len(line); {
		to := from
		for to < len(line) && isLeftToRight(line[to]) {
			to++
		}
		slices.Reverse(line[from:to])
		from = max(to, from+1)
	}
}

func isRightToLeft(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool {
		if c < 0x590 {
			return false
		}
		p, _ := bidi.LookupRune(c)
		return p.Class() == bidi.R || p.Class() == bidi.AL
	})
}

// isLeftToRight reports whether a text begins with a Latin letter, a digit, or a
// sign within a number.
func isLeftToRight(text string) bool {
	c, _ := utf8.DecodeRuneInString(text)
	return c != ' ' && c < 0x590 && !unicode.IsSpace(c) || unicode.IsDigit(c) || c == '٫' || c == '٬'
}

// moveText executes the operators that position text or end marked content.
func (p *interpreter) moveText(op keyword) bool {
	t := &p.text
	switch op {
	case "BT", "ET":
		t.flush()
		t.start = matrix{1, 0, 0, 1, 0, 0}
	case "Td", "TD":
		if v, ok := p.numbers(2); ok {
			p.moveLine(v[0], v[1])
			if op == "TD" {
				t.leading = -v[1]
			}
		}
	case "T*":
		p.moveLine(0, -t.leading)
	case "TL":
		if v, ok := p.numbers(1); ok {
			t.leading = v[0]
		}
	case "Tm":
		t.flush()
		if v, ok := p.numbers(6); ok {
			t.start = v
		}
	case "BMC":
		t.marked++
	case "EMC":
		if t.marked > 0 {
			if t.marked == t.skipped {
				t.skipped = 0
			}
			t.marked--
		}
	default:
		return false
	}
	return true
}

// moveLine begins a piece at a distance from the beginning of the last one.
func (p *interpreter) moveLine(x, y float64) {
	p.text.flush()
	move := matrix{1, 0, 0, 1, x, y}
	p.text.start = move.times(&p.text.start)
}

// beginMarked begins marked content. If it has a replacement text, that is used
// instead of the characters.
func (p *interpreter) beginMarked() error {
	t := &p.text
	t.marked++
	if len(p.operands) == 0 {
		return nil
	}
	var properties pdfDict
	switch v := p.operands[len(p.operands)-1].(type) {
	case pdfDict:
		properties = v
	case pdfName:
		named, _, err := p.named("Properties", v)
		if err != nil {
			return err
		}
		properties, _ = named.(pdfDict)
	}
	v, err := p.doc.r.resolve(properties.get("ActualText"))
	if err != nil {
		return err
	}
	if text, ok := v.(pdfString); ok && t.skipped == 0 {
		t.skipped, t.instead = t.marked, decodeText(text)
	}
	return nil
}

// showText shows the strings of a text operator.
func (p *interpreter) showText(op keyword) error {
	if len(p.operands) == 0 {
		return nil
	}
	if op != "Tj" && op != "TJ" { // the others begin a line
		p.moveLine(0, -p.text.leading)
	}
	switch v := p.operands[len(p.operands)-1].(type) {
	case pdfString:
		return p.show(v)
	case []any:
		for _, one := range v {
			if s, ok := one.(pdfString); ok {
				if err := p.show(s); err != nil {
					return err
				}
			} else if isWordSpace(one) {
				p.addText(" ")
			}
		}
	}
	return nil
}

// isWordSpace reports whether an adjustment within a text is as wide as a space.
func isWordSpace(adjustment any) bool {
	const space = -180 // thousandths of the font size
	switch v := adjustment.(type) {
	case int:
		return v < space
	case float64:
		return v < space
	}
	return false
}

// show shows one string.
func (p *interpreter) show(s pdfString) error {
	if err := p.doc.r.spend(32 + 8*len(s)); err != nil {
		return err
	}
	f := p.state.font
	if f == nil {
		f = latinFont
	}
	for len(s) > 0 {
		code := uint32(s[0])
		if s = s[1:]; f.wide && len(s) > 0 {
			code, s = code<<8|uint32(s[0]), s[1:]
		}
		p.text.shown = true
		if p.text.skipped > 0 {
			p.addText(p.text.instead)
			p.text.instead = ""
			continue
		}
		p.addText(f.text(code))
	}
	return nil
}
