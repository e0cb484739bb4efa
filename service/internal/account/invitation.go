package account

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/service/internal/fault"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// Invite e-mails a link that makes its recipient a member of the actor's
// organisation. It replaces the previous invitation of the address.
func (a *Accounts) Invite(ctx context.Context, by org.Actor, email string, role org.Role, language string) (AccessLink, error) {
	email, err := ParseEmail(email)
	if err == nil && mail.CheckAddress(email) != nil {
		err = fault.Wrong(fault.Problem{Path: "email", Message: "must be an e-mail address such as name@example.com", MessageAR: fault.EmailAR})
	}
	if err != nil {
		return AccessLink{}, err
	}
	if err := checkRole(role); err != nil {
		return AccessLink{}, err
	}
	o, err := a.keep.Organisation(ctx, by.Tenant)
	if err != nil {
		return AccessLink{}, err
	}
	token, link, err := a.newLink(by, InvitationLink, InvitationLife)
	if err != nil {
		return AccessLink{}, err
	}
	link.Of, link.Email, link.Role = by.Tenant, email, role
	name, label := namesIn(language, o, role)
	text := wordsIn(language).invitation
	letter, err := a.letter(by.Tenant, email, language, AboutInvitation, link.Expires, mail.Text{
		Subject: fmt.Sprintf(text.Subject, name),
		Body:    fmt.Sprintf(text.Body, name, label, a.pageOf("invitation", token)),
	})
	if err != nil {
		return AccessLink{}, err
	}
	return link, a.keep.AddInvitation(ctx, by, link, letter)
}

// namesIn returns the name of an organisation and of a role in a language, as
// written in e-mails.
func namesIn(language string, o org.Organisation, role org.Role) (organisation, label string) {
	word, _ := codes.FindRole(string(role))
	if language == "en" {
		return mail.Unlinked(o.Name), word.EN
	}
	organisation = o.NameArabic
	if organisation == "" {
		organisation = o.Name
	}
	return mail.Unlinked(organisation), word.AR
}

// Invitations returns a page of the invitations of an organisation that can be
// accepted, newest first.
func (a *Accounts) Invitations(ctx context.Context, of org.Tenant, page org.Page) (org.List[AccessLink], error) {
	return a.keep.InvitationPage(ctx, of, page, a.now())
}

// RevokeInvitation revokes an invitation of the actor's organisation.
func (a *Accounts) RevokeInvitation(ctx context.Context, by org.Actor, id uuid.UUID) error {
	return a.keep.RevokeInvitation(ctx, by, id, a.now())
}

// ReadInvitation returns the invitation of a token.
func (a *Accounts) ReadInvitation(ctx context.Context, token string) (Invitation, error) {
	link, err := a.link(ctx, digestOf(token), InvitationLink)
	if err != nil {
		return Invitation{}, err
	}
	o, err := a.keep.Organisation(ctx, link.Of)
	if err != nil {
		return Invitation{}, err
	}
	_, _, err = a.keep.PersonByEmail(ctx, link.Email)
	if err != nil && !errors.Is(err, ErrUnknown) {
		return Invitation{}, err
	}
	return Invitation{AccessLink: link, Organisation: o, HasAccount: err == nil}, nil
}

// AcceptInvitation creates an account for the e-mail address of an invitation, makes
// the person a member and opens a session. The password is hashed only if the link
// works and the address has no account. by has the address and the request of the
// caller.
func (a *Accounts) AcceptInvitation(ctx context.Context, by org.Actor, token, name, password string) (session string, err error) {
	invited, err := a.ReadInvitation(ctx, token)
	if err != nil {
		return "", err
	}
	if invited.HasAccount {
		return "", fault.New(fault.AlreadyExists, "An account with this e-mail address already exists. Sign in and accept the invitation there.").
			Arabic("يوجد حساب بهذا البريد الإلكتروني.").Advise("Sign in and accept the invitation there.", "سجّل الدخول واقبل الدعوة من حسابك.")
	}
	p, err := a.newPerson(invited.Email, name)
	problems := append(problemsOf(err), problemsOf(checkPassword(password))...)
	if problems != nil {
		return "", fault.Wrong(problems...)
	}
	hashed, err := a.hashed(ctx, password)
	if err != nil {
		return "", err
	}
	by.Kind, by.ID, by.Name = org.PersonActor, p.ID, p.Email
	if err := a.accept(ctx, by, Acceptance{Digest: digestOf(token), Person: p, Password: hashed}); err != nil {
		return "", err
	}
	return a.openSession(ctx, Opening{Person: p.ID})
}

// JoinInvitation makes the signed-in person a member. The invitation must be for the
// person's e-mail address.
func (a *Accounts) JoinInvitation(ctx context.Context, by org.Actor, token string) error {
	digest := digestOf(token)
	link, err := a.link(ctx, digest, InvitationLink)
	if err != nil {
		return err
	}
	if link.Email != by.Name {
		return fault.New(fault.PermissionDenied, "The invitation is for another e-mail address. Sign in with the account of that address.").
			Arabic("الدعوة موجهة إلى بريد إلكتروني آخر.").Advise("Sign in with the account of that address.", "سجّل الدخول بالحساب الذي له ذلك البريد.")
	}
	return a.accept(ctx, by, Acceptance{Digest: digest, Person: org.Person{ID: by.ID, Email: by.Name}})
}

func (a *Accounts) accept(ctx context.Context, by org.Actor, one Acceptance) error {
	one.At = a.now()
	err := a.keep.AcceptInvitation(ctx, by, one)
	if errors.Is(err, ErrUnknown) {
		return ErrLink()
	}
	return err
}
