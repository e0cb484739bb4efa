package invoice

import (
	"khatm/codes"
	"khatm/money"
)

// MaxJSON is the maximum length in bytes of the JSON of one invoice.
const MaxJSON = 4 << 20

// Parse reads facts from JSON. Decimals may be JSON numbers or strings and are
// read exactly. The defaults are currency SAR, exchange rate 1, type code 388
// and a standard transaction.
//
// The error is a [Problems] that names every field of a wrong type and every
// unknown field. [Compute] checks the values.
func Parse(data []byte) (Facts, error) {
	if len(data) > MaxJSON {
		return Facts{}, Problems{{"body", "is longer than 4 MiB"}}
	}
	tree, err := readJSON(data)
	if err != nil {
		return Facts{}, err
	}
	r := reader{tree: tree, read: make([]bool, len(tree))}
	root := r.root()
	facts := readFacts(root)
	root.finish()
	return facts, r.problems.err()
}

func readFacts(o *object) Facts {
	f := Facts{
		Identity:      readIdentity(o),
		Kind:          TaxInvoice,
		SupplyDate:    o.text("supply_date"),
		SupplyEndDate: o.text("supply_end_date"),
		Currency:      o.textOr("currency", codes.Riyal),
		ExchangeRate:  o.decimalOr("exchange_rate", money.FromInt(1)),
		PaymentMeans:  o.text("payment_means_type_code"),
		PaymentTerms:  o.text("payment_terms"),
		Reason:        o.text("reason"),
	}
	if code, ok := o.integer("type_code"); ok {
		f.Kind = Kind(code)
	}
	if code := o.text("transaction_code"); code != "" {
		transaction, err := ParseTransaction(code)
		if err != nil {
			o.problem("transaction_code", err.Error())
		}
		f.Transaction = transaction
	}
	if seller := o.object("seller"); seller != nil {
		f.Seller = readSeller(seller)
	}
	if buyer := o.object("buyer"); buyer != nil {
		f.Buyer = readBuyer(buyer)
	}
	if amount, ok := o.decimal("expected_payable_amount"); ok {
		f.ExpectedPayable = &amount
	}
	f.Notes = readList(o, "notes", readNote)
	f.Lines = readList(o, "lines", readLine)
	f.Allowances = readList(o, "document_level_allowances", readAllowance)
	f.Advances = readList(o, "prepaid_invoices", readAdvance)
	f.Originals = readList(o, "original_invoice_reference", readOriginal)
	return f
}

func readIdentity(o *object) Identity {
	counter, _ := o.integer("counter")
	return Identity{
		Number:       o.text("ref_num"),
		UUID:         o.text("uuid"),
		IssueDate:    o.text("issue_date"),
		IssueTime:    o.text("issue_time"),
		Counter:      counter,
		PreviousHash: o.text("previous_invoice_hash"),
	}
}

func readSeller(o *object) Seller {
	s := Seller{
		Name:       o.text("name"),
		NameArabic: o.text("name_arabic"),
		VATNumber:  o.text("vat_registration_number"),
		Address:    readAddress(o),
	}
	if id := o.object("additional_seller_id"); id != nil {
		s.ID = readPartyID(id)
	}
	o.finish()
	return s
}

func readBuyer(o *object) *Buyer {
	b := &Buyer{
		Name:       o.text("buyer_name"),
		NameArabic: o.text("buyer_name_arabic"),
		VATNumber:  o.text("vat_registration_number"),
		IDs:        readList(o, "additional_buyer_id", readPartyID),
		Address:    readAddress(o),
	}
	o.finish()
	return b
}

func readPartyID(o *object) PartyID {
	id := PartyID{Scheme: o.text("type_id"), Value: o.text("value")}
	o.finish()
	return id
}

func readAddress(o *object) Address {
	return Address{
		Street:           o.text("street"),
		AdditionalStreet: o.text("additional_street"),
		BuildingNumber:   o.text("building_number"),
		Plot:             o.text("plot_identification"),
		District:         o.text("district"),
		City:             o.text("city"),
		Province:         o.text("province_state"),
		PostalCode:       o.text("postal_code"),
		Country:          o.textOr("country_code", codes.SaudiArabia),
	}
}

func readNote(o *object) Note {
	n := Note{Language: o.text("language_id"), Text: o.text("note")}
	o.finish()
	return n
}

func readLine(o *object) Line {
	l := Line{
		Name:       o.text("item_name"),
		Price:      o.decimalOr("item_net_price", money.Decimal{}),
		GrossPrice: o.decimalOr("item_gross_price", money.Decimal{}),
		Quantity:   o.decimalOr("invoiced_quantity", money.FromInt(1)),
		Unit:       o.textOr("invoiced_quantity_unit_of_measure", "PCE"),
		Tax:        readTax(o),
	}
	o.finish()
	return l
}

func readTax(o *object) Tax {
	return Tax{
		Category:   o.textOr("vat_category_code", codes.StandardRated),
		Rate:       o.decimalOr("vat_rate", money.Decimal{}),
		ReasonCode: o.text("vat_exemption_reason_code"),
		ReasonText: o.text("vat_exemption_reason_text"),
	}
}

func readAllowance(o *object) Allowance {
	a := Allowance{
		Amount:     o.decimalOr("allowance_amount", money.Decimal{}),
		ReasonCode: o.text("reason_code"),
		Reason:     o.text("reason"),
		Category:   o.textOr("vat_category_code", codes.StandardRated),
		Rate:       o.decimalOr("vat_rate", money.Decimal{}),
	}
	o.finish()
	return a
}

func readAdvance(o *object) Advance {
	a := Advance{
		Number:    o.text("ref_num"),
		UUID:      o.text("uuid"),
		IssueDate: o.text("issue_date"),
		IssueTime: o.text("issue_time"),
		Breakdown: readList(o, "vat_breakdown", readSubtotal),
	}
	o.finish()
	return a
}

func readSubtotal(o *object) Subtotal {
	s := Subtotal{
		Tax:     readTax(o),
		Taxable: o.decimalOr("vat_category_taxable_amount", money.Decimal{}),
		Amount:  o.decimalOr("vat_category_tax_amount", money.Decimal{}),
	}
	o.finish()
	return s
}

func readOriginal(o *object) Original {
	r := Original{Number: o.text("ref_num"), IssueDate: o.text("issue_date")}
	o.finish()
	return r
}
