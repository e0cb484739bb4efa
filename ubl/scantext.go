package ubl

import (
	"strconv"
	"strings"
)

// charData scans text up to the next <.
func (s *scanner) charData() (string, error) {
	start := s.pos
	end := strings.IndexByte(s.src[start:], '<')
	if end < 0 {
		end = len(s.src) - start
	}
	s.pos = start + end
	raw := s.src[start:s.pos]
	if strings.Contains(raw, "]]>") {
		return "", s.fail(start, "text contains ]]>")
	}
	return s.resolve(unixLines(raw), start)
}

// unixLines replaces all line breaks by line feeds, according to XML 1.0 2.11.
func unixLines(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// resolve replaces the references in a text. Only numeric references and the
// five predefined entities exist, because no others can be declared.
func (s *scanner) resolve(text string, at int) (string, error) {
	next := strings.IndexByte(text, '&')
	if next < 0 {
		return text, nil
	}
	var out strings.Builder
	out.Grow(len(text))
	for next >= 0 {
		out.WriteString(text[:next])
		text = text[next:]
		end := strings.IndexByte(text, ';')
		if end < 0 || end > 12 {
			return "", s.fail(at, "& must be written as &amp;")
		}
		r, ok := referenced(text[1:end])
		if !ok {
			return "", s.fail(at, "reference %s is unknown", text[:end+1])
		}
		out.WriteRune(r)
		text = text[end+1:]
		next = strings.IndexByte(text, '&')
	}
	out.WriteString(text)
	return out.String(), nil
}

func referenced(name string) (rune, bool) {
	switch name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	digits, numeric := strings.CutPrefix(name, "#")
	if !numeric {
		return 0, false
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	// ParseUint accepts no sign and no underscore in these bases.
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n > 0x10FFFF || 0xD800 <= n && n <= 0xDFFF {
		return 0, false
	}
	if _, _, illegal := IllegalCharacter(string(rune(n))); illegal {
		return 0, false
	}
	return rune(n), true
}
