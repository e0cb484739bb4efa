package servicetest

import (
	"context"
	"regexp"

	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// LettersTo returns the queued e-mails of the installation to an address, newest
// first.
func (h *Instance) LettersTo(email string) (all []Mailbox) {
	h.TB.Helper()
	list, err := h.Service.Store().AllLetters(context.Background(), org.Page{Size: 100, Number: 1})
	if err != nil {
		h.TB.Fatal(err)
	}
	for _, l := range list.Rows {
		if l.To != email || l.Sealed == nil {
			continue
		}
		text, err := mail.Open(h.Service.Vault(), l)
		if err != nil {
			h.TB.Fatal(err)
		}
		all = append(all, Mailbox{l, text})
	}
	return all
}

var tokenInLink = regexp.MustCompile(`https?://\S+#([A-Za-z0-9_-]{43})\n`)

// TokenTo waits until an e-mail with a link to an address is queued, and returns the
// token of the newest.
func (h *Instance) TokenTo(email string) string {
	h.TB.Helper()
	var found []string
	Eventually(h.TB, "an e-mail with a link to "+email, func() bool {
		if letters := h.LettersTo(email); len(letters) > 0 {
			found = tokenInLink.FindStringSubmatch(letters[0].Text.Body)
		}
		return found != nil
	})
	return found[1]
}
