package admin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// Organisation is an organisation: a seller.
type Organisation struct {
	ID             uuid.UUID      `json:"uuid"`
	Name           string         `json:"name"`
	NameArabic     string         `json:"name_arabic"`
	VATNumber      string         `json:"vat_registration_number"`
	Identification Identification `json:"additional_seller_id"`
	Address
	Settings  Settings  `json:"settings"`
	Logo      bool      `json:"logo"` // whether it has a logo
	Status    string    `json:"status"`
	Plan      string    `json:"plan"`
	CreatedAt time.Time `json:"created_at"`
}

// Address is the address of an organisation or a branch.
type Address struct {
	Street             string `json:"street"`
	AdditionalStreet   string `json:"additional_street"`
	BuildingNumber     string `json:"building_number"`
	PlotIdentification string `json:"plot_identification"`
	District           string `json:"district"`
	City               string `json:"city"`
	ProvinceState      string `json:"province_state"`
	PostalCode         string `json:"postal_code"`
	CountryCode        string `json:"country_code"`

	StreetArabic           string `json:"street_arabic"`
	AdditionalStreetArabic string `json:"additional_street_arabic"`
	DistrictArabic         string `json:"district_arabic"`
	CityArabic             string `json:"city_arabic"`
	ProvinceStateArabic    string `json:"province_state_arabic"`
}

// Settings are what an organisation wants printed on its documents.
type Settings struct {
	AmountInWords bool   `json:"amount_in_words"`
	IBAN          string `json:"iban"`
	Phone         string `json:"phone"`
	DueDays       int    `json:"due_days"` // 0 prints no due date
}

// Identification is a registration number and its type, such as CRN.
type Identification struct {
	Type  string `json:"type_id"`
	Value string `json:"value"`
}

func organisationOf(o org.Organisation) Organisation {
	return Organisation{
		ID: o.ID, Name: o.Name, NameArabic: o.NameArabic, VATNumber: o.VATNumber,
		Identification: Identification(o.Identification), Address: Address(o.Address), Settings: Settings(o.Settings),
		Logo: o.Logo != "", Status: string(o.Status), Plan: o.Plan, CreatedAt: riyadh(o.CreatedAt),
	}
}

// riyadh converts a time to Saudi time, which has no daylight saving time.
func riyadh(t time.Time) time.Time { return t.In(time.FixedZone("+03", 3*60*60)) }

// CreateOrganisation registers an organisation. It ignores ID, Status, Logo and
// CreatedAt and sets new values.
func (a *Admin) CreateOrganisation(ctx context.Context, o Organisation) (Organisation, error) {
	if err := a.knownPlan(ctx, o.Plan); err != nil {
		return Organisation{}, err
	}
	made, err := a.accounts.AddOrganisation(ctx, a.by(org.Tenant{}), org.Organisation{
		Name: o.Name, NameArabic: o.NameArabic, VATNumber: o.VATNumber,
		Identification: org.Identification(o.Identification), Address: org.Address(o.Address), Settings: org.Settings(o.Settings), Plan: o.Plan,
	})
	return organisationOf(made), err
}

// Organisations returns all organisations, oldest first.
func (a *Admin) Organisations(ctx context.Context) ([]Organisation, error) {
	list := []Organisation{}
	err := a.eachOrganisation(ctx, func(o org.Organisation) error {
		list = append(list, organisationOf(o))
		return nil
	})
	return list, err
}

func (a *Admin) eachOrganisation(ctx context.Context, see func(org.Organisation) error) error {
	const chunk = 500
	after := uuid.Nil
	for {
		some, err := a.store.Organisations(ctx, after, chunk)
		if err != nil {
			return err
		}
		for _, o := range some {
			if err := see(o); err != nil {
				return err
			}
		}
		if len(some) < chunk {
			return nil
		}
		after = some[chunk-1].ID
	}
}

// Organisation returns an organisation.
func (a *Admin) Organisation(ctx context.Context, id string) (Organisation, error) {
	o, err := a.find(ctx, id)
	return organisationOf(o), err
}

// find reads an organisation by its id.
func (a *Admin) find(ctx context.Context, id string) (org.Organisation, error) {
	parsed, err := uuid.Parse(id)
	if err != nil {
		return org.Organisation{}, fmt.Errorf("%q is not an organisation ID: see khatm org list", id)
	}
	o, err := a.store.Organisation(ctx, org.TenantOf(parsed))
	if fault.KindOf(err) == fault.NotFound {
		return o, fmt.Errorf("there is no organisation %s: see khatm org list", id)
	}
	return o, err
}

// actorFor checks that an organisation exists and returns the operator as the actor
// on it.
func (a *Admin) actorFor(ctx context.Context, id string) (org.Actor, error) {
	o, err := a.find(ctx, id)
	return a.by(org.TenantOf(o.ID)), err
}

// ChangeOrganisation changes the record of an organisation. It returns an error if
// change sets another id, status or plan.
func (a *Admin) ChangeOrganisation(ctx context.Context, id string, change func(*Organisation) error) (Organisation, error) {
	by, err := a.actorFor(ctx, id)
	if err != nil {
		return Organisation{}, err
	}
	changed, err := a.accounts.ChangeOrganisation(ctx, by, func(kept *org.Organisation) error {
		before := organisationOf(*kept)
		wanted := before
		if err := change(&wanted); err != nil {
			return err
		}
		if wanted.ID != before.ID || wanted.Status != before.Status || wanted.Plan != before.Plan {
			return errors.New("id, status and plan cannot be changed here: use khatm org plan, suspend and activate for plan and status")
		}
		kept.Name, kept.NameArabic, kept.VATNumber = wanted.Name, wanted.NameArabic, wanted.VATNumber
		kept.Identification, kept.Address = org.Identification(wanted.Identification), org.Address(wanted.Address)
		kept.Settings = org.Settings(wanted.Settings)
		return nil
	})
	if err != nil {
		return Organisation{}, err
	}
	return organisationOf(changed), nil
}

// Suspend refuses the calls of an organisation until it is activated.
func (a *Admin) Suspend(ctx context.Context, id string) (Organisation, error) {
	return a.setStatus(ctx, id, org.Suspended)
}

// Activate ends a suspension or deactivation.
func (a *Admin) Activate(ctx context.Context, id string) (Organisation, error) {
	return a.setStatus(ctx, id, org.Active)
}

// Deactivate treats the keys of an organisation as unknown until it is activated.
func (a *Admin) Deactivate(ctx context.Context, id string) (Organisation, error) {
	return a.setStatus(ctx, id, org.Deactivated)
}

func (a *Admin) setStatus(ctx context.Context, id string, status org.Status) (Organisation, error) {
	by, err := a.actorFor(ctx, id)
	if err != nil {
		return Organisation{}, err
	}
	if err := a.store.SetStatus(ctx, by, status); err != nil {
		return Organisation{}, err
	}
	return a.Organisation(ctx, id)
}

// Subscribe puts an organisation on a plan.
func (a *Admin) Subscribe(ctx context.Context, id, plan string) (Organisation, error) {
	by, err := a.actorFor(ctx, id)
	if err == nil {
		err = a.knownPlan(ctx, plan)
	}
	if err == nil {
		err = a.store.Subscribe(ctx, by, plan)
	}
	if err != nil {
		return Organisation{}, err
	}
	return a.Organisation(ctx, id)
}

func (a *Admin) knownPlan(ctx context.Context, slug string) error {
	plans, err := a.store.Plans(ctx)
	if err == nil && !slices.ContainsFunc(plans, func(p org.Plan) bool { return p.Slug == slug }) {
		err = fmt.Errorf("there is no plan %q: see khatm plan list", slug)
	}
	return err
}
