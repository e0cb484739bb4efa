package server

import (
	"context"
	"fmt"
	"strings"

	"khatm/service/internal/account"
	"khatm/service/internal/api"
	"khatm/service/internal/app"
	"khatm/service/internal/docs"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/vault"
)

// buildApp puts the signed-in surface into the frame.
func (s *Server) buildApp(accounts *account.Accounts, keys *api.Surface, page *docs.Page) error {
	surface := app.New(app.Config{
		Accounts: accounts, Drafts: s.sharer, Links: s.sharer, Outbox: outbox{s.store, s.vault}, Trail: s.store, Previewed: keys.PreviewedOf,
		Secure: strings.HasPrefix(s.url(), "https://"),
	})
	s.frame.Surface(app.Base, surface.Rows())
	page.Open(s.frame.Open, app.Base+"/docs")
	return surface.Publish(s.frame)
}

// outbox is the queue of letters as an organisation sees it.
type outbox struct {
	*store.Store
	vault *vault.Ring
}

// Read opens the text of a letter. What a link leads to is seen by whoever has
// it, so it is noted who read a letter that may bring one.
func (o outbox) Read(ctx context.Context, by org.Actor, l mail.Letter) (mail.Text, error) {
	text, err := mail.Open(o.vault, l)
	if err != nil {
		return mail.Text{}, fmt.Errorf("open letter %s: %w", l.ID, err)
	}
	if err := o.Note(ctx, by, "letter.read", l.ID.String()); err != nil {
		return mail.Text{}, err
	}
	return text, nil
}
