package api

import (
	"reflect"

	"github.com/google/uuid"

	"khatm/service/internal/codec"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// unstreamedInvoice and unstreamedList are InvoiceListed and invoicesList without
// streams.
type unstreamedInvoice struct {
	issuedID
	invoiceHead
	issuedMarks
	Device uuid.UUID `json:"device"`
	Seller party     `json:"seller"`
	Buyer  *buyerOut `json:"buyer"`
	Lines  []lineOut `json:"lines"`
}

type unstreamedList struct {
	Invoices []codec.Either[unstreamedInvoice, InvoiceDamaged] `json:"invoices"`
	Envelope
}

// Unstreamed returns the body of a list of invoices, encoded as a whole.
func (s *Surface) Unstreamed(l org.List[ledger.Invoice], page org.Page) (string, error) {
	out := unstreamedList{Envelope: EnvelopeOf(l, page)}
	for _, i := range l.Rows {
		var row codec.Either[unstreamedInvoice, InvoiceDamaged]
		if i.Damage != nil {
			row.Second = &InvoiceDamaged{UUID: i.ID, Number: i.Number, Corrupted: true}
		} else {
			row.First = &unstreamedInvoice{
				issuedID: issuedID{i.ID}, invoiceHead: s.headOf(i), issuedMarks: marksOf(i), Device: i.Device,
				Seller: sellerOut(i.Record.Seller), Buyer: s.buyerAsIssued(i.Record.Buyer), Lines: linesOf(i.Record),
			}
		}
		out.Invoices = append(out.Invoices, row)
	}
	shape, err := codec.ShapeOf(reflect.TypeFor[unstreamedList]())
	if err != nil {
		return "", err
	}
	body, err := codec.Append(nil, &shape, reflect.ValueOf(out))
	return string(body), err
}
