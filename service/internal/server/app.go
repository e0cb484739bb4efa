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
		Imports:      imports{s},
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

// companies gives an organisation access to its record and its branches. Like the
// other types here it has few methods of the store: embedding the store would link
// all of them again for each type, a third of a megabyte.
type companies struct {
	store    *store.Store
	accounts *account.Accounts
}

// Organisation returns a record.
func (c companies) Organisation(ctx context.Context, of org.Tenant) (org.Organisation, error) {
	return c.store.Organisation(ctx, of)
}

// Certified reports whether a device has a certificate with the VAT number.
func (c companies) Certified(ctx context.Context, of org.Tenant) (bool, error) {
	return c.store.Certified(ctx, of)
}

// ChangeCompany changes the record of the actor's organisation.
func (c companies) ChangeCompany(ctx context.Context, by org.Actor, change func(*org.Organisation) error) (org.Organisation, error) {
	return c.accounts.ChangeCompany(ctx, by, change)
}

// BranchPage returns a page of branches.
func (c companies) BranchPage(ctx context.Context, of org.Tenant, page org.Page) (org.List[org.Branch], error) {
	return c.store.BranchPage(ctx, of, page)
}

// Branch returns a branch.
func (c companies) Branch(ctx context.Context, of org.Tenant, id uuid.UUID) (org.Branch, error) {
	return c.store.Branch(ctx, of, id)
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
	store *store.Store
	vault *vault.Ring
}

// LettersIn returns a page of the e-mails in a state, or of all with "".
func (o outbox) LettersIn(ctx context.Context, of org.Tenant, state mail.State, page org.Page) (org.List[mail.Letter], error) {
	return o.store.LettersIn(ctx, of, state, page)
}

// Letter returns an e-mail without its text.
func (o outbox) Letter(ctx context.Context, of org.Tenant, id uuid.UUID) (mail.Letter, error) {
	return o.store.Letter(ctx, of, id)
}

// Read returns the text of an e-mail and records the read in the audit trail:
// the e-mail may contain a link that works for anyone who has it.
func (o outbox) Read(ctx context.Context, by org.Actor, l mail.Letter) (mail.Text, error) {
	text, err := mail.Open(o.vault, l)
	if err != nil {
		return mail.Text{}, fmt.Errorf("open e-mail %s: %w", l.ID, err)
	}
	if err := o.store.Note(ctx, by, "letter.read", l.ID.String()); err != nil {
		return mail.Text{}, err
	}
	return text, nil
}
