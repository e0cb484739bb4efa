package store_test

import "fmt"

// This file computes what is owed independently of the product: in whole
// hundredths, from the list of what was recorded. It uses nothing of package
// payment or money.

// oracle is everything that was recorded in a sequence. Indices identify records;
// client 0 is no client.
type oracle struct {
	docs        []oDoc
	notes       []oNote
	receipts    []oReceipt
	allocations []oAllocation
	refunds     []oRefund
}

type oDoc struct {
	client, currency   int
	payable, total     int64 // the total includes what an advance has paid
	answered, rejected bool
	replaced           bool
}

type oNote struct {
	client, currency   int
	docs               []int
	amounts            []int64
	simplified         bool
	answered, rejected bool
}

type oReceipt struct {
	client, currency int
	amount           int64
	kept, reversed   bool
}

type oAllocation struct {
	receipt, doc int
	amount       int64
	dead         bool
}

type oRefund struct {
	note, receipt int // receipt is -1 if it was paid out
	amounts       map[int]int64
	dead          bool
}

// part is a part of a receipt for a document.
type part struct {
	doc    int
	amount int64
}

func (o *oracle) valid(note int) bool {
	n := o.notes[note]
	return !n.rejected && (n.simplified || n.answered)
}

func (o *oracle) credited(doc int) (sum int64) {
	for k, n := range o.notes {
		for i, d := range n.docs {
			if d == doc && o.valid(k) {
				sum += n.amounts[i]
			}
		}
	}
	return sum
}

// left returns what notes may still credit to a document.
func (o *oracle) left(doc int) int64 {
	left := o.docs[doc].total
	for _, n := range o.notes {
		for i, d := range n.docs {
			if d == doc && !n.rejected {
				left -= n.amounts[i]
			}
		}
	}
	return left
}

func (o *oracle) received(doc int) (sum int64) {
	for _, a := range o.allocations {
		if a.doc == doc && !a.dead {
			sum += a.amount
		}
	}
	return sum
}

// refunded returns the refunds for a document on one note, or on all (-1).
func (o *oracle) refunded(doc, note int) (sum int64) {
	for _, f := range o.refunds {
		if !f.dead && (note < 0 || note == f.note) {
			sum += f.amounts[doc]
		}
	}
	return sum
}

// owed is negative if more was received than the document demands.
func (o *oracle) owed(doc int) int64 {
	sum := o.refunded(doc, -1) - o.received(doc)
	if !o.docs[doc].rejected {
		sum += o.docs[doc].payable - o.credited(doc)
	}
	return sum
}

// shares divides what was received beyond the demand among the notes, the last
// first, and returns what no note explains.
func (o *oracle) shares(doc int) (got map[int]int64, held int64) {
	got, held = map[int]int64{}, max(0, -o.owed(doc))
	if o.docs[doc].rejected {
		return got, held
	}
	for k := len(o.notes) - 1; k >= 0; k-- {
		for i, d := range o.notes[k].docs {
			if d != doc || !o.valid(k) {
				continue
			}
			got[k] = min(held, max(0, o.notes[k].amounts[i]-o.refunded(doc, k)))
			held -= got[k]
		}
	}
	return got, held
}

func (o *oracle) refundDue(note int) (sum int64) {
	if !o.valid(note) {
		return 0
	}
	for _, d := range o.notes[note].docs {
		got, _ := o.shares(d)
		sum += got[note]
	}
	return sum
}

func (o *oracle) rest(receipt int) int64 {
	if o.receipts[receipt].reversed {
		return 0
	}
	rest := o.receipts[receipt].amount
	for _, a := range o.allocations {
		if a.receipt == receipt && !a.dead {
			rest -= a.amount
		}
	}
	return rest
}

// fits reports whether a receipt of a client can pay the parts.
func (o *oracle) fits(client, currency int, rest int64, parts []part) bool {
	seen := map[int]bool{}
	for _, p := range parts {
		d := o.docs[p.doc]
		if seen[p.doc] || d.rejected || d.client != client || d.currency != currency || p.amount <= 0 || p.amount > o.owed(p.doc) || p.amount > rest {
			return false
		}
		seen[p.doc] = true
		rest -= p.amount
	}
	return rest == 0 || client != 0
}

func (o *oracle) allocate(receipt int, parts []part) {
	for _, p := range parts {
		o.allocations = append(o.allocations, oAllocation{receipt: receipt, doc: p.doc, amount: p.amount})
	}
}

func (o *oracle) pay(client, currency int, amount int64, parts []part) bool {
	if !o.fits(client, currency, amount, parts) {
		return false
	}
	o.receipts = append(o.receipts, oReceipt{client: client, currency: currency, amount: amount})
	o.allocate(len(o.receipts)-1, parts)
	return true
}

func (o *oracle) payMore(receipt int, parts []part) bool {
	r := o.receipts[receipt]
	if r.reversed || !o.fits(r.client, r.currency, o.rest(receipt), parts) {
		return false
	}
	o.allocate(receipt, parts)
	return true
}

func (o *oracle) refund(note int, amount int64, kept bool) bool {
	n := o.notes[note]
	if !o.valid(note) || kept && n.client == 0 || amount > o.refundDue(note) {
		return false
	}
	f := oRefund{note: note, receipt: -1, amounts: map[int]int64{}}
	due := map[int]int64{}
	for _, d := range n.docs {
		got, _ := o.shares(d)
		due[d] = got[note]
	}
	for left := amount; left > 0; {
		last := -1
		for _, d := range n.docs {
			if due[d] > 0 {
				last = max(last, d)
			}
		}
		f.amounts[last] = min(left, due[last])
		left -= f.amounts[last]
		due[last] = 0
	}
	if kept {
		f.receipt = len(o.receipts)
		o.receipts = append(o.receipts, oReceipt{client: n.client, currency: n.currency, amount: amount, kept: true})
	}
	o.refunds = append(o.refunds, f)
	return true
}

func (o *oracle) undo(receipt int) {
	o.receipts[receipt].reversed = true
	for i := range o.allocations {
		if o.allocations[i].receipt == receipt {
			o.allocations[i].dead = true
		}
	}
}

func (o *oracle) reverse(receipt int) bool {
	if o.receipts[receipt].reversed || o.receipts[receipt].kept {
		return false
	}
	o.undo(receipt)
	return true
}

func (o *oracle) reverseRefund(refund int) bool {
	f := &o.refunds[refund]
	if f.dead {
		return false
	}
	f.dead = true
	if f.receipt >= 0 {
		o.undo(f.receipt)
	}
	return true
}

// replace adds the replacement of a rejected document and moves what is held for it.
func (o *oracle) replace(from int, d oDoc) {
	o.docs[from].replaced = true
	o.docs = append(o.docs, d)
	to := len(o.docs) - 1
	old := o.docs[from]
	held, open := max(0, -o.owed(from)), int64(0)
	if old.client == d.client && old.currency == d.currency {
		open = d.payable
	}
	for i := range len(o.allocations) {
		a := o.allocations[i]
		if a.doc != from || a.dead {
			continue
		}
		moves := min(a.amount, held, open)
		frees := min(a.amount, held) - moves
		held, open = held-moves-frees, open-moves
		stays := a.amount - moves
		if old.client != 0 { // the rest is credit of the client
			stays -= frees
		}
		if stays == a.amount {
			continue
		}
		o.allocations[i].dead = true
		for _, p := range []part{{from, stays}, {to, moves}} {
			if p.amount > 0 {
				o.allocate(a.receipt, []part{p})
			}
		}
	}
}

// settle pays what is open of the last document when it is issued.
func (o *oracle) settle() {
	last := len(o.docs) - 1
	if open := o.owed(last); open > 0 {
		o.pay(o.docs[last].client, o.docs[last].currency, open, []part{{last, open}})
	}
}

func statusText(moved, open int64) string {
	switch {
	case moved == 0:
		return "Pending"
	case open > 0:
		return "Partially Paid"
	}
	return "Paid"
}

// document describes a document: balance, settled by credit, held, status.
func (o *oracle) document(doc int) string {
	d := o.docs[doc]
	settled := min(o.credited(doc), d.payable)
	if d.rejected {
		settled = 0
	}
	_, held := o.shares(doc)
	open := d.payable - o.credited(doc) - o.received(doc) + o.refunded(doc, -1)
	return fmt.Sprintf("%s %s %s %s", inText(max(0, o.owed(doc))), inText(settled), inText(held), statusText(o.received(doc), open))
}

// note describes a credit note: refund due, status.
func (o *oracle) note(note int) string {
	var paid int64
	for _, d := range o.notes[note].docs {
		paid += o.refunded(d, note)
	}
	return fmt.Sprintf("%s %s", inText(o.refundDue(note)), statusText(paid, o.refundDue(note)))
}

// credit returns the credit of a client in a currency.
func (o *oracle) credit(client, currency int) (sum int64) {
	for i, r := range o.receipts {
		if r.client == client && r.currency == currency {
			sum += o.rest(i)
		}
	}
	return sum
}

// inText writes hundredths as a decimal number.
func inText(n int64) string { return fmt.Sprintf("%d.%02d", n/100, n%100) }
