package payment_test

import (
	"fmt"
	"strings"
)

// This file computes the same as the package, independently: in whole numbers,
// unit by unit, from the list of steps. It uses nothing of the package.

// Operations of a step.
const (
	opCharge = iota
	opNote
	opAcceptNote
	opRejectNote
	opReject
	opPay
	opSpread
	opAllocate
	opRefund
	opReverse
	opReverseRefund
	opReplace
	ops
)

// step is an attempt to record something. Indices are taken modulo the number of
// what exists; a step that finds nothing does nothing.
type step struct {
	op               int
	day              int
	which            int
	client, currency int // client is 0 if no client is named
	amount, prepaid  int64
	due              int // day; 0 if none
	docs             []int
	amounts          []int64
	flag             bool
}

type oDoc struct {
	client, currency, day, due int
	payable, prepaid           int64
	rejected, replaced         bool
}

type oNote struct {
	day                int
	docs               []int
	amounts            []int64
	valid, rejected    bool
	client, currency   int
	accepted, standard bool
}

type oReceipt struct {
	client, currency, day, undone int
	amount                        int64
	kept, reversed                bool
}

type oAllocation struct {
	receipt, doc int
	amount       int64
	dead         bool
}

type oRefund struct {
	note, day, undone int
	receipt           int // -1 if it was paid out
	docs              []int
	amounts           []int64
	dead              bool
}

type oracle struct {
	docs        []oDoc
	notes       []oNote
	receipts    []oReceipt
	allocations []oAllocation
	refunds     []oRefund
}

// replay returns the world after the steps, and which of them were accepted.
func replay(steps []step) (*oracle, string) {
	o := &oracle{}
	var accepted strings.Builder
	for _, s := range steps {
		fmt.Fprint(&accepted, map[bool]string{true: "+", false: "-"}[o.apply(s)])
	}
	return o, accepted.String()
}

func (o *oracle) apply(s step) bool {
	switch s.op {
	case opCharge:
		o.docs = append(o.docs, oDoc{client: s.client, currency: s.currency, day: s.day, due: s.due, payable: s.amount, prepaid: s.prepaid})
		return true
	case opNote:
		return o.note(s)
	case opAcceptNote, opRejectNote:
		if len(o.notes) == 0 {
			return false
		}
		n := &o.notes[s.which%len(o.notes)]
		if n.accepted || n.rejected {
			return false
		}
		n.accepted, n.rejected = s.op == opAcceptNote, s.op == opRejectNote
		n.valid = n.accepted
		return true
	case opReject:
		if len(o.docs) == 0 || o.docs[s.which%len(o.docs)].rejected {
			return false
		}
		o.docs[s.which%len(o.docs)].rejected = true
		return true
	case opPay, opSpread:
		return o.pay(s)
	case opAllocate:
		if len(o.receipts) == 0 {
			return false
		}
		which := s.which % len(o.receipts)
		return !o.receipts[which].reversed && o.split(which, s)
	case opRefund:
		return o.refund(s)
	case opReverse:
		if len(o.receipts) == 0 {
			return false
		}
		r := &o.receipts[s.which%len(o.receipts)]
		if r.reversed || r.kept {
			return false
		}
		o.undo(s.which%len(o.receipts), s.day)
		return true
	case opReverseRefund:
		if len(o.refunds) == 0 {
			return false
		}
		f := &o.refunds[s.which%len(o.refunds)]
		if f.dead {
			return false
		}
		f.dead, f.undone = true, s.day
		if f.receipt >= 0 {
			o.undo(f.receipt, s.day)
		}
		return true
	}
	return o.replace(s)
}

func (o *oracle) note(s step) bool {
	n := oNote{day: s.day, standard: s.flag, valid: !s.flag}
	for i, d := range s.docs {
		if len(o.docs) == 0 {
			break
		}
		d %= len(o.docs)
		if len(n.docs) == 0 {
			n.client, n.currency = o.docs[d].client, o.docs[d].currency
		}
		twice := false
		for _, other := range n.docs {
			twice = twice || other == d
		}
		if twice || o.docs[d].client != n.client || o.docs[d].currency != n.currency {
			continue
		}
		left := o.docs[d].payable + o.docs[d].prepaid
		for _, other := range o.notes {
			for j := range other.docs {
				if other.docs[j] == d && !other.rejected {
					left -= other.amounts[j]
				}
			}
		}
		if amount := min(left, s.amounts[i]); amount > 0 {
			n.docs, n.amounts = append(n.docs, d), append(n.amounts, amount)
		}
	}
	if len(n.docs) == 0 {
		return false
	}
	o.notes = append(o.notes, n)
	return true
}

func (o *oracle) pay(s step) bool {
	o.receipts = append(o.receipts, oReceipt{client: s.client, currency: s.currency, day: s.day, amount: s.amount})
	which := len(o.receipts) - 1
	if s.op == opPay {
		if o.split(which, s) {
			return true
		}
		o.receipts = o.receipts[:which]
		return false
	}
	before := len(o.allocations)
	rest := s.amount
	for ; rest > 0; rest-- {
		best := -1
		for d, doc := range o.docs {
			if doc.rejected || doc.client != s.client || doc.currency != s.currency || o.owed(d) <= 0 {
				continue
			}
			if best < 0 || o.dueDay(d) < o.dueDay(best) {
				best = d
			}
		}
		if best < 0 {
			break
		}
		o.give(which, best)
	}
	if rest > 0 && s.client == 0 {
		o.receipts, o.allocations = o.receipts[:which], o.allocations[:before]
		return false
	}
	return true
}

// give allocates one unit.
func (o *oracle) give(receipt, doc int) {
	if n := len(o.allocations); n > 0 && o.allocations[n-1].receipt == receipt && o.allocations[n-1].doc == doc {
		o.allocations[n-1].amount++
		return
	}
	o.allocations = append(o.allocations, oAllocation{receipt: receipt, doc: doc, amount: 1})
}

func (o *oracle) split(receipt int, s step) bool {
	r := o.receipts[receipt]
	rest := o.rest(receipt)
	var rows []oAllocation
	for i, d := range s.docs {
		if len(o.docs) == 0 {
			return false
		}
		d %= len(o.docs)
		doc, amount := o.docs[d], s.amounts[i]
		for _, other := range rows {
			if other.doc == d {
				return false
			}
		}
		if doc.rejected || doc.client != r.client || doc.currency != r.currency || amount <= 0 || amount > o.owed(d) || amount > rest {
			return false
		}
		rest -= amount
		rows = append(rows, oAllocation{receipt: receipt, doc: d, amount: amount})
	}
	if rest > 0 && r.client == 0 {
		return false
	}
	o.allocations = append(o.allocations, rows...)
	return true
}

func (o *oracle) refund(s step) bool {
	if len(o.notes) == 0 {
		return false
	}
	which := s.which % len(o.notes)
	n := o.notes[which]
	if !n.valid || s.amount > o.refundDue(which) || s.flag && n.client == 0 {
		return false
	}
	f := oRefund{note: which, day: s.day, receipt: -1, docs: n.docs, amounts: make([]int64, len(n.docs))}
	due := map[int]int64{}
	for _, d := range n.docs {
		shares, _ := o.shares(d)
		due[d] = shares[which]
	}
	for range s.amount {
		best := -1
		for i, d := range n.docs {
			if due[d] > 0 && (best < 0 || d > n.docs[best]) {
				best = i
			}
		}
		f.amounts[best]++
		due[n.docs[best]]--
	}
	if s.flag {
		f.receipt = len(o.receipts)
		o.receipts = append(o.receipts, oReceipt{client: n.client, currency: n.currency, day: s.day, amount: s.amount, kept: true})
	}
	o.refunds = append(o.refunds, f)
	return true
}

func (o *oracle) undo(receipt, day int) {
	o.receipts[receipt].reversed, o.receipts[receipt].undone = true, day
	for i := range o.allocations {
		if o.allocations[i].receipt == receipt {
			o.allocations[i].dead = true
		}
	}
}

func (o *oracle) replace(s step) bool {
	if len(o.docs) == 0 {
		return false
	}
	from := s.which % len(o.docs)
	old := &o.docs[from]
	if !old.rejected || old.replaced {
		return false
	}
	old.replaced = true
	client := old.client
	if s.flag {
		client = s.client
	}
	o.docs = append(o.docs, oDoc{client: client, currency: old.currency, day: s.day, due: s.due, payable: s.amount})
	to := len(o.docs) - 1
	held := -o.owed(from)
	for i := range len(o.allocations) {
		if o.allocations[i].doc != from || o.allocations[i].dead {
			continue
		}
		receipt := o.allocations[i].receipt
		for range o.allocations[i].amount {
			if held <= 0 {
				break
			}
			held--
			switch {
			case o.docs[to].client == o.docs[from].client && o.owed(to) > 0:
				o.allocations[i].amount--
				o.give(receipt, to)
			case o.docs[from].client != 0:
				o.allocations[i].amount--
			}
		}
	}
	return true
}

// owed returns what the client owes for a document, negative if too much was
// received.
func (o *oracle) owed(doc int) int64 {
	var sum int64
	if !o.docs[doc].rejected {
		sum = o.docs[doc].payable - o.credited(doc)
	}
	return sum - o.received(doc) + o.refunded(doc, -1)
}

func (o *oracle) credited(doc int) (sum int64) {
	for _, n := range o.notes {
		for i, d := range n.docs {
			if d == doc && n.valid {
				sum += n.amounts[i]
			}
		}
	}
	return sum
}

func (o *oracle) received(doc int) (sum int64) {
	for _, a := range o.allocations {
		if a.doc == doc && !a.dead {
			sum += a.amount
		}
	}
	return sum
}

// refunded returns the refunds for a document, on one note or on all (-1).
func (o *oracle) refunded(doc, note int) (sum int64) {
	for _, f := range o.refunds {
		for i, d := range f.docs {
			if d == doc && !f.dead && (note < 0 || note == f.note) {
				sum += f.amounts[i]
			}
		}
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

// shares gives every unit received beyond what a document demands to the last
// note with room. It returns what each note got, and what no note has room for.
func (o *oracle) shares(doc int) (got map[int]int64, held int64) {
	got = map[int]int64{}
	held = max(-o.owed(doc), 0)
	if o.docs[doc].rejected || held == 0 {
		return got, held
	}
	room := make([]int64, len(o.notes))
	for k, n := range o.notes {
		for i, d := range n.docs {
			if d == doc && n.valid {
				room[k] = n.amounts[i] - o.refunded(doc, k)
			}
		}
	}
	for k := len(room) - 1; k >= 0 && held > 0; {
		if room[k] <= 0 {
			k--
			continue
		}
		room[k]--
		got[k]++
		held--
	}
	return got, held
}

func (o *oracle) refundDue(note int) (sum int64) {
	if !o.notes[note].valid {
		return 0
	}
	for _, d := range o.notes[note].docs {
		got, _ := o.shares(d)
		sum += got[note]
	}
	return sum
}

func (o *oracle) dueDay(doc int) int {
	if o.docs[doc].due == 0 {
		return o.docs[doc].day
	}
	return o.docs[doc].due
}

// closing returns what a client owes at the end of a day.
func (o *oracle) closing(client, currency, day int) (sum int64) {
	for _, d := range o.docs {
		if d.client == client && d.currency == currency && !d.rejected && d.day <= day {
			sum += d.payable
		}
	}
	for _, n := range o.notes {
		for i, d := range n.docs {
			if n.client == client && n.currency == currency && n.valid && !o.docs[d].rejected && n.day <= day {
				sum -= n.amounts[i]
			}
		}
	}
	for _, r := range o.receipts {
		if r.client != client || r.currency != currency || r.kept {
			continue
		}
		if r.day <= day {
			sum -= r.amount
		}
		if r.reversed && r.undone <= day {
			sum += r.amount
		}
	}
	for _, f := range o.refunds {
		if n := o.notes[f.note]; n.client != client || n.currency != currency || f.receipt >= 0 {
			continue
		}
		for _, amount := range f.amounts {
			if f.day <= day {
				sum += amount
			}
			if f.dead && f.undone <= day {
				sum -= amount
			}
		}
	}
	return sum
}

// aged returns the balances of a client by age, and what the client is owed.
func (o *oracle) aged(client, currency, day int) (owed [5]int64, credit int64) {
	for d, doc := range o.docs {
		if doc.client != client || doc.currency != currency {
			continue
		}
		age := 4
		switch days := day - o.dueDay(d); {
		case days < 1:
			age = 0
		case days < 31:
			age = 1
		case days < 61:
			age = 2
		case days < 91:
			age = 3
		}
		owed[age] += max(o.owed(d), 0)
		credit += max(-o.owed(d), 0)
	}
	for r := range o.receipts {
		if o.receipts[r].client == client && o.receipts[r].currency == currency {
			credit += o.rest(r)
		}
	}
	return owed, credit
}
