package paper

import (
	"slices"
	"strings"

	"khatm/codes"
)

// phrase is a text in the first language of the page and, on a bilingual page, in
// the second.
type phrase struct{ main, other string }

// labelling returns the phrase as a label with a value on the same line.
func (p phrase) labelling(value string) string { return p.with(value).joined(" / ") }

// joined returns both texts with a separator. The second text is isolated, so that its
// punctuation and figures keep their order beside the first text.
func (p phrase) joined(separator string) string { return join(separator, p.main, isolated(p.other)) }

// with returns the phrase as a label with a value after its last text.
func (p phrase) with(value string) phrase {
	if p.other == "" {
		return phrase{main: p.main + ": " + isolated(value)}
	}
	return phrase{p.main, p.other + ": " + isolated(value)}
}

// say returns the texts in the languages of the page. If there is no Arabic text,
// it returns the English one.
func (l Language) say(en, ar string) phrase {
	switch {
	case l == English, ar == "":
		return phrase{main: en}
	case l == Arabic:
		return phrase{main: ar}
	}
	return phrase{ar, en}
}

// word returns the term with the given key, from ownWords or the glossary.
func (l Language) word(key string) phrase {
	if w, found := ownWords[key]; found {
		return l.say(w[0], w[1])
	}
	w := codes.MustWord(key)
	return l.say(w.EN, w.AR)
}

// quote returns a text of the document. Some businesses write both languages into
// one field, separated by a bar as in the authority's samples. Such a text is
// split into its two languages.
func (l Language) quote(text string) phrase {
	first, second, found := strings.Cut(text, "|")
	first, second = strings.TrimSpace(first), strings.TrimSpace(second)
	if !found || first == "" || second == "" || strings.Contains(second, "|") || hasRTL(first) == hasRTL(second) {
		return phrase{main: text}
	}
	if hasRTL(second) != (l == English) {
		first, second = second, first
	}
	return phrase{first, second}
}

// isolated encloses a code, a number or a name in Unicode isolates, so that it
// keeps its order in a text of the other direction.
func isolated(text string) string {
	if text == "" {
		return ""
	}
	return "\u2068" + text + "\u2069"
}

// explain returns the meaning of a code in the languages of the page, followed by
// the document's own texts about it, without duplicates.
func (l Language) explain(en, ar string, own ...string) []string {
	p := l.say(en, ar)
	var said []string
	add := func(texts ...string) {
		for _, s := range texts {
			if s = strings.TrimSpace(s); s != "" && !slices.Contains(said, s) {
				said = append(said, s)
			}
		}
	}
	add(p.main, p.other)
	for _, text := range own {
		q := l.quote(text)
		add(q.main, q.other)
	}
	return said
}

// rightToLeft reports whether pages in the language are laid out from right to
// left.
func (l Language) rightToLeft() bool { return l != English }

// tag returns the BCP 47 tag of the page's main language.
func (l Language) tag() string {
	if l == English {
		return "en"
	}
	return "ar"
}

// hasRTL reports whether a text has a letter of a right-to-left script.
func hasRTL(text string) bool {
	return strings.ContainsFunc(text, isRTL)
}

func isRTL(r rune) bool {
	return r >= 0x590 && r <= 0x8FF && !(r >= 0x660 && r <= 0x669) ||
		r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC ||
		r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}
