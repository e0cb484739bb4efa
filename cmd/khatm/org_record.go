package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"khatm/service/admin"
)

// orgRecord holds the flags for the record of an organisation. A flag that is not
// given leaves its field unchanged; an empty value clears it.
type orgRecord struct {
	From       string  `placeholder:"FILE" help:"Read the fields from a JSON file in the form that khatm org show --json prints; - reads standard input. Flags override the file."`
	Name       *string `placeholder:"TEXT" help:"Name, as printed on invoices; at most 127 bytes of UTF-8."`
	NameArabic *string `placeholder:"TEXT" help:"Name in Arabic; if given, invoices are issued under it."`
	VAT        *string `name:"vat" placeholder:"NUMBER" help:"VAT registration number: 15 digits that begin and end with 3."`
	identityFlags
	printFlags
}

// printFlags holds the flags for what an organisation wants printed.
type printFlags struct {
	AmountInWords *bool   `negatable:"" help:"Print the amount of new documents in words."`
	IBAN          *string `name:"iban" placeholder:"IBAN" help:"Account for payments, printed on new invoices."`
	Phone         *string `placeholder:"NUMBER" help:"Telephone number, printed on new documents."`
	DueDays       *int    `placeholder:"DAYS" help:"Days until a new standard invoice is due, whose date is then printed; 0 prints no date."`
}

func (p printFlags) apply(s *admin.Settings) {
	if p.AmountInWords != nil {
		s.AmountInWords = *p.AmountInWords
	}
	set(&s.IBAN, p.IBAN)
	set(&s.Phone, p.Phone)
	if p.DueDays != nil {
		s.DueDays = *p.DueDays
	}
}

// identityFlags holds the flags for the identification and the address of an
// organisation or a branch.
type identityFlags struct {
	IDType           *string `placeholder:"TYPE" help:"Type of the identification: CRN, MOM, MLS, SAG or OTH (default CRN)."`
	IDValue          *string `placeholder:"NUMBER" help:"Identification number of that type, such as the commercial registration number for CRN."`
	Street           *string `placeholder:"TEXT" help:"Street."`
	AdditionalStreet *string `placeholder:"TEXT" help:"Second line of the street address."`
	Building         *string `placeholder:"NUMBER" help:"Building number: 4 digits."`
	Plot             *string `placeholder:"TEXT" help:"Plot identification."`
	District         *string `placeholder:"TEXT" help:"District."`
	City             *string `placeholder:"TEXT" help:"City."`
	Province         *string `placeholder:"TEXT" help:"Province."`
	PostalCode       *string `placeholder:"NUMBER" help:"Postal code: 5 digits."`

	StreetArabic           *string `placeholder:"TEXT" help:"Street in Arabic, printed on Arabic pages."`
	AdditionalStreetArabic *string `placeholder:"TEXT" help:"Second line of the street address in Arabic."`
	DistrictArabic         *string `placeholder:"TEXT" help:"District in Arabic."`
	CityArabic             *string `placeholder:"TEXT" help:"City in Arabic."`
	ProvinceArabic         *string `placeholder:"TEXT" help:"Province in Arabic."`
}

// flagOf maps the JSON name of a field to its flag, for error messages.
var flagOf = map[string]string{
	"name":                         "--name",
	"name_arabic":                  "--name-arabic",
	"vat_registration_number":      "--vat",
	"additional_seller_id.type_id": "--id-type",
	"additional_seller_id.value":   "--id-value",
	"street":                       "--street",
	"additional_street":            "--additional-street",
	"building_number":              "--building",
	"plot_identification":          "--plot",
	"district":                     "--district",
	"city":                         "--city",
	"province_state":               "--province",
	"postal_code":                  "--postal-code",
	"street_arabic":                "--street-arabic",
	"additional_street_arabic":     "--additional-street-arabic",
	"district_arabic":              "--district-arabic",
	"city_arabic":                  "--city-arabic",
	"province_state_arabic":        "--province-arabic",
	"settings.iban":                "--iban",
	"settings.phone":               "--phone",
	"settings.due_days":            "--due-days",
	"email":                        "--email",
	"password":                     "the password",
	"role":                         "--role",
	"description":                  "the description",
	"due_days":                     "--due-days",
	"branch_id":                    "--branch",
	"common_name":                  "--name",
	"serial_number":                "--serial",
	"unit_name":                    "--unit",
	"location":                     "--location",
	"industry":                     "--industry",
	"invoice_type":                 "--type",
	"otp":                          "--otp",
	"number":                       "--number",
	"issue_date":                   "--date",
	"buyer":                        "--buyer",
	"currency":                     "--currency",
	"totals":                       "--total",
}

// given reports whether any flag was given.
func (r orgRecord) given() bool { return r != orgRecord{} }

// apply sets the fields of the flags that were given.
func (r orgRecord) apply(in io.Reader, o *admin.Organisation) error {
	if r.From != "" {
		if err := readRecord(r.From, in, o); err != nil {
			return err
		}
	}
	set(&o.Name, r.Name)
	set(&o.NameArabic, r.NameArabic)
	set(&o.VATNumber, r.VAT)
	r.identityFlags.apply(&o.Identification, &o.Address)
	r.printFlags.apply(&o.Settings)
	return nil
}

func (p identityFlags) apply(id *admin.Identification, at *admin.Address) {
	set(&id.Type, p.IDType)
	set(&id.Value, p.IDValue)
	if id.Type == "" {
		id.Type = "CRN"
	}
	set(&at.Street, p.Street)
	set(&at.AdditionalStreet, p.AdditionalStreet)
	set(&at.BuildingNumber, p.Building)
	set(&at.PlotIdentification, p.Plot)
	set(&at.District, p.District)
	set(&at.City, p.City)
	set(&at.ProvinceState, p.Province)
	set(&at.PostalCode, p.PostalCode)
	set(&at.StreetArabic, p.StreetArabic)
	set(&at.AdditionalStreetArabic, p.AdditionalStreetArabic)
	set(&at.DistrictArabic, p.DistrictArabic)
	set(&at.CityArabic, p.CityArabic)
	set(&at.ProvinceStateArabic, p.ProvinceArabic)
}

func set(field, given *string) {
	if given != nil {
		*field = *given
	}
}

// readRecord reads a JSON record from a file or standard input. It rejects
// unknown fields, because a misspelt one would be ignored silently.
func readRecord(name string, in io.Reader, into any) error {
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	}
	data, err := io.ReadAll(io.LimitReader(in, 1<<20))
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if decoder.More() {
		return fmt.Errorf("read %s: the file has more than one record", name)
	}
	return nil
}
