package org

import (
	"regexp"
	"strings"

	"khatm/service/internal/fault"
)

// Settings are what an organisation wants printed on its documents besides what
// the law requires. A document is printed with the settings at its issue.
type Settings struct {
	AmountInWords bool   `json:"amount_in_words,omitempty"`
	IBAN          string `json:"iban,omitempty"`     // account for payments, without spaces
	Phone         string `json:"phone,omitempty"`    // telephone number of the seller
	DueDays       int    `json:"due_days,omitempty"` // days from the issue of an invoice until it is due; 0 prints no date
}

// maxDueDays is the maximum of Settings.DueDays.
const maxDueDays = 365

var phoneNumber = regexp.MustCompile(`^\+?[0-9][0-9 ()-]{4,28}$`)

// settings normalizes settings and adds their problems.
func (ps *problems) settings(s *Settings) {
	tidy(&s.IBAN, &s.Phone)
	s.IBAN = strings.ToUpper(strings.ReplaceAll(s.IBAN, " ", ""))
	if s.IBAN != "" && !isIBAN(s.IBAN) {
		ps.add("settings.iban", "must be an IBAN with correct check digits, such as SA0380000000608010167519", "يجب أن يكون رقم آيبان صحيحًا، مثل SA0380000000608010167519.")
	}
	if s.Phone != "" && !phoneNumber.MatchString(s.Phone) {
		ps.add("settings.phone", "must be a telephone number, such as +966 11 234 5678", fault.PhoneAR)
	}
	if s.DueDays < 0 || s.DueDays > maxDueDays {
		ps.add("settings.due_days", "must be between 0 and 365", fault.DueDaysAR)
	}
}

var iban = regexp.MustCompile(`^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$`)

// isIBAN reports whether the check digits of an IBAN are correct (ISO 13616): the
// number modulo 97, with the first four characters moved to its end and letters
// counted from 10, is 1. A Saudi IBAN has 24 characters.
func isIBAN(text string) bool {
	if !iban.MatchString(text) || strings.HasPrefix(text, "SA") && len(text) != 24 {
		return false
	}
	rest := 0
	for _, c := range text[4:] + text[:4] {
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	return rest == 1
}
