package server

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/api"
	"khatm/service/internal/app"
	"khatm/service/internal/docs"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/render"
	"khatm/service/internal/store"
	"khatm/service/internal/vault"
)

// buildApp registers the API for signed-in users and its documentation.
func (s *Server) buildApp(accounts *account.Accounts, keys *api.Surface, drawn *render.Renderer, page *docs.Page) {
	surface := app.New(app.Config{
		Accounts:     accounts,
		Branches:     companies{s.store, accounts},
		Companies:    companies{s.store, accounts},
		Devices:      devices{s},
		Attention:    s.store,
		Catalogue:    s.store,
		Corrects:     corrections{s},
		Drafts:       s.sharer,
		Entries:      s.store,
		Factors:      accounts,
		Imports:      imports{s.store, s},
		Keys:         accounts,
		Links:        s.sharer,
		Outbox:       outbox{s.store, s.vault},
		Pictures:     keys,
		Payments:     s.store,
		Statements:   s.store,
		Papers:       drawn,
		Reasons:      s.store,
		Suggestions:  s.store,
		SetUps:       setUps{accounts, s},
		SignUps:      accounts,
		Summaries:    s.store,
		SignUp:       app.SignUp(s.config.SignUp),
		FirstPlan:    s.config.FirstPlan,
		SignUpPlan:   s.config.SignUpPlan,
		Trail:        s.store,
		Now:          s.config.Now,
		NewID:        s.newID,
		URL:          s.url(),
		Previewed:    keys.PreviewedOf,
		Secure:       strings.HasPrefix(s.url(), "https://"),
		Environments: environments{s},
		Notices:      s.store,
		Passwords:    passwords{accounts, func() { s.wakeResets() }},
		Plans:        s.store,
		Earlier:      earlier{s.store, s},
		Usage:        keys.UsageOf,
		Views:        s.store,
		Members:      accounts,
	})
	s.frame.Surface(app.Base, surface.Rows())
	page.Open(s.frame.Open, app.Base+"/docs")
	surface.Publish(s.frame)
}

// companies gives an organisation access to its record and its branches.
type companies struct {
	*store.Store
	accounts *account.Accounts
}

// ChangeCompany changes the record of the actor's organisation.
func (c companies) ChangeCompany(ctx context.Context, by org.Actor, change func(*org.Organisation) error) (org.Organisation, error) {
	return c.accounts.ChangeCompany(ctx, by, change)
}

// AddBranch registers a branch of the actor's organisation.
func (c companies) AddBranch(ctx context.Context, by org.Actor, b org.Branch) (org.Branch, error) {
	return c.accounts.AddBranch(ctx, by, b)
}

// ChangeBranch changes a branch of the actor's organisation.
func (c companies) ChangeBranch(ctx context.Context, by org.Actor, id uuid.UUID, change func(*org.Branch) error) (org.Branch, error) {
	return c.accounts.ChangeBranch(ctx, by, id, change)
}

// outbox gives an organisation access to its e-mails.
type outbox struct {
	*store.Store
	vault *vault.Ring
}

// Read returns the text of an e-mail and records the read in the audit trail:
// the e-mail may contain a link that works for anyone who has it.
func (o outbox) Read(ctx context.Context, by org.Actor, l mail.Letter) (mail.Text, error) {
	text, err := mail.Open(o.vault, l)
	if err != nil {
		return mail.Text{}, fmt.Errorf("open e-mail %s: %w", l.ID, err)
	}
	if err := o.Note(ctx, by, "letter.read", l.ID.String()); err != nil {
		return mail.Text{}, err
	}
	return text, nil
}
