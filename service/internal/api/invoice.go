package api

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/codec"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
)

// invoiceHead holds the fields common to all responses with an invoice or a
// preview.
type invoiceHead struct {
	Number         string             `json:"ref_num" example:"INV-2026-000001" doc:"Number of the document, such as INV-2026-000001."`
	Kind           int                `json:"type_code" enum:"388,381,383,386" doc:"Document type: 388 tax invoice, 381 credit note, 383 debit note, 386 advance payment invoice."`
	Transaction    string             `json:"transaction_code" enum:"0100000,0200000,0100100" doc:"0100000 standard, 0200000 simplified, 0100100 standard export."`
	IssueDate      string             `json:"issue_date" format:"date" doc:"Issue date in Riyadh time, such as 2026-11-15."`
	IssueTime      string             `json:"issue_time" doc:"Issue time in Riyadh time, as HH:MM:SS."`
	SupplyDate     string             `json:"supply_date" format:"date" doc:"Date the supply began, such as 2026-11-15."`
	SupplyEndDate  string             `json:"supply_end_date" format:"date" doc:"Date the supply ended, such as 2026-11-15."`
	DueDate        *string            `json:"due_date" format:"date" doc:"Date on which the document is due, which is printed on it, such as 2026-12-15; null if it is due when it is issued."`
	Currency       string             `json:"currency" doc:"Currency code (ISO 4217), such as SAR."`
	ExchangeRate   money.Decimal      `json:"exchange_rate" doc:"Exchange rate to SAR that is used on the document; 1 if the currency is SAR."`
	PaymentMeans   string             `json:"payment_means_type_code" enum:"10,20,23,25,26,30,31,46,48,49,54,55" doc:"Code of the payment means, such as 10 for cash; GET /api/invoices/payment-means-types/ lists all codes."`
	PaymentTerms   string             `json:"payment_terms" doc:"Payment terms, copied from the description of the reason."`
	Reason         *uuid.UUID         `json:"reason_id" doc:"UUID of the reason; null if the document has no reason."`
	Sample         bool               `json:"is_sample_invoice" doc:"Always false for invoices created through the API."`
	AddPrepaid     bool               `json:"add_prepaid_amount" doc:"Whether advance payments are deducted."`
	Prepaid        []uuid.UUID        `json:"prepaid_invoices" doc:"UUIDs of the advance payment invoices that are deducted."`
	PrepaidAmounts []prepaidAmountOut `json:"prepaid_amounts" doc:"What is deducted from each advance payment invoice, by VAT category and rate; empty on invoices issued by a version that deducted advances in full."`
	Originals      []uuid.UUID        `json:"original_invoice_reference" doc:"UUIDs of the invoices that a credit or debit note corrects."`
	Notes          []noteBody         `json:"notes" doc:"Free text printed on the document."`
	Allowances     []allowanceOut     `json:"document_level_allowances" doc:"Discounts on the whole document."`
	Charges        []allowanceOut     `json:"document_level_charges" doc:"Always empty: charges on the whole document are not supported."`
	SubmittedAt    *time.Time         `json:"authority_submitted_at" doc:"Time the invoice was last sent to the authority; null if it was not sent yet."`
	AnsweredAt     *time.Time         `json:"authority_response_received_at" doc:"Time the authority responded; null until then."`
	Status         *string            `json:"authority_response_status" enum:"CLEARED,REPORTED,NOT_CLEARED,NOT_REPORTED,No response" doc:"CLEARED and REPORTED (accepted), NOT_CLEARED and NOT_REPORTED (rejected) are final. null until the authority has responded, and No response if it gave no usable response: neither is final, and the service sends the invoice again by itself."`
	Code           *int               `json:"authority_response_code" doc:"Status code of the authority's response: 200 accepted, 202 accepted with warnings, 400 rejected."`
	Payment        string             `json:"payment_status" enum:"Pending,Partially Paid,Paid" doc:"Result of the payments recorded for the invoice; independent of the authority."`
	Balance        string             `json:"balance" doc:"Amount that is still to be paid: the payable amount less valid credit notes and payments. 0.00 on a credit note and on a rejected invoice."`
	RefundDue      string             `json:"refund_due" doc:"On a credit note: amount that is still to be paid back, because the invoice it reduces was paid. 0.00 on other documents."`
	Settled        string             `json:"settled_by_credit" doc:"Part of the payable amount that credit notes have settled. It is not a payment and does not change payment_status."`
	PDF            *string            `json:"invoice_pdf_url" doc:"URL of the PDF/A-3; null until the authority has accepted the invoice."`
	QR             *string            `json:"qr_code" doc:"Content of the QR code in base64. On a standard invoice null until it is cleared; on a simplified one available at once."`
	ShareLink      *string            `json:"share_link" doc:"URL of a page that shows the invoice without an API key; null once the link has expired or was revoked."`
	LineTotal      string             `json:"invoice_total_line_net_amount" doc:"Sum of the line net amounts, before VAT."`
	AllowanceTotal string             `json:"invoice_total_document_level_allowance_amount" doc:"Sum of the document-level allowances."`
	WithoutVAT     string             `json:"invoice_total_amount_without_vat" doc:"Line net amounts minus allowances, before VAT."`
	VAT            string             `json:"invoice_total_vat_amount" doc:"Total VAT in the currency of the document."`
	VATInSAR       string             `json:"invoice_total_vat_amount_sar" doc:"Total VAT in SAR."`
	WithVAT        string             `json:"invoice_total_amount_with_vat" doc:"Total amount including VAT."`
	PrepaidAmount  string             `json:"prepaid_amount" doc:"Total of the advance payments that are deducted."`
	Rounding       string             `json:"payable_rounding_amount" doc:"Rounding that makes the payable amount equal to the prices including VAT (item_gross_price), or to expected_payable_amount; 0.00 if neither was sent."`
	Payable        string             `json:"invoice_payable_amount" doc:"Amount to be paid."`
	Breakdown      []vatRow           `json:"vat_breakdown" doc:"VAT by category, rate and exemption reason."`
}

type allowanceOut struct {
	Amount     string        `json:"allowance_amount" doc:"Amount of the discount before VAT, such as 10.00."`
	ReasonCode string        `json:"reason_code" doc:"Code of the reason, such as 95 for a discount."`
	Reason     string        `json:"reason" doc:"Reason in words."`
	Category   string        `json:"vat_category_code" enum:"S,Z,E,O" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate       money.Decimal `json:"vat_rate" doc:"VAT rate in percent, such as 15."`
}

type prepaidAmountOut struct {
	Advance  uuid.UUID     `json:"prepaid_invoice" doc:"UUID of the advance payment invoice."`
	Category string        `json:"vat_category_code" enum:"S,Z,E,O" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate     money.Decimal `json:"vat_rate" doc:"VAT rate in percent, such as 15."`
	Amount   string        `json:"amount" doc:"Amount before VAT that is deducted, such as 1000.00."`
	VAT      string        `json:"vat_amount" doc:"VAT that is deducted with the amount, such as 150.00."`
}

type vatRow struct {
	Category   string        `json:"vat_category_code" enum:"S,Z,E,O" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate       money.Decimal `json:"vat_rate" doc:"VAT rate in percent, such as 15."`
	Taxable    string        `json:"vat_category_taxable_amount" doc:"Amount on which the VAT is calculated."`
	VAT        string        `json:"vat_category_tax_amount" doc:"VAT of the category, rounded once."`
	ReasonCode string        `json:"vat_exemption_reason_code" doc:"Code of the exemption reason, such as VATEX-SA-32; empty in category S."`
	ReasonText string        `json:"vat_exemption_reason_text" doc:"Exemption reason in words; empty in category S."`
}

type lineOut struct {
	UUID       uuid.UUID      `json:"uuid" doc:"UUID of the line; send it as invoice_line_id in a credit or debit note."`
	Item       *uuid.UUID     `json:"item_id" doc:"UUID of the catalogue item; null for a line from form_lines."`
	Name       string         `json:"item_name" doc:"Name of the item."`
	Price      money.Decimal  `json:"item_net_price" cents:"true" example:"4200.00" doc:"Unit price before VAT, such as 4200.00. For a line with item_gross_price it is line_net_amount divided by the quantity, with two to six decimal places."`
	GrossPrice *money.Decimal `json:"item_gross_price" cents:"true" example:"4830.00" doc:"Unit price including VAT, as sent; null if item_net_price was sent."`
	Quantity   money.Decimal  `json:"invoiced_quantity" doc:"Quantity, such as 2 or 0.5."`
	Unit       string         `json:"invoiced_quantity_unit_of_measure" doc:"Code of the unit of measure, such as PCE."`
	Category   string         `json:"vat_category_code" enum:"S,Z,E,O" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate       money.Decimal  `json:"vat_rate" doc:"VAT rate in percent, such as 15."`
	ReasonCode string         `json:"vat_exemption_reason_code" doc:"Code of the exemption reason, such as VATEX-SA-32; empty in category S."`
	ReasonText string         `json:"vat_exemption_reason_text" doc:"Exemption reason in words; empty in category S."`
	Original   *uuid.UUID     `json:"invoice_line_id" doc:"UUID of the original line that a credit or debit note corrects; null otherwise."`
	Net        string         `json:"line_net_amount" doc:"Unit price times quantity, rounded to two decimal places. For a line with item_gross_price: that price times quantity, divided by 1 plus the VAT rate, rounded once."`
	VAT        string         `json:"line_vat_amount" doc:"VAT of this line alone, for information."`
	Total      string         `json:"line_total_amount" doc:"Line amount including VAT, for information. For a line with item_gross_price: that price times quantity, which is what the customer pays."`
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
		Status: textOrNull(string(i.Status)), DueDate: textOrNull(i.DueDate()),
	}
	owed := payment.Of(i)
	h.Balance, h.RefundDue, h.Settled = owed.Balance.Fixed2(), owed.RefundDue.Fixed2(), owed.SettledByCredit.Fixed2()
	h.lists(r)
	if i.Code != 0 {
		h.Code = &i.Code
	}
	if i.ID == uuid.Nil {
		return h // a preview is not in the ledger
	}
	h.PDF = s.pdfURL(i)
	if i.Printable() {
		h.QR = &i.QR
	}
	if len(i.Share.Sealed) > 0 {
		h.ShareLink = s.shareLink(i)
	}
	return h
}

// lists sets the fields that are lists.
func (h *invoiceHead) lists(r ledger.Record) {
	for _, a := range r.Advances {
		h.Prepaid = append(h.Prepaid, a.ID)
		h.PrepaidAmounts = append(h.PrepaidAmounts, prepaidAmounts(a)...)
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

// prepaidAmounts returns what is deducted from an advance, by category and rate.
func prepaidAmounts(a ledger.Advance) []prepaidAmountOut {
	var rows []ledger.Subtotal
	for _, r := range a.Rows {
		n := slices.IndexFunc(rows, func(s ledger.Subtotal) bool { return s.Category == r.Category && s.Rate.Equal(r.Rate) })
		if n < 0 {
			rows = append(rows, r)
			continue
		}
		rows[n].Taxable, rows[n].VAT = rows[n].Taxable.Add(r.Taxable), rows[n].VAT.Add(r.VAT)
	}
	var amounts []prepaidAmountOut
	for _, r := range rows {
		amounts = append(amounts, prepaidAmountOut{a.ID, r.Category, r.Rate, r.Taxable.Fixed2(), r.VAT.Fixed2()})
	}
	return amounts
}

func linesOf(r ledger.Record) []lineOut {
	lines := make([]lineOut, len(r.Lines))
	for n := range r.Lines {
		lines[n] = lineOf(&r.Lines[n])
	}
	return lines
}

func lineOf(l *ledger.Line) lineOut {
	return lineOut{
		UUID: l.ID, Item: l.Item, Name: l.Name, Price: l.Price, GrossPrice: decimalOrNull(l.GrossPrice), Quantity: l.Quantity, Unit: l.Unit, Category: l.Category, Rate: l.Rate,
		ReasonCode: l.ReasonCode, ReasonText: l.ReasonText, Original: l.Original, Net: l.Net.Fixed2(), VAT: l.VAT.Fixed2(), Total: l.Total.Fixed2(),
	}
}

func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// shareLink returns the URL of the page that shows an invoice without a key. It
// returns nil if the token cannot be decrypted: the invoice is still returned.
func (s *Surface) shareLink(i ledger.Invoice) *string {
	token, err := s.OpenShare(i.ID, i.Share.Sealed)
	if err != nil {
		return nil
	}
	link := s.URL + "/s/" + token
	return &link
}

// party is the seller as recorded when the invoice was issued.
type party struct {
	UUID           uuid.UUID      `json:"uuid" doc:"UUID of the seller."`
	Name           string         `json:"name" doc:"Name in Latin letters."`
	NameArabic     string         `json:"name_arabic" doc:"Name in Arabic letters."`
	VATNumber      string         `json:"vat_registration_number" doc:"VAT registration number of 15 digits; empty if not recorded."`
	Identification identification `json:"additional_seller_id" doc:"Identification number of the seller."`
	address
}

// buyerOut is the buyer as recorded when the invoice was issued.
type buyerOut struct {
	UUID            uuid.UUID        `json:"uuid" doc:"UUID of the client."`
	Name            string           `json:"buyer_name" doc:"Name in Latin letters, or in any script if the client has only one name."`
	NameArabic      string           `json:"buyer_name_arabic" doc:"Name in Arabic letters."`
	VATNumber       string           `json:"vat_registration_number" doc:"VAT registration number of 15 digits; empty if not recorded."`
	BusinessType    classification   `json:"business_type" doc:"Business type of the buyer."`
	Industry        classification   `json:"industry" doc:"Industry of the buyer."`
	Identifications []identification `json:"additional_buyer_id" doc:"Identification numbers of the buyer."`
	address
	ContactName  string     `json:"contact_name" doc:"Name of the contact person."`
	ContactEmail string     `json:"contact_email" doc:"E-mail address of the contact person."`
	ContactPhone string     `json:"contact_phone" doc:"Telephone number of the contact person."`
	LogoURL      *string    `json:"logo_url" doc:"URL of the client's logo, if the client had one at issue; otherwise null."`
	CreatedAt    *time.Time `json:"created_at" doc:"Time the client was created; null if it was not recorded at issue, as in invoices of earlier versions."`
}

// deviceAsIssued returns the device as it was when the invoice was issued. The
// validity of its certificates is compared with the time of issue. Records of
// earlier versions lack the certificates, which a device needs to issue, and the
// day of registration, which does not change and is read from the device.
func (s *Surface) deviceAsIssued(ctx context.Context, of org.Tenant, i ledger.Invoice) (Device, error) {
	d := i.Record.Device
	out := Device{
		ID: d.ID, Seller: i.Record.Seller.ID, CommonName: d.CommonName, SerialNumber: d.SerialNumber, Location: d.Location,
		UnitName: d.UnitName, Industry: d.Industry, InvoiceType: d.InvoiceType, BusinessType: businessTypeOf(d.InvoiceType),
		Status: device.PCSIDGenerated, CCSIDStatus: issued, PCSIDStatus: issued,
		Branch: d.Branch, IsBranchDevice: d.Branch != nil, Counter: strconv.FormatInt(i.Counter, 10), SubmissionState: "ok",
	}
	if d.CreatedAt == nil {
		known, err := s.Keeper.Device(ctx, of, d.ID)
		if err != nil {
			return Device{}, err
		}
		out.CreatedAt = codec.DateOf(known.CreatedAt.In(invoice.Riyadh()))
		return out, nil
	}
	out.CSID, out.CCSIDStatus = certificateOf(validity(d.Compliance), i.CreatedAt)
	out.PSID, out.PCSIDStatus = certificateOf(validity(d.Production), i.CreatedAt)
	out.CreatedAt = codec.DateOf(d.CreatedAt.In(invoice.Riyadh()))
	return out, nil
}

func validity(v *ledger.Validity) *device.Certificate {
	if v == nil {
		return nil
	}
	return &device.Certificate{NotBefore: v.From, NotAfter: v.Until}
}

// placeOf returns the address of a party as recorded on the invoice.
func placeOf(p ledger.Party) address {
	return address{
		Street: p.Street, AdditionalStreet: p.AdditionalStreet, BuildingNumber: p.BuildingNumber, PlotIdentification: p.PlotIdentification,
		District: p.District, City: p.City, ProvinceState: p.ProvinceState, PostalCode: p.PostalCode, CountryCode: p.CountryCode,
		StreetArabic: p.StreetArabic, AdditionalStreetArabic: p.AdditionalStreetArabic, DistrictArabic: p.DistrictArabic,
		CityArabic: p.CityArabic, ProvinceStateArabic: p.ProvinceStateArabic,
	}
}

func sellerOut(p ledger.Party) party {
	return party{
		UUID: p.ID, Name: p.Name, NameArabic: p.NameArabic, VATNumber: p.VATNumber, Identification: identification(p.Identifications[0]),
		address: placeOf(p),
	}
}

func (s *Surface) buyerAsIssued(p *ledger.Party) *buyerOut {
	if p == nil {
		return nil
	}
	business, _ := codes.FindBusinessType(p.BusinessType)
	industry, _ := codes.FindIndustry(p.Industry)
	b := &buyerOut{
		UUID: p.ID, Name: p.Name, NameArabic: p.NameArabic, VATNumber: p.VATNumber,
		BusinessType: classificationOf(business), Industry: classificationOf(industry), Identifications: identifications(*p),
		address:     placeOf(*p),
		ContactName: p.ContactName, ContactEmail: p.ContactEmail, ContactPhone: p.ContactPhone, CreatedAt: p.CreatedAt,
	}
	if p.Logo {
		url := s.logoURL(p.ID)
		b.LogoURL = &url
	}
	return b
}

func identifications(p ledger.Party) []identification {
	var list []identification
	for _, id := range p.Identifications {
		list = append(list, identification(id))
	}
	return list
}
