package payment

import (
	"cmp"
	"slices"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/fault"
)

// Kind says what a receipt records.
type Kind string

// Kinds of receipts.
const (
	Payment  Kind = "payment"
	Reversal Kind = "reversal" // takes back another receipt
	Kept     Kind = "credit"   // a refund that the client keeps as credit
)

// Receipt records money received from a client. What no invoice uses of it is
// credit of the client.
type Receipt struct {
	ID       uuid.UUID
	Kind     Kind
	Number   string
	Client   uuid.UUID // uuid.Nil for invoices without a client
	Currency string
	Amount   money.Decimal // negative for a reversal
	Details
}

// Document is an issued document that a receipt can pay.
type Document struct {
	ID         uuid.UUID
	Number     string
	CreditNote bool
	Client     uuid.UUID // uuid.Nil if it has none
	Currency   string
	Due        string // date on which it is to be paid, such as 2026-11-17
	Place      int64  // a later document has a higher place
	Standing
}

// Wish is the part of a receipt that is to pay a document.
type Wish struct {
	Document uuid.UUID
	Amount   money.Decimal
	Path     string // of the part in the request; errors name fields below it
}

// Split divides rest, which is what is left of the receipt, among documents as
// requested. It returns what remains.
func (r Receipt) Split(rest money.Decimal, wishes []Wish, documents map[uuid.UUID]Document) ([]Allocation, money.Decimal, error) {
	var rows []Allocation
	seen := map[uuid.UUID]bool{}
	for _, w := range wishes {
		if seen[w.Document] {
			return nil, rest, fault.Wrong(fault.Problem{
				Path: below(w.Path, "invoice"), Message: "must not name an invoice twice", MessageAR: "ذُكرت الفاتورة مرتين.",
				Fix: "Name each invoice once, with its whole amount.", FixAR: "اذكر كل فاتورة مرة واحدة بكامل مبلغها.",
			})
		}
		seen[w.Document] = true
		d, found := documents[w.Document]
		if !found {
			return nil, rest, fault.Wrong(fault.Problem{
				Path: below(w.Path, "invoice"), Message: "is not an invoice of the organisation", MessageAR: "لا توجد في المنشأة فاتورة بهذا المعرّف.",
				Fix: "Choose an invoice from the list of invoices.", FixAR: "اختر فاتورة من قائمة الفواتير.",
			})
		}
		if err := r.refusal(d, rest, w); err != nil {
			return nil, rest, err
		}
		rows = append(rows, Allocation{Receipt: r.ID, Document: d.ID, Amount: w.Amount, Cause: ByPayment})
		rest = rest.Sub(w.Amount)
	}
	if err := r.refuseRest(rest); err != nil {
		return nil, rest, err
	}
	return rows, rest, nil
}

// Spread divides rest among the documents that the receipt can pay, from the
// earliest due date to the latest. It returns what remains.
func (r Receipt) Spread(rest money.Decimal, documents []Document) ([]Allocation, money.Decimal, error) {
	var rows []Allocation
	for _, d := range slices.SortedFunc(slices.Values(documents), byDue) {
		part := least(rest, d.Balance())
		if part.Sign() <= 0 || d.CreditNote || d.Rejected || d.Client != r.Client || d.Currency != r.Currency {
			continue
		}
		rows = append(rows, Allocation{Receipt: r.ID, Document: d.ID, Amount: part, Cause: ByPayment})
		rest = rest.Sub(part)
	}
	if err := r.refuseRest(rest); err != nil {
		return nil, rest, err
	}
	return rows, rest, nil
}

func byDue(a, b Document) int {
	return cmp.Or(cmp.Compare(a.Due, b.Due), cmp.Compare(a.Place, b.Place))
}

// refusal returns the reason why the receipt cannot pay a part of a document.
func (r Receipt) refusal(d Document, rest money.Decimal, w Wish) error {
	amount, invoice := below(w.Path, "amount"), below(w.Path, "invoice")
	switch {
	case d.CreditNote:
		return refuse(fault.PaymentOnNote, invoice, "%s is a credit note. Record a refund on it.", "المستند %s إشعار دائن، ولا تُسجَّل دفعة عليه.", d.Number)
	case d.Rejected:
		return refuse(fault.PaymentOnRejected, invoice, "The authority has rejected invoice %s. Record the payment on its replacement.", "رفضت الهيئة الفاتورة %s، فلا تُسجَّل دفعة عليها.", d.Number)
	case d.Currency != r.Currency:
		return refuse(fault.PaymentCurrency, invoice, "Invoice %s is in %s and the payment in %s.", "عملة الفاتورة %s هي %s وعملة الدفعة %s.", d.Number, d.Currency, r.Currency)
	case d.Client != r.Client:
		return refuse(fault.PaymentClient, invoice, "Invoice %s is not for the client of the payment.", "الفاتورة %s ليست لعميل الدفعة.", d.Number)
	case w.Amount.Sign() <= 0 || w.Amount.Places() > 2:
		return fault.Wrong(fault.Problem{Path: amount, Message: "must be greater than 0 and have at most 2 decimal places", MessageAR: amountAR})
	case d.Balance().Less(w.Amount):
		return refuse(fault.PaymentExceeds, amount, "The balance of invoice %s is %s %s, less than %s.", "الرصيد المتبقي للفاتورة %s هو %s %s، وهو أقل من %s.", d.Number, d.Balance().Fixed2(), d.Currency, w.Amount.Fixed2())
	case rest.Less(w.Amount):
		return refuse(fault.PaymentExceedsRest, amount, "The payment has %s %s left, less than %s.", "المتبقي من سند القبض %s %s، وهو أقل من %s.", rest.Fixed2(), r.Currency, w.Amount.Fixed2())
	}
	return nil
}

// refuseRest returns an error if the rest of the receipt would be credit of no
// client.
func (r Receipt) refuseRest(rest money.Decimal) error {
	if r.Client != uuid.Nil || rest.IsZero() {
		return nil
	}
	return refuse(fault.PaymentUnused, "amount", "%s %s of the payment would pay no invoice, and the payment names no client.", "سيبقى من الدفعة %s %s دون فاتورة، ولم يُذكر العميل.", rest.Fixed2(), r.Currency)
}

// refuse returns an error whose message is formatted with args, as is its Arabic
// message.
func refuse(code fault.Code, path, format, arabic string, args ...any) error {
	e := fault.New(code, format, args...).Arabic(arabic, args...)
	e.Path = path
	return e
}

// below returns the path of a field.
func below(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}
