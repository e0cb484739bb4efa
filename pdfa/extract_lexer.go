package pdfa

import (
	"bytes"
	"fmt"
	"strconv"
)

// lexer reads tokens and values from PDF data.
type lexer struct {
	r     *reader
	data  []byte
	at    int
	depth int
}

// Limits of single tokens.
const (
	maxWord   = 512
	maxString = 1 << 20
)

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == 0 || c == '\f'
}

func isDelimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

// token returns the next name, string, number or keyword. At the end of the data it
// returns ErrMalformed.
func (l *lexer) token() (any, error) {
	if err := l.skip(); err != nil {
		return nil, err
	}
	start := l.at
	t, err := l.read()
	if spent := l.r.spend(l.at - start + 4); spent != nil {
		return nil, spent
	}
	return t, err
}

// skip skips white space and comments, which count as work, too.
func (l *lexer) skip() error {
	start := l.at
	l.at = l.afterSpace()
	return l.r.spend(l.at - start)
}

func (l *lexer) afterSpace() int {
	at := l.at
	for at < len(l.data) {
		switch c := l.data[at]; {
		case isSpace(c):
			at++
		case c == '%':
			for at < len(l.data) && l.data[at] != '\n' && l.data[at] != '\r' {
				at++
			}
		default:
			return at
		}
	}
	return at
}

func (l *lexer) read() (any, error) {
	if l.at >= len(l.data) {
		return nil, fmt.Errorf("%w: unexpected end of the data", ErrMalformed)
	}
	two := l.data[l.at:min(l.at+2, len(l.data))]
	switch c := l.data[l.at]; {
	case c == '/':
		l.at++
		w, err := l.word()
		return pdfName(unescapeName(w)), err
	case c == '(':
		return l.literal()
	case string(two) == "<<" || string(two) == ">>":
		l.at += 2
		return keyword(two), nil
	case c == '<':
		return l.hexadecimal()
	case isDelimiter(c):
		l.at++
		return keyword(c), nil
	}
	w, err := l.word()
	if err != nil {
		return nil, err
	}
	if c := w[0]; c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' {
		return numberOf(string(w)), nil
	}
	return keyword(w), nil
}

func (l *lexer) word() ([]byte, error) {
	start := l.at
	for l.at < len(l.data) && !isSpace(l.data[l.at]) && !isDelimiter(l.data[l.at]) {
		l.at++
	}
	if l.at-start > maxWord {
		return nil, fmt.Errorf("%w: word has %d bytes", ErrMalformed, l.at-start)
	}
	return l.data[start:l.at], nil
}

// numberOf parses a number. It returns a keyword if w is not a number.
func numberOf(w string) any {
	if n, err := strconv.Atoi(w); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(w, 64); err == nil {
		return f
	}
	return keyword(w)
}

func unescapeName(w []byte) []byte {
	if bytes.IndexByte(w, '#') < 0 {
		return w
	}
	out := make([]byte, 0, len(w))
	for i := 0; i < len(w); i++ {
		if w[i] == '#' && i+2 < len(w) && hexValue(w[i+1]) < 16 && hexValue(w[i+2]) < 16 {
			out = append(out, hexValue(w[i+1])<<4|hexValue(w[i+2]))
			i += 2
			continue
		}
		out = append(out, w[i])
	}
	return out
}

// hexValue returns the value of a hexadecimal digit, or 16 for another character.
func hexValue(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 16
}

func (l *lexer) hexadecimal() (any, error) {
	l.at++
	window := l.data[l.at:min(len(l.data), l.at+2*maxString)]
	end := bytes.IndexByte(window, '>')
	if end < 0 {
		l.at += len(window) // count it as work
		return nil, fmt.Errorf("%w: unterminated string", ErrMalformed)
	}
	out := decodeHex(window[:end])
	l.at += end + 1
	return pdfString(out), l.r.keep(len(out) / 64)
}

// decodeHex decodes pairs of hexadecimal digits and ignores other characters. If the
// number of digits is odd, a zero is assumed at the end.
func decodeHex(data []byte) []byte {
	out := make([]byte, 0, len(data)/2+1)
	odd := false
	for _, c := range data {
		v := hexValue(c)
		switch {
		case v == 16:
			continue
		case odd:
			out[len(out)-1] |= v
		default:
			out = append(out, v<<4)
		}
		odd = !odd
	}
	return out
}
