package admin

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Key is an API key without its secret.
type Key struct {
	ID        uuid.UUID  `json:"uuid"`
	Name      string     `json:"key"` // first 12 characters, which are not secret
	Title     string     `json:"name"`
	Role      string     `json:"role"`
	Scopes    []string   `json:"scopes"`
	CreatedAt time.Time  `json:"created_at"`
	CreatedBy string     `json:"created_by"`
	RevokedAt *time.Time `json:"revoked_at"`
}

// IssuedKey is a new key with its text, which cannot be read again.
type IssuedKey struct {
	Key
	Text    string
	Blocked string // why calls with the key are refused for now; empty if they are not
}

func keyOf(k org.Key) Key {
	shown := Key{
		ID: k.ID, Name: k.Name, Title: k.Title, Role: string(k.Role), Scopes: []string{},
		CreatedAt: riyadh(k.CreatedAt), CreatedBy: k.CreatedBy,
	}
	for _, s := range k.Scopes {
		shown.Scopes = append(shown.Scopes, string(s))
	}
	if k.RevokedAt != nil {
		at := riyadh(*k.RevokedAt)
		shown.RevokedAt = &at
	}
	return shown
}

// CreateKey creates a key of an organisation. If role is empty, the key has the
// default role of account.NewKey; without scopes it has all scopes of the role.
func (a *Admin) CreateKey(ctx context.Context, organisation, title, role string, scopes []string) (IssuedKey, error) {
	o, err := a.find(ctx, organisation)
	if err != nil {
		return IssuedKey{}, err
	}
	blocked, err := a.blocked(ctx, o)
	if err != nil {
		return IssuedKey{}, err
	}
	wanted := account.NewKey{Title: title, Role: org.Role(role)}
	for _, s := range scopes {
		wanted.Scopes = append(wanted.Scopes, org.Scope(s))
	}
	key, text, err := a.accounts.IssueKey(ctx, a.by(org.TenantOf(o.ID)), wanted)
	return IssuedKey{Key: keyOf(key), Text: text, Blocked: blocked}, err
}

// blocked returns why the keys of an organisation do not work and what to do, or
// "" if they work.
func (a *Admin) blocked(ctx context.Context, o org.Organisation) (string, error) {
	if o.Status != org.Active {
		return fmt.Sprintf("the organisation is %s: khatm org activate %s", o.Status, o.ID), nil
	}
	plans, err := a.store.Plans(ctx)
	for _, p := range plans {
		if p.Slug == o.Plan && !p.API {
			return fmt.Sprintf("plan %s has no API access: khatm org plan %s SLUG", p.Slug, o.ID), nil
		}
	}
	return "", err
}

// Keys returns the keys of an organisation, newest first.
func (a *Admin) Keys(ctx context.Context, organisation string) ([]Key, error) {
	return listOf(ctx, a, organisation, a.store.Keys, keyOf)
}

// RevokeKey revokes a key, given by its name, its id or its whole text. The next
// call with it is refused.
func (a *Admin) RevokeKey(ctx context.Context, organisation, key string) error {
	by, err := a.actorFor(ctx, organisation)
	if err != nil {
		return err
	}
	if name, _, whole := org.SplitKey(key); whole {
		key = name
	}
	err = a.store.RevokeKey(ctx, by, key, a.config.Now())
	if fault.KindOf(err) == fault.NotFound {
		if _, err := uuid.Parse(key); err != nil {
			key = org.KeyName(strings.TrimSpace(key)) // do not print the rest, which may be a secret
		}
		return fmt.Errorf("the organisation has no key %s: see khatm key list --org %s", key, organisation)
	}
	return err
}
