package invoice

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is how deep JSON may be nested; facts need six levels.
const maxDepth = 32

// readJSON reads one JSON value into maps, lists, texts, json.Number, booleans
// and nil. It is stricter than encoding/json, which would lose facts in
// silence: a key that stands twice is refused, as is half of a surrogate pair.
func readJSON(data []byte) (any, error) {
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("is not valid UTF-8")
	}
	r := &jsonReader{src: string(data)}
	value, err := r.value(1)
	if err != nil {
		return nil, err
	}
	if r.skip(); r.pos < len(r.src) {
		return nil, r.errorf("has something behind the JSON object")
	}
	return value, nil
}

type jsonReader struct {
	src string
	pos int
}

func (r *jsonReader) errorf(format string, args ...any) error {
	line := 1 + strings.Count(r.src[:r.pos], "\n")
	return fmt.Errorf("%s (line %d)", fmt.Sprintf(format, args...), line)
}

func (r *jsonReader) skip() {
	for r.pos < len(r.src) && strings.IndexByte(" \t\n\r", r.src[r.pos]) >= 0 {
		r.pos++
	}
}

// next skips white space and returns the byte that follows, 0 at the end.
func (r *jsonReader) next() byte {
	if r.skip(); r.pos == len(r.src) {
		return 0
	}
	return r.src[r.pos]
}

func (r *jsonReader) value(depth int) (any, error) {
	if depth > maxDepth {
		return nil, r.errorf("is nested deeper than %d levels", maxDepth)
	}
	switch c := r.next(); {
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.list(depth)
	case c == '"':
		return r.text()
	case c == '-' || '0' <= c && c <= '9':
		return r.number()
	}
	for literal, value := range literals {
		if strings.HasPrefix(r.src[r.pos:], literal) {
			r.pos += len(literal)
			return value, nil
		}
	}
	return nil, r.errorf("is not JSON: a value is expected")
}

var literals = map[string]any{"true": true, "false": false, "null": nil}

func (r *jsonReader) object(depth int) (any, error) {
	fields := make(map[string]any)
	for r.pos++; ; r.pos++ {
		switch c := r.next(); {
		case c == '}' && len(fields) == 0:
			r.pos++
			return fields, nil
		case c != '"':
			return nil, r.errorf("is not JSON: the name of a field is expected")
		}
		name, err := r.text()
		if err != nil {
			return nil, err
		}
		if _, twice := fields[name]; twice {
			return nil, r.errorf("has the field %q twice in one object", name)
		}
		if r.next() != ':' {
			return nil, r.errorf("is not JSON: a colon is expected behind %q", name)
		}
		r.pos++
		if fields[name], err = r.value(depth + 1); err != nil {
			return nil, err
		}
		switch r.next() {
		case ',':
		case '}':
			r.pos++
			return fields, nil
		default:
			return nil, r.errorf("is not JSON: a comma or } is expected")
		}
	}
}

func (r *jsonReader) list(depth int) (any, error) {
	var values []any
	for r.pos++; ; r.pos++ {
		if r.next() == ']' && len(values) == 0 {
			r.pos++
			return []any{}, nil
		}
		value, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
		switch r.next() {
		case ',':
		case ']':
			r.pos++
			return values, nil
		default:
			return nil, r.errorf("is not JSON: a comma or ] is expected")
		}
	}
}

// number keeps the digits as they stand; what they mean is read elsewhere.
func (r *jsonReader) number() (any, error) {
	start := r.pos
	for r.pos < len(r.src) && strings.IndexByte("+-.eE0123456789", r.src[r.pos]) >= 0 {
		r.pos++
	}
	text := r.src[start:r.pos]
	if !json.Valid([]byte(text)) {
		return nil, r.errorf("is not JSON: %.20s is no number", text)
	}
	return json.Number(text), nil
}

func (r *jsonReader) text() (string, error) {
	r.pos++
	start := r.pos
	for r.pos < len(r.src) {
		switch c := r.src[r.pos]; {
		case c == '"':
			r.pos++
			return r.src[start : r.pos-1], nil
		case c == '\\':
			return r.escaped(start)
		case c < ' ':
			return "", r.errorf("is not JSON: a text contains the control character %U", c)
		}
		r.pos++
	}
	return "", r.errorf("is not JSON: a text is not closed")
}

// escaped reads a text that has escapes, from its first one on.
func (r *jsonReader) escaped(start int) (string, error) {
	out := []byte(r.src[start:r.pos])
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		switch {
		case c == '"':
			r.pos++
			return string(out), nil
		case c < ' ':
			return "", r.errorf("is not JSON: a text contains the control character %U", c)
		case c != '\\':
			out = append(out, c)
			r.pos++
			continue
		}
		char, err := r.escape()
		if err != nil {
			return "", err
		}
		out = utf8.AppendRune(out, char)
	}
	return "", r.errorf("is not JSON: a text is not closed")
}

func (r *jsonReader) escape() (rune, error) {
	if r.pos+1 == len(r.src) {
		return 0, r.errorf("is not JSON: a text is not closed")
	}
	c := r.src[r.pos+1]
	if at := strings.IndexByte(`"\/bfnrt`, c); at >= 0 {
		r.pos += 2
		return rune("\"\\/\b\f\n\r\t"[at]), nil
	}
	high, err := r.unicodeEscape()
	if err != nil {
		return 0, err
	}
	if !utf16.IsSurrogate(high) {
		return high, nil
	}
	low, err := r.unicodeEscape()
	if pair := utf16.DecodeRune(high, low); err == nil && pair != utf8.RuneError {
		return pair, nil
	}
	return 0, r.errorf("has half of a character: \\u%04x without its other half", high)
}

// unicodeEscape reads \u and four hexadecimal digits.
func (r *jsonReader) unicodeEscape() (rune, error) {
	if rest := r.src[r.pos:]; len(rest) >= 6 && rest[:2] == `\u` {
		if n, err := strconv.ParseUint(rest[2:6], 16, 16); err == nil {
			r.pos += 6
			return rune(n), nil
		}
	}
	return 0, r.errorf("is not JSON: an escape in a text is not known")
}
