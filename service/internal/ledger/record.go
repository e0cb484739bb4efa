package ledger

import (
	"github.com/google/uuid"

	"khatm/money"
)

// Record is an invoice as it was issued: the parties, the lines and every
// amount of that moment. It is written once; what the parties change later does
// not show here.
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
	ReasonText      string         `json:"reason_text,omitempty"` // why a note was issued, as it stands on it
	Notes           []Note         `json:"notes"`
	Lines           []Line         `json:"lines"`
	Allowances      []Allowance    `json:"allowances"`
	Advances        []Advance      `json:"advances"`
	Originals       []Original     `json:"originals"`
	Breakdown       []Subtotal     `json:"breakdown"`
	ExpectedPayable *money.Decimal `json:"expected_payable,omitempty"`
	Totals          Totals         `json:"totals"`
}

// Device is the device as it issued.
type Device struct {
	ID           uuid.UUID  `json:"id"`
	CommonName   string     `json:"common_name"`
	SerialNumber string     `json:"serial_number"`
	Location     string     `json:"location"`
	UnitName     string     `json:"unit_name"`
	Industry     string     `json:"industry"`
	InvoiceType  string     `json:"invoice_type"`
	Branch       *uuid.UUID `json:"branch"`
}

// Party is the seller or the buyer as it was.
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
}

// Identity is a number some register gave a party.
type Identity struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// Note is free text on the document.
type Note struct {
	Language string `json:"language"`
	Text     string `json:"text"`
}

// Line is what was sold, with its amounts.
type Line struct {
	ID         uuid.UUID     `json:"id"`
	Item       *uuid.UUID    `json:"item,omitempty"`     // of the catalogue
	Original   *uuid.UUID    `json:"original,omitempty"` // the line that a note corrects
	Name       string        `json:"name"`
	Price      money.Decimal `json:"price"`
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

// Advance is an advance payment that was deducted.
type Advance struct {
	ID     uuid.UUID     `json:"id"`
	Number string        `json:"number"`
	Amount money.Decimal `json:"amount"` // with VAT
}

// Original is a document that a note corrects.
type Original struct {
	ID        uuid.UUID `json:"id"`
	Number    string    `json:"number"`
	IssueDate string    `json:"issue_date"`
}

// Subtotal is the VAT of one category, rate and reason.
type Subtotal struct {
	Category   string        `json:"category"`
	Rate       money.Decimal `json:"rate"`
	ReasonCode string        `json:"reason_code"`
	ReasonText string        `json:"reason_text"`
	Taxable    money.Decimal `json:"taxable"`
	VAT        money.Decimal `json:"vat"`
}

// Totals are the amounts of the whole document, in its currency.
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
