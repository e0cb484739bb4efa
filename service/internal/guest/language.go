package guest

import (
	"net/http"

	tags "golang.org/x/text/language"

	"khatm/codes"
	"khatm/service/internal/share"
)

// language is what a page is written in: ar or en.
type language string

const (
	arabic  language = "ar"
	english language = "en"
)

// known are the languages of the pages; who wants none of them gets the first.
var known = []language{arabic, english}

var matcher = tags.NewMatcher([]tags.Tag{tags.Arabic, tags.English})

// languageOf is what a visitor reads: what the address says, or else what the
// browser prefers, or else what the seller thinks of the recipient.
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

// Dir is the direction of the writing.
func (l language) Dir() string {
	if l == arabic {
		return "rtl"
	}
	return "ltr"
}

// Other is the other language.
func (l language) Other() language {
	if l == arabic {
		return english
	}
	return arabic
}

// of is a word in the language.
func (l language) of(w codes.Word) string { return l.pick(w.EN, w.AR) }

// pick chooses between a text in English and in Arabic; where one is missing
// the other has to do.
func (l language) pick(en, ar string) string {
	if l == arabic && ar != "" || en == "" {
		return ar
	}
	return en
}
