package api

import (
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/money"
	"khatm/service/internal/ledger"
)

// invoiceHead is what every answer says of an invoice.
type invoiceHead struct {
	UUID           *uuid.UUID     `json:"uuid" doc:"null in a preview."`
	Number         string         `json:"ref_num" example:"INV-2026-000001" doc:"Number of the document."`
	Kind           int            `json:"type_code" enum:"388,381,383,386" doc:"388 tax invoice, 381 credit note, 383 debit note, 386 advance payment invoice."`
	Transaction    string         `json:"transaction_code" doc:"0100000 standard, 0200000 simplified, 0100100 standard export."`
	IssueDate      string         `json:"issue_date" format:"date" doc:"In Riyadh."`
	IssueTime      string         `json:"issue_time" doc:"HH:MM:SS in Riyadh."`
	SupplyDate     string         `json:"supply_date" format:"date" doc:"When the supply began."`
	SupplyEndDate  string         `json:"supply_end_date" format:"date" doc:"When the supply ended."`
	Currency       string         `json:"currency" doc:"ISO 4217 code."`
	ExchangeRate   money.Decimal  `json:"exchange_rate" doc:"Rate to SAR."`
	PaymentMeans   string         `json:"payment_means_type_code" doc:"How it is paid."`
	PaymentTerms   string         `json:"payment_terms" doc:"The terms, from the description of the reason."`
	Reason         *uuid.UUID     `json:"reason_id" doc:"The reason that was named; null without one."`
	Sample         bool           `json:"is_sample_invoice" doc:"Always false here."`
	AddPrepaid     bool           `json:"add_prepaid_amount" doc:"Whether advances are deducted."`
	Prepaid        []uuid.UUID    `json:"prepaid_invoices" doc:"The advances that are deducted."`
	Originals      []uuid.UUID    `json:"original_invoice_reference" doc:"The invoices that a note corrects."`
	Notes          []noteBody     `json:"notes" doc:"Free text on the document."`
	Allowances     []allowanceOut `json:"document_level_allowances" doc:"Discounts on the whole document."`
	SubmittedAt    *time.Time     `json:"authority_submitted_at" doc:"When it was last sent to the authority; null before."`
	AnsweredAt     *time.Time     `json:"authority_response_received_at" doc:"When the authority answered; null before."`
	Status         *string        `json:"authority_response_status" doc:"CLEARED, REPORTED, NOT_CLEARED, NOT_REPORTED, No response; null while unanswered."`
	Code           *int           `json:"authority_response_code" doc:"200 accepted, 202 accepted with warnings, 400 rejected."`
	Payment        string         `json:"payment_status" enum:"Pending,Partially Paid,Paid" doc:"Set by recorded payments, never by the authority."`
	PDF            *string        `json:"invoice_pdf_url" doc:"Set once the invoice is final."`
	QR             *string        `json:"qr_code" doc:"Of a standard invoice once it is cleared; of a simplified one at once."`
	ShareLink      *string        `json:"share_link" doc:"Where the invoice can be seen without a key; null once the link is over."`
	LineTotal      string         `json:"invoice_total_line_net_amount" doc:"Sum of the lines, before VAT."`
	AllowanceTotal string         `json:"invoice_total_document_level_allowance_amount" doc:"Sum of the allowances."`
	WithoutVAT     string         `json:"invoice_total_amount_without_vat" doc:"Lines less allowances."`
	VAT            string         `json:"invoice_total_vat_amount" doc:"VAT in the currency of the document."`
	VATInSAR       string         `json:"invoice_total_vat_amount_sar" doc:"VAT in SAR."`
	WithVAT        string         `json:"invoice_total_amount_with_vat" doc:"Amount with VAT."`
	PrepaidAmount  string         `json:"prepaid_amount" doc:"Advances that are deducted."`
	Rounding       string         `json:"payable_rounding_amount" doc:"What expected_payable_amount added."`
	Payable        string         `json:"invoice_payable_amount" doc:"What is to be paid."`
	Breakdown      []vatRow       `json:"vat_breakdown" doc:"VAT by category, rate and reason."`
	Counter        *int64         `json:"counter" doc:"Place in the device's chain; null in a preview."`
	Hash           *string        `json:"invoice_hash" doc:"Hash of the document, base64; null in a preview."`
	PreviousHash   *string        `json:"previous_invoice_hash" doc:"Hash of the device's document before; null in a preview."`
	IdempotencyKey *string        `json:"idempotency_key" doc:"The Idempotency-Key it was created with; null without one."`
	CreatedAt      *time.Time     `json:"created_at" doc:"When it was created; null in a preview."`
}

type allowanceOut struct {
	Amount     string        `json:"allowance_amount" doc:"Amount of the discount, before VAT."`
	ReasonCode string        `json:"reason_code" doc:"Code of the reason."`
	Reason     string        `json:"reason" doc:"The reason in words."`
	Category   string        `json:"vat_category_code" doc:"S, Z, E or O."`
	Rate       money.Decimal `json:"vat_rate" doc:"Percentage."`
}

type vatRow struct {
	Category   string        `json:"vat_category_code" doc:"S, Z, E or O."`
	Rate       money.Decimal `json:"vat_rate" doc:"Percentage."`
	Taxable    string        `json:"vat_category_taxable_amount" doc:"What the VAT is computed on."`
	VAT        string        `json:"vat_category_tax_amount" doc:"The VAT, rounded once."`
	ReasonCode string        `json:"vat_exemption_reason_code" doc:"Why there is no VAT; empty in S."`
	ReasonText string        `json:"vat_exemption_reason_text" doc:"The same in words; empty in S."`
}

type lineOut struct {
	UUID       uuid.UUID     `json:"uuid" doc:"What invoice_line_id of a note refers to."`
	Item       *uuid.UUID    `json:"item_id" doc:"The item of the catalogue; null for a line written out."`
	Name       string        `json:"item_name" doc:"What was sold."`
	Price      string        `json:"item_net_price" doc:"Price of one unit before VAT."`
	Quantity   money.Decimal `json:"invoiced_quantity" doc:"Quantity."`
	Unit       string        `json:"invoiced_quantity_unit_of_measure" doc:"Code of the unit."`
	Category   string        `json:"vat_category_code" doc:"S, Z, E or O."`
	Rate       money.Decimal `json:"vat_rate" doc:"Percentage."`
	ReasonCode string        `json:"vat_exemption_reason_code" doc:"Why there is no VAT; empty in S."`
	ReasonText string        `json:"vat_exemption_reason_text" doc:"The same in words; empty in S."`
	Original   *uuid.UUID    `json:"invoice_line_id" doc:"The line that a note corrects; null otherwise."`
	Net        string        `json:"line_net_amount" doc:"Price times quantity, rounded to two places."`
	VAT        string        `json:"line_vat_amount" doc:"VAT of the line alone, for information."`
	Total      string        `json:"line_total_amount" doc:"Line with its VAT, for information."`
}

func (s *Surface) headOf(i ledger.Invoice) invoiceHead {
	r := i.Record
	h := invoiceHead{
		Number: i.Number, Kind: int(i.Kind), Transaction: i.Transaction.String(), IssueDate: i.IssueDate, IssueTime: i.IssueTime,
		SupplyDate: r.SupplyDate, SupplyEndDate: r.SupplyEndDate, Currency: r.Currency, ExchangeRate: r.ExchangeRate,
		PaymentMeans: r.PaymentMeans, PaymentTerms: r.PaymentTerms, Reason: r.Reason, AddPrepaid: len(r.Advances) > 0,
		SubmittedAt: i.SubmittedAt, AnsweredAt: i.AnsweredAt, Payment: string(i.Payment),
		LineTotal: r.Totals.Lines.Fixed2(), AllowanceTotal: r.Totals.Allowances.Fixed2(), WithoutVAT: r.Totals.WithoutVAT.Fixed2(),
		VAT: r.Totals.VAT.Fixed2(), VATInSAR: r.Totals.VATInSAR.Fixed2(), WithVAT: r.Totals.WithVAT.Fixed2(),
		PrepaidAmount: r.Totals.Prepaid.Fixed2(), Rounding: r.Totals.Rounding.Fixed2(), Payable: r.Totals.Payable.Fixed2(),
		Status: textOrNull(string(i.Status)), IdempotencyKey: textOrNull(i.IdempotencyKey),
	}
	h.lists(r)
	if i.Code != 0 {
		h.Code = &i.Code
	}
	if i.ID == uuid.Nil {
		return h // a preview has no place in the book
	}
	h.UUID, h.Counter, h.Hash, h.PreviousHash, h.CreatedAt = &i.ID, &i.Counter, &i.Hash, &i.PreviousHash, &i.CreatedAt
	h.PDF = s.pdfURL(i)
	if i.Printable() {
		h.QR = &i.QR
	}
	if len(i.Share.Sealed) > 0 {
		h.ShareLink = s.shareLink(i)
	}
	return h
}

// lists copies what there are several of.
func (h *invoiceHead) lists(r ledger.Record) {
	for _, a := range r.Advances {
		h.Prepaid = append(h.Prepaid, a.ID)
	}
	for _, o := range r.Originals {
		h.Originals = append(h.Originals, o.ID)
	}
	for _, n := range r.Notes {
		h.Notes = append(h.Notes, noteBody(n))
	}
	for _, a := range r.Allowances {
		h.Allowances = append(h.Allowances, allowanceOut{a.Amount.Fixed2(), a.ReasonCode, a.Reason, a.Category, a.Rate})
	}
	for _, b := range r.Breakdown {
		h.Breakdown = append(h.Breakdown, vatRow{b.Category, b.Rate, b.Taxable.Fixed2(), b.VAT.Fixed2(), b.ReasonCode, b.ReasonText})
	}
}

func linesOf(r ledger.Record) []lineOut {
	lines := make([]lineOut, len(r.Lines))
	for n, l := range r.Lines {
		lines[n] = lineOut{
			UUID: l.ID, Item: l.Item, Name: l.Name, Price: l.Price.Fixed2(), Quantity: l.Quantity, Unit: l.Unit, Category: l.Category, Rate: l.Rate,
			ReasonCode: l.ReasonCode, ReasonText: l.ReasonText, Original: l.Original, Net: l.Net.Fixed2(), VAT: l.VAT.Fixed2(), Total: l.Total.Fixed2(),
		}
	}
	return lines
}

func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// shareLink is the address of the page that shows an invoice without a key. A
// token that cannot be opened is no reason not to show the invoice.
func (s *Surface) shareLink(i ledger.Invoice) *string {
	token, err := s.OpenShare(i.ID, i.Share.Sealed)
	if err != nil {
		return nil
	}
	link := s.URL + "/s/" + token
	return &link
}

// party is the seller as the invoice was issued.
type party struct {
	UUID           uuid.UUID      `json:"uuid" doc:"Id."`
	Name           string         `json:"name" doc:"Name in Latin letters."`
	NameArabic     string         `json:"name_arabic" doc:"Name in Arabic letters."`
	VATNumber      string         `json:"vat_registration_number" doc:"15 digits; empty without one."`
	Identification identification `json:"additional_seller_id" doc:"Identification of the seller."`
	address
}

// buyerOut is the buyer as the invoice was issued.
type buyerOut struct {
	UUID            uuid.UUID        `json:"uuid" doc:"Id."`
	Name            string           `json:"buyer_name" doc:"Name in Latin letters, or the only one."`
	NameArabic      string           `json:"buyer_name_arabic" doc:"Name in Arabic letters."`
	VATNumber       string           `json:"vat_registration_number" doc:"15 digits; empty without one."`
	BusinessType    classification   `json:"business_type" doc:"With whom the buyer deals."`
	Industry        classification   `json:"industry" doc:"Industry."`
	Identifications []identification `json:"additional_buyer_id" doc:"Identifications of the buyer."`
	address
	ContactName  string `json:"contact_name" doc:"Whom to ask."`
	ContactEmail string `json:"contact_email" doc:"E-mail address."`
	ContactPhone string `json:"contact_phone" doc:"Telephone."`
}

// deviceOut is the device as the invoice was issued.
type deviceOut struct {
	ID           uuid.UUID  `json:"device_id" doc:"The device."`
	Seller       uuid.UUID  `json:"seller_id" doc:"The seller."`
	CommonName   string     `json:"common_name" doc:"Name of the device."`
	SerialNumber string     `json:"serial_number" doc:"Serial number of the device."`
	Location     string     `json:"location" doc:"Where the device stands."`
	UnitName     string     `json:"unit_name" doc:"Unit of the organisation."`
	Industry     string     `json:"industry" doc:"Industry."`
	InvoiceType  string     `json:"invoice_type" doc:"1000 standard only, 0100 simplified only, 1100 both."`
	Branch       *uuid.UUID `json:"branch_id" doc:"Branch of the device; null without one."`
}

// placeOf is the address of a party as the invoice was issued.
func placeOf(p ledger.Party) address {
	return address{
		Street: p.Street, AdditionalStreet: p.AdditionalStreet, BuildingNumber: p.BuildingNumber, PlotIdentification: p.PlotIdentification,
		District: p.District, City: p.City, ProvinceState: p.ProvinceState, PostalCode: p.PostalCode, CountryCode: p.CountryCode,
	}
}

func sellerOut(p ledger.Party) party {
	return party{
		UUID: p.ID, Name: p.Name, NameArabic: p.NameArabic, VATNumber: p.VATNumber, Identification: identification(p.Identifications[0]),
		address: placeOf(p),
	}
}

func buyerAsIssued(p *ledger.Party) *buyerOut {
	if p == nil {
		return nil
	}
	business, _ := codes.FindBusinessType(p.BusinessType)
	industry, _ := codes.FindIndustry(p.Industry)
	return &buyerOut{
		UUID: p.ID, Name: p.Name, NameArabic: p.NameArabic, VATNumber: p.VATNumber,
		BusinessType: classificationOf(business), Industry: classificationOf(industry), Identifications: identifications(*p),
		address:     placeOf(*p),
		ContactName: p.ContactName, ContactEmail: p.ContactEmail, ContactPhone: p.ContactPhone,
	}
}

func identifications(p ledger.Party) []identification {
	var list []identification
	for _, id := range p.Identifications {
		list = append(list, identification(id))
	}
	return list
}
