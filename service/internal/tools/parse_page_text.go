package tools

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"khatm/pdfa"
)

// pageText is the text of the pages of a PDF, in the forms that are searched.
type pageText struct {
	spaced  string // with one space where the text has a gap
	dated   string // in lower case, without spaces around the signs of dates and times
	compact string // in lower case, without white space
	letters string // of compact only the letters and digits
}

func newPageText(pages []pdfa.PageContent) pageText {
	var all strings.Builder
	for _, p := range pages {
		all.WriteString(p.Text)
		all.WriteByte('\n')
	}
	spaced := plainText(all.String())
	lower := strings.ToLower(spaced)
	compact := strings.ReplaceAll(lower, " ", "")
	return pageText{spaced, dateSign.ReplaceAllString(lower, "$1"), compact, lettersOf(compact)}
}

// plainText converts a text to the forms that are compared: letters without marks
// and joining forms, Western digits, and single spaces.
func plainText(text string) string {
	text = strings.ReplaceAll(text, "\u200B", " ") // between two pieces
	text = strings.Map(func(c rune) rune {
		switch {
		case c >= '٠' && c <= '٩':
			return c - '٠' + '0'
		case c >= '۰' && c <= '۹':
			return c - '۰' + '0'
		case c == '٫':
			return '.'
		case c == '٬':
			return ','
		case c == 'ـ' || unicode.In(c, unicode.Mn, unicode.Cf):
			return -1
		}
		return c
	}, norm.NFKC.String(text))
	return strings.Join(strings.Fields(text), " ")
}

// lettersOf returns only the letters and digits of a text.
func lettersOf(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return -1
	}, text)
}

// compare compares the tags of a QR code with the text.
func (t pageText) compare(tags map[string]string) textComparison {
	return textComparison{
		Seller:    t.name(tags[tagNames[1]]),
		VATNumber: t.number(tags[tagNames[2]]),
		Timestamp: t.timestamp(tags[tagNames[3]]),
		Total:     t.amount(tags[tagNames[4]]),
		VAT:       t.amount(tags[tagNames[5]]),
	}
}

// name looks for every word of a name, because lines can break between them.
func (t pageText) name(name string) agreement {
	words := strings.Fields(strings.ToLower(plainText(name)))
	found := 0
	for _, w := range words {
		if w = lettersOf(w); w == "" {
			found++
		} else if strings.Contains(t.letters, w) {
			found++
		}
	}
	if found == 0 || found < len(words) {
		return notFound
	}
	return agrees
}

// vatNumber matches VAT registration numbers.
var vatNumber = regexp.MustCompile(`(?:^|\D)(3\d{13}3)\b`)

func (t pageText) number(number string) agreement {
	if number == "" {
		return notFound
	}
	if strings.Contains(t.compact, strings.ToLower(number)) {
		return agrees
	}
	if vatNumber.MatchString(t.spaced) {
		return differs
	}
	return notFound
}

// amountLike matches numbers with decimals. The last sign separates the decimals,
// but a comma before three digits does not.
var amountLike = regexp.MustCompile(`\d[\d.,]*(?:\.\d{1,4}|,\d{1,2})\b`)

func (t pageText) amount(amount string) agreement {
	want := plainAmount(plainText(amount))
	all := amountLike.FindAllString(t.spaced, -1)
	switch {
	case want == "":
		return notFound
	case slices.ContainsFunc(all, func(a string) bool { return plainAmount(a) == want }):
		return agrees
	case len(all) > 0:
		return differs
	case hasToken(t.spaced, want): // amounts without decimals
		return agrees
	}
	return notFound
}

// plainAmount returns an amount without separators and without zeros at its ends,
// or "" if there is none.
func plainAmount(amount string) string {
	if amount == "" {
		return ""
	}
	whole, part := amount, ""
	if dot := strings.LastIndexAny(amount, ".,"); dot >= 0 {
		whole, part = amount[:dot], strings.TrimRight(amount[dot+1:], "0")
	}
	whole = strings.TrimLeft(strings.NewReplacer(",", "", ".", "").Replace(whole), "0")
	if whole == "" {
		whole = "0"
	}
	if part == "" {
		return whole
	}
	return whole + "." + part
}

// Patterns of dates and times.
var (
	dateSign = regexp.MustCompile(` ?([-/:]) ?`)
	dateLike = regexp.MustCompile(`\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}`)
	timeLike = regexp.MustCompile(`\d{1,2}:\d{2}`)
)

// dateForms are the layouts of dates that are searched. The case does not matter.
var dateForms = []string{
	"2006-01-02", "2006/01/02", "2006.01.02", "2006-1-2", "2006/1/2", "02-01-2006", "02/01/2006", "02.01.2006", "2-1-2006", "2/1/2006", "01/02/2006",
	"2 Jan 2006", "02 Jan 2006", "2 January 2006", "02 January 2006", "02-Jan-2006", "Jan 2, 2006", "January 2, 2006",
}

// arabicMonths are the months as they are written in Saudi Arabia.
var arabicMonths = [...]string{"يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"}

// timestamp looks for the date, and for the time if the text has times. A time in
// UTC can be printed in the time of Riyadh.
func (t pageText) timestamp(stamp string) agreement {
	var moments []time.Time
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02"} {
		if at, err := time.Parse(layout, strings.TrimSpace(stamp)); err == nil {
			moments = []time.Time{at, at.UTC(), at.UTC().Add(3 * time.Hour)}
			if !strings.HasSuffix(layout, "Z07:00") {
				moments = moments[:1]
			}
			break
		}
	}
	dated := false
	for _, at := range moments {
		if !t.hasDate(at) {
			continue
		}
		dated = true
		if !timeLike.MatchString(t.dated) || t.hasTime(at) {
			return agrees
		}
	}
	if dated || len(moments) > 0 && dateLike.MatchString(t.dated) {
		return differs
	}
	return notFound
}

func (t pageText) hasDate(at time.Time) bool {
	month := plainText(arabicMonths[at.Month()-1])
	return hasToken(t.dated, at.Format("2 ")+month+at.Format(" 2006")) ||
		slices.ContainsFunc(dateForms, func(form string) bool { return hasToken(t.dated, strings.ToLower(at.Format(form))) })
}

func (t pageText) hasTime(at time.Time) bool {
	return slices.ContainsFunc([]string{"15:04", "03:04", "3:04"}, func(form string) bool { return hasToken(t.dated, at.Format(form)) })
}

// hasToken reports whether a text contains another one, not within a longer number.
func hasToken(text, token string) bool {
	digit := func(at int) bool { return at >= 0 && at < len(text) && text[at] >= '0' && text[at] <= '9' }
	for from := 0; ; {
		i := strings.Index(text[from:], token)
		if i < 0 {
			return false
		}
		from += i
		if !digit(from-1) && !digit(from+len(token)) {
			return true
		}
		from += len(token)
	}
}
