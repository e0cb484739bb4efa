package payment_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/payment"
)

// book keeps rows in memory and records steps with the functions of the package,
// as a store does.
type book struct {
	unit        money.Decimal // value of one unit of the steps
	docs        []*bookDoc
	notes       []*bookNote
	receipts    []*bookReceipt
	allocations []payment.Allocation
	refunds     []*bookRefund
	ids         uint64
}

type bookDoc struct {
	payment.Document
	day, due           int
	total              money.Decimal
	rejected, replaced bool
}

type bookNote struct {
	payment.Note
	day      int
	parts    []payment.Part
	answered bool
	rejected bool
}

type bookReceipt struct {
	payment.Receipt
	day, undone int
	reversed    bool
}

type bookRefund struct {
	payment.Refund
	day, undone int
	receipt     *bookReceipt
	back        []payment.Part // of the reversal
}

var currencies = []string{"SAR", "USD", "KWD"}

var (
	firstDay = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	days     = func() (all [400]string) {
		for i := range all {
			all[i] = firstDay.AddDate(0, 0, i).Format(time.DateOnly)
		}
		return all
	}()
)

// clientID returns the id of a client, or the zero id for client 0.
func clientID(n int) (id uuid.UUID) {
	id[15] = byte(n)
	return id
}

func (b *book) id() (id uuid.UUID) {
	b.ids++
	binary.BigEndian.PutUint64(id[:], b.ids)
	return id
}

func (b *book) worth(units int64) money.Decimal { return money.FromInt(units).Mul(b.unit) }

// pick returns the element of an index modulo the length, or nil.
func pick[T any](list []*T, index int) *T {
	if len(list) == 0 {
		return nil
	}
	return list[index%len(list)]
}

// apply records a step and reports whether it was accepted.
func (b *book) apply(s step) bool {
	switch s.op {
	case opCharge:
		b.charge(clientID(s.client), currencies[s.currency], b.worth(s.amount), b.worth(s.prepaid), s)
		return true
	case opNote:
		return b.note(s)
	case opAcceptNote, opRejectNote:
		n := pick(b.notes, s.which)
		if n == nil || n.answered {
			return false
		}
		n.answered, n.rejected, n.Valid = true, s.op == opRejectNote, s.op == opAcceptNote
		return true
	case opReject:
		d := pick(b.docs, s.which)
		if d == nil || d.rejected {
			return false
		}
		d.rejected = true
		return true
	case opPay, opSpread:
		r := &bookReceipt{day: s.day, Receipt: payment.Receipt{ID: b.id(), Kind: payment.Payment, Client: clientID(s.client), Currency: currencies[s.currency], Amount: b.worth(s.amount)}}
		return b.pay(r, s)
	case opAllocate:
		r := pick(b.receipts, s.which)
		return r != nil && !r.reversed && b.split(r, s)
	case opRefund:
		return b.refund(s)
	case opReverse:
		r := pick(b.receipts, s.which)
		if r == nil {
			return false
		}
		rows, err := r.Reverse(r.reversed, b.liveOf(r))
		if err != nil {
			return false
		}
		r.reversed, r.undone = true, s.day
		b.add(rows)
		return true
	case opReverseRefund:
		return b.reverseRefund(s)
	}
	return b.replace(s)
}

func (b *book) charge(client uuid.UUID, currency string, payable, prepaid money.Decimal, s step) *bookDoc {
	due := s.due
	if due == 0 {
		due = s.day
	}
	d := &bookDoc{day: s.day, due: s.due, total: payable.Add(prepaid), Document: payment.Document{
		ID: b.id(), Client: client, Currency: currency, Due: days[due], Place: int64(len(b.docs)), Standing: payment.Standing{Payable: payable},
	}}
	b.docs = append(b.docs, d)
	return d
}

func (b *book) note(s step) bool {
	n := &bookNote{day: s.day, Note: payment.Note{ID: b.id(), Valid: !s.flag}}
	for i, index := range s.docs {
		d := pick(b.docs, index)
		if d == nil {
			return false
		}
		if len(n.parts) == 0 {
			n.Client, n.Currency = d.Client, d.Currency
		}
		named := slices.ContainsFunc(n.parts, func(p payment.Part) bool { return p.Original == d.ID })
		if named || d.Client != n.Client || d.Currency != n.Currency {
			continue
		}
		left := d.total
		for _, other := range b.notes {
			for _, p := range other.parts {
				if p.Original == d.ID && !other.rejected {
					left = left.Sub(p.Amount)
				}
			}
		}
		amount := b.worth(s.amounts[i])
		if left.Less(amount) {
			amount = left
		}
		if amount.Sign() > 0 {
			n.parts = append(n.parts, payment.Part{Original: d.ID, Amount: amount})
		}
	}
	if len(n.parts) == 0 {
		return false
	}
	b.notes = append(b.notes, n)
	return true
}

func (b *book) pay(r *bookReceipt, s step) bool {
	b.receipts = append(b.receipts, r)
	if s.op == opPay {
		if b.split(r, s) {
			return true
		}
		b.receipts = b.receipts[:len(b.receipts)-1]
		return false
	}
	var open []payment.Document
	for _, d := range b.docs {
		open = append(open, b.document(d))
	}
	slices.Reverse(open) // the order must not matter
	rows, _, err := r.Spread(r.Amount, open)
	if err != nil {
		b.receipts = b.receipts[:len(b.receipts)-1]
		return false
	}
	b.add(rows)
	return true
}

func (b *book) split(r *bookReceipt, s step) bool {
	var wishes []payment.Wish
	documents := map[uuid.UUID]payment.Document{}
	for i, index := range s.docs {
		d := pick(b.docs, index)
		if d == nil {
			return false
		}
		documents[d.ID] = b.document(d)
		wishes = append(wishes, payment.Wish{Document: d.ID, Amount: b.worth(s.amounts[i])})
	}
	rows, _, err := r.Split(r.Rest(b.liveOf(r)), wishes, documents)
	if err != nil {
		return false
	}
	b.add(rows)
	return true
}

func (b *book) refund(s step) bool {
	n := pick(b.notes, s.which)
	if n == nil {
		return false
	}
	parts, err := b.noteOf(n).Refund(b.worth(s.amount), s.flag)
	if err != nil {
		return false
	}
	f := &bookRefund{day: s.day, Refund: payment.Refund{ID: b.id(), Note: n.ID, Currency: n.Currency, Amount: b.worth(s.amount), Kept: s.flag, Parts: parts}}
	if s.flag {
		f.receipt = &bookReceipt{day: s.day, Receipt: payment.Receipt{ID: b.id(), Kind: payment.Kept, Client: n.Client, Currency: n.Currency, Amount: f.Amount}}
		b.receipts = append(b.receipts, f.receipt)
	}
	b.refunds = append(b.refunds, f)
	return true
}

func (b *book) reverseRefund(s step) bool {
	f := pick(b.refunds, s.which)
	if f == nil {
		return false
	}
	var live []payment.Allocation
	if f.receipt != nil {
		live = b.liveOf(f.receipt)
	}
	parts, rows, err := f.Reverse(f.back != nil, live)
	if err != nil {
		return false
	}
	f.back, f.undone = parts, s.day
	if f.receipt != nil {
		f.receipt.reversed, f.receipt.undone = true, s.day
	}
	b.add(rows)
	return true
}

func (b *book) replace(s step) bool {
	from := pick(b.docs, s.which)
	if from == nil || !from.rejected || from.replaced {
		return false
	}
	from.replaced = true
	client := from.Client
	if s.flag {
		client = clientID(s.client)
	}
	to := b.charge(client, from.Currency, b.worth(s.amount), money.Decimal{}, s)
	var live []payment.Allocation
	for _, a := range payment.Live(b.allocations) {
		if a.Document == from.ID {
			live = append(live, a)
		}
	}
	b.add(payment.Move(b.document(from), b.document(to), live))
	return true
}

func (b *book) add(rows []payment.Allocation) {
	for _, a := range rows {
		a.ID = b.id()
		b.allocations = append(b.allocations, a)
	}
}

func (b *book) liveOf(r *bookReceipt) []payment.Allocation {
	return slices.DeleteFunc(payment.Live(b.allocations), func(a payment.Allocation) bool { return a.Receipt != r.ID })
}

// document returns a document with its sums.
func (b *book) document(d *bookDoc) payment.Document {
	out := d.Document
	out.Rejected = d.rejected
	for _, a := range b.allocations {
		if a.Document == d.ID {
			out.Received = out.Received.Add(a.Amount)
		}
	}
	for _, c := range b.credits(d) {
		out.Credited = out.Credited.Add(c.Amount)
	}
	for _, f := range b.refunds {
		for _, p := range slices.Concat(f.Parts, f.back) {
			if p.Original == d.ID {
				out.Refunded = out.Refunded.Add(p.Amount)
			}
		}
	}
	return out
}

// credits returns the valid notes on a document.
func (b *book) credits(d *bookDoc) []payment.Credit {
	var all []payment.Credit
	for place, n := range b.notes {
		for _, p := range n.parts {
			if p.Original != d.ID || !n.Valid {
				continue
			}
			c := payment.Credit{Note: n.ID, Place: int64(place), Amount: p.Amount}
			for _, f := range b.refunds {
				for _, q := range slices.Concat(f.Parts, f.back) {
					if f.Note == n.ID && q.Original == d.ID {
						c.Refunded = c.Refunded.Add(q.Amount)
					}
				}
			}
			all = append(all, c)
		}
	}
	return all
}

// noteOf returns a note with its originals.
func (b *book) noteOf(n *bookNote) payment.Note {
	out := n.Note
	for _, f := range b.refunds {
		for _, p := range slices.Concat(f.Parts, f.back) {
			if f.Note == n.ID {
				out.Refunded = out.Refunded.Add(p.Amount)
			}
		}
	}
	for _, p := range n.parts {
		for _, d := range b.docs {
			if d.ID == p.Original {
				doc := b.document(d)
				out.Originals = append(out.Originals, payment.Original{ID: d.ID, Place: d.Place, Credits: b.credits(d), Standing: doc.Standing})
			}
		}
	}
	return out
}

// events returns the events of a client's statement.
func (b *book) events(client uuid.UUID) []payment.Event {
	var all []payment.Event
	add := func(of uuid.UUID, entry payment.Entry, currency string, day int, amount money.Decimal) {
		if of == client && !amount.IsZero() {
			all = append(all, payment.Event{Entry: entry, Currency: currency, Date: days[day], Amount: amount})
		}
	}
	for _, d := range b.docs {
		if !d.rejected {
			add(d.Client, payment.Charged, d.Currency, d.day, d.Payable)
		}
	}
	for _, n := range b.notes {
		var sum money.Decimal
		for _, p := range n.parts {
			for _, d := range b.docs {
				if d.ID == p.Original && n.Valid && !d.rejected {
					sum = sum.Add(p.Amount)
				}
			}
		}
		add(n.Client, payment.Credited, n.Currency, n.day, sum)
	}
	for _, r := range b.receipts {
		if r.Kind == payment.Kept {
			continue
		}
		add(r.Client, payment.Received, r.Currency, r.day, r.Amount)
		if r.reversed {
			add(r.Client, payment.ReceiptUndone, r.Currency, r.undone, r.Amount)
		}
	}
	for _, f := range b.refunds {
		if f.Kept {
			continue
		}
		for _, n := range b.notes {
			if n.ID != f.Note {
				continue
			}
			add(n.Client, payment.PaidBack, f.Currency, f.day, f.Amount)
			if f.back != nil {
				add(n.Client, payment.PaidBackUndone, f.Currency, f.undone, f.Amount)
			}
		}
	}
	return all
}

// ageing returns what all clients owe on a day.
func (b *book) ageing(day int) (*payment.Ageing, error) {
	var a payment.Ageing
	for _, d := range b.docs {
		due := ""
		if d.due != 0 {
			due = days[d.due]
		}
		age, err := payment.Age(due, days[d.day], days[day])
		if err != nil {
			return nil, fmt.Errorf("age of a document: %w", err)
		}
		doc := b.document(d)
		a.Owe(d.Client, d.Currency, age, doc.Balance())
		a.Credit(d.Client, d.Currency, doc.Over())
	}
	for _, r := range b.receipts {
		if !r.reversed {
			a.Credit(r.Client, r.Currency, r.Rest(b.liveOf(r)))
		}
	}
	return &a, nil
}
