package trade

import (
	"strings"
	"unicode"
)

// Bounds of RFC 5321.
const (
	maxEmail = 254
	maxLocal = 64
)

// email demands the shape name@host.tld, which is all that can be known of an
// address before a mail has arrived. Letters of any script are let through;
// quoted names and comments, which nobody uses, are not.
func (ps *problems) email(path, address string) {
	if ps.text(path, address, maxEmail, optional) && !isEmail(address) {
		ps.add(path, "must be an e-mail address such as name@example.com")
	}
}

func isEmail(address string) bool {
	local, domain, found := strings.Cut(address, "@")
	if !found || len(local) > maxLocal || !dotted(local, isLocal) || !dotted(domain, isLabel) {
		return false
	}
	return strings.Contains(domain, ".")
}

// dotted says whether a text is parts of allowed characters with single dots
// between them.
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

// Bounds of telephone numbers: the shortest is an emergency number, the longest
// has fifteen digits (E.164), an extension and some order.
const (
	minPhoneDigits = 3
	maxPhone       = 40
)

// phone leaves the number as it was written, so that its groups can be read.
func (ps *problems) phone(path, text string) {
	if !ps.text(path, text, maxPhone, optional) {
		return
	}
	strange := strings.Trim(text, "0123456789 +-().,/#*x") != ""
	if strange || len(onlyDigits(text)) < minPhoneDigits {
		ps.add(path, "must be a telephone number such as +966 11 234 5678")
	}
}

// dialled writes a telephone number as it may be searched: a Saudi one as it
// is dialled from abroad and from within, whichever way it was written.
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
