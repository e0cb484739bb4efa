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
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// Companies stores the records of organisations.
type Companies interface {
	Organisation(ctx context.Context, of org.Tenant) (org.Organisation, error)
	// Certified reports whether a device has a certificate with the VAT number.
	Certified(ctx context.Context, of org.Tenant) (bool, error)
	// ChangeCompany changes a record. It returns a VATNumberFixed fault for another
	// VAT number if the organisation is Certified.
	ChangeCompany(ctx context.Context, by org.Actor, change func(*org.Organisation) error) (org.Organisation, error)
}

// Pictures stores pictures.
type Pictures interface {
	// KeepPicture cleans and stores a picture. Its problems are reported at path.
	KeepPicture(ctx context.Context, of org.Tenant, what, path string, up *wire.Upload) (key, kind string, err error)
	Picture(ctx context.Context, key string) (*api.PictureFile, error)
	DropPictures(ctx context.Context, keys ...string)
	// BuyerOf and ItemOf return records with the URLs of their pictures.
	BuyerOf(c trade.Client) api.Buyer
	ItemOf(i trade.Item) api.Item
}

const (
	tagCompany  = "Company"
	companyPath = "/api/company/"
	logoPath    = companyPath + "logo/"
)

func (s *Surface) companyRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: companyPath, Name: "get-company", Tag: tagCompany, Access: wire.People, Scope: org.CompanyGet,
			Summary: "Read the company", Doc: "Returns the record of your organisation.",
		}, s.getCompany),
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: companyPath, Name: "change-company", Tag: tagCompany, Access: wire.People, Scope: org.CompanyChange,
			Codes:   []fault.Code{fault.VATNumberFixed},
			Summary: "Change the company",
			Doc: "A field that is not sent keeps its value. Issued invoices have a copy of the record and do not change. The VAT number cannot be changed while a device has a certificate. " +
				"If the onboarding of a device is not finished, it starts again with the new names and numbers.",
			Example: `{"street_arabic": "طريق الملك فهد", "district_arabic": "العليا", "city_arabic": "الرياض", "settings": {"iban": "SA03 8000 0000 6080 1016 7519", "phone": "+966 11 234 5678"}}`,
		}, s.changeCompany),
		wire.Serve(wire.Route{
			Method: http.MethodPut, Path: logoPath, Name: "set-logo", Tag: tagCompany, Access: wire.People, Scope: org.CompanyChange,
			Codes:   []fault.Code{fault.PicturesBusy, fault.FilesUnavailable},
			Summary: "Set the logo", Doc: "Replaces the logo and returns the record. Only the pixels of the picture are stored. PDFs that are created from now on show the new logo.",
		}, s.setLogo),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: logoPath, Name: "get-logo", Tag: tagCompany, Access: wire.People, Scope: org.CompanyGet,
			Codes:   []fault.Code{fault.LogoNotFound, fault.FilesUnavailable},
			Summary: "Read the logo", Doc: "Returns the logo as PNG or JPEG.",
		}, s.getLogo),
		wire.Serve(wire.Route{
			Method: http.MethodDelete, Path: logoPath, Name: "remove-logo", Tag: tagCompany, Access: wire.People, Scope: org.CompanyChange,
			Summary: "Remove the logo", Doc: "Removes the logo and returns the record. Removing it again changes nothing.",
		}, s.removeLogo),
	}
}

// Company is an organisation in a response.
type Company struct {
	UUID           uuid.UUID `json:"uuid" doc:"UUID of the organisation, which is the seller of its invoices."`
	Name           string    `json:"name" example:"Khatm Trading" doc:"Name of the seller."`
	NameArabic     string    `json:"name_arabic" example:"شركة ختم التجارية" doc:"Name in Arabic letters; invoices are issued in this name if it is set."`
	VATNumber      string    `json:"vat_registration_number" example:"399999999900003" doc:"VAT number of 15 digits."`
	VATNumberFixed bool      `json:"vat_number_fixed" doc:"Whether the VAT number cannot be changed, because a device has a certificate for it."`
	Identification sellerID  `json:"additional_seller_id" doc:"Another registration number of the seller."`
	address
	Settings  companySettings `json:"settings" doc:"What is printed on invoices besides what the law requires."`
	LogoURL   *string         `json:"logo_url" doc:"URL of the logo; null if there is no logo."`
	Plan      string          `json:"plan" example:"business" doc:"Code of the plan, as in GET /v1/api/plans/."`
	CreatedAt time.Time       `json:"created_at" doc:"Time the organisation was created."`
}

// sellerID is a registration number in a request or a response.
type sellerID struct {
	Type  string `json:"type_id" maxLength:"50" example:"CRN" doc:"Type of the number, such as CRN from GET /v1/api/sellers/additional-seller-id-types/."`
	Value string `json:"value" maxLength:"50" example:"1010010000" doc:"The number: Latin letters and digits."`
}

// address is an address in a response.
type address struct {
	Street                 string `json:"street" example:"King Fahd Road" doc:"Street."`
	AdditionalStreet       string `json:"additional_street" doc:"Additional street."`
	BuildingNumber         string `json:"building_number" example:"1234" doc:"Building number."`
	PlotIdentification     string `json:"plot_identification" doc:"Plot identification."`
	District               string `json:"district" example:"Al Olaya" doc:"District."`
	City                   string `json:"city" example:"Riyadh" doc:"City."`
	ProvinceState          string `json:"province_state" doc:"Province."`
	PostalCode             string `json:"postal_code" example:"12345" doc:"Postal code."`
	CountryCode            string `json:"country_code" example:"SA" doc:"Country code: SA."`
	StreetArabic           string `json:"street_arabic" example:"طريق الملك فهد" doc:"Street in Arabic letters."`
	AdditionalStreetArabic string `json:"additional_street_arabic" doc:"Additional street in Arabic letters."`
	DistrictArabic         string `json:"district_arabic" example:"العليا" doc:"District in Arabic letters."`
	CityArabic             string `json:"city_arabic" example:"الرياض" doc:"City in Arabic letters."`
	ProvinceStateArabic    string `json:"province_state_arabic" doc:"Province in Arabic letters."`
}

type companySettings struct {
	AmountInWords bool   `json:"amount_in_words" doc:"Whether the amount is printed in words."`
	IBAN          string `json:"iban" example:"SA0380000000608010167519" doc:"Account for payments; empty if none is printed."`
	Phone         string `json:"phone" example:"+966 11 234 5678" doc:"Telephone number of the seller; empty if none is printed."`
	DueDays       int    `json:"due_days" example:"30" doc:"Days from the issue until an invoice is due; 0 if no date is printed."`
}

// companyOf returns the response for an organisation.
func (s *Surface) companyOf(ctx context.Context, o org.Organisation) (*Company, error) {
	fixed, err := s.Companies.Certified(ctx, org.TenantOf(o.ID))
	if err != nil {
		return nil, err
	}
	out := &Company{
		UUID: o.ID, Name: o.Name, NameArabic: o.NameArabic, VATNumber: o.VATNumber, VATNumberFixed: fixed, Identification: sellerID(o.Identification),
		address: address(o.Address), Settings: companySettings(o.Settings), Plan: o.Plan, CreatedAt: o.CreatedAt,
	}
	if o.Logo != "" {
		out.LogoURL = new(s.URL + Base + logoPath)
	}
	return out, nil
}

func (s *Surface) getCompany(ctx context.Context, c wire.Caller, _ *nothing) (*Company, error) {
	o, err := s.Companies.Organisation(ctx, c.Actor.Tenant)
	if err != nil {
		return nil, err
	}
	return s.companyOf(ctx, o)
}

type changeCompany struct {
	Body struct {
		Name           codec.Sent[string]   `json:"name" minLength:"1" maxLength:"127" example:"Khatm Trading" doc:"Name of the seller, at most 127 bytes in UTF-8."`
		NameArabic     codec.Sent[string]   `json:"name_arabic" maxLength:"127" example:"شركة ختم التجارية" doc:"Name in Arabic letters, at most 127 bytes in UTF-8; null removes it."`
		VATNumber      codec.Sent[string]   `json:"vat_registration_number" maxLength:"50" example:"399999999900003" doc:"VAT number: 15 digits, the first and the last of them 3."`
		Identification codec.Sent[sellerID] `json:"additional_seller_id" doc:"Another registration number of the seller."`
		addressChange
		Settings settingsChange `json:"settings" optional:"true" doc:"What is printed on invoices besides what the law requires."`
	} `body:"json"`
}

// addressChange is a change of an address. null removes a value.
type addressChange struct {
	Street                 codec.Sent[string] `json:"street" maxLength:"127" example:"King Fahd Road" doc:"Street."`
	AdditionalStreet       codec.Sent[string] `json:"additional_street" maxLength:"127" doc:"Additional street."`
	BuildingNumber         codec.Sent[string] `json:"building_number" maxLength:"50" example:"1234" doc:"Building number: four digits."`
	PlotIdentification     codec.Sent[string] `json:"plot_identification" maxLength:"127" doc:"Plot identification."`
	District               codec.Sent[string] `json:"district" maxLength:"127" example:"Al Olaya" doc:"District."`
	City                   codec.Sent[string] `json:"city" maxLength:"127" example:"Riyadh" doc:"City."`
	ProvinceState          codec.Sent[string] `json:"province_state" maxLength:"127" doc:"Province."`
	PostalCode             codec.Sent[string] `json:"postal_code" maxLength:"50" example:"12345" doc:"Postal code: five digits."`
	StreetArabic           codec.Sent[string] `json:"street_arabic" maxLength:"127" example:"طريق الملك فهد" doc:"Street in Arabic letters."`
	AdditionalStreetArabic codec.Sent[string] `json:"additional_street_arabic" maxLength:"127" doc:"Additional street in Arabic letters."`
	DistrictArabic         codec.Sent[string] `json:"district_arabic" maxLength:"127" example:"العليا" doc:"District in Arabic letters."`
	CityArabic             codec.Sent[string] `json:"city_arabic" maxLength:"127" example:"الرياض" doc:"City in Arabic letters."`
	ProvinceStateArabic    codec.Sent[string] `json:"province_state_arabic" maxLength:"127" doc:"Province in Arabic letters."`
}

func (c *addressChange) apply(a *org.Address) {
	c.Street.Apply(&a.Street)
	c.AdditionalStreet.Apply(&a.AdditionalStreet)
	c.BuildingNumber.Apply(&a.BuildingNumber)
	c.PlotIdentification.Apply(&a.PlotIdentification)
	c.District.Apply(&a.District)
	c.City.Apply(&a.City)
	c.ProvinceState.Apply(&a.ProvinceState)
	c.PostalCode.Apply(&a.PostalCode)
	c.StreetArabic.Apply(&a.StreetArabic)
	c.AdditionalStreetArabic.Apply(&a.AdditionalStreetArabic)
	c.DistrictArabic.Apply(&a.DistrictArabic)
	c.CityArabic.Apply(&a.CityArabic)
	c.ProvinceStateArabic.Apply(&a.ProvinceStateArabic)
}

type settingsChange struct {
	AmountInWords codec.Sent[bool]   `json:"amount_in_words" doc:"Whether the amount is printed in words."`
	IBAN          codec.Sent[string] `json:"iban" maxLength:"50" example:"SA03 8000 0000 6080 1016 7519" doc:"Account for payments, with or without spaces; null to print none."`
	Phone         codec.Sent[string] `json:"phone" maxLength:"50" example:"+966 11 234 5678" doc:"Telephone number of the seller; null to print none."`
	DueDays       codec.Sent[int]    `json:"due_days" minimum:"0" maximum:"365" example:"30" doc:"Days from the issue until an invoice is due; 0 to print no date."`
}

func (s *Surface) changeCompany(ctx context.Context, c wire.Caller, in *changeCompany) (*Company, error) {
	b := &in.Body
	o, err := s.Companies.ChangeCompany(ctx, c.Actor, func(o *org.Organisation) error {
		b.Name.Apply(&o.Name)
		b.NameArabic.Apply(&o.NameArabic)
		b.VATNumber.Apply(&o.VATNumber)
		if b.Identification.Given {
			o.Identification = org.Identification(b.Identification.Value)
		}
		b.addressChange.apply(&o.Address)
		b.Settings.AmountInWords.Apply(&o.Settings.AmountInWords)
		b.Settings.IBAN.Apply(&o.Settings.IBAN)
		b.Settings.Phone.Apply(&o.Settings.Phone)
		b.Settings.DueDays.Apply(&o.Settings.DueDays)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.companyOf(ctx, o)
}

type setLogo struct {
	File *wire.Upload `file:"file" media:"image/png,image/jpeg,image/webp" required:"true" doc:"Logo as PNG, JPEG or WebP, at most 2 MiB."`
}

func (s *Surface) setLogo(ctx context.Context, c wire.Caller, in *setLogo) (*Company, error) {
	key, _, err := s.Pictures.KeepPicture(ctx, c.Actor.Tenant, "logo", "file", in.File)
	if err != nil {
		return nil, err
	}
	return s.replaceLogo(ctx, c.Actor, key)
}

func (s *Surface) removeLogo(ctx context.Context, c wire.Caller, _ *nothing) (*Company, error) {
	return s.replaceLogo(ctx, c.Actor, "")
}

// replaceLogo sets the stored picture of the logo and removes the previous one.
func (s *Surface) replaceLogo(ctx context.Context, by org.Actor, key string) (*Company, error) {
	previous := ""
	o, err := s.Companies.ChangeCompany(ctx, by, func(o *org.Organisation) error {
		previous, o.Logo = o.Logo, key
		return nil
	})
	if err != nil {
		s.Pictures.DropPictures(ctx, key)
		return nil, err
	}
	s.Pictures.DropPictures(ctx, previous)
	return s.companyOf(ctx, o)
}

func (s *Surface) getLogo(ctx context.Context, c wire.Caller, _ *nothing) (*api.PictureFile, error) {
	o, err := s.Companies.Organisation(ctx, c.Actor.Tenant)
	if err != nil {
		return nil, err
	}
	if o.Logo == "" {
		return nil, fault.Missing("Logo")
	}
	picture, err := s.Pictures.Picture(ctx, o.Logo)
	if fault.KindOf(err) == fault.NotFound { // replaced meanwhile
		return nil, fault.Missing("Logo")
	}
	return picture, err
}
