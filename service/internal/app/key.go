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

// Keys manages the API keys of an organisation.
type Keys interface {
	// IssueKey returns a new key and its text, which is not stored.
	IssueKey(ctx context.Context, by org.Actor, wanted account.NewKey) (k org.Key, text string, err error)
	Keys(ctx context.Context, of org.Tenant, page org.Page) (org.List[org.Key], error)
	RevokeKey(ctx context.Context, by org.Actor, id uuid.UUID) (org.Key, error)
}

const tagKeys = "API keys"

func (s *Surface) keyRows() []wire.Route {
	const path = "/api/keys/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "list-keys", Tag: tagKeys, Access: wire.People, Scope: org.KeyManage, Malformed: fault.InvalidKeyRequest,
			Summary: "List API keys", Doc: "Returns the keys of your organisation, newest first, including revoked ones. Their secrets are not stored and cannot be returned.",
		}, s.listKeys),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "create-key", Tag: tagKeys, Access: wire.People, Scope: org.KeyManage, Free: true, Malformed: fault.InvalidKeyRequest,
			Status:  http.StatusCreated,
			Codes:   []fault.Code{fault.InvalidRole, fault.InvalidScopes, fault.KeyIDUnavailable},
			Summary: "Create an API key", Doc: "Returns a new key of your organisation. This is the only response that contains its text: store it at once. A key cannot have the role Admin.",
			Example: `{"title": "Online shop", "role": "CreateInvoice", "scopes": ["invoice.create", "invoice.get"]}`,
		}, s.createKey),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: path + "{key_id}/", Name: "revoke-key", Tag: tagKeys, Access: wire.People, Scope: org.KeyManage, Free: true, Malformed: fault.InvalidKeyRequest,
			Codes:   []fault.Code{fault.KeyNotFound},
			Summary: "Revoke an API key", Doc: "The next call with the key returns 401. A revoked key stays in the list and cannot be activated again. Revoking it again changes nothing.",
		}, s.revokeKey),
	}
}

// Key is an API key in a response, without its secret.
type Key struct {
	UUID      uuid.UUID  `json:"uuid" doc:"UUID of the key."`
	Name      string     `json:"name" doc:"Public name: the first 12 characters of the key. It may be logged."`
	Title     string     `json:"title" example:"Online shop" doc:"Name given to the key when it was created."`
	Role      string     `json:"role" enum:"ViewInvoice,CreateInvoice,Accountant" doc:"Access level of the key."`
	Scopes    []string   `json:"scopes" example:"[\"invoice.create\",\"invoice.get\"]" doc:"Scopes that the key is restricted to; empty if it has all scopes of its role."`
	CreatedAt time.Time  `json:"created_at" doc:"Time the key was created."`
	CreatedBy string     `json:"created_by" example:"noura@example.sa" doc:"E-mail address of the person who created the key, or the name of the operator."`
	RevokedAt *time.Time `json:"revoked_at" doc:"Time the key was revoked; null if it is not revoked."`
}

func keyOf(k org.Key) Key {
	out := Key{
		UUID: k.ID, Name: k.Name, Title: k.Title, Role: string(k.Role), Scopes: make([]string, len(k.Scopes)),
		CreatedAt: k.CreatedAt, CreatedBy: k.CreatedBy, RevokedAt: k.RevokedAt,
	}
	for n, one := range k.Scopes {
		out.Scopes[n] = string(one)
	}
	return out
}

type listKeys struct{ api.PageQuery }

type keysList struct {
	Keys []Key `json:"keys" doc:"Keys on this page."`
	api.Envelope
}

func (s *Surface) listKeys(ctx context.Context, c wire.Caller, in *listKeys) (*keysList, error) {
	rows, envelope, err := api.Records(ctx, c.Actor.Tenant, in.PageQuery, s.Keys.Keys, keyOf)
	return &keysList{rows, envelope}, err
}

// createKey has no enum for the role and the scopes: docs/contract.md prescribes
// the codes for wrong values, which package account returns.
type createKey struct {
	Body struct {
		Title  string   `json:"title" minLength:"1" maxLength:"100" example:"Online shop" doc:"Name for the key, on one line, such as the program that uses it."`
		Role   string   `json:"role" default:"CreateInvoice" example:"CreateInvoice" doc:"Access level: ViewInvoice, CreateInvoice or Accountant."`
		Scopes []string `json:"scopes" optional:"true" maxItems:"100" example:"[\"invoice.create\",\"invoice.get\"]" doc:"Restricts the key to scopes of its role: invoice.create, invoice.get, note.create, client.create, client.get, item.create, item.get, device.get. If it is null or not sent, the key has all scopes of its role; an empty list is refused."`
	} `body:"json"`
}

type createdKey struct {
	Key
	Text      string  `json:"key" doc:"The whole key, for Authorization: Bearer. It cannot be shown again."`
	Blocked   *string `json:"blocked" doc:"Why calls with the key are refused at present; null if they are not."`
	BlockedAR *string `json:"blocked_ar" doc:"The same in Arabic."`
}

func (s *Surface) createKey(ctx context.Context, c wire.Caller, in *createKey) (*createdKey, error) {
	wanted := account.NewKey{Title: in.Body.Title, Role: org.Role(in.Body.Role)}
	if in.Body.Scopes != nil {
		wanted.Scopes = []org.Scope{} // an empty list is refused
	}
	for _, one := range in.Body.Scopes {
		wanted.Scopes = append(wanted.Scopes, org.Scope(one))
	}
	k, text, err := s.Keys.IssueKey(ctx, c.Actor, wanted)
	if err != nil {
		return nil, err
	}
	out := &createdKey{Key: keyOf(k), Text: text}
	if !c.Plan.API {
		why := fault.PlanWithoutAPI.Entry()
		out.Blocked, out.BlockedAR = new(why.Says+" "+why.Fix), new(why.SaysAR+" "+why.FixAR)
	}
	return out, nil
}

type oneKey struct {
	ID uuid.UUID `path:"key_id" doc:"UUID of the key."`
}

func (s *Surface) revokeKey(ctx context.Context, c wire.Caller, in *oneKey) (*Key, error) {
	k, err := s.Keys.RevokeKey(ctx, c.Actor, in.ID)
	if err != nil {
		return nil, err
	}
	out := keyOf(k)
	return &out, nil
}
