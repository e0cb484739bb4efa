package ubl_test

import (
	"errors"
	"fmt"

	"khatm/ubl"
)

// Read accepts any prefixes and keeps amounts as written.
func ExampleRead() {
	inv, err := ubl.Read([]byte(`<?xml version="1.0" encoding="UTF-8"?>
<u:Invoice xmlns:u="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
           xmlns:p="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
           xmlns="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <ID>INV-2026-000001</ID>
  <InvoiceTypeCode name="0200000">388</InvoiceTypeCode>
  <p:InvoicePeriod><StartDate>2026-11-01</StartDate></p:InvoicePeriod>
  <p:LegalMonetaryTotal><PayableAmount currencyID="SAR">115.0</PayableAmount></p:LegalMonetaryTotal>
</u:Invoice>`))
	if err != nil {
		fmt.Println(err)
		return
	}
	payable := inv.MonetaryTotal.PayableAmount
	fmt.Println(inv.ID, inv.InvoiceTypeCode.Attr("name"))
	fmt.Println(payable, payable.Attr("currencyID"))
	// An absent element is nil, and its String is "".
	fmt.Printf("%v %q\n", inv.UUID == nil, inv.UUID.String())
	// Elements that are not in the model are kept.
	fmt.Println(inv.Unmodelled[0].Name, inv.Unmodelled[0].Child("cbc:StartDate").Text)
	// Output:
	// INV-2026-000001 0200000
	// 115.0 SAR
	// true ""
	// cac:InvoicePeriod 2026-11-01
}

// A syntax error has the line and the path of the element.
func ExampleRead_refused() {
	_, err := ubl.Read([]byte(`<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:Note>Salt & pepper</cbc:Note>
</Invoice>`))
	var fault *ubl.SyntaxError
	if errors.As(err, &fault) {
		fmt.Println(fault.Line, fault.Path)
	}
	fmt.Println(err)
	// Output:
	// 3 /Invoice/cbc:Note
	// line 3, /Invoice/cbc:Note: & must be written as &amp;
}

// Write returns canonical XML, with sorted attributes. The stamp goes into the
// slots between the three parts.
func ExampleWrite() {
	canon, err := ubl.Write(&ubl.Invoice{
		ID:   ubl.NewText("INV-1", "schemeName", "ours", "schemeID", "A&B"),
		UUID: ubl.NewText(""),
		Supplier: &ubl.AccountingParty{Party: &ubl.Party{
			LegalEntities: []*ubl.LegalEntity{{RegistrationName: ubl.NewText("Salt & Pepper")}},
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n%s\n", canon.Body, canon.Tail)
	// The hash covers canon.Bytes(); inserting the stamp does not change them.
	stamped := canon.With([]byte("<ext:UBLExtensions></ext:UBLExtensions>"), nil)
	fmt.Println(len(stamped) - len(canon.Bytes()))
	// Output:
	// <cbc:ID schemeID="A&amp;B" schemeName="ours">INV-1</cbc:ID><cbc:UUID></cbc:UUID>
	// <cac:AccountingSupplierParty><cac:Party><cac:PartyLegalEntity><cbc:RegistrationName>Salt &amp; Pepper</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty></Invoice>
	// 39
}
