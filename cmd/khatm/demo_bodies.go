package main

import (
	"time"

	"github.com/google/uuid"
)

// demoBody is the request body that creates an invoice.
type demoBody struct {
	Device        uuid.UUID   `json:"device"`
	Seller        uuid.UUID   `json:"seller"`
	Buyer         *uuid.UUID  `json:"buyer"`
	Kind          int         `json:"type_code"`
	Transaction   string      `json:"transaction_code"`
	SupplyDate    string      `json:"supply_date"`
	SupplyEndDate string      `json:"supply_end_date"`
	Currency      string      `json:"currency"`
	ExchangeRate  int         `json:"exchange_rate"`
	PaymentMeans  string      `json:"payment_means_type_code"`
	Notes         []demoNote  `json:"notes"`
	FormLines     []demoLine  `json:"form_lines"`
	Lines         []demoPick  `json:"lines"`
	Allowances    []struct{}  `json:"document_level_allowances"`
	AddPrepaid    bool        `json:"add_prepaid_amount"`
	Prepaid       []uuid.UUID `json:"prepaid_invoices"`
	Reason        *uuid.UUID  `json:"reason_id"`
	Originals     []uuid.UUID `json:"original_invoice_reference"`
}

type demoNote struct {
	Language string `json:"language_id"`
	Text     string `json:"note"`
}

type demoLine struct {
	Name       string `json:"item_name"`
	Price      string `json:"item_net_price"`
	Quantity   int    `json:"invoiced_quantity"`
	Unit       string `json:"invoiced_quantity_unit_of_measure"`
	Category   string `json:"vat_category_code"`
	Rate       int    `json:"vat_rate"`
	ReasonCode string `json:"vat_exemption_reason_code"`
	ReasonText string `json:"vat_exemption_reason_text"`
}

type demoPick struct {
	Item     uuid.UUID `json:"item_id"`
	Quantity int       `json:"quantity"`
}

const (
	demoStandard   = "0100000"
	demoSimplified = "0200000"
)

// body returns an invoice without lines, supplied today, for the device of the
// given invoice type.
func (c demoCredentials) body(device, transaction string) demoBody {
	today := time.Now().In(time.FixedZone("+03", 3*60*60)).Format(time.DateOnly) // the date in Saudi Arabia
	return demoBody{
		Device: c.device(device), Seller: c.Organisation.UUID, Kind: 388, Transaction: transaction,
		SupplyDate: today, SupplyEndDate: today, Currency: "SAR", ExchangeRate: 1, PaymentMeans: "10",
		Notes: []demoNote{}, FormLines: []demoLine{}, Lines: []demoPick{}, Allowances: []struct{}{}, Prepaid: []uuid.UUID{}, Originals: []uuid.UUID{},
	}
}

func (b demoBody) to(buyer uuid.UUID) demoBody {
	b.Buyer = &buyer
	return b
}

func (b demoBody) line(name, price string, quantity int, unit string, rate int) demoBody {
	b.FormLines = append(b.FormLines, demoLine{Name: name, Price: price, Quantity: quantity, Unit: unit, Category: "S", Rate: rate})
	return b
}

func (b demoBody) pick(item uuid.UUID, quantity int) demoBody {
	b.Lines = append(b.Lines, demoPick{item, quantity})
	return b
}

// on makes the invoice payable by bank transfer, on the terms that the description
// of a reason contains.
func (b demoBody) on(terms uuid.UUID) demoBody {
	if terms != uuid.Nil {
		b.PaymentMeans, b.Reason = "30", &terms
	}
	return b
}

func (b demoBody) crediting(original, reason uuid.UUID) demoBody {
	b.Kind, b.PaymentMeans, b.Reason, b.Originals = 381, "30", &reason, []uuid.UUID{original}
	return b
}

func (b demoBody) note(language, text string) demoBody {
	b.Notes = append(b.Notes, demoNote{language, text})
	return b
}

// readyBodies returns request bodies for users to send, by file name.
func (k demoKept) readyBodies() map[string]any {
	standard := k.body("1100", demoStandard).to(k.Buyers.WithVAT)
	return map[string]any{
		"standard.json":    standard.line("آلة تحضير القهوة المقطرة", "1250.00", 4, "PCE", 15).on(k.Terms).note("ar", "شكرًا لتعاملكم معنا"),
		"simplified.json":  k.body("1100", demoSimplified).pick(k.Items.Unlimited, 3).pick(k.Items.Limited, 1),
		"credit-note.json": standard.line("بن هرري أخضر", "42.50", 2, "KGM", 15).crediting(k.Documents["standard"], k.Reasons.Active),
		"rejected.json":    standard.line("ضيافة قهوة بنسبة ضريبة غير صحيحة", "100.00", 1, "PCE", 10),
		"wrong.json":       standard.line("بن", "-1.005", 0, "KGM", 15),
	}
}
