package admin

import (
	"context"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/org"
)

// Branch is a branch of an organisation.
type Branch struct {
	ID             uuid.UUID      `json:"uuid"`
	Name           string         `json:"name"`
	Identification Identification `json:"additional_seller_id"`
	Address
	Active    bool      `json:"is_active"` // new devices can belong to it
	CreatedAt time.Time `json:"created_at"`
}

func branchOf(b org.Branch) Branch {
	return Branch{
		ID: b.ID, Name: b.Name, Identification: Identification(b.Identification),
		Address: Address(b.Address), Active: b.Active, CreatedAt: riyadh(b.CreatedAt),
	}
}

// CreateBranch registers an active branch of an organisation. It sets a new id and
// the time of creation.
func (a *Admin) CreateBranch(ctx context.Context, organisation string, b Branch) (Branch, error) {
	by, err := a.actorFor(ctx, organisation)
	if err != nil {
		return Branch{}, err
	}
	made, err := a.accounts.AddBranch(ctx, by, org.Branch{
		Name: b.Name, Identification: org.Identification(b.Identification), Address: org.Address(b.Address),
	})
	return branchOf(made), err
}

// Branches returns the branches of an organisation, oldest first.
func (a *Admin) Branches(ctx context.Context, organisation string) ([]Branch, error) {
	return listOf(ctx, a, organisation, a.store.Branches, branchOf)
}

// listOf returns the records of an organisation, with show applied to each.
func listOf[K, S any](ctx context.Context, a *Admin, organisation string, list func(context.Context, org.Tenant) ([]K, error), show func(K) S) ([]S, error) {
	by, err := a.actorFor(ctx, organisation)
	if err != nil {
		return nil, err
	}
	kept, err := list(ctx, by.Tenant)
	return convert(kept, show), err
}

// convert returns a list with show applied to every element.
func convert[K, S any](kept []K, show func(K) S) []S {
	list := make([]S, len(kept))
	for i, one := range kept {
		list[i] = show(one)
	}
	return list
}
