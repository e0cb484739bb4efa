package tools

import (
	"khatm/ubl"
	"khatm/witness"
)

// marks holds key values of a document, in the order of markPaths. They are used
// to check that the displayed document and the verified one are the same.
type marks [10]string

var markPaths = [10]string{
	"cbc:ID", "cbc:UUID", "cbc:IssueDate", "cbc:IssueTime", "cbc:InvoiceTypeCode", "cbc:InvoiceTypeCode/@name",
	"cac:AccountingSupplierParty", "cac:AccountingSupplierParty", "cac:TaxTotal", "cac:LegalMonetaryTotal",
}

// marksOf returns the values of the displayed document.
func marksOf(says *ubl.Invoice) marks {
	name, number := sellerMarks(says.Supplier)
	m := marks{
		says.ID.String(), says.UUID.String(), says.IssueDate.String(), says.IssueTime.String(),
		says.InvoiceTypeCode.String(), says.InvoiceTypeCode.Attr("name"), name, number,
	}
	if len(says.TaxTotals) > 0 {
		m[8] = says.TaxTotals[0].TaxAmount.String()
	}
	if says.MonetaryTotal != nil {
		m[9] = says.MonetaryTotal.PayableAmount.String()
	}
	return m
}

func sellerMarks(s *ubl.AccountingParty) (name, number string) {
	if s == nil || s.Party == nil {
		return "", ""
	}
	if all := s.Party.LegalEntities; len(all) > 0 {
		name = all[0].RegistrationName.String()
	}
	if all := s.Party.TaxSchemes; len(all) > 0 {
		number = all[0].CompanyID.String()
	}
	return name, number
}

// marksIn returns the values of the verified document.
func marksIn(r *witness.Report) marks {
	return marks{r.Number, r.UUID, r.IssueDate, r.IssueTime, r.TypeCode, r.Transaction, r.SellerName, r.SellerVAT, r.VATTotal, r.Payable}
}

// agree reports whether two sets of values are equal, and otherwise the path of
// the first difference.
func (m marks) agree(with marks) (path string, same bool) {
	for i, value := range m {
		if value != with[i] {
			return "/Invoice/" + markPaths[i], false
		}
	}
	return "", true
}
