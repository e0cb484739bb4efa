package invoice

import (
	"strconv"

	"khatm/money"
	"khatm/ubl"
)

// FromUBL converts a UBL invoice to facts, including its identity. Texts are
// copied verbatim and numbers by value; [Compute] checks them. The conversion
// of a document written by [Document.UBL] is lossless: its facts result in the
// same document again.
//
// Other documents may contain elements that Facts does not support, such as
// charges, discounts on a line, an order reference, or a base quantity without a
// price including VAT. The error is then a [Problems] with the path of each such
// element in the document, and the returned facts omit it. Totals are not read
// because [Compute] computes them; the stamp, the QR code and attributes that only
// name a code list are not read either.
//
// UBL has one registered name, Facts has two. A name with an Arabic letter
// becomes NameArabic, any other becomes Name.
func FromUBL(inv *ubl.Invoice) (Facts, error) {
	r := &reading{currency: inv.DocumentCurrencyCode.String()}
	f := Facts{
		Identity:  r.identity(inv),
		Currency:  r.currency,
		Originals: r.originals(inv.BillingReferences),
		Seller:    r.seller(inv.Supplier),
		Buyer:     r.buyer(inv.Customer),
	}
	r.header(&f, inv)
	r.delivery(&f, inv.Deliveries)
	r.payment(&f, inv.PaymentMeans)
	r.exchangeRate(&f, inv.TaxExchangeRate)
	f.Allowances = r.allowances(inv.AllowanceCharges)
	r.lines(&f, inv)
	r.totals(&f, inv.MonetaryTotal)
	return f, r.problems.err()
}

// reading converts a document and collects the elements that Facts does not
// support.
type reading struct {
	currency string
	problems Problems
}

// element is an element of a document that Facts does not support.
type element struct {
	name  string
	there bool
}

// unsupported reports the elements that are present, and those that package ubl does
// not model.
func (r *reading) unsupported(path string, rest ubl.Rest, elements ...element) {
	for _, e := range elements {
		if e.there {
			r.problems.add(path+"/"+e.name, "is not supported")
		}
	}
	for _, n := range rest.Unmodelled {
		r.problems.add(path+"/"+n.Name, "is not supported")
	}
}

// mustEqual reports a text that differs from want, the value in our documents.
func (r *reading) mustEqual(path string, t *ubl.Text, want string) {
	if t != nil && t.Value != want {
		r.problems.add(path, "must be %s, is %q", want, t.Value)
	}
}

// decimal parses a number; a missing element is 0.
func (r *reading) decimal(path string, t *ubl.Text) money.Decimal {
	if t == nil {
		return money.Decimal{}
	}
	d, err := money.Parse(t.Value)
	if err != nil {
		r.problems.add(path, "%s", err)
	}
	return d
}

// amount parses a number in the currency of the document.
func (r *reading) amount(path string, t *ubl.Text) money.Decimal {
	if c := t.Attr("currencyID"); t != nil && c != r.currency {
		r.problems.add(path+"/@currencyID", "must be the currency of the document, %s, is %q", r.currency, c)
	}
	return r.decimal(path, t)
}

// step appends an element to a path. The index starts at 0, in the path at 1 as
// in XPath.
func step(path, name string, index int) string {
	return path + "/" + name + "[" + strconv.Itoa(index+1) + "]"
}

func (r *reading) identity(inv *ubl.Invoice) Identity {
	id := Identity{
		Number:    inv.ID.String(),
		UUID:      inv.UUID.String(),
		IssueDate: inv.IssueDate.String(),
		IssueTime: inv.IssueTime.String(),
	}
	seen := map[string]bool{}
	for i, ref := range inv.AdditionalDocumentReferences {
		path := step("/Invoice", "cac:AdditionalDocumentReference", i)
		name := ref.ID.String()
		switch {
		case seen[name], name != "ICV" && name != "PIH" && name != "QR":
			r.problems.add(path, "is not supported")
		case name == "ICV":
			counter, err := strconv.ParseInt(ref.UUID.String(), 10, 64)
			if err != nil {
				r.problems.add(path+"/cbc:UUID", "must be an integer")
			}
			id.Counter = counter
		case name == "PIH":
			id.PreviousHash = ref.Embedded()
		}
		seen[name] = true
	}
	return id
}

func (r *reading) header(f *Facts, inv *ubl.Invoice) {
	const code = "/Invoice/cbc:InvoiceTypeCode"
	kind, err := strconv.Atoi(inv.InvoiceTypeCode.String())
	if err != nil {
		r.problems.add(code, "must be an integer")
	}
	f.Kind = Kind(kind)
	f.Transaction, err = ParseTransaction(inv.InvoiceTypeCode.Attr("name"))
	if err != nil {
		r.problems.add(code+"/@name", "%s", err)
	}
	for _, n := range inv.Notes {
		f.Notes = append(f.Notes, Note{Language: n.Attr("languageID"), Text: n.Value})
	}
	r.mustEqual("/Invoice/cbc:ProfileID", inv.ProfileID, profile)
	r.mustEqual("/Invoice/cbc:TaxCurrencyCode", inv.TaxCurrencyCode, taxCurrency)
	r.unsupported("/Invoice", inv.Rest,
		element{"cbc:DueDate", inv.DueDate != nil},
		element{"cbc:TaxPointDate", inv.TaxPointDate != nil},
		element{"cac:OrderReference", inv.OrderReference != nil},
		element{"cac:ContractDocumentReference", len(inv.ContractDocumentReferences) > 0})
}

func (r *reading) originals(references []*ubl.BillingReference) []Original {
	var all []Original
	for i, b := range references {
		path := step("/Invoice", "cac:BillingReference", i)
		r.unsupported(path, b.Rest)
		ref := b.InvoiceDocumentReference
		if ref == nil {
			continue
		}
		r.reference(path+"/cac:InvoiceDocumentReference", ref,
			element{"cbc:UUID", ref.UUID != nil},
			element{"cbc:IssueTime", ref.IssueTime != nil},
			element{"cbc:DocumentTypeCode", ref.DocumentTypeCode != nil})
		all = append(all, Original{Number: ref.ID.String(), IssueDate: ref.IssueDate.String()})
	}
	return all
}

// reference reports the unsupported elements of a document reference.
func (r *reading) reference(path string, ref *ubl.DocumentReference, elements ...element) {
	r.unsupported(path, ref.Rest, append(elements, element{"cac:Attachment", ref.Attachment != nil})...)
}
