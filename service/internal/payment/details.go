package payment

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"khatm/codes"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/ubl"
)

// Details describe how money was received or paid.
type Details struct {
	SAR   *money.Decimal // what it was in SAR, if the currency is another one and it is known
	Means string         // code of the payment means
	Date  string         // on which it was received or paid, in Riyadh
	Note  string
}

// Limits of what people enter.
const (
	maxNote  = 1_000 // characters
	earliest = "2000-01-01"
)

// limit is the least amount that is refused. It is that of an invoice line.
var limit = money.MustParse("10000000000000")

const sar = "SAR"

const amountAR = "يجب أن يكون المبلغ أكبر من 0، بمنزلتين عشريتين على الأكثر."

// Names are the names of the request's fields that differ between a payment and a
// refund.
type names struct{ date, sar string }

var (
	ofReceipt = names{date: "received_on", sar: "sar_received"}
	ofRefund  = names{date: "paid_on", sar: "sar_paid"}
)

// Check normalises what was entered for a payment and returns all problems. Today
// is the date in Riyadh.
func (r *Receipt) Check(today string) []fault.Problem {
	ps := r.check(ofReceipt, r.Currency, today)
	if !codes.IsCurrency(r.Currency) {
		ps.add("currency", "must be a currency code that the tax authority accepts, such as SAR", fault.CurrencyAR)
	}
	ps.amount("amount", r.Amount)
	ps.means(r.Means)
	return ps
}

// check normalises the details and returns the problems of all but the means.
func (d *Details) check(n names, currency, today string) problems {
	var ps problems
	if d.SAR != nil && currency == sar {
		ps.add(n.sar, "must be absent if the currency is SAR", "يُترك هذا الحقل إذا كانت العملة SAR.")
	} else if d.SAR != nil {
		ps.amount(n.sar, *d.SAR)
	}
	if _, err := time.Parse(time.DateOnly, d.Date); err != nil {
		ps.add(n.date, "must be a date such as 2026-11-17", "يجب أن تكون القيمة تاريخًا مثل 2026-11-17.")
	} else if d.Date > today || d.Date < earliest {
		ps.add(n.date, "must be a date from %s to today", "يجب أن يكون التاريخ من %s إلى اليوم.", earliest)
	}
	tidy(&d.Note)
	ps.text("note", d.Note)
	return ps
}

// CheckReason normalises the reason of a reversal and returns its problems.
func CheckReason(reason *string) []fault.Problem {
	var ps problems
	tidy(reason)
	if *reason == "" {
		ps = append(ps, fault.Problem{Path: "reason", Message: "Field required", Code: fault.FieldRequired, MessageAR: fault.RequiredAR})
	}
	ps.text("reason", *reason)
	return ps
}

// problems collects the problems of an input.
type problems []fault.Problem

// add adds a problem whose message is formatted with args, as is its Arabic
// message.
func (ps *problems) add(path, format, arabic string, args ...any) {
	*ps = append(*ps, fault.Problem{Path: path, Message: fmt.Sprintf(format, args...), Code: fault.InvalidValue, MessageAR: fmt.Sprintf(arabic, args...)})
}

func (ps *problems) amount(path string, amount money.Decimal) {
	switch {
	case amount.Sign() <= 0 || amount.Places() > 2:
		ps.add(path, "must be greater than 0 and have at most 2 decimal places", amountAR)
	case !amount.Less(limit):
		ps.add(path, "must be less than %s", fault.BelowAR, limit)
	}
}

func (ps *problems) means(code string) {
	if _, known := codes.FindPaymentMeans(code); !known {
		ps.add("payment_means_type_code", "must be a code of GET /api/invoices/payment-means-types/, as a string", "يجب أن تكون القيمة رمزًا من رموز طرق الدفع، مثل 10 للنقد.")
	}
}

// tidy trims a text. A text without visible characters becomes empty.
func tidy(text *string) {
	if *text = strings.TrimSpace(*text); ubl.IsBlank(*text) {
		*text = ""
	}
}

func (ps *problems) text(path, text string) {
	r, reorders := ubl.Reordering(text)
	switch {
	case reorders:
		*ps = append(*ps, fault.Problem{Path: path, Message: fmt.Sprintf("must not contain the character %U", r), MessageAR: fmt.Sprintf(fault.CharacterAR, r), Code: fault.InvalidCharacters})
	case !utf8.ValidString(text) || strings.ContainsFunc(text, isControl):
		*ps = append(*ps, fault.Problem{Path: path, Message: "must not contain control characters", MessageAR: fault.ControlCharactersAR, Code: fault.InvalidCharacters})
	case utf8.RuneCountInString(text) > maxNote:
		*ps = append(*ps, fault.Problem{Path: path, Message: fmt.Sprintf("must have at most %d characters", maxNote), MessageAR: fmt.Sprintf(fault.MaxCharactersAR, maxNote), Code: fault.TooLong})
	}
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
