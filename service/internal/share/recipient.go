package share

import (
	"errors"
	"strings"

	"khatm/service/internal/fault"
	"khatm/service/internal/mail"
)

// check normalises a recipient and returns an error if no e-mail could be sent
// to it. All fields may be empty while a draft is not shared.
func (r *Recipient) check() error {
	name, wrongName := CleanName(r.Name)
	r.Name, r.Email = name, strings.TrimSpace(r.Email)
	var problems []fault.Problem
	wrong := func(path, message, arabic string) {
		problems = append(problems, fault.Problem{Path: "recipient." + path, Message: message, MessageAR: arabic})
	}
	if wrongName != nil && !errors.Is(wrongName, ErrNoName) {
		wrong("name", "must have at most 100 characters, on one line, and no web or e-mail address", "يجب ألا يزيد الاسم على 100 حرف، وألا يُقسَّم إلى فقرات، وألا يحتوي على رابط أو بريد إلكتروني.")
	}
	if r.Email != "" && !properEmail(r.Email) {
		wrong("email", "must be an e-mail address such as name@example.com", fault.EmailAR)
	}
	switch r.Language {
	case "":
		r.Language = "ar"
	case "ar", "en":
	default:
		wrong("language", "must be 'ar' or 'en'", "يجب أن تكون اللغة ar أو en.")
	}
	if problems != nil {
		return fault.Wrong(problems...)
	}
	return nil
}

// properEmail reports whether email has the form name@host.tld with nothing
// around it.
func properEmail(email string) bool {
	_, domain, _ := strings.Cut(email, "@")
	return mail.CheckAddress(email) == nil && strings.Contains(strings.Trim(domain, "."), ".")
}

// Masked returns the e-mail address as shown to holders of the link.
func (r Recipient) Masked() string { return masked(r.Email) }
