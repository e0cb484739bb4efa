package jsontree

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// str reads a string in quotes. A string without escapes is a piece of the text
// and costs nothing.
func (p *parser) str() (string, error) {
	start := p.at + 1
	for i := start; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '"':
			p.at = i + 1
			return p.text[start:i], nil
		case c == '\\':
			return p.escaped(start, i)
		case c < ' ':
			return "", p.fail(i, "a control character in a string")
		}
	}
	return "", p.fail(len(p.text), "unexpected end, expected a closing quote")
}

// escaped goes on reading a string at its first backslash.
func (p *parser) escaped(start, at int) (string, error) {
	out := append(make([]byte, 0, 2*(at-start)+16), p.text[start:at]...)
	for at < len(p.text) {
		switch c := p.text[at]; {
		case c == '"':
			p.at = at + 1
			return string(out), nil
		case c < ' ':
			return "", p.fail(at, "a control character in a string")
		case c != '\\':
			out = append(out, c)
			at++
		default:
			var ok bool
			if out, at, ok = p.escape(out, at); !ok {
				return "", p.fail(min(at, len(p.text)), "an invalid escape in a string")
			}
		}
	}
	return "", p.fail(len(p.text), "unexpected end, expected a closing quote")
}

// escape reads one escape sequence and gives the place behind it.
func (p *parser) escape(out []byte, at int) ([]byte, int, bool) {
	if at+1 >= len(p.text) {
		return out, at, false
	}
	switch c := p.text[at+1]; c {
	case '"', '\\', '/':
		return append(out, c), at + 2, true
	case 'b':
		return append(out, '\b'), at + 2, true
	case 'f':
		return append(out, '\f'), at + 2, true
	case 'n':
		return append(out, '\n'), at + 2, true
	case 'r':
		return append(out, '\r'), at + 2, true
	case 't':
		return append(out, '\t'), at + 2, true
	case 'u':
		return p.codePoint(out, at)
	}
	return out, at, false
}

// codePoint reads \uXXXX, and the second half of a pair if there is one.
func (p *parser) codePoint(out []byte, at int) ([]byte, int, bool) {
	first, ok := p.hex(at)
	if !ok {
		return out, at, false
	}
	at += 6
	if !utf16.IsSurrogate(first) {
		return utf8.AppendRune(out, first), at, true
	}
	if second, ok := p.hex(at); ok {
		if pair := utf16.DecodeRune(first, second); pair != utf8.RuneError {
			return utf8.AppendRune(out, pair), at + 6, true
		}
	}
	// Half a pair is no character, but it is JSON. It is kept in three bytes that
	// are no UTF-8; whoever asks for the text finds and names it.
	return append(out, 0xE0|byte(first>>12), 0x80|byte(first>>6&0x3F), 0x80|byte(first&0x3F)), at, true
}

func (p *parser) hex(at int) (rune, bool) {
	if at+6 > len(p.text) || p.text[at] != '\\' || p.text[at+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(p.text[at+2:at+6], 16, 16)
	return rune(n), err == nil
}

// number reads a number and gives it as it was written.
func (p *parser) number() (string, error) {
	start := p.at
	if p.peek() == '-' {
		p.at++
	}
	switch c := p.peek(); {
	case c == '0':
		p.at++
	case c >= '1' && c <= '9':
		p.digits()
	default:
		return "", p.unexpected("a digit")
	}
	if p.peek() == '.' {
		p.at++
		if !p.digits() {
			return "", p.unexpected("a digit")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if !p.digits() {
			return "", p.unexpected("a digit")
		}
	}
	return p.text[start:p.at], nil
}

// digits passes over digits and says whether there were any.
func (p *parser) digits() bool {
	start := p.at
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.at++
	}
	return p.at > start
}
