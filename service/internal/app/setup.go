package app

import (
	"context"
	"net/http"

	"khatm/service/internal/account"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// SetUps creates the first account and organisation of an installation.
type SetUps interface {
	// Empty reports whether the installation has no organisation.
	Empty(ctx context.Context) (bool, error)
	// UseSetUp uses a set-up link and opens a session.
	UseSetUp(ctx context.Context, by org.Actor, s account.SetUp) (session string, err error)
}

// SignUp states who may create an organisation.
type SignUp string

// The values of SignUp.
const (
	SignUpFirst  SignUp = "first"  // the holder of the set-up link, while there is no organisation
	SignUpOpen   SignUp = "open"   // everyone who can read e-mails at their address
	SignUpClosed SignUp = "closed" // only the operator, with commands
)

// LinkWindow limits the requests with a secret link per address and minute.
const LinkWindow = "link"

const tagSetUp = "Set-up"

func (s *Surface) setUpRows() []wire.Route {
	const path = "/api/setup/"
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: path, Name: "get-setup", Tag: tagSetUp, Access: wire.Anyone,
			Summary: "Read whether the installation is set up", Doc: "Returns whether an organisation exists, whether the set-up link can be used, and the environments of the tax authority to choose from.",
		}, s.getSetUp),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: path, Name: "set-up", Tag: tagSetUp, Access: wire.Anyone, Window: LinkWindow, Free: true,
			Status: http.StatusCreated, Codes: []fault.Code{fault.LinkNotAvailable, fault.SetUpDone, fault.AlreadyExists, fault.EnvironmentFixed},
			Summary: "Set up the installation",
			Doc: "Creates the first account and organisation with the token of the set-up link, which `khatm setup-link` prints, and signs the person in as Admin. The link works once and for 24 hours. " +
				"With `environment` it also chooses the environment of the tax authority, permanently for this database. " +
				"The response is the same for an unknown, expired, used and replaced link. Limited to 10 per minute and IP address, together with other requests that use a secret link.",
			Example: exampleSetUp,
		}, s.setUp),
	}
}

type setUpState struct {
	Needed bool   `json:"needed" doc:"Whether the installation has no organisation yet."`
	SignUp string `json:"signup" enum:"first,open,closed" doc:"first: the holder of the set-up link creates the first organisation; open: everyone can also sign up with POST /api/signup/; closed: only the operator creates organisations."`

	Environment  *string             `json:"environment" enum:"simulator,sandbox,simulation,production" doc:"Environment of the tax authority that the installation belongs to; null if it is not chosen yet."`
	Environments []environmentChoice `json:"environments" doc:"Environments to choose from; empty once one is chosen."`
	Warning      *string             `json:"environment_warning" doc:"What to know before choosing an environment; null once one is chosen."`
	WarningAR    *string             `json:"environment_warning_ar" doc:"The same in Arabic."`
}

func (s *Surface) getSetUp(ctx context.Context, _ wire.Caller, _ *nothing) (*setUpState, error) {
	empty, err := s.SetUps.Empty(ctx)
	if err != nil {
		return nil, err
	}
	state := &setUpState{Needed: empty, SignUp: string(s.SignUp)}
	if chosen := s.Environments.Environment(); chosen != "" {
		state.Environment = new(string(chosen))
		return state, nil
	}
	state.Environments = environmentChoices
	state.Warning, state.WarningAR = new(environmentWarning), new(environmentWarningAR)
	return state, nil
}

const exampleSetUp = `{
	"token": "q3ZbT0yqk8mYw1uJ5nXv7cRe2sLd9fGh4aPi6oKlBzE",
	"account": {"email": "noura@example.sa", "name": "Noura Al Harbi", "password": "correct horse battery"},
	"organisation": {
		"name": "Khatm Trading",
		"name_arabic": "شركة ختم التجارية",
		"vat_registration_number": "399999999900003",
		"additional_seller_id": {"type_id": "CRN", "value": "1010010000"},
		"street": "King Fahd Road",
		"building_number": "1234",
		"district": "Al Olaya",
		"city": "Riyadh",
		"postal_code": "12345"
	}
}`

type setUp struct {
	Body struct {
		Token        string          `json:"token" maxLength:"200" doc:"Token of the set-up link: the part after #."`
		Account      newAccount      `json:"account" doc:"The first account."`
		Organisation newOrganisation `json:"organisation" doc:"The first organisation. Its record can be changed later."`
		Environment  string          `json:"environment" optional:"true" enum:"simulator,simulation,production" doc:"Environment of the tax authority: one of environments in GET /api/setup/. The choice is permanent for this database. If it is not sent, an Admin chooses later."`
	} `body:"json"`
}

type newAccount struct {
	Email    string `json:"email" maxLength:"254" example:"noura@example.sa" doc:"E-mail address, used to sign in."`
	Name     string `json:"name" optional:"true" maxLength:"100" example:"Noura Al Harbi" doc:"Name of the person."`
	Password string `json:"password" maxLength:"1000" doc:"Password: at least 10 characters and at most 200 bytes."`
}

type newOrganisation struct {
	Name           string `json:"name" maxLength:"127" example:"Khatm Trading" doc:"Name of the seller, at most 127 bytes in UTF-8."`
	NameArabic     string `json:"name_arabic" optional:"true" maxLength:"127" example:"شركة ختم التجارية" doc:"Name in Arabic letters."`
	VATNumber      string `json:"vat_registration_number" maxLength:"50" example:"399999999900003" doc:"VAT number: 15 digits, the first and the last of them 3."`
	Identification struct {
		Type  string `json:"type_id" maxLength:"50" example:"CRN" doc:"Type of the number, such as CRN from GET /api/sellers/additional-seller-id-types/."`
		Value string `json:"value" maxLength:"50" example:"1010010000" doc:"The number: Latin letters and digits."`
	} `json:"additional_seller_id" doc:"Another registration number of the seller."`
	Street           string `json:"street" maxLength:"127" example:"King Fahd Road" doc:"Street."`
	AdditionalStreet string `json:"additional_street" optional:"true" maxLength:"127" doc:"Additional street."`
	BuildingNumber   string `json:"building_number" maxLength:"50" example:"1234" doc:"Building number: four digits."`
	Plot             string `json:"plot_identification" optional:"true" maxLength:"127" doc:"Plot identification."`
	District         string `json:"district" maxLength:"127" example:"Al Olaya" doc:"District."`
	City             string `json:"city" maxLength:"127" example:"Riyadh" doc:"City."`
	Province         string `json:"province_state" optional:"true" maxLength:"127" doc:"Province."`
	PostalCode       string `json:"postal_code" maxLength:"50" example:"12345" doc:"Postal code: five digits."`

	StreetArabic           string `json:"street_arabic" optional:"true" maxLength:"127" example:"طريق الملك فهد" doc:"Street in Arabic letters."`
	AdditionalStreetArabic string `json:"additional_street_arabic" optional:"true" maxLength:"127" doc:"Additional street in Arabic letters."`
	DistrictArabic         string `json:"district_arabic" optional:"true" maxLength:"127" example:"العليا" doc:"District in Arabic letters."`
	CityArabic             string `json:"city_arabic" optional:"true" maxLength:"127" example:"الرياض" doc:"City in Arabic letters."`
	ProvinceStateArabic    string `json:"province_state_arabic" optional:"true" maxLength:"127" doc:"Province in Arabic letters."`
}

func (o newOrganisation) record(plan string) org.Organisation {
	return org.Organisation{
		Name: o.Name, NameArabic: o.NameArabic, VATNumber: o.VATNumber, Identification: org.Identification{Type: o.Identification.Type, Value: o.Identification.Value},
		Address: org.Address{
			Street: o.Street, AdditionalStreet: o.AdditionalStreet, BuildingNumber: o.BuildingNumber, PlotIdentification: o.Plot,
			District: o.District, City: o.City, ProvinceState: o.Province, PostalCode: o.PostalCode,
			StreetArabic: o.StreetArabic, AdditionalStreetArabic: o.AdditionalStreetArabic, DistrictArabic: o.DistrictArabic, CityArabic: o.CityArabic,
			ProvinceStateArabic: o.ProvinceStateArabic,
		},
		Plan: plan,
	}
}

func (s *Surface) setUp(ctx context.Context, c wire.Caller, in *setUp) (*signedIn, error) {
	if s.SignUp == SignUpClosed {
		return nil, account.ErrLink()
	}
	b := in.Body
	token, err := s.SetUps.UseSetUp(ctx, org.Actor{Address: c.Address, Request: c.Request}, account.SetUp{
		Token: b.Token, Email: b.Account.Email, Name: b.Account.Name, Password: b.Account.Password, Organisation: b.Organisation.record(s.FirstPlan),
		Environment: device.Environment(b.Environment),
	})
	if err != nil {
		return nil, err
	}
	return s.welcome(ctx, c, token)
}
