package app

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/api"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Members manages the members of an organisation and their invitations.
type Members interface {
	Members(ctx context.Context, of org.Tenant, page org.Page) (org.List[org.Member], error)
	ChangeRole(ctx context.Context, by org.Actor, person uuid.UUID, role org.Role) (org.Member, error)
	// MemberKeys returns the active keys that a member has created.
	MemberKeys(ctx context.Context, of org.Tenant, person uuid.UUID) ([]org.Key, error)
	// RemoveMember ends all sessions of the person and returns the active keys they
	// have created.
	RemoveMember(ctx context.Context, by org.Actor, person uuid.UUID, keys account.FateOfKeys) ([]org.Key, error)
	Invite(ctx context.Context, by org.Actor, email string, role org.Role, language string) (account.AccessLink, error)
	Invitations(ctx context.Context, of org.Tenant, page org.Page) (org.List[account.AccessLink], error)
	RevokeInvitation(ctx context.Context, by org.Actor, id uuid.UUID) error
	ReadInvitation(ctx context.Context, token string) (account.Invitation, error)
	// AcceptInvitation creates the account and opens a session.
	AcceptInvitation(ctx context.Context, by org.Actor, token, name, password string) (session string, err error)
	JoinInvitation(ctx context.Context, by org.Actor, token string) error
}

const tagMembers = "Members"

func (s *Surface) memberRows() []wire.Route {
	const path, one = "/api/members/", "/api/members/{person_id}/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "list-members", Tag: tagMembers, Access: wire.People, Scope: org.MemberManage,
			Summary: "List members", Doc: "Returns the people of your organisation, those with the newest account first.",
		}, s.listMembers),
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: one, Name: "change-member", Tag: tagMembers, Access: wire.People, Scope: org.MemberManage,
			Codes:   []fault.Code{fault.MemberNotFound, fault.LastAdmin},
			Summary: "Change the role of a member", Doc: "The new role applies to the next call of the person. The last Admin stays Admin.",
			Example: `{"role": "Accountant"}`,
		}, s.changeMember),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: one + "keys/", Name: "list-member-keys", Tag: tagMembers, Access: wire.People, Scope: org.MemberManage,
			Codes:   []fault.Code{fault.MemberNotFound},
			Summary: "List the API keys of a member", Doc: "Returns the active keys that the person has created, newest first.",
		}, s.memberKeys),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: one, Name: "remove-member", Tag: tagMembers, Access: wire.People, Scope: org.MemberManage,
			Codes:   []fault.Code{fault.MemberNotFound, fault.LastAdmin, fault.MemberHasKeys},
			Summary: "Remove a member",
			Doc: "Removes a person from your organisation and ends all their sessions at once, on every device. The account stays. The last Admin is not removed. " +
				"If the person has created API keys that are active, state in `keys` whether they are revoked or kept; otherwise the call is refused and the message names them.",
		}, s.removeMember),
	}
}

// Member is a member in a response.
type Member struct {
	UUID      uuid.UUID `json:"uuid" doc:"UUID of the person."`
	Email     string    `json:"email" example:"noura@example.sa" doc:"E-mail address used to sign in."`
	Name      string    `json:"name" example:"Noura Al Harbi" doc:"Name of the person."`
	Role      string    `json:"role" enum:"ViewInvoice,CreateInvoice,Accountant,Admin" doc:"Role of the person in the organisation."`
	Disabled  bool      `json:"disabled" doc:"Whether the operator has disabled the account."`
	Keys      int       `json:"active_keys" doc:"Number of active API keys that the person has created."`
	CreatedAt time.Time `json:"created_at" doc:"Time the account was created."`

	SecondFactor bool       `json:"second_factor" doc:"Whether signing in needs a code besides the password."`
	LastSignIn   *time.Time `json:"last_sign_in_at" doc:"Time of the last sign-in with the password; null if the person has not signed in lately."`
}

func memberOf(m org.Member) *Member {
	return &Member{m.ID, m.Email, m.Name, string(m.Role), m.Disabled, m.Keys, m.CreatedAt, m.SecondFactor, m.LastSignIn}
}

type listMembers struct{ api.PageQuery }

type membersList struct {
	Members []Member `json:"members" doc:"Members on this page."`
	api.Envelope
}

func (s *Surface) listMembers(ctx context.Context, c wire.Caller, in *listMembers) (*membersList, error) {
	rows, envelope, err := api.Records(ctx, c.Actor.Tenant, in.PageQuery, s.Members.Members, valueOf(memberOf))
	return &membersList{rows, envelope}, err
}

type changeMember struct {
	ID   uuid.UUID `path:"person_id" doc:"UUID of the person."`
	Body struct {
		Role string `json:"role" enum:"ViewInvoice,CreateInvoice,Accountant,Admin" doc:"New role of the person."`
	} `body:"json"`
}

func (s *Surface) changeMember(ctx context.Context, c wire.Caller, in *changeMember) (*Member, error) {
	m, err := s.Members.ChangeRole(ctx, c.Actor, in.ID, org.Role(in.Body.Role))
	if err != nil {
		return nil, err
	}
	return memberOf(m), nil
}

type oneMember struct {
	ID uuid.UUID `path:"person_id" doc:"UUID of the person."`
}

type memberKeys struct {
	Keys []Key `json:"keys" doc:"Active keys that the person has created."`
}

func memberKeysOf(keys []org.Key) memberKeys {
	var out memberKeys
	for _, one := range keys {
		out.Keys = append(out.Keys, keyOf(one))
	}
	return out
}

func (s *Surface) memberKeys(ctx context.Context, c wire.Caller, in *oneMember) (*memberKeys, error) {
	found, err := s.Members.MemberKeys(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	out := memberKeysOf(found)
	return &out, nil
}

type removeMember struct {
	oneMember
	Keys string `query:"keys" optional:"true" enum:"revoke,keep" doc:"What happens to the active API keys that the person has created: revoke or keep. Required if there are any."`
}

type removedMember struct {
	done
	memberKeys
}

func (s *Surface) removeMember(ctx context.Context, c wire.Caller, in *removeMember) (*removedMember, error) {
	keys, err := s.Members.RemoveMember(ctx, c.Actor, in.ID, account.FateOfKeys(in.Keys))
	if err != nil {
		return nil, err
	}
	return &removedMember{done{"Member removed."}, memberKeysOf(keys)}, nil
}
