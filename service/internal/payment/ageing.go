package payment

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/money"
)

// Bucket is a range of days since an invoice was due.
type Bucket int

// The ranges. Buckets is their number.
const (
	NotDue Bucket = iota // due today or later
	Days30               // due since 1 to 30 days
	Days60               // 31 to 60 days
	Days90               // 61 to 90 days
	Older
	Buckets int = iota
)

// lastDays are the last days of the ranges except Older.
var lastDays = [...]int{NotDue: 0, Days30: 30, Days60: 60, Days90: 90}

// Age returns the range of an invoice on a date. Without a due date, it was due
// when it was issued.
func Age(due, issued, on string) (Bucket, error) {
	if due == "" {
		due = issued
	}
	since, err := time.Parse(time.DateOnly, due)
	if err != nil {
		return 0, err
	}
	until, err := time.Parse(time.DateOnly, on)
	if err != nil {
		return 0, err
	}
	days := int(until.Sub(since) / (24 * time.Hour))
	for b, last := range lastDays {
		if days <= last {
			return Bucket(b), nil
		}
	}
	return Older, nil
}

// Since returns the first due date of each range except Older, on a date.
func Since(on string) ([Buckets - 1]string, error) {
	var first [Buckets - 1]string
	day, err := time.Parse(time.DateOnly, on)
	for b, last := range lastDays {
		first[b] = day.AddDate(0, 0, -last).Format(time.DateOnly)
	}
	return first, err
}

// Debtor is a client with what it owes in each currency.
type Debtor struct {
	ID         uuid.UUID
	Name       string
	NameArabic string
	Owes       []Aged
}

// Aged is what a client owes in one currency, by age. Credit is what the
// organisation owes the client: unused payments and refunds that are due.
type Aged struct {
	Client   uuid.UUID // uuid.Nil for all documents without a client
	Currency string
	Owed     [Buckets]money.Decimal
	Total    money.Decimal // sum of Owed
	Credit   money.Decimal
}

// Ageing sums balances by client, currency and age. The zero value is empty.
type Ageing struct{ rows map[account]*Aged }

// account is what sums are kept for.
type account struct {
	client   uuid.UUID
	currency string
}

func (a *Ageing) row(client uuid.UUID, currency string) *Aged {
	if a.rows == nil {
		a.rows = map[account]*Aged{}
	}
	key := account{client, currency}
	if a.rows[key] == nil {
		a.rows[key] = &Aged{Client: client, Currency: currency}
	}
	return a.rows[key]
}

// Owe adds the balance of a document.
func (a *Ageing) Owe(client uuid.UUID, currency string, age Bucket, balance money.Decimal) {
	if balance.IsZero() {
		return
	}
	r := a.row(client, currency)
	r.Owed[age] = r.Owed[age].Add(balance)
	r.Total = r.Total.Add(balance)
}

// Credit adds an amount that the organisation owes the client.
func (a *Ageing) Credit(client uuid.UUID, currency string, amount money.Decimal) {
	if amount.IsZero() {
		return
	}
	r := a.row(client, currency)
	r.Credit = r.Credit.Add(amount)
}

// Rows returns the sums in the order of clients and currencies.
func (a *Ageing) Rows() []Aged {
	return sorted(a.rows)
}

// Totals returns the sums of all clients, one for each currency.
func (a *Ageing) Totals() []Aged {
	all := map[account]*Aged{}
	for key, r := range a.rows {
		key.client = uuid.Nil
		t := all[key]
		if t == nil {
			t = &Aged{Currency: key.currency}
			all[key] = t
		}
		for b := range t.Owed {
			t.Owed[b] = t.Owed[b].Add(r.Owed[b])
		}
		t.Total, t.Credit = t.Total.Add(r.Total), t.Credit.Add(r.Credit)
	}
	return sorted(all)
}

func sorted(rows map[account]*Aged) []Aged {
	list := make([]Aged, 0, len(rows))
	for _, key := range slices.SortedFunc(maps.Keys(rows), func(x, y account) int {
		return cmp.Or(bytes.Compare(x.client[:], y.client[:]), cmp.Compare(x.currency, y.currency))
	}) {
		list = append(list, *rows[key])
	}
	return list
}
