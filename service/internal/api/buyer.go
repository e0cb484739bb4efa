package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

func (s *Surface) buyerRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/buyers/", Name: "list-buyers", Tag: tagClients, Scope: org.ClientGet,
			Summary: "List clients",
			Doc:     "Clients of your organisation, the newest first.",
		}, s.listBuyers),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/buyers/{buyer_id}/", Name: "get-buyer", Tag: tagClients, Scope: org.ClientGet,
			Summary: "Read a client",
			Doc:     "One client, with the uuids of its business type and industry, which a new client can be given.",
		}, s.getBuyer),
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: "/api/buyers/{buyer_id}/", Name: "change-buyer", Tag: tagClients, Scope: org.ClientCreate,
			Summary: "Change a client",
			Doc:     "Fields that are sent replace what is kept; fields that are not sent stay. Invoices that were issued keep the client as it was.",
			Example: `{"contact_name": "Noura Al Harbi", "contact_email": "accounts@alnoor.example", "contact_phone": "+966500000000"}`,
		}, s.changeBuyer),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/onboarding/organizations/clients/", Name: "create-client", Tag: tagClients, Scope: org.ClientCreate,
			Summary: "Create a client",
			Doc:     "Registers a client. `client_data` is the client as JSON; `file` may be its logo. Limited to 50 a minute for a key.",
			Example: exampleClient,
			Window:  ClientWindow, Status: http.StatusCreated,
		}, s.createClient),
	}
}

// ClientWindow is the rate window of creating clients.
const ClientWindow = "clients"

// classification is a business type or an industry, as a client has it.
type classification struct {
	UUID        string `json:"uuid" format:"uuid" example:"6c6a6e49-1046-52e9-911b-8024397176c3" doc:"Id, the same in every installation."`
	Code        string `json:"code" example:"1000" doc:"Code of the list."`
	Description string `json:"description" example:"B2B" doc:"In English."`
}

func classificationOf(c codes.Classification) classification {
	return classification{UUID: c.UUID, Code: c.Code, Description: c.EN}
}

// identification is a number some register gave.
type identification struct {
	Type  string `json:"type_id" enum:"TIN,CRN,MOM,MLS,700,SAG,NAT,GCC,IQA,PAS,OTH" example:"CRN" doc:"Which register."`
	Value string `json:"value" minLength:"1" maxLength:"127" example:"1010010000" doc:"Letters and digits."`
}

// address is where somebody is.
type address struct {
	Street             string `json:"street" example:"King Fahd Road" doc:"Street of the address."`
	AdditionalStreet   string `json:"additional_street" doc:"Second line of the street."`
	BuildingNumber     string `json:"building_number" example:"1234" doc:"4 digits for a Saudi address."`
	PlotIdentification string `json:"plot_identification" doc:"Additional number of the address."`
	District           string `json:"district" example:"Al Olaya" doc:"District of the city."`
	City               string `json:"city" example:"Riyadh" doc:"City of the address."`
	ProvinceState      string `json:"province_state" example:"Riyadh Province" doc:"Province or state of the address."`
	PostalCode         string `json:"postal_code" example:"12345" doc:"5 digits for a Saudi address."`
	CountryCode        string `json:"country_code" example:"SA" doc:"ISO 3166 code of two letters."`
}

// Buyer is a client as answered.
type Buyer struct {
	UUID         uuid.UUID      `json:"uuid" example:"01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d7e" doc:"Id of the client."`
	Name         string         `json:"buyer_name" example:"Al Noor Trading" doc:"Name in Latin letters, or the only one."`
	NameArabic   string         `json:"buyer_name_arabic" example:"شركة النور للتجارة" doc:"Name in Arabic letters; stands on the invoice when given."`
	VATNumber    string         `json:"vat_registration_number" example:"399999999900003" doc:"15 digits; empty for a client that has none."`
	BusinessType classification `json:"business_type" doc:"What sort of business it is."`
	Industry     classification `json:"industry" doc:"What it trades in."`
	address
	ContactName     string           `json:"contact_name" doc:"Who to ask there."`
	ContactEmail    string           `json:"contact_email" example:"accounts@alnoor.example" doc:"Where to write to them."`
	ContactPhone    string           `json:"contact_phone" example:"+966500000000" doc:"Where to call them."`
	Identifications []identification `json:"additional_buyer_id" doc:"Identification numbers, one of a type."`
	LogoURL         *string          `json:"logo_url" doc:"Where the logo can be read with the same key; null without one."`
	CreatedAt       time.Time        `json:"created_at" example:"2026-11-15T12:00:00+03:00" doc:"When it was registered."`
}

func (s *Surface) buyerOf(c trade.Client) Buyer {
	business, _ := codes.FindBusinessType(c.BusinessType)
	industry, _ := codes.FindIndustry(c.Industry)
	b := Buyer{
		UUID: c.ID, Name: c.Name, NameArabic: c.NameArabic, VATNumber: c.VATNumber,
		BusinessType: classificationOf(business), Industry: classificationOf(industry),
		address:     address(c.Address),
		ContactName: c.ContactName, ContactEmail: c.ContactEmail, ContactPhone: c.ContactPhone,
		CreatedAt: c.CreatedAt,
	}
	for _, id := range c.Identifications {
		b.Identifications = append(b.Identifications, identification(id))
	}
	if c.Logo != "" {
		url := s.URL + Base + "/api/buyers/" + c.ID.String() + "/logo/"
		b.LogoURL = &url
	}
	return b
}

type listBuyers struct {
	PageQuery
	Search string `query:"search_text" optional:"true" maxLength:"200" example:"النور" doc:"Words of names, VAT number, identification numbers, contact or city, in any spelling: hamza forms, ة and ه, ى and ي, diacritics, case and Arabic digits make no difference."`
}

type buyersList struct {
	Buyers []Buyer `json:"buyers" doc:"The clients of this page."`
	Envelope
}

func (s *Surface) listBuyers(ctx context.Context, c wire.Caller, in *listBuyers) (*buyersList, error) {
	page, err := in.Page()
	if err != nil {
		return nil, err
	}
	found, err := s.Keeper.Clients(ctx, c.Actor.Tenant, trade.Fold(in.Search), page)
	if err != nil {
		return nil, err
	}
	out := &buyersList{Envelope: EnvelopeOf(found, page)}
	for _, one := range found.Rows {
		out.Buyers = append(out.Buyers, s.buyerOf(one))
	}
	return out, nil
}

type oneBuyer struct {
	ID uuid.UUID `path:"buyer_id" doc:"The client's uuid."`
}

func (s *Surface) getBuyer(ctx context.Context, c wire.Caller, in *oneBuyer) (*Buyer, error) {
	found, err := s.Keeper.Client(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	b := s.buyerOf(found)
	return &b, nil
}

// wrong refuses an input for what a record's own check found, with the path of
// the record before each field but those that came beside it.
func wrong(root string, problems []fault.Problem, beside ...string) error {
	if len(problems) == 0 {
		return nil
	}
	for i := range problems {
		if root != "" && !slices.Contains(beside, problems[i].Path) {
			problems[i].Path = root + "." + problems[i].Path
		}
	}
	return fault.Wrong(problems...)
}
