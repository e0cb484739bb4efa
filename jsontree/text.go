package jsontree

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// str parses a string. A string without escapes is a substring of the text and
// needs no allocation.
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

// escaped continues to parse a string at its first backslash.
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

// escape decodes one escape sequence and returns the index after it.
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

// codePoint decodes \uXXXX, and the second half of a surrogate pair if present.
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
	// An unpaired surrogate is valid JSON but not a character. It is kept as three
	// bytes of invalid UTF-8, so that the caller can detect and report it.
	return append(out, 0xE0|byte(first>>12), 0x80|byte(first>>6&0x3F), 0x80|byte(first&0x3F)), at, true
}

// hex decodes the \uXXXX escape at the index.
func (p *parser) hex(at int) (rune, bool) {
	if at+6 > len(p.text) || p.text[at] != '\\' || p.text[at+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(p.text[at+2:at+6], 16, 16)
	return rune(n), err == nil
}

// number parses a number and returns it as written.
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

// digits skips digits and reports whether there were any.
func (p *parser) digits() bool {
	start := p.at
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.at++
	}
	return p.at > start
}
