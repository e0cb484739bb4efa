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

// Earlier is an invoice of an older system, to which credit and debit notes may
// refer. It is never issued, counted or sent.
type Earlier struct {
	ID         uuid.UUID      `json:"uuid"`
	Number     string         `json:"number"`
	IssueDate  string         `json:"issue_date"`
	Simplified bool           `json:"simplified"`
	Buyer      string         `json:"buyer"` // id of a client; empty: none
	Currency   string         `json:"currency"`
	Totals     []EarlierTotal `json:"totals"`
	WithVAT    money.Decimal  `json:"total_with_vat"`
}

// EarlierTotal is what of it falls into one VAT category and rate.
type EarlierTotal struct {
	Category string        `json:"vat_category_code"`
	Rate     money.Decimal `json:"vat_rate"`
	Taxable  money.Decimal `json:"taxable_amount"`
	VAT      money.Decimal `json:"vat_amount"`
}

// RegisterEarlier registers an invoice of an older system. Its id comes from
// organisation and number, so that whoever registers the same again gets the
// same id; other data under a known number are refused.
func (a *Admin) RegisterEarlier(ctx context.Context, organisation string, e Earlier) (Earlier, error) {
	by, err := a.acting(ctx, organisation)
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
			return Earlier{}, fmt.Errorf("invoice %s is registered with other data, and a registered one is never changed: look at the number again", e.Number)
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

// earlier reads what an operator gave but for the buyer, and finds everything
// that is wrong.
func (a *Admin) earlier(of org.Tenant, e Earlier) (issue.Earlier, []fault.Problem) {
	var wrong []fault.Problem
	complain := func(field, format string, args ...any) {
		wrong = append(wrong, fault.Problem{Path: field, Message: fmt.Sprintf(format, args...)})
	}
	if problem := wrongNumber(e.Number); problem != "" {
		complain("number", "%s", problem)
	}
	if day, err := time.Parse(time.DateOnly, e.IssueDate); err != nil {
		complain("issue_date", "%q is no day such as 2025-12-31", e.IssueDate)
	} else if today := riyadh(a.config.Now()).Format(time.DateOnly); day.Format(time.DateOnly) > today {
		complain("issue_date", "%s is still to come", e.IssueDate)
	}
	if !codes.IsCurrency(e.Currency) {
		complain("currency", "%q is no currency that the authority knows", e.Currency)
	}
	out := issue.Earlier{
		ID:     uuid.NewSHA1(of.ID(), []byte("earlier invoice "+e.Number)),
		Number: e.Number, IssueDate: e.IssueDate, Simple: e.Simplified, Currency: e.Currency,
	}
	if len(e.Totals) == 0 {
		complain("totals", "there is none; give one for each VAT category and rate of the invoice")
	}
	for _, t := range e.Totals {
		if problem := t.wrong(); problem != "" {
			complain("totals", "%s", problem)
		}
		out.Breakdown = append(out.Breakdown, ledger.Subtotal{Category: t.Category, Rate: t.Rate, Taxable: t.Taxable, VAT: t.VAT})
		out.WithVAT = money.Sum(out.WithVAT, t.Taxable, t.VAT)
	}
	return out, wrong
}

// wrongNumber says why a number cannot stand on a note that refers to it.
func wrongNumber(number string) string {
	switch {
	case number == "" || strings.TrimSpace(number) != number:
		return "the number is empty or has blanks around it"
	case utf8.RuneCountInString(number) > 127:
		return "the number has more than 127 characters"
	case !utf8.ValidString(number) || strings.ContainsFunc(number, unicode.IsControl):
		return "the number has a character that cannot stand on a document"
	}
	return ""
}

// earlierBuyer finds the client, or says what is wrong. A note has the buyer of
// its original, so a standard invoice needs one.
func (a *Admin) earlierBuyer(ctx context.Context, of org.Tenant, e Earlier) (id uuid.UUID, problem string, err error) {
	switch {
	case e.Buyer == "" && e.Simplified:
		return uuid.Nil, "", nil
	case e.Buyer == "":
		return uuid.Nil, "a standard invoice has one: register the client first and give its id", nil
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

// wrong says what cannot be right about a total. An older system may have
// rounded by the line, so VAT need not be exact.
func (t EarlierTotal) wrong() string {
	name := fmt.Sprintf("%s at %s %%: ", t.Category, t.Rate)
	category, known := codes.FindCategory(t.Category)
	off := t.Taxable.Percent(t.Rate).Sub(t.VAT).Abs()
	switch {
	case !known:
		return fmt.Sprintf("%q is no VAT category; they are S, Z, E and O", t.Category)
	case t.Rate.Sign() < 0 || money.FromInt(100).Less(t.Rate) || category.NeedsReason() != t.Rate.IsZero():
		return name + "the rate does not suit the category"
	case t.Taxable.Sign() <= 0 || t.VAT.Sign() < 0 || t.Taxable.Places() > 2 || t.VAT.Places() > 2:
		return name + "amounts have at most two decimals, and the taxable one is above 0"
	case money.FromInt(1).Less(off):
		return fmt.Sprintf("%s%s is not the VAT of %s, not even nearly", name, t.VAT, t.Taxable)
	}
	return ""
}
