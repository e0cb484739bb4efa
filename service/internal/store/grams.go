package store

import (
	"strings"
	"unicode/utf8"
)

// SQLite's full-text index is asked for grams that are made here: pieces of
// three and of six letters of every word, and the first letters of each. Long
// pieces are rarer than short ones, so a long word is found by few of them.
var gramSizes = []int{3, 6}

// wordStart begins the gram of a word's first letters.
const wordStart = "\uE000"

// gramsOf are the grams of a folded text, separated by blanks.
func gramsOf(folded string) string {
	seen := map[string]bool{}
	var b strings.Builder
	add := func(gram string) {
		if seen[gram] {
			return
		}
		seen[gram] = true
		b.WriteString(asToken(gram))
		b.WriteByte(' ')
	}
	for word := range strings.FieldsSeq(folded) {
		letters := []rune(word)
		add(wordStart + string(letters[:1]))
		if len(letters) >= 2 {
			add(wordStart + string(letters[:2]))
		}
		for _, size := range gramSizes {
			for i := 0; i+size <= len(letters); i++ {
				add(string(letters[i : i+size]))
			}
		}
	}
	return b.String()
}

// asToken makes a gram one token: ASCII that is neither letter nor digit would
// end it, and goes to the private use area.
func asToken(gram string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return r + 0xE100
		}
		return r
	}, gram)
}

// gramQuery is what the index is asked for to find every word of a search, and
// the words that grams alone do not prove: that their pieces follow each other
// must be looked up in the row.
func gramQuery(search string) (match string, prove []string) {
	var tokens []string
	for word := range strings.FieldsSeq(search) {
		letters := []rune(word)
		if len(letters) < gramSizes[0] {
			tokens = append(tokens, asToken(wordStart+word))
			continue
		}
		size := gramSizes[0]
		for _, s := range gramSizes {
			if s <= len(letters) {
				size = s
			}
		}
		if len(letters) > size {
			prove = append(prove, word)
		}
		for i := 0; i+size < len(letters); i += size {
			tokens = append(tokens, asToken(string(letters[i:i+size])))
		}
		tokens = append(tokens, asToken(string(letters[len(letters)-size:])))
	}
	return strings.Join(tokens, " AND "), prove
}
