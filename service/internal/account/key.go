package account

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/ubl"
)

// NewKey describes a key to issue.
type NewKey struct {
	Title  string
	Role   org.Role    // CreateInvoice if empty
	Scopes []org.Scope // nil for all scopes of the role; must not be empty otherwise
}

// nameTries is the maximum number of names that are generated for a new key.
// Several collisions in a row are so unlikely that they mean a defect.
const nameTries = 5

// IssueKey creates a key for the actor's organisation and returns its text, which
// is not stored and cannot be shown again.
func (a *Accounts) IssueKey(ctx context.Context, by org.Actor, wanted NewKey) (org.Key, string, error) {
	key, err := wanted.check()
	if err != nil {
		return org.Key{}, "", err
	}
	key.ID, key.CreatedAt, key.CreatedBy = a.newID(), a.now(), by.Name
	for range nameTries {
		text, err := org.NewKeyText(a.random)
		if err != nil {
			return org.Key{}, "", err
		}
		name, digest, _ := org.SplitKey(text)
		key.Name = name
		switch err := a.keep.AddKey(ctx, by, key, digest[:]); {
		case err == nil:
			return key, text, nil
		case !errors.Is(err, ErrNameTaken):
			return org.Key{}, "", err
		}
	}
	return org.Key{}, "", fault.New(fault.KeyIDUnavailable, "An unused name for the key could not be generated. Try again.")
}

// Keys returns a page of the keys of an organisation, newest first and including
// revoked ones.
func (a *Accounts) Keys(ctx context.Context, of org.Tenant, page org.Page) (org.List[org.Key], error) {
	return a.keep.KeyPage(ctx, of, page)
}

// RevokeKey revokes a key of the actor's organisation and returns it. A key that
// is already revoked stays unchanged.
func (a *Accounts) RevokeKey(ctx context.Context, by org.Actor, id uuid.UUID) (org.Key, error) {
	if err := a.keep.RevokeKey(ctx, by, id.String(), a.now()); err != nil {
		return org.Key{}, err
	}
	return a.keep.Key(ctx, by.Tenant, id)
}

func (n NewKey) check() (org.Key, error) {
	title := strings.TrimSpace(n.Title)
	if ubl.IsBlank(title) || utf8.RuneCountInString(title) > 100 {
		return org.Key{}, fault.New(fault.InvalidKeyRequest, "A key needs a name of 1 to 100 characters, without line breaks.").
			Arabic("يجب أن يكون للمفتاح اسم من 1 إلى 100 حرف، لا يُقسَّم إلى فقرات.")
	}
	if r, unfit := ubl.UnfitForLine(title); unfit {
		return org.Key{}, fault.New(fault.InvalidKeyRequest, "The name of a key must not contain the character %U.", r).Arabic("يجب ألا يحتوي اسم المفتاح على الحرف %U.", r)
	}
	role := n.Role
	if role == "" {
		role = org.CreateInvoice
	}
	if !slices.Contains(org.KeyRoles(), role) {
		return org.Key{}, fault.New(fault.InvalidRole, "The access level of a key must be one of %s; Admin cannot be given to a key.", list(org.KeyRoles()))
	}
	if n.Scopes != nil && len(n.Scopes) == 0 {
		return org.Key{}, fault.New(fault.InvalidScopes, "The list of scopes is empty. Name at least one scope, or leave scopes out for all scopes of the role.").
			Arabic("قائمة النطاقات فارغة.").Advise("Name at least one scope, or leave scopes out for all scopes of the role.", "حدّد نطاقًا واحدًا على الأقل، أو اترك القائمة لتشمل كل نطاقات الدور.")
	}
	for _, s := range n.Scopes {
		if !slices.Contains(org.Scopes(), s) {
			return org.Key{}, fault.New(fault.InvalidScopes, "'%s' is not a scope. A scope is one of %s.", s, list(org.Scopes())).
				Arabic("النطاق %s غير معروف. النطاقات هي: %s.", s, list(org.Scopes()))
		}
		if !role.Grants(s) {
			return org.Key{}, fault.New(fault.InvalidScopes, "The role %s does not grant the scope %s. Scopes can only restrict a role.", role, s).
				Arabic("الدور %s لا يشمل النطاق %s.", role, s)
		}
	}
	scopes := slices.Clone(n.Scopes)
	slices.Sort(scopes)
	return org.Key{Title: title, Role: role, Scopes: slices.Compact(scopes)}, nil
}

func list[T ~string](values []T) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	return strings.Join(texts, ", ")
}
