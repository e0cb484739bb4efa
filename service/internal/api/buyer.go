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
			Doc:     "Returns the clients of your organisation, newest first.",
		}, s.listBuyers),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/buyers/{buyer_id}/", Name: "get-buyer", Tag: tagClients, Scope: org.ClientGet,
			Codes:   []fault.Code{fault.BuyerNotFound},
			Summary: "Read a client",
			Doc:     "Returns one client. The UUIDs of its business type and industry can be used for new clients.",
		}, s.getBuyer),
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: "/api/buyers/{buyer_id}/", Name: "change-buyer", Tag: tagClients, Scope: org.ClientCreate,
			Codes:   []fault.Code{fault.BuyerNotFound},
			Summary: "Change a client",
			Doc:     "Replaces the fields that are sent and keeps the others. Invoices already issued keep the client's earlier data.",
			Example: `{"contact_name": "Noura Al Harbi", "contact_email": "accounts@alnoor.example", "contact_phone": "+966500000000"}`,
		}, s.changeBuyer),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/onboarding/organizations/clients/", Name: "create-client", Tag: tagClients, Scope: org.ClientCreate,
			Codes:   []fault.Code{fault.PicturesBusy, fault.FilesUnavailable},
			Summary: "Create a client",
			Doc:     "Creates a client. Send the client as JSON in the part `client_data` and, optionally, its logo in the part `file`. Limited to 50 requests per minute and key.",
			Example: exampleClient,
			Window:  ClientWindow, Status: http.StatusCreated,
		}, s.createClient),
	}
}

// ClientWindow is the name of the rate window for creating clients.
const ClientWindow = "clients"

// classification is the business type or industry of a client.
type classification struct {
	UUID        string `json:"uuid" format:"uuid" example:"6c6a6e49-1046-52e9-911b-8024397176c3" doc:"UUID of the entry; the same in every installation."`
	Code        string `json:"code" example:"1000" doc:"Code of the entry in its code list, such as 1000."`
	Description string `json:"description" example:"B2B" doc:"Description in English, such as B2B."`
}

func classificationOf(c codes.Classification) classification {
	return classification{UUID: c.UUID, Code: c.Code, Description: c.EN}
}

// identification is an identification number of a client.
type identification struct {
	Type  string `json:"type_id" enum:"TIN,CRN,MOM,MLS,700,SAG,NAT,GCC,IQA,PAS,OTH" example:"CRN" doc:"Type of the number, such as CRN for a commercial registration; GET /api/buyers/additional-buyer-id-types/ lists all types."`
	Value string `json:"value" minLength:"1" maxLength:"127" example:"1010010000" doc:"The number: Latin letters and digits, such as 1010010000."`
}

// address is the address of a client or seller.
type address struct {
	Street             string `json:"street" example:"King Fahd Road" doc:"Street name, such as King Fahd Road."`
	AdditionalStreet   string `json:"additional_street" doc:"Second line of the street address."`
	BuildingNumber     string `json:"building_number" example:"1234" doc:"Building number; 4 digits in a Saudi address, such as 1234."`
	PlotIdentification string `json:"plot_identification" doc:"Additional number of the address (plot identification)."`
	District           string `json:"district" example:"Al Olaya" doc:"District of the city, such as Al Olaya."`
	City               string `json:"city" example:"Riyadh" doc:"City, such as Riyadh."`
	ProvinceState      string `json:"province_state" example:"Riyadh Province" doc:"Province or state, such as Riyadh Province."`
	PostalCode         string `json:"postal_code" example:"12345" doc:"Postal code; 5 digits in a Saudi address, such as 12345."`
	CountryCode        string `json:"country_code" example:"SA" doc:"Country code of two letters (ISO 3166-1), such as SA."`

	StreetArabic           string `json:"street_arabic" example:"طريق الملك فهد" doc:"Street name in Arabic letters; printed on Arabic pages if it is set."`
	AdditionalStreetArabic string `json:"additional_street_arabic" doc:"Second line of the street address in Arabic letters; printed on Arabic pages if it is set."`
	DistrictArabic         string `json:"district_arabic" example:"العليا" doc:"District in Arabic letters; printed on Arabic pages if it is set."`
	CityArabic             string `json:"city_arabic" example:"الرياض" doc:"City in Arabic letters; printed on Arabic pages if it is set."`
	ProvinceStateArabic    string `json:"province_state_arabic" example:"منطقة الرياض" doc:"Province or state in Arabic letters; printed on Arabic pages if it is set."`
}

// Buyer is a client in a response.
type Buyer struct {
	UUID         uuid.UUID      `json:"uuid" example:"01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d7e" doc:"UUID of the client."`
	Name         string         `json:"buyer_name" example:"Al Noor Trading" doc:"Name in Latin letters, or in any script if the client has only one name."`
	NameArabic   string         `json:"buyer_name_arabic" example:"شركة النور للتجارة" doc:"Name in Arabic letters; printed on invoices if it is set."`
	VATNumber    string         `json:"vat_registration_number" example:"311111111100003" doc:"VAT registration number of 15 digits; empty if the client has none."`
	BusinessType classification `json:"business_type" doc:"Business type of the client."`
	Industry     classification `json:"industry" doc:"Industry of the client."`
	address
	ContactName     string           `json:"contact_name" doc:"Name of the contact person."`
	ContactEmail    string           `json:"contact_email" example:"accounts@alnoor.example" doc:"E-mail address of the contact person."`
	ContactPhone    string           `json:"contact_phone" example:"+966500000000" doc:"Telephone number of the contact person, such as +966500000000."`
	Identifications []identification `json:"additional_buyer_id" doc:"Identification numbers, at most one of each type."`
	LogoURL         *string          `json:"logo_url" doc:"URL of the logo, which can be read with the same API key; null if there is no logo."`
	CreatedAt       time.Time        `json:"created_at" example:"2026-11-15T12:00:00+03:00" doc:"Time the client was created."`
}

// BuyerOf returns the response for a client.
func (s *Surface) BuyerOf(c trade.Client) Buyer {
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
		url := s.logoURL(c.ID)
		b.LogoURL = &url
	}
	return b
}

// logoURL returns the URL of the logo of a client.
func (s *Surface) logoURL(client uuid.UUID) string {
	return s.URL + Base + "/api/buyers/" + client.String() + "/logo/"
}

type listBuyers struct {
	PageQuery
	Search string `query:"search_text" optional:"true" maxLength:"200" example:"النور" doc:"Words of the names, VAT number, identification numbers, contact or city. Spelling variants match: hamza forms, ة and ه, ى and ي, diacritics, upper and lower case, and Arabic digits."`
}

type buyersList struct {
	Buyers []Buyer `json:"buyers" doc:"Clients on this page."`
	Envelope
}

func (s *Surface) listBuyers(ctx context.Context, c wire.Caller, in *listBuyers) (*buyersList, error) {
	rows, envelope, err := Records(ctx, c.Actor.Tenant, in.PageQuery, func(ctx context.Context, of org.Tenant, p org.Page) (org.List[trade.Client], error) {
		return s.Keeper.Clients(ctx, of, trade.Fold(in.Search), p)
	}, s.BuyerOf)
	return &buyersList{rows, envelope}, err
}

type oneBuyer struct {
	ID uuid.UUID `path:"buyer_id" doc:"UUID of the client."`
}

func (s *Surface) getBuyer(ctx context.Context, c wire.Caller, in *oneBuyer) (*Buyer, error) {
	found, err := s.Keeper.Client(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	b := s.BuyerOf(found)
	return &b, nil
}

// wrong returns an error with the problems found by the check of a record. It
// puts root before the path of each field, except for fields beside the record.
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
