package view

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"khatm/codes"
)

// language is the language of a page: ar or en.
type language string

const (
	arabic  language = "ar"
	english language = "en"
)

// languageOf returns the language of a page: the one in the URL or form, else
// the browser's first language if it is Arabic, else English.
func languageOf(r *http.Request) language {
	switch asked := language(r.FormValue("lang")); asked {
	case arabic, english:
		return asked
	}
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(r.Header.Get("Accept-Language"))), "ar") {
		return arabic
	}
	return english
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

// T returns a word of the page or of the glossary.
func (l language) T(key string) string {
	w, own := ownWords[key]
	if !own {
		term := codes.MustWord(key)
		w = [2]string{term.EN, term.AR}
	}
	return l.pick(w)
}

func (l language) pick(w [2]string) string {
	if l == arabic {
		return w[1]
	}
	return w[0]
}

// riyadh is a fixed zone: Saudi Arabia has no daylight saving time.
var riyadh = time.FixedZone("Asia/Riyadh", 3*60*60)

var arabicMonths = [...]string{"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"}

// moment is a time in Riyadh as the page shows it.
type moment struct{ ISO, Day, Clock string }

func (l language) momentOf(t time.Time) moment {
	local := t.In(riyadh)
	month := local.Month().String()
	if l == arabic {
		month = arabicMonths[local.Month()-1]
	}
	return moment{
		ISO: local.Format(time.RFC3339), Clock: local.Format(time.TimeOnly),
		Day: fmt.Sprintf("%d %s %d", local.Day(), month, local.Year()),
	}
}
