package trade

import (
	"strings"
	"unicode"

	"khatm/service/internal/fault"
)

// Limits of RFC 5321.
const (
	maxEmail = 254
	maxLocal = 64
)

// email requires the form name@host.tld; whether the address exists cannot be
// checked here. Letters of any script are allowed, quoted names and comments
// are not.
func (ps *problems) email(path, address string) {
	if ps.text(path, address, maxEmail, optional) && !isEmail(address) {
		ps.add(path, "must be an e-mail address such as name@example.com", fault.EmailAR)
	}
}

func isEmail(address string) bool {
	local, domain, found := strings.Cut(address, "@")
	if !found || len(local) > maxLocal || !dotted(local, isLocal) || !dotted(domain, isLabel) {
		return false
	}
	return strings.Contains(domain, ".")
}

// dotted reports whether text consists of parts of allowed characters,
// separated by single dots.
func dotted(text string, allowed func(rune) bool) bool {
	for part := range strings.SplitSeq(text, ".") {
		if part == "" || strings.HasPrefix(part, "-") || strings.ContainsFunc(part, func(r rune) bool { return !allowed(r) }) {
			return false
		}
	}
	return true
}

func isLabel(r rune) bool {
	return r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func isLocal(r rune) bool { return isLabel(r) || strings.ContainsRune("!#$%&'*+/=?^_`{|}~", r) }

// Limits of telephone numbers: from three digits, as in an emergency number, to
// fifteen digits (E.164) with an extension and punctuation.
const (
	minPhoneDigits = 3
	maxPhone       = 40
)

// phone checks a telephone number. The number is stored as written, with its
// grouping.
func (ps *problems) phone(path, text string) {
	if !ps.text(path, text, maxPhone, optional) {
		return
	}
	strange := strings.Trim(text, "0123456789 +-().,/#*x") != ""
	if strange || len(onlyDigits(text)) < minPhoneDigits {
		ps.add(path, "must be a telephone number such as +966 11 234 5678", fault.PhoneAR)
	}
}

// dialled returns the digits of a telephone number for search. A Saudi number is
// returned in both international and national form.
func dialled(phone string) string {
	digits := strings.TrimPrefix(onlyDigits(phone), "00")
	national, saudi := strings.CutPrefix(digits, "966")
	if !saudi && len(digits) == 10 {
		national, saudi = strings.CutPrefix(digits, "0")
	}
	if !saudi {
		return digits
	}
	return "966" + national + " 0" + national
}

func onlyDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r = latinDigit(r); '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, text)
}
