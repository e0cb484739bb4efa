package witness

import "bytes"

// plain reports whether a document consists only of tags with ordinary names,
// quoted attributes and text: no comments, CDATA sections, instructions or
// declarations, and no names with a colon at either end or with two colons. Such
// a document does not change when it is written and parsed again. Validating
// that would take twice as long as everything else.
func plain(document []byte) bool {
	if bytes.HasPrefix(document, []byte("<?xml ")) {
		_, after, closed := bytes.Cut(document, []byte("?>"))
		if !closed {
			return false
		}
		document = after
	}
	for {
		at := bytes.IndexByte(document, '<')
		if at < 0 {
			return true
		}
		rest, ok := plainTag(document[at+1:])
		if !ok {
			return false
		}
		document = rest
	}
}

// plainTag parses a tag after its < and returns what follows it.
func plainTag(text []byte) (rest []byte, ok bool) {
	text = bytes.TrimPrefix(text, []byte("/"))
	if text, ok = plainName(text); !ok {
		return nil, false
	}
	for {
		trimmed := bytes.TrimLeft(text, " \t\r\n")
		switch {
		case bytes.HasPrefix(trimmed, []byte(">")):
			return trimmed[1:], true
		case bytes.HasPrefix(trimmed, []byte("/>")):
			return trimmed[2:], true
		case len(trimmed) == len(text):
			return nil, false // no white space before an attribute
		}
		if text, ok = plainAttribute(trimmed); !ok {
			return nil, false
		}
	}
}

// plainAttribute parses name="value" or name='value'.
func plainAttribute(text []byte) (rest []byte, ok bool) {
	if text, ok = plainName(text); !ok || len(text) < 3 || text[0] != '=' {
		return nil, false
	}
	quote := text[1]
	end := bytes.IndexByte(text[2:], quote)
	if quote != '"' && quote != '\'' || end < 0 {
		return nil, false
	}
	return text[2+end+1:], true
}

// plainName parses a name of ASCII letters and digits with at most one prefix.
func plainName(text []byte) (rest []byte, ok bool) {
	if text, ok = plainWord(text); ok && len(text) > 0 && text[0] == ':' {
		return plainWord(text[1:])
	}
	return text, ok
}

func plainWord(text []byte) (rest []byte, ok bool) {
	at := 0
	for at < len(text) && isPlain(text[at], at == 0) {
		at++
	}
	return text[at:], at > 0
}

func isPlain(c byte, first bool) bool {
	letter := c|0x20 >= 'a' && c|0x20 <= 'z'
	return letter || !first && (c >= '0' && c <= '9')
}
