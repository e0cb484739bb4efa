package admin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Earlier is an invoice of an older system that credit and debit notes can refer
// to. Khatm never issues, counts or sends it.
type Earlier struct {
	ID         uuid.UUID      `json:"uuid"`
	Number     string         `json:"number"`
	IssueDate  string         `json:"issue_date"`
	Simplified bool           `json:"simplified"`
	Buyer      string         `json:"buyer"` // id of a client; empty for none
	Currency   string         `json:"currency"`
	Totals     []EarlierTotal `json:"totals"`
	WithVAT    money.Decimal  `json:"total_with_vat"`
}

// EarlierTotal is the taxable amount and the VAT of one VAT category and rate.
type EarlierTotal struct {
	Category string        `json:"vat_category_code"`
	Rate     money.Decimal `json:"vat_rate"`
	Taxable  money.Decimal `json:"taxable_amount"`
	VAT      money.Decimal `json:"vat_amount"`
}

// RegisterEarlier registers an invoice of an older system. Its id is derived from
// organisation and number, so that registering the same invoice again returns the
// same id. It rejects other data under a registered number.
func (a *Admin) RegisterEarlier(ctx context.Context, organisation string, e Earlier) (Earlier, error) {
	by, err := a.actorFor(ctx, organisation)
	if err != nil {
		return Earlier{}, err
	}
	buyer, problem, err := a.earlierBuyer(ctx, by.Tenant, e)
	if err != nil {
		return Earlier{}, err
	}
	wanted, problems := a.earlier(by.Tenant, e)
	if wanted.Buyer = buyer; problem != "" {
		problems = append(problems, fault.Problem{Path: "buyer", Message: problem})
	}
	if problems != nil {
		return Earlier{}, fault.Wrong(problems...)
	}
	e.ID, e.WithVAT = wanted.ID, wanted.WithVAT
	kept, err := a.store.Earlier(ctx, by.Tenant, []uuid.UUID{wanted.ID})
	if err != nil {
		return Earlier{}, err
	}
	if known, registered := kept[wanted.ID]; registered {
		if !sameEarlier(known, wanted) {
			return Earlier{}, fmt.Errorf("invoice %s is already registered with other data and cannot be changed: check the number", e.Number)
		}
		return e, nil
	}
	return e, a.store.AddEarlier(ctx, by, wanted)
}

func sameEarlier(a, b issue.Earlier) bool {
	return a.IssueDate == b.IssueDate && a.Simple == b.Simple && a.Buyer == b.Buyer && a.Currency == b.Currency &&
		slices.EqualFunc(a.Breakdown, b.Breakdown, func(x, y ledger.Subtotal) bool {
			return x.Category == y.Category && x.Rate.Equal(y.Rate) && x.Taxable.Equal(y.Taxable) && x.VAT.Equal(y.VAT)
		})
}

// earlier checks the input except the buyer and returns all its problems.
func (a *Admin) earlier(of org.Tenant, e Earlier) (issue.Earlier, []fault.Problem) {
	var wrong []fault.Problem
	add := func(field, format string, args ...any) {
		wrong = append(wrong, fault.Problem{Path: field, Message: fmt.Sprintf(format, args...)})
	}
	if problem := wrongNumber(e.Number); problem != "" {
		add("number", "%s", problem)
	}
	if day, err := time.Parse(time.DateOnly, e.IssueDate); err != nil {
		add("issue_date", "%q is not a date such as 2025-12-31", e.IssueDate)
	} else if today := riyadh(a.config.Now()).Format(time.DateOnly); day.Format(time.DateOnly) > today {
		add("issue_date", "%s is in the future", e.IssueDate)
	}
	if !codes.IsCurrency(e.Currency) {
		add("currency", "%q is not a currency that the authority accepts", e.Currency)
	}
	out := issue.Earlier{
		ID:     uuid.NewSHA1(of.ID(), []byte("earlier invoice "+e.Number)),
		Number: e.Number, IssueDate: e.IssueDate, Simple: e.Simplified, Currency: e.Currency,
	}
	if len(e.Totals) == 0 {
		add("totals", "give a total for each VAT category and rate of the invoice")
	}
	for _, t := range e.Totals {
		if problem := t.wrong(); problem != "" {
			add("totals", "%s", problem)
		}
		out.Breakdown = append(out.Breakdown, ledger.Subtotal{Category: t.Category, Rate: t.Rate, Taxable: t.Taxable, VAT: t.VAT})
		out.WithVAT = money.Sum(out.WithVAT, t.Taxable, t.VAT)
	}
	return out, wrong
}

// wrongNumber returns why a number cannot be printed on a note that refers to it,
// or "".
func wrongNumber(number string) string {
	switch {
	case number == "" || strings.TrimSpace(number) != number:
		return "must not be empty or have spaces around it"
	case utf8.RuneCountInString(number) > 127:
		return "must have at most 127 characters"
	case !utf8.ValidString(number) || strings.ContainsFunc(number, unicode.IsControl):
		return "must not have control characters or invalid UTF-8"
	}
	return ""
}

// earlierBuyer returns the id of the client, or a problem. A note has the buyer of
// its original, so a standard invoice needs a buyer.
func (a *Admin) earlierBuyer(ctx context.Context, of org.Tenant, e Earlier) (id uuid.UUID, problem string, err error) {
	switch {
	case e.Buyer == "" && e.Simplified:
		return uuid.Nil, "", nil
	case e.Buyer == "":
		return uuid.Nil, "a standard invoice must have a buyer: register the client and give its id", nil
	}
	if id, err = uuid.Parse(e.Buyer); err == nil {
		_, err = a.store.Client(ctx, of, id)
	}
	if err != nil && id != uuid.Nil && fault.KindOf(err) != fault.NotFound {
		return uuid.Nil, "", err
	}
	if err != nil {
		return uuid.Nil, fmt.Sprintf("the organisation has no client %q", e.Buyer), nil
	}
	return id, "", nil
}

// wrong returns what is wrong with a total, or "". VAT may differ by up to 1,
// because an older system may have rounded each line.
func (t EarlierTotal) wrong() string {
	name := fmt.Sprintf("%s at %s %%: ", t.Category, t.Rate)
	category, known := codes.FindCategory(t.Category)
	off := t.Taxable.Percent(t.Rate).Sub(t.VAT).Abs()
	switch {
	case !known:
		return fmt.Sprintf("%q is not a VAT category: use S, Z, E or O", t.Category)
	case t.Rate.Sign() < 0 || money.FromInt(100).Less(t.Rate) || category.NeedsReason() != t.Rate.IsZero():
		return name + "the rate does not match the category"
	case t.Taxable.Sign() <= 0 || t.VAT.Sign() < 0 || t.Taxable.Places() > 2 || t.VAT.Places() > 2:
		return name + "amounts must have at most two decimals, and the taxable amount must be above 0"
	case money.FromInt(1).Less(off):
		return fmt.Sprintf("%s%s is not the VAT of %s, and differs by more than 1", name, t.VAT, t.Taxable)
	}
	return ""
}
