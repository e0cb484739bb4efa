package ledger

import (
	"time"

	"github.com/google/uuid"

	"khatm/money"
)

// Record is the content of an invoice at the time of issue: parties, lines and
// amounts. It is written once and unaffected by later changes to the parties.
type Record struct {
	Device          Device         `json:"device"`
	Seller          Party          `json:"seller"`
	Buyer           *Party         `json:"buyer"`
	SupplyDate      string         `json:"supply_date"`
	SupplyEndDate   string         `json:"supply_end_date"`
	Currency        string         `json:"currency"`
	ExchangeRate    money.Decimal  `json:"exchange_rate"`
	PaymentMeans    string         `json:"payment_means"`
	PaymentTerms    string         `json:"payment_terms"`
	Reason          *uuid.UUID     `json:"reason"`
	ReasonText      string         `json:"reason_text,omitempty"` // why a note was issued, as printed on it
	Notes           []Note         `json:"notes"`
	Lines           []Line         `json:"lines"`
	Allowances      []Allowance    `json:"allowances"`
	Advances        []Advance      `json:"advances"`
	Originals       []Original     `json:"originals"`
	Breakdown       []Subtotal     `json:"breakdown"`
	ExpectedPayable *money.Decimal `json:"expected_payable,omitempty"`
	Totals          Totals         `json:"totals"`
	Print           *Print         `json:"print,omitempty"`
}

// Print holds the settings of the seller at the time of issue that are printed on
// the document.
type Print struct {
	AmountInWords bool   `json:"amount_in_words,omitempty"`
	IBAN          string `json:"iban,omitempty"`
	Phone         string `json:"phone,omitempty"`
	DueDays       int    `json:"due_days,omitempty"` // days from the issue until the invoice is due; 0 prints no date
}

// Device is the issuing device at the time of issue.
type Device struct {
	ID           uuid.UUID  `json:"id"`
	CommonName   string     `json:"common_name"`
	SerialNumber string     `json:"serial_number"`
	Location     string     `json:"location"`
	UnitName     string     `json:"unit_name"`
	Industry     string     `json:"industry"`
	InvoiceType  string     `json:"invoice_type"`
	Branch       *uuid.UUID `json:"branch"`
	Compliance   *Validity  `json:"compliance,omitempty"` // of its certificates; nil in records of earlier versions
	Production   *Validity  `json:"production,omitempty"`
	CreatedAt    *time.Time `json:"created_at,omitempty"`
}

// Validity is the time in which a certificate is valid.
type Validity struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
}

// Party is the seller or the buyer at the time of issue.
type Party struct {
	ID                 uuid.UUID  `json:"id"`
	Name               string     `json:"name"`
	NameArabic         string     `json:"name_arabic"`
	VATNumber          string     `json:"vat_number"`
	BusinessType       string     `json:"business_type,omitempty"`
	Industry           string     `json:"industry,omitempty"`
	Street             string     `json:"street"`
	AdditionalStreet   string     `json:"additional_street"`
	BuildingNumber     string     `json:"building_number"`
	PlotIdentification string     `json:"plot_identification"`
	District           string     `json:"district"`
	City               string     `json:"city"`
	ProvinceState      string     `json:"province_state"`
	PostalCode         string     `json:"postal_code"`
	CountryCode        string     `json:"country_code"`
	ContactName        string     `json:"contact_name,omitempty"`
	ContactEmail       string     `json:"contact_email,omitempty"`
	ContactPhone       string     `json:"contact_phone,omitempty"`
	Identifications    []Identity `json:"identifications"`
	Logo               bool       `json:"logo,omitempty"`       // the client had a logo
	CreatedAt          *time.Time `json:"created_at,omitempty"` // of the client; nil in records of earlier versions

	StreetArabic           string `json:"street_arabic,omitempty"`
	AdditionalStreetArabic string `json:"additional_street_arabic,omitempty"`
	DistrictArabic         string `json:"district_arabic,omitempty"`
	CityArabic             string `json:"city_arabic,omitempty"`
	ProvinceStateArabic    string `json:"province_state_arabic,omitempty"`
}

// Identity is an official registration number of a party.
type Identity struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// Note is free text on a document.
type Note struct {
	Language string `json:"language"`
	Text     string `json:"text"`
}

// Line is an invoice line with its amounts.
type Line struct {
	ID         uuid.UUID     `json:"id"`
	Item       *uuid.UUID    `json:"item,omitempty"`     // catalogue item
	Original   *uuid.UUID    `json:"original,omitempty"` // line corrected by a note
	Name       string        `json:"name"`
	NameArabic string        `json:"name_arabic,omitempty"` // of the catalogue item
	Price      money.Decimal `json:"price"`                 // before VAT
	GrossPrice money.Decimal `json:"gross_price,omitzero"`  // including VAT; zero if the line was priced before VAT
	Quantity   money.Decimal `json:"quantity"`
	Unit       string        `json:"unit"`
	Category   string        `json:"category"`
	Rate       money.Decimal `json:"rate"`
	ReasonCode string        `json:"reason_code"`
	ReasonText string        `json:"reason_text"`
	Net        money.Decimal `json:"net"`
	VAT        money.Decimal `json:"vat"`
	Total      money.Decimal `json:"total"`
}

// Allowance is a discount on the whole document.
type Allowance struct {
	Amount     money.Decimal `json:"amount"`
	ReasonCode string        `json:"reason_code"`
	Reason     string        `json:"reason"`
	Category   string        `json:"category"`
	Rate       money.Decimal `json:"rate"`
}

// Advance is a deducted advance payment.
type Advance struct {
	ID     uuid.UUID     `json:"id"`
	Number string        `json:"number"`
	Amount money.Decimal `json:"amount"`         // including VAT
	Rows   []Subtotal    `json:"rows,omitempty"` // what was deducted; empty if an earlier version deducted the advance in full
}

// Original is a document that a note corrects.
type Original struct {
	ID        uuid.UUID `json:"id"`
	Number    string    `json:"number"`
	IssueDate string    `json:"issue_date"`
}

// Subtotal is the VAT breakdown row of one category, rate and reason.
type Subtotal struct {
	Category   string        `json:"category"`
	Rate       money.Decimal `json:"rate"`
	ReasonCode string        `json:"reason_code"`
	ReasonText string        `json:"reason_text"`
	Taxable    money.Decimal `json:"taxable"`
	VAT        money.Decimal `json:"vat"`
}

// Totals are the document totals, in its currency unless named otherwise.
type Totals struct {
	Lines      money.Decimal `json:"lines"`
	Allowances money.Decimal `json:"allowances"`
	WithoutVAT money.Decimal `json:"without_vat"`
	VAT        money.Decimal `json:"vat"`
	VATInSAR   money.Decimal `json:"vat_in_sar"`
	WithVAT    money.Decimal `json:"with_vat"`
	Prepaid    money.Decimal `json:"prepaid"`
	Rounding   money.Decimal `json:"rounding"`
	Payable    money.Decimal `json:"payable"`
}
