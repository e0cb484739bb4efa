package account

import (
	"context"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/org"
)

// FateOfKeys states what happens to the active API keys that a removed member has
// created.
type FateOfKeys string

// The values of FateOfKeys. The zero value removes no member who has such keys.
const (
	RevokeKeys FateOfKeys = "revoke"
	KeepKeys   FateOfKeys = "keep"
)

// Members returns a page of the members of an organisation, newest account first.
func (a *Accounts) Members(ctx context.Context, of org.Tenant, page org.Page) (org.List[org.Member], error) {
	return a.keep.MemberPage(ctx, of, page)
}

// ChangeRole changes the role of a member. The last Admin stays Admin.
func (a *Accounts) ChangeRole(ctx context.Context, by org.Actor, person uuid.UUID, role org.Role) (org.Member, error) {
	if err := checkRole(role); err != nil {
		return org.Member{}, err
	}
	return a.keep.ChangeRole(ctx, by, person, role)
}

// MemberKeys returns the active API keys that a member has created.
func (a *Accounts) MemberKeys(ctx context.Context, of org.Tenant, person uuid.UUID) ([]org.Key, error) {
	return a.keep.MemberKeys(ctx, of, person)
}

// RemoveMember removes a member from the actor's organisation and ends all their
// sessions. It returns the active API keys that the member has created, which are
// revoked or kept. The last Admin is not removed.
func (a *Accounts) RemoveMember(ctx context.Context, by org.Actor, person uuid.UUID, keys FateOfKeys) ([]org.Key, error) {
	return a.keep.RemoveMember(ctx, by, person, keys, a.now())
}

// InvitationLink is the purpose of a link that makes its recipient a member.
const InvitationLink LinkPurpose = "invitation"

// InvitationLife is the lifetime of an invitation.
const InvitationLife = 7 * 24 * time.Hour

// Invitation describes an invitation to the holder of its link.
type Invitation struct {
	AccessLink
	Organisation org.Organisation
	HasAccount   bool // the e-mail address has an account
}

// Acceptance is the use of an invitation.
type Acceptance struct {
	Digest   []byte // of the token
	At       time.Time
	Person   org.Person
	Password string // hash of a new person; empty if the person exists
}
