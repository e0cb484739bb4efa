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

const invitationsPath = "/api/invitations/"

func (s *Surface) invitationRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: invitationsPath, Name: "list-invitations", Tag: tagMembers, Access: wire.People, Scope: org.MemberManage,
			Summary: "List invitations", Doc: "Returns the invitations of your organisation that can still be accepted, newest first.",
		}, s.listInvitations),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: invitationsPath, Name: "invite", Tag: tagMembers, Access: wire.People, Scope: org.MemberManage,
			Status: http.StatusCreated, Codes: []fault.Code{fault.AlreadyMember, fault.EmailLimit},
			Summary: "Invite a person",
			Doc: "E-mails a link that makes its recipient a member. The link works once and for seven days, and is only in the e-mail. A new invitation of the same address replaces the previous one. " +
				"It counts for the daily limit of e-mails.",
			Example: `{"email": "sara@example.sa", "role": "Accountant", "language": "en"}`,
		}, s.invite),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: invitationsPath + "{invitation_id}/", Name: "revoke-invitation", Tag: tagMembers, Access: wire.People, Scope: org.MemberManage,
			Codes:   []fault.Code{fault.InvitationNotFound},
			Summary: "Revoke an invitation", Doc: "The link stops working, and an e-mail that is still queued is not sent.",
		}, s.revokeInvitation),
	}
}

func (s *Surface) acceptRows() []wire.Route {
	const limits = " The response is the same for an unknown, expired, used, replaced and revoked link. Limited to 10 per minute and IP address, together with other requests that use a secret link."
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: invitationsPath + "read/", Name: "read-invitation", Tag: tagMembers, Access: wire.Anyone, Window: LinkWindow, Free: true,
			Codes:   []fault.Code{fault.LinkNotAvailable},
			Summary: "Read an invitation", Doc: "Returns what the token of an invitation is for. Reading it does not use it up." + limits,
			Example: `{"token": "q3ZbT0yqk8mYw1uJ5nXv7cRe2sLd9fGh4aPi6oKlBzE"}`,
		}, s.readInvitation),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: invitationsPath + "accept/", Name: "accept-invitation", Tag: tagMembers, Access: wire.Anyone, Window: LinkWindow, Free: true,
			Status: http.StatusCreated, Codes: []fault.Code{fault.LinkNotAvailable, fault.AlreadyExists},
			Summary: "Accept an invitation with a new account",
			Doc:     "Creates an account for the e-mail address of the invitation, makes the person a member and signs them in. A person who already has an account signs in and joins instead." + limits,
			Example: `{"token": "q3ZbT0yqk8mYw1uJ5nXv7cRe2sLd9fGh4aPi6oKlBzE", "name": "Sara", "password": "correct horse battery"}`,
		}, s.acceptInvitation),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: invitationsPath + "join/", Name: "join", Tag: tagMembers, Access: wire.Visitors, Window: LinkWindow,
			Codes:   []fault.Code{fault.LinkNotAvailable, fault.PermissionDenied},
			Summary: "Accept an invitation with your account",
			Doc:     "Makes the signed-in person a member, if the invitation is for their e-mail address. It does not lower a role that the person already has." + limits,
			Example: `{"token": "q3ZbT0yqk8mYw1uJ5nXv7cRe2sLd9fGh4aPi6oKlBzE"}`,
		}, s.join),
	}
}

// Invitation is an invitation in a response. It has no token.
type Invitation struct {
	UUID      uuid.UUID `json:"uuid" doc:"UUID of the invitation."`
	Email     string    `json:"email" example:"sara@example.sa" doc:"E-mail address of the recipient."`
	Role      string    `json:"role" enum:"ViewInvoice,CreateInvoice,Accountant,Admin" doc:"Role that the recipient will have."`
	CreatedAt time.Time `json:"created_at" doc:"Time the invitation was created."`
	CreatedBy string    `json:"created_by" example:"noura@example.sa" doc:"E-mail address of the person who created it."`
	Expires   time.Time `json:"expires_at" doc:"Time the link expires."`
}

func invitationOf(l account.AccessLink) Invitation {
	return Invitation{l.ID, l.Email, string(l.Role), l.CreatedAt, l.CreatedBy, l.Expires}
}

type listInvitations struct{ api.PageQuery }

type invitationsList struct {
	Invitations []Invitation `json:"invitations" doc:"Invitations on this page."`
	api.Envelope
}

func (s *Surface) listInvitations(ctx context.Context, c wire.Caller, in *listInvitations) (*invitationsList, error) {
	rows, envelope, err := api.Records(ctx, c.Actor.Tenant, in.PageQuery, s.Members.Invitations, invitationOf)
	return &invitationsList{rows, envelope}, err
}

type invite struct {
	Body struct {
		Email    string `json:"email" maxLength:"254" example:"sara@example.sa" doc:"E-mail address of the recipient."`
		Role     string `json:"role" enum:"ViewInvoice,CreateInvoice,Accountant,Admin" doc:"Role that the recipient will have."`
		Language string `json:"language" enum:"ar,en" default:"ar" doc:"Language of the e-mail: ar or en."`
	} `body:"json"`
}

func (s *Surface) invite(ctx context.Context, c wire.Caller, in *invite) (*Invitation, error) {
	made, err := s.Members.Invite(ctx, c.Actor, in.Body.Email, org.Role(in.Body.Role), in.Body.Language)
	if err != nil {
		return nil, err
	}
	out := invitationOf(made)
	return &out, nil
}

type oneInvitation struct {
	ID uuid.UUID `path:"invitation_id" doc:"UUID of the invitation."`
}

func (s *Surface) revokeInvitation(ctx context.Context, c wire.Caller, in *oneInvitation) (*done, error) {
	if err := s.Members.RevokeInvitation(ctx, c.Actor, in.ID); err != nil {
		return nil, err
	}
	return &done{"Invitation revoked."}, nil
}

type withToken struct {
	Body struct {
		Token string `json:"token" maxLength:"200" doc:"Token of the link: the part after #."`
	} `body:"json"`
}

type invitationRead struct {
	Organisation string    `json:"organisation" example:"Khatm Trading" doc:"Name of the organisation."`
	Arabic       string    `json:"organisation_arabic" example:"شركة ختم التجارية" doc:"Name of the organisation in Arabic letters; empty if it has none."`
	Email        string    `json:"email" example:"sara@example.sa" doc:"E-mail address that the invitation is for."`
	Role         string    `json:"role" enum:"ViewInvoice,CreateInvoice,Accountant,Admin" doc:"Role that the person will have."`
	HasAccount   bool      `json:"has_account" doc:"Whether the e-mail address has an account, so that the person must sign in to accept."`
	Expires      time.Time `json:"expires_at" doc:"Time the link expires."`
}

func (s *Surface) readInvitation(ctx context.Context, _ wire.Caller, in *withToken) (*invitationRead, error) {
	i, err := s.Members.ReadInvitation(ctx, in.Body.Token)
	if err != nil {
		return nil, err
	}
	return &invitationRead{i.Organisation.Name, i.Organisation.NameArabic, i.Email, string(i.Role), i.HasAccount, i.Expires}, nil
}

type acceptInvitation struct {
	Body struct {
		Token    string `json:"token" maxLength:"200" doc:"Token of the link: the part after #."`
		Name     string `json:"name" optional:"true" maxLength:"100" example:"Sara" doc:"Name of the person."`
		Password string `json:"password" maxLength:"1000" doc:"Password: at least 10 characters and at most 200 bytes."`
	} `body:"json"`
}

func (s *Surface) acceptInvitation(ctx context.Context, c wire.Caller, in *acceptInvitation) (*signedIn, error) {
	token, err := s.Members.AcceptInvitation(ctx, org.Actor{Address: c.Address, Request: c.Request}, in.Body.Token, in.Body.Name, in.Body.Password)
	if err != nil {
		return nil, err
	}
	return s.welcome(ctx, c, token)
}

func (s *Surface) join(ctx context.Context, c wire.Caller, in *withToken) (*done, error) {
	if err := s.Members.JoinInvitation(ctx, personActor(c), in.Body.Token); err != nil {
		return nil, err
	}
	return &done{"You are now a member of the organisation."}, nil
}
