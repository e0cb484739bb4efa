package tools

import (
	"khatm/ubl"
	"khatm/witness"
)

// marks are values by which two readings of one document are held together,
// that which is shown and that which is verified, in the order of markPaths.
type marks [10]string

var markPaths = [10]string{
	"cbc:ID", "cbc:UUID", "cbc:IssueDate", "cbc:IssueTime", "cbc:InvoiceTypeCode", "cbc:InvoiceTypeCode/@name",
	"cac:AccountingSupplierParty", "cac:AccountingSupplierParty", "cac:TaxTotal", "cac:LegalMonetaryTotal",
}

// marksOf reads those of what is shown.
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

// marksIn reads those of what was verified.
func marksIn(r *witness.Report) marks {
	return marks{r.Number, r.UUID, r.IssueDate, r.IssueTime, r.TypeCode, r.Transaction, r.SellerName, r.SellerVAT, r.VATTotal, r.Payable}
}

// agree says whether two readings are the same, and where they are not.
func (m marks) agree(with marks) (path string, same bool) {
	for i, value := range m {
		if value != with[i] {
			return "/Invoice/" + markPaths[i], false
		}
	}
	return "", true
}
