package account

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// AddOrganisation registers an organisation. Its id is the seller id of all its
// devices.
func (a *Accounts) AddOrganisation(ctx context.Context, by org.Actor, o org.Organisation) (org.Organisation, error) {
	if problems := o.Check(); problems != nil {
		return o, fault.Wrong(problems...)
	}
	o.ID, o.Status, o.CreatedAt = a.newID(), org.Active, a.now()
	return o, a.keep.AddOrganisation(ctx, by, o)
}

// ChangeOrganisation changes the record of the actor's organisation. Documents
// that were already issued keep the earlier record.
func (a *Accounts) ChangeOrganisation(ctx context.Context, by org.Actor, change func(*org.Organisation) error) (org.Organisation, error) {
	return a.keep.ChangeOrganisation(ctx, by, checked(change))
}

// ChangeCompany is like ChangeOrganisation for a member. It refuses another VAT
// number while a device has a certificate.
func (a *Accounts) ChangeCompany(ctx context.Context, by org.Actor, change func(*org.Organisation) error) (org.Organisation, error) {
	return a.keep.ChangeCompany(ctx, by, checked(change))
}

// checked returns change followed by Check.
func checked(change func(*org.Organisation) error) func(*org.Organisation) error {
	return func(o *org.Organisation) error {
		if err := change(o); err != nil {
			return err
		}
		if problems := o.Check(); problems != nil {
			return fault.Wrong(problems...)
		}
		return nil
	}
}

// AddBranch registers an active branch of the actor's organisation.
func (a *Accounts) AddBranch(ctx context.Context, by org.Actor, b org.Branch) (org.Branch, error) {
	if problems := b.Check(); problems != nil {
		return b, fault.Wrong(problems...)
	}
	b.ID, b.Active, b.CreatedAt = a.newID(), true, a.now()
	return b, a.keep.AddBranch(ctx, by, b)
}

// ChangeBranch changes a branch of the actor's organisation. Documents that were
// already issued keep the earlier record.
func (a *Accounts) ChangeBranch(ctx context.Context, by org.Actor, id uuid.UUID, change func(*org.Branch) error) (org.Branch, error) {
	return a.keep.ChangeBranch(ctx, by, id, func(b *org.Branch) error {
		if err := change(b); err != nil {
			return err
		}
		if problems := b.Check(); problems != nil {
			return fault.Wrong(problems...)
		}
		return nil
	})
}
