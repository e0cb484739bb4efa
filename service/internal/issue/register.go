package issue

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/ubl"
)

// Registration describes an invoice of an older system that credit and debit notes
// can refer to. Khatm never issues, counts or sends it.
type Registration struct {
	Number     string
	IssueDate  string
	Simplified bool
	Buyer      string // id of a client; empty for none
	Currency   string
	Totals     []ledger.Subtotal
}

// Register stores the invoices of older systems.
type Register interface {
	Client(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Client, error)
	Earlier(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]Earlier, error)
	// AddEarlier registers all of the invoices, or none.
	AddEarlier(ctx context.Context, by org.Actor, all ...Earlier) error
}

// RegisterEarlier registers an invoice of an older system and returns it. Its id is
// derived from organisation and number, so that registering the same invoice again
// returns the same id. It refuses other data under a registered number.
func RegisterEarlier(ctx context.Context, in Register, by org.Actor, r Registration, now time.Time) (Earlier, error) {
	buyer, problem, err := r.buyer(ctx, in, by.Tenant)
	if err != nil {
		return Earlier{}, err
	}
	wanted, problems := r.Check(by.Tenant, now)
	if wanted.Buyer = buyer; problem.EN != "" {
		problems = append(problems, fault.Problem{Path: "buyer", Message: problem.EN, MessageAR: problem.AR})
	}
	if problems != nil {
		return Earlier{}, fault.Wrong(problems...)
	}
	kept, err := in.Earlier(ctx, by.Tenant, []uuid.UUID{wanted.ID})
	if err != nil {
		return Earlier{}, err
	}
	if known, registered := kept[wanted.ID]; registered {
		if !known.Same(wanted) {
			return Earlier{}, fault.New(fault.EarlierDiffers, "Invoice %s is already registered with other data and cannot be changed. Check the number.", r.Number).
				Arabic("سُجّلت الفاتورة السابقة %s ببيانات مختلفة.", r.Number)
		}
		return known, nil
	}
	return wanted, in.AddEarlier(ctx, by, wanted)
}

// Same reports whether two invoices of an older system have the same data. The order
// of their totals does not matter.
func (e Earlier) Same(as Earlier) bool {
	order := func(x, y ledger.Subtotal) int {
		return cmp.Or(cmp.Compare(x.Category, y.Category), x.Rate.Cmp(y.Rate), x.Taxable.Cmp(y.Taxable), x.VAT.Cmp(y.VAT))
	}
	sorted := func(of Earlier) []ledger.Subtotal { return slices.SortedFunc(slices.Values(of.Breakdown), order) }
	return e.IssueDate == as.IssueDate && e.Simple == as.Simple && e.Buyer == as.Buyer && e.Currency == as.Currency &&
		slices.EqualFunc(sorted(e), sorted(as), func(x, y ledger.Subtotal) bool { return order(x, y) == 0 })
}

// Check checks everything except the buyer and returns the invoice, without its
// buyer, and all problems.
func (r Registration) Check(of org.Tenant, now time.Time) (Earlier, []fault.Problem) {
	var wrong []fault.Problem
	add := func(field string, says codes.Word) {
		wrong = append(wrong, fault.Problem{Path: field, Message: says.EN, MessageAR: says.AR})
	}
	if problem := wrongNumber(r.Number); problem.EN != "" {
		add("number", problem)
	}
	if day, err := time.Parse(time.DateOnly, r.IssueDate); err != nil {
		add("issue_date", codes.Word{EN: fmt.Sprintf("%q is not a date such as 2025-12-31", r.IssueDate), AR: "يجب أن تكون القيمة تاريخًا مثل 2025-12-31."})
	} else if today := now.In(invoice.Riyadh()).Format(time.DateOnly); day.Format(time.DateOnly) > today {
		add("issue_date", codes.Word{EN: r.IssueDate + " is in the future", AR: "التاريخ " + r.IssueDate + " لم يأتِ بعد."})
	}
	if !codes.IsCurrency(r.Currency) {
		add("currency", codes.Word{EN: fmt.Sprintf("%q is not a currency that the authority accepts", r.Currency), AR: fault.CurrencyAR})
	}
	out := Earlier{
		ID:     uuid.NewSHA1(of.ID(), []byte("earlier invoice "+r.Number)),
		Number: r.Number, IssueDate: r.IssueDate, Kind: invoice.TaxInvoice, Simple: r.Simplified, Currency: r.Currency, Imported: true,
	}
	if len(r.Totals) == 0 {
		add("totals", codes.Word{EN: "give a total for each VAT category and rate of the invoice", AR: "أدخل إجماليًا لكل فئة ونسبة ضريبة في الفاتورة."})
	}
	for n, t := range r.Totals {
		if field, problem := CheckTotal(t); problem.EN != "" {
			add(fmt.Sprintf("totals.%d.%s", n, field), problem)
		}
		out.Breakdown = append(out.Breakdown, ledger.Subtotal{Category: t.Category, Rate: t.Rate, Taxable: t.Taxable, VAT: t.VAT})
		out.WithVAT = money.Sum(out.WithVAT, t.Taxable, t.VAT)
	}
	return out, wrong
}

// wrongNumber returns why a number cannot be printed on a note that refers to it,
// or an empty word.
func wrongNumber(number string) codes.Word {
	r, unfit := ubl.UnfitForLine(number)
	switch {
	case ubl.IsBlank(number) || strings.TrimSpace(number) != number:
		return codes.Word{EN: "must not be empty or have spaces around it", AR: "يجب ألا يكون رقم الفاتورة فارغًا، وألا يبدأ أو ينتهي بمسافة."}
	case utf8.RuneCountInString(number) > 127:
		return codes.Word{EN: "must have at most 127 characters", AR: fmt.Sprintf(fault.MaxCharactersAR, 127)}
	case unfit:
		return codes.Word{EN: fmt.Sprintf("must not contain the character %U", r), AR: fmt.Sprintf(fault.CharacterAR, r)}
	}
	return codes.Word{}
}

// buyer returns the id of the client, or a problem. A note has the buyer of its
// original, so a standard invoice needs a buyer.
func (r Registration) buyer(ctx context.Context, in Register, of org.Tenant) (id uuid.UUID, problem codes.Word, err error) {
	switch {
	case r.Buyer == "" && r.Simplified:
		return uuid.Nil, problem, nil
	case r.Buyer == "":
		return uuid.Nil, codes.Word{EN: "a standard invoice must have a buyer: register the client and give its id", AR: "يجب تحديد المشتري في الفاتورة الضريبية (غير المبسطة). أضف العميل ثم اختره."}, nil
	}
	if id, err = uuid.Parse(r.Buyer); err == nil {
		_, err = in.Client(ctx, of, id)
	}
	if err != nil && id != uuid.Nil && fault.KindOf(err) != fault.NotFound {
		return uuid.Nil, problem, err
	}
	if err != nil {
		return uuid.Nil, codes.Word{EN: fmt.Sprintf("the organisation has no client %q", r.Buyer), AR: "لا يوجد في المنشأة عميل بهذا المعرّف."}, nil
	}
	return id, problem, nil
}

// CheckTotal returns what is wrong with a total and in which field, or an empty word.
// VAT may differ by up to 1, because an older system may have rounded each line.
func CheckTotal(t ledger.Subtotal) (field string, problem codes.Word) {
	name := fmt.Sprintf("%s at %s %%: ", t.Category, t.Rate)
	nameAR := fmt.Sprintf("الفئة %s بنسبة %s في المئة: ", t.Category, t.Rate)
	category, known := codes.FindCategory(t.Category)
	off := t.Taxable.Percent(t.Rate).Sub(t.VAT).Abs()
	switch {
	case !known:
		return "vat_category_code", codes.Word{EN: fmt.Sprintf("%q is not a VAT category: use S, Z, E or O", t.Category), AR: "يجب أن تكون فئة الضريبة S أو Z أو E أو O."}
	case t.Rate.Sign() < 0 || money.FromInt(100).Less(t.Rate) || category.NeedsReason() != t.Rate.IsZero():
		return "vat_rate", codes.Word{EN: name + "the rate does not match the category", AR: nameAR + "النسبة لا تناسب الفئة."}
	case t.Taxable.Sign() <= 0 || t.Taxable.Places() > 2:
		return "taxable_amount", codes.Word{
			EN: name + "the taxable amount must be above 0 and have at most two decimals",
			AR: nameAR + "يجب أن يكون المبلغ الخاضع للضريبة أكبر من 0، وبمنزلتين عشريتين على الأكثر.",
		}
	case t.VAT.Sign() < 0 || t.VAT.Places() > 2:
		return "vat_amount", codes.Word{
			EN: name + "the VAT must be at least 0 and have at most two decimals",
			AR: nameAR + "يجب ألا تقل الضريبة عن 0، وأن تكون بمنزلتين عشريتين على الأكثر.",
		}
	case money.FromInt(1).Less(off):
		return "vat_amount", codes.Word{
			EN: fmt.Sprintf("%s%s is not the VAT of %s, and differs by more than 1", name, t.VAT, t.Taxable),
			AR: fmt.Sprintf("%sالضريبة %s لا تطابق المبلغ %s، والفرق أكثر من 1.", nameAR, t.VAT, t.Taxable),
		}
	}
	return "", codes.Word{}
}
