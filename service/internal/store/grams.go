package store

import (
	"strings"
	"unicode/utf8"
)

// gramSizes are the lengths of the grams in SQLite's full-text index: pieces of
// three and six letters of every word. The first letters of a word are indexed
// too. Longer pieces are rarer, so a long word is found with few of them.
var gramSizes = []int{3, 6}

// wordStart is the prefix of the grams for the first letters of a word.
const wordStart = "\uE000"

// gramsOf returns the grams of a folded text, separated by spaces.
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

// asToken returns a gram as one token: it maps ASCII characters that would end
// a token to the private use area.
func asToken(gram string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return r + 0xE100
		}
		return r
	}, gram)
}

// gramQuery returns the index query for every word of a search, and the words
// that the grams do not prove: the row must be checked, because their grams may
// occur in another order.
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
