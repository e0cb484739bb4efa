package account

import (
	"encoding/json"
	"fmt"
	"time"

	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// Purposes of e-mails, as shown in the outbox.
const (
	AboutPassword   = "new password"
	AboutInvitation = "member invitation"
	AboutSignUp     = "sign-up"
)

// letter returns an e-mail with an encrypted text. of is zero for an e-mail about an
// account.
func (a *Accounts) letter(of org.Tenant, to, language, about string, expires time.Time, text mail.Text) (mail.Letter, error) {
	now := a.now()
	l := mail.Letter{
		ID: a.newID(), Of: of, To: to, Language: language, About: about, CreatedAt: now, Expires: expires,
		State: mail.Queued, NextAt: now,
	}
	plain, err := json.Marshal(text)
	if err != nil {
		return l, fmt.Errorf("encode an e-mail: %w", err)
	}
	if l.Sealed, err = a.vault.Seal(mail.Purpose, l.ID.String(), plain); err != nil {
		return l, fmt.Errorf("encrypt an e-mail: %w", err)
	}
	return l, nil
}

// pageOf returns the URL of a page of the web app that uses a token. The token is
// after the #, which browsers do not send.
func (a *Accounts) pageOf(name, token string) string { return a.url + "/" + name + "#" + token }
