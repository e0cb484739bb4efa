package pdfa

import "fmt"

// literal reads a string in parentheses.
func (l *lexer) literal() (any, error) {
	l.at++
	var out []byte
	open := 1
	for ; l.at < len(l.data); l.at++ {
		c := l.data[l.at]
		switch c {
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				l.at++
				return pdfString(out), l.r.keep(len(out) / 64)
			}
		case '\\':
			l.at++
			var ok bool
			if c, ok = l.escape(); !ok {
				continue
			}
		}
		if out = append(out, c); len(out) > maxString {
			return nil, fmt.Errorf("%w: string has more than %d bytes", ErrLimit, maxString)
		}
	}
	return nil, fmt.Errorf("%w: unterminated string", ErrMalformed)
}

// escape returns the byte of an escape sequence after its backslash. It returns
// false for a line continuation.
func (l *lexer) escape() (byte, bool) {
	if l.at >= len(l.data) {
		return 0, false
	}
	switch c := l.data[l.at]; c {
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case '\r':
		if l.at+1 < len(l.data) && l.data[l.at+1] == '\n' {
			l.at++
		}
		return 0, false
	case '\n':
		return 0, false
	case '0', '1', '2', '3', '4', '5', '6', '7':
		v := 0
		for n := 0; n < 3 && l.at < len(l.data) && l.data[l.at] >= '0' && l.data[l.at] <= '7'; n++ {
			v = v*8 + int(l.data[l.at]-'0')
			l.at++
		}
		l.at--
		return byte(v), true
	default:
		return c, true
	}
}

// value reads one value, including nested values.
func (l *lexer) value() (any, error) {
	if l.depth++; l.depth > l.r.limits.Depth {
		return nil, fmt.Errorf("%w: values are nested too deeply", ErrLimit)
	}
	defer func() { l.depth-- }()
	if err := l.r.keep(1); err != nil {
		return nil, err
	}
	t, err := l.token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case int:
		return l.reference(t)
	case keyword:
		switch t {
		case "[":
			return l.array()
		case "<<":
			return l.dict()
		case "true":
			return true, nil
		case "false":
			return false, nil
		case "null":
			return nil, nil //nolint:nilnil // null is a value of PDF
		}
		return t, nil
	}
	return t, nil
}

// reference reads what follows a number. It returns a reference or the number
// itself.
func (l *lexer) reference(number int) (any, error) {
	back := l.at
	if err := l.skip(); err != nil {
		return nil, err
	}
	if l.at < len(l.data) && l.data[l.at] >= '0' && l.data[l.at] <= '9' {
		second, err := l.token()
		if err != nil {
			return nil, err
		}
		if generation, ok := second.(int); ok {
			if err := l.skip(); err != nil {
				return nil, err
			}
			if l.at < len(l.data) && l.data[l.at] == 'R' && (l.at+1 == len(l.data) || isSpace(l.data[l.at+1]) || isDelimiter(l.data[l.at+1])) {
				l.at++
				return pdfRef{number, generation}, nil
			}
		}
	}
	l.at = back
	return number, nil
}

func (l *lexer) array() (any, error) {
	var all []any
	for {
		v, err := l.value()
		if err != nil {
			return nil, err
		}
		if k, ok := v.(keyword); ok {
			switch k {
			case "]":
				return all, nil
			case ">>", "endobj", "stream":
				return nil, fmt.Errorf("%w: %s in an array", ErrMalformed, k)
			}
		}
		all = append(all, v)
	}
}

func (l *lexer) dict() (any, error) {
	var d pdfDict
	for {
		t, err := l.token()
		if err != nil {
			return nil, err
		}
		if t == keyword(">>") {
			return d, nil
		}
		key, ok := t.(pdfName)
		if !ok {
			return nil, fmt.Errorf("%w: %v is not a key", ErrMalformed, t)
		}
		v, err := l.value()
		if err != nil {
			return nil, err
		}
		if v == keyword(">>") {
			return d, nil // the last key has no value
		}
		if err := l.r.keep(1); err != nil {
			return nil, err
		}
		d = append(d, pdfEntry{key, v})
	}
}
