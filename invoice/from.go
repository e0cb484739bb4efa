package invoice

import (
	"strconv"

	"khatm/money"
	"khatm/ubl"
)

// FromUBL reads a document back into facts, its identity included. Texts are
// taken verbatim and numbers by value; what is wrong with them is for [Compute]
// to say. Of a document that [Document.UBL] wrote, nothing is lost: the facts
// make the same document again.
//
// Other documents may say more than facts can hold: charges, discounts on a
// line, a base quantity, an order reference. The error is a [Problems] that
// names each such element by its path in the document, and the facts are those
// without it. Totals are not facts, [Compute] makes them anew; neither are the
// stamp, the QR code and attributes that merely name a code list.
//
// UBL has one registered name where facts have two. One with an Arabic letter
// becomes NameArabic, any other Name.
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

// reading collects what a document says and facts cannot hold.
type reading struct {
	currency string
	problems Problems
}

// element is a part of a document that facts have no place for.
type element struct {
	name  string
	there bool
}

// lost reports those of the elements that are there, and what the model of UBL
// does not name.
func (r *reading) lost(path string, rest ubl.Rest, elements ...element) {
	for _, e := range elements {
		if e.there {
			r.problems.add(path+"/"+e.name, "has no place in the facts")
		}
	}
	for _, n := range rest.Unmodelled {
		r.problems.add(path+"/"+n.Name, "has no place in the facts")
	}
}

// only demands the one text that documents of ours have there.
func (r *reading) only(path string, t *ubl.Text, want string) {
	if t != nil && t.Value != want {
		r.problems.add(path, "must be %s, it is %q", want, t.Value)
	}
}

// decimal reads a number; an element that is not there is 0.
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

// amount reads a number in the currency of the document.
func (r *reading) amount(path string, t *ubl.Text) money.Decimal {
	if c := t.Attr("currencyID"); t != nil && c != r.currency {
		r.problems.add(path+"/@currencyID", "must be that of the document, %s, it is %q", r.currency, c)
	}
	return r.decimal(path, t)
}

// step writes one element of a path, counted from 1 as XPath does.
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
			r.problems.add(path, "has no place in the facts")
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
	r.only("/Invoice/cbc:ProfileID", inv.ProfileID, profile)
	r.only("/Invoice/cbc:TaxCurrencyCode", inv.TaxCurrencyCode, taxCurrency)
	r.lost("/Invoice", inv.Rest,
		element{"cbc:DueDate", inv.DueDate != nil},
		element{"cbc:TaxPointDate", inv.TaxPointDate != nil},
		element{"cac:OrderReference", inv.OrderReference != nil},
		element{"cac:ContractDocumentReference", len(inv.ContractDocumentReferences) > 0})
}

func (r *reading) originals(references []*ubl.BillingReference) []Original {
	var all []Original
	for i, b := range references {
		path := step("/Invoice", "cac:BillingReference", i)
		r.lost(path, b.Rest)
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

// reference reports what no reference to another document of ours has.
func (r *reading) reference(path string, ref *ubl.DocumentReference, elements ...element) {
	r.lost(path, ref.Rest, append(elements, element{"cac:Attachment", ref.Attachment != nil})...)
}
