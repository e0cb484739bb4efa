package share

import (
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"khatm/service/internal/fault"
)

// maxEmail is the longest e-mail address (RFC 5321).
const maxEmail = 254

// check tidies a recipient and refuses what no letter could be sent to. All of
// it may be empty while a draft is not shared.
func (r *Recipient) check() error {
	r.Name, r.Email = strings.TrimSpace(r.Name), strings.TrimSpace(r.Email)
	var problems []fault.Problem
	wrong := func(path, message string) {
		problems = append(problems, fault.Problem{Path: "recipient." + path, Message: message})
	}
	if r.Name != "" && !properName(r.Name) {
		wrong("name", "String should have at most 100 characters, on one line, and no web address")
	}
	if r.Email != "" && !properEmail(r.Email) {
		wrong("email", "Input should be an e-mail address such as name@example.com")
	}
	switch r.Language {
	case "":
		r.Language = "ar"
	case "ar", "en":
	default:
		wrong("language", "Input should be 'ar' or 'en'")
	}
	if problems != nil {
		return fault.Wrong(problems...)
	}
	return nil
}

// properEmail demands the shape name@host.tld and nothing around it.
func properEmail(email string) bool {
	strange := func(r rune) bool { return !unicode.IsPrint(r) || unicode.IsSpace(r) }
	if len(email) > maxEmail || !utf8.ValidString(email) || strings.ContainsFunc(email, strange) {
		return false
	}
	parsed, err := mail.ParseAddress(email)
	_, domain, _ := strings.Cut(email, "@")
	return err == nil && parsed.Name == "" && parsed.Address == email && strings.Contains(strings.Trim(domain, "."), ".")
}

// Masked is the address as those may see it who only have the link.
func (r Recipient) Masked() string { return masked(r.Email) }
