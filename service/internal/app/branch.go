package app

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/api"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// Branches stores the branches of an organisation.
type Branches interface {
	BranchPage(ctx context.Context, of org.Tenant, page org.Page) (org.List[org.Branch], error)
	Branch(ctx context.Context, of org.Tenant, id uuid.UUID) (org.Branch, error)
	AddBranch(ctx context.Context, by org.Actor, b org.Branch) (org.Branch, error)
	ChangeBranch(ctx context.Context, by org.Actor, id uuid.UUID, change func(*org.Branch) error) (org.Branch, error)
}

const tagBranches = "Branches"

func (s *Surface) branchRows() []wire.Route {
	const (
		path = "/api/branches/"
		one  = path + "{branch_id}/"
	)
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "list-branches", Tag: tagBranches, Access: wire.People, Scope: org.CompanyGet,
			Summary: "List branches", Doc: "Returns the branches of your organisation, newest first.",
		}, s.listBranches),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "create-branch", Tag: tagBranches, Access: wire.People, Scope: org.CompanyChange, Status: http.StatusCreated,
			Summary: "Create a branch", Doc: "Creates an active branch. Invoices of a device that belongs to a branch have the registration number and the address of the branch.",
			Example: exampleBranch,
		}, s.createBranch),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: one, Name: "get-branch", Tag: tagBranches, Access: wire.People, Scope: org.CompanyGet,
			Codes:   []fault.Code{fault.BranchNotFound},
			Summary: "Read a branch", Doc: "Returns a branch of your organisation.",
		}, s.getBranch),
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: one, Name: "change-branch", Tag: tagBranches, Access: wire.People, Scope: org.CompanyChange,
			Codes:   []fault.Code{fault.BranchNotFound},
			Summary: "Change a branch",
			Doc:     "A field that is not sent keeps its value. Issued invoices do not change. A new device cannot belong to a branch that is not active; its existing devices continue to issue.",
			Example: `{"street": "Prince Sultan Road", "street_arabic": "طريق الأمير سلطان"}`,
		}, s.changeBranch),
	}
}

// Branch is a branch in a response.
type Branch struct {
	UUID           uuid.UUID `json:"uuid" doc:"UUID of the branch."`
	Name           string    `json:"name" example:"Jeddah branch" doc:"Name of the branch."`
	Identification sellerID  `json:"additional_seller_id" doc:"Registration number of the branch."`
	address
	Active    bool      `json:"is_active" doc:"Whether new devices can belong to the branch."`
	CreatedAt time.Time `json:"created_at" doc:"Time the branch was created."`
}

func branchOf(b org.Branch) *Branch {
	return &Branch{
		UUID: b.ID, Name: b.Name, Identification: sellerID(b.Identification), address: address(b.Address), Active: b.Active, CreatedAt: b.CreatedAt,
	}
}

type listBranches struct{ api.PageQuery }

type branchesList struct {
	Branches []Branch `json:"branches" doc:"Branches on this page."`
	api.Envelope
}

func (s *Surface) listBranches(ctx context.Context, c wire.Caller, in *listBranches) (*branchesList, error) {
	rows, envelope, err := api.Records(ctx, c.Actor.Tenant, in.PageQuery, s.Branches.BranchPage, valueOf(branchOf))
	return &branchesList{rows, envelope}, err
}

type oneBranch struct {
	ID uuid.UUID `path:"branch_id" doc:"UUID of the branch."`
}

func (s *Surface) getBranch(ctx context.Context, c wire.Caller, in *oneBranch) (*Branch, error) {
	b, err := s.Branches.Branch(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	return branchOf(b), nil
}

const exampleBranch = `{
	"name": "Jeddah branch",
	"additional_seller_id": {"type_id": "CRN", "value": "4030000000"},
	"street": "Tahlia Street",
	"building_number": "1111",
	"district": "Al Rawdah",
	"city": "Jeddah",
	"postal_code": "23434",
	"city_arabic": "جدة"
}`

type createBranch struct {
	Body struct {
		Name           string   `json:"name" minLength:"1" maxLength:"127" example:"Jeddah branch" doc:"Name of the branch, at most 127 bytes in UTF-8. It is the default unit name in the certificates of its devices."`
		Identification sellerID `json:"additional_seller_id" doc:"Registration number of the branch."`
		newAddress
	} `body:"json"`
}

// newAddress is the address in a request.
type newAddress struct {
	Street                 string `json:"street" maxLength:"127" example:"Tahlia Street" doc:"Street."`
	AdditionalStreet       string `json:"additional_street" optional:"true" maxLength:"127" doc:"Additional street."`
	BuildingNumber         string `json:"building_number" maxLength:"50" example:"1111" doc:"Building number: four digits."`
	PlotIdentification     string `json:"plot_identification" optional:"true" maxLength:"127" doc:"Plot identification."`
	District               string `json:"district" maxLength:"127" example:"Al Rawdah" doc:"District."`
	City                   string `json:"city" maxLength:"127" example:"Jeddah" doc:"City."`
	ProvinceState          string `json:"province_state" optional:"true" maxLength:"127" doc:"Province."`
	PostalCode             string `json:"postal_code" maxLength:"50" example:"23434" doc:"Postal code: five digits."`
	StreetArabic           string `json:"street_arabic" optional:"true" maxLength:"127" doc:"Street in Arabic letters."`
	AdditionalStreetArabic string `json:"additional_street_arabic" optional:"true" maxLength:"127" doc:"Additional street in Arabic letters."`
	DistrictArabic         string `json:"district_arabic" optional:"true" maxLength:"127" doc:"District in Arabic letters."`
	CityArabic             string `json:"city_arabic" optional:"true" maxLength:"127" example:"جدة" doc:"City in Arabic letters."`
	ProvinceStateArabic    string `json:"province_state_arabic" optional:"true" maxLength:"127" doc:"Province in Arabic letters."`
}

func (a newAddress) record() org.Address {
	return org.Address{
		Street: a.Street, AdditionalStreet: a.AdditionalStreet, BuildingNumber: a.BuildingNumber, PlotIdentification: a.PlotIdentification,
		District: a.District, City: a.City, ProvinceState: a.ProvinceState, PostalCode: a.PostalCode,
		StreetArabic: a.StreetArabic, AdditionalStreetArabic: a.AdditionalStreetArabic, DistrictArabic: a.DistrictArabic,
		CityArabic: a.CityArabic, ProvinceStateArabic: a.ProvinceStateArabic,
	}
}

func (s *Surface) createBranch(ctx context.Context, c wire.Caller, in *createBranch) (*Branch, error) {
	b, err := s.Branches.AddBranch(ctx, c.Actor, org.Branch{
		Name: in.Body.Name, Identification: org.Identification(in.Body.Identification), Address: in.Body.record(),
	})
	if err != nil {
		return nil, err
	}
	return branchOf(b), nil
}

type changeBranch struct {
	oneBranch
	Body struct {
		Name           codec.Sent[string]   `json:"name" minLength:"1" maxLength:"127" example:"Jeddah branch" doc:"Name of the branch, at most 127 bytes in UTF-8."`
		Identification codec.Sent[sellerID] `json:"additional_seller_id" doc:"Registration number of the branch."`
		addressChange
		Active *bool `json:"is_active" optional:"true" doc:"Whether new devices can belong to the branch."`
	} `body:"json"`
}

func (s *Surface) changeBranch(ctx context.Context, c wire.Caller, in *changeBranch) (*Branch, error) {
	body := &in.Body
	b, err := s.Branches.ChangeBranch(ctx, c.Actor, in.ID, func(b *org.Branch) error {
		body.Name.Apply(&b.Name)
		if body.Identification.Given {
			b.Identification = org.Identification(body.Identification.Value)
		}
		body.addressChange.apply(&b.Address)
		if body.Active != nil {
			b.Active = *body.Active
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return branchOf(b), nil
}
