package paper

import (
	"slices"
	"strings"

	"khatm/codes"
)

// phrase is something said: in the first language of the page and, where there
// are two, in the other one, which stands beside or below it.
type phrase struct{ main, other string }

// label is the phrase in front of what it names, on the same line.
func (p phrase) label() string { return join(" / ", p.main, p.other) + ": " }

// say chooses the languages of the page. Some lists have no Arabic.
func (l Language) say(en, ar string) phrase {
	switch {
	case l == English, ar == "":
		return phrase{main: en}
	case l == Arabic:
		return phrase{main: ar}
	}
	return phrase{ar, en}
}

// word is a term of the glossary.
func (l Language) word(key string) phrase {
	if w, found := ownWords[key]; found {
		return l.say(w[0], w[1])
	}
	w := codes.MustWord(key)
	return l.say(w.EN, w.AR)
}

// quote is a text of the document in its own words. Businesses that write both
// languages into one field part them with a bar, as the authority's samples
// do; then the halves are set apart on the page as well.
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

// isolated is a code, a number or a name that keeps its own order in a sentence
// of the other direction.
func isolated(text string) string {
	if text == "" {
		return ""
	}
	return "\u2068" + text + "\u2069"
}

// explain is a code's meaning in the languages of the page and what the document
// itself says about it, each once.
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

// rightToLeft says whether pages of the language begin at the right edge.
func (l Language) rightToLeft() bool { return l != English }

// tag is the language that the page is read out in.
func (l Language) tag() string {
	if l == English {
		return "en"
	}
	return "ar"
}

// hasRTL says whether a text has a letter of a script written from right to
// left.
func hasRTL(text string) bool {
	return strings.ContainsFunc(text, isRTL)
}

func isRTL(r rune) bool {
	return r >= 0x590 && r <= 0x8FF && !(r >= 0x660 && r <= 0x669) ||
		r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC ||
		r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}
