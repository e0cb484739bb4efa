package render

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/invoice"
	"khatm/money"
	"khatm/paper"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
	"khatm/service/internal/trade"
)

// maxAccountLines is the maximum number of lines of a PDF about payments, and
// lineMemory what each needs.
const (
	maxAccountLines = 5_000
	lineMemory      = 16 << 10
)

// Receipt draws a receipt of a client; client is nil if it has none. It is not
// stored, because it can be reversed.
func (r *Renderer) Receipt(ctx context.Context, of org.Tenant, p payment.Recorded, client *trade.Client, language string) (PDF, error) {
	paid, rest, err := r.paidTable(ctx, of, p)
	if err != nil {
		return PDF{}, err
	}
	a := paper.Account{
		Title: "payment_receipt", Number: p.Number, Created: p.At, ClientAs: "received_from", InWords: true, Reversed: p.Undone != nil,
		Facts: []paper.AccountFact{{Key: "receipt_number", Text: p.Number}, {Key: "received_on", Text: p.Date}, meansOf(p.Receipt, language)},
		Sums:  []paper.AccountSum{{Key: "received_amount", Amount: p.Amount, Currency: p.Currency}},
	}
	inSAR := "received_in_sar"
	if p.Kind == payment.Kept { // no money was received
		a.Title, a.ClientAs, inSAR = "credit_to_account", "client", "credited_in_sar"
		a.Facts[0].Key, a.Facts[1].Key, a.Sums[0].Key = "number", "date", "credited_amount"
	}
	if p.SAR != nil {
		a.Facts = append(a.Facts, paper.AccountFact{Key: inSAR, Text: p.SAR.Fixed2()})
	}
	if u := p.Undone; u != nil {
		a.Facts = append(a.Facts, paper.AccountFact{Key: "reversed_by", Text: u.Number},
			paper.AccountFact{Key: "reversed_on", Text: u.At.In(invoice.Riyadh()).Format(time.DateOnly)}, paper.AccountFact{Key: "reason", Text: u.Reason})
	}
	if rest.Sign() > 0 && len(paid.Rows) > 0 {
		a.Sums = append([]paper.AccountSum{{Key: "client_credit", Amount: rest, Currency: p.Currency}}, a.Sums...)
	}
	if len(paid.Rows) > 0 {
		a.Tables = append(a.Tables, paid)
	}
	if p.Note != "" {
		a.Notes = []string{p.Note}
	}
	if client != nil {
		a.Client = partyOf(*client)
	}
	return r.account(ctx, of, p.Number, a, len(paid.Rows), language)
}

func meansOf(r payment.Receipt, language string) paper.AccountFact {
	if r.Means == codes.CreditTransfer { // on an invoice, it is credit as well
		return paper.AccountFact{Key: "payment_means", Word: "received_by_transfer"}
	}
	if means, found := codes.FindPaymentMeans(r.Means); found {
		text := map[string]string{string(paper.Arabic): means.AR, string(paper.English): means.EN}[language]
		return paper.AccountFact{Key: "payment_means", Text: cmp.Or(text, means.AR+" / "+means.EN)}
	}
	return paper.AccountFact{Key: "payment_means", Word: "kept_as_credit"}
}

// paidTable returns the invoices that a receipt pays, or paid before its reversal,
// and what is left of its amount.
func (r *Renderer) paidTable(ctx context.Context, of org.Tenant, p payment.Recorded) (t paper.AccountTable, rest money.Decimal, err error) {
	t, rest = paper.AccountTable{
		Heading: paper.AccountFact{Key: "paid_invoices"},
		Columns: []paper.AccountColumn{{Key: "invoice_number"}, {Key: "issue_date", Width: 90}, {Key: "paid_part", Amount: true, Width: 110}},
	}, p.Amount
	gone := map[uuid.UUID]bool{}
	for _, a := range p.Allocations {
		if a.Reverses != uuid.Nil && (p.Undone == nil || a.Cause == payment.ByMove) {
			gone[a.Reverses] = true
		}
	}
	for _, a := range p.Allocations {
		if a.Amount.Sign() <= 0 || gone[a.ID] {
			continue
		}
		i, err := r.Keeper.Invoice(ctx, of, a.Document)
		if err != nil {
			return t, rest, err
		}
		rest = rest.Sub(a.Amount)
		t.Rows = append(t.Rows, paper.AccountRow{Cells: []paper.AccountFact{{Text: i.Number}, {Text: i.IssueDate}, {Text: a.Amount.Fixed2()}}})
	}
	return t, rest, nil
}

// Statement draws the statements of a client, each currency in its own table.
func (r *Renderer) Statement(ctx context.Context, of org.Tenant, client trade.Client, p payment.Period, list []payment.Statement, today, language string) (PDF, error) {
	a := paper.Account{Title: "statement", Created: dayOf(today), Client: partyOf(client), ClientAs: "client", Facts: []paper.AccountFact{
		{Key: "from", Text: p.From}, {Key: "until", Text: p.To}, {Key: "as_of", Text: today},
	}}
	if len(list) == 0 {
		list = []payment.Statement{{Currency: codes.Riyal}}
	}
	lines := 0
	for _, s := range list {
		lines += len(s.Lines)
		t := paper.AccountTable{Heading: paper.AccountFact{Key: "currency", Text: s.Currency}, Columns: []paper.AccountColumn{
			{Key: "date", Width: 58}, {Key: "entry"}, {Key: "number", Width: 92}, {Key: "due_date", Width: 64},
			{Key: "debit", Amount: true, Width: 66}, {Key: "credit", Amount: true, Width: 66}, {Key: "running_balance", Amount: true, Width: 72},
		}}
		add := func(strong bool, word string, l payment.Line) {
			row := paper.AccountRow{Strong: strong, Cells: []paper.AccountFact{{Text: l.Date}, {Word: word}, {Text: l.Number}, {Text: l.Due}, {}, {}, {Text: l.Balance.Fixed2()}}}
			if !l.Debit.IsZero() {
				row.Cells[4].Text = l.Debit.Fixed2()
			}
			if !l.Credit.IsZero() {
				row.Cells[5].Text = l.Credit.Fixed2()
			}
			t.Rows = append(t.Rows, row)
		}
		add(true, "opening_balance", payment.Line{Balance: s.Opening})
		for _, l := range s.Lines {
			add(false, "entry_"+string(l.Entry), l)
		}
		add(true, "closing_balance", payment.Line{Balance: s.Closing})
		a.Tables = append(a.Tables, t)
	}
	return r.account(ctx, of, "statement-"+today, a, lines, language)
}

// Ageing draws what clients owe, each currency in its own table.
func (r *Renderer) Ageing(ctx context.Context, of org.Tenant, debtors []payment.Debtor, totals []payment.Aged, today, language string) (PDF, error) {
	a := paper.Account{Title: "ageing", Created: dayOf(today), Wide: true, Facts: []paper.AccountFact{{Key: "as_of", Text: today}}}
	lines := 0
	for _, sum := range totals {
		t := paper.AccountTable{Heading: paper.AccountFact{Key: "currency", Text: sum.Currency}, Columns: []paper.AccountColumn{{Key: "client"}}}
		for _, key := range []string{"not_due", "days_1_30", "days_31_60", "days_61_90", "over_90", "total", "client_credit"} {
			t.Columns = append(t.Columns, paper.AccountColumn{Key: key, Amount: true, Width: 78})
		}
		for _, d := range debtors {
			for _, owed := range d.Owes {
				if owed.Currency == sum.Currency {
					t.Rows = append(t.Rows, ageingRow(paper.AccountFact{Text: nameOf(d, language)}, owed, owed.Credit.Fixed2()))
				}
			}
		}
		lines += len(t.Rows)
		last := ageingRow(paper.AccountFact{Word: "total"}, sum, "")
		last.Strong = true
		t.Rows = append(t.Rows, last)
		a.Tables = append(a.Tables, t)
	}
	if len(totals) == 0 {
		a.Facts = append(a.Facts, paper.AccountFact{Key: "total", Word: "nothing_owed"})
	}
	return r.account(ctx, of, "ageing-"+today, a, lines, language)
}

func ageingRow(name paper.AccountFact, a payment.Aged, credit string) paper.AccountRow {
	cells := []paper.AccountFact{name}
	for _, owed := range a.Owed {
		cells = append(cells, paper.AccountFact{Text: owed.Fixed2()})
	}
	return paper.AccountRow{Cells: append(cells, paper.AccountFact{Text: a.Total.Fixed2()}, paper.AccountFact{Text: credit})}
}

// nameOf returns the name of a client in the language of a page.
func nameOf(d payment.Debtor, language string) string {
	if d.NameArabic != "" && language != string(paper.English) {
		return d.NameArabic
	}
	return d.Name
}

func dayOf(date string) time.Time {
	day, _ := time.ParseInLocation(time.DateOnly, date, invoice.Riyadh()) // the zero time if it is not a date
	return day
}

// account draws a paper with the data of the organisation.
func (r *Renderer) account(ctx context.Context, of org.Tenant, name string, a paper.Account, lines int, language string) (PDF, error) {
	if lines > maxAccountLines {
		return PDF{}, fault.New(fault.ExportTooLarge, "The PDF would have more than %d lines. Choose a shorter period, or another format.", maxAccountLines).
			Arabic("سيزيد عدد القيود في ملف PDF على %d.", maxAccountLines).Advise("Choose a shorter period, or another format.", "اختر فترة أقصر، أو صيغة أخرى.")
	}
	job, err := r.Capacity.Process(ctx, pageMemory+lineMemory*int64(lines))
	if err != nil {
		return PDF{}, err
	}
	defer job.End()
	ctx = job.Context(ctx)
	seller, err := r.Keeper.Organisation(ctx, of)
	if err != nil {
		return PDF{}, err
	}
	press, err := r.press()
	if err != nil {
		return PDF{}, err
	}
	o := paper.Options{Language: paper.Language(language), Test: r.Test()}
	if seller.Logo != "" {
		if o.Logo, err = r.logo(ctx, press, seller.Logo); err != nil {
			r.Log.Error("a logo cannot be drawn", "file", seller.Logo, "cause", err.Error())
		}
	}
	a.Seller = addressed(paper.Party{Name: seller.Name, NameArabic: seller.NameArabic, VATNumber: seller.VATNumber, Phone: seller.Settings.Phone}, seller.Address)
	data, err := press.Account(a, o)
	if err != nil {
		return PDF{}, fmt.Errorf("draw %s: %w", name, err)
	}
	return PDF{Name: name + ".pdf", Data: data}, nil
}

func partyOf(c trade.Client) *paper.Party {
	p := addressed(paper.Party{Name: c.Name, NameArabic: c.NameArabic, VATNumber: c.VATNumber}, c.Address)
	return &p
}

// addressed returns a party with an address.
func addressed(p paper.Party, a org.Address) paper.Party {
	p.Street, p.AdditionalStreet, p.BuildingNumber, p.PlotIdentification = a.Street, a.AdditionalStreet, a.BuildingNumber, a.PlotIdentification
	p.District, p.City, p.Province, p.PostalCode, p.Country = a.District, a.City, a.ProvinceState, a.PostalCode, a.CountryCode
	p.Arabic = paper.ArabicAddress{
		Street: a.StreetArabic, AdditionalStreet: a.AdditionalStreetArabic, District: a.DistrictArabic, City: a.CityArabic, Province: a.ProvinceStateArabic,
	}
	return p
}
