package guest

import (
	"net/http"

	tags "golang.org/x/text/language"

	"khatm/codes"
	"khatm/service/internal/share"
)

// language is the language of a page: ar or en.
type language string

const (
	arabic  language = "ar"
	english language = "en"
)

// known lists the languages of the pages. The first is the default.
var known = []language{arabic, english}

var matcher = tags.NewMatcher([]tags.Tag{tags.Arabic, tags.English})

// languageOf returns the language for a visitor: the one in the URL, else the
// browser's preference, else the recipient's language set by the seller.
func languageOf(r *http.Request, v share.View) language {
	switch asked := language(r.URL.Query().Get("lang")); asked {
	case arabic, english:
		return asked
	}
	preferred, _, err := tags.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err == nil && len(preferred) > 0 {
		if _, at, sure := matcher.Match(preferred...); sure > tags.No {
			return known[at]
		}
	}
	if v.Draft != nil && v.Draft.Recipient.Language == string(english) {
		return english
	}
	return arabic
}

// Dir returns the text direction.
func (l language) Dir() string {
	if l == arabic {
		return "rtl"
	}
	return "ltr"
}

// Other returns the other language.
func (l language) Other() language {
	if l == arabic {
		return english
	}
	return arabic
}

// of returns a word in this language.
func (l language) of(w codes.Word) string { return l.pick(w.EN, w.AR) }

// pick returns the English or the Arabic text. If one is empty, it returns the
// other.
func (l language) pick(en, ar string) string {
	if l == arabic && ar != "" || en == "" {
		return ar
	}
	return en
}
