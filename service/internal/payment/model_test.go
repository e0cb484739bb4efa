package payment_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"khatm/money"
	"khatm/service/internal/ledger"
	"khatm/service/internal/payment"
)

const (
	sequences = 5_000
	lastDay   = 200
)

// units are the values of a unit, in hundredths: sums with and without fractions,
// and sums beyond 32 bits.
var units = []int64{1, 3, 99, 100, 12_345, 1_000_000_007}

// randomSteps returns a sequence of steps.
func randomSteps(r *rand.Rand) []step {
	weights := [ops]int{opCharge: 2, opNote: 4, opAcceptNote: 2, opRejectNote: 1, opReject: 1, opPay: 6, opSpread: 3, opAllocate: 3, opRefund: 5, opReverse: 1, opReverseRefund: 4, opReplace: 4}
	var choice []int
	for op, n := range weights {
		for range n {
			choice = append(choice, op)
		}
	}
	most := int64(1 + r.IntN(40))
	first, clients, kinds := min(r.IntN(4), 1), 1+r.IntN(2), 1+r.IntN(len(currencies))*r.IntN(2)
	steps := make([]step, 5+r.IntN(30))
	for i := range steps {
		s := step{
			op: choice[r.IntN(len(choice))], day: 1 + i*5 + r.IntN(5), which: r.IntN(5), client: first + r.IntN(clients), currency: r.IntN(kinds),
			amount: 1 + r.Int64N(most), flag: r.IntN(3) == 0,
		}
		switch {
		case i < 2:
			s.op, s.amount = opCharge, 1+most/2
		case i == 2 && r.IntN(2) == 0:
			s.op, s.amount = opSpread, 2*most
		case s.op == opRefund:
			s.amount = 1 + r.Int64N(1+most/8)
		case s.op == opSpread:
			s.amount += most * r.Int64N(3)
		}
		if r.IntN(5) == 0 {
			s.prepaid = r.Int64N(most)
		}
		if r.IntN(3) > 0 {
			s.due = s.day + r.IntN(60)
		}
		for range r.IntN(4) {
			s.docs, s.amounts = append(s.docs, r.IntN(5)), append(s.amounts, 1+r.Int64N(1+most/(1+r.Int64N(3))))
		}
		if s.op == opPay && len(s.docs) > 0 && r.IntN(2) == 0 { // pays exactly what the parts need
			s.amount = 0
			for _, a := range s.amounts {
				s.amount += a
			}
		}
		steps[i] = s
	}
	return steps
}

// TestSequencesEqualTheIndependentComputation records random sequences of
// invoices, credit notes, verdicts, payments, splits, refunds, reversals and
// replacements in several currencies. After each, every amount must be the one
// that the independent computation finds.
func TestSequencesEqualTheIndependentComputation(t *testing.T) {
	t.Parallel()
	var accepted [ops]int
	for seed := range uint64(sequences) {
		r := rand.New(rand.NewPCG(seed, 22))
		b := &book{unit: money.FromInt(units[r.IntN(len(units))]).Mul(money.MustParse("0.01"))}
		steps := randomSteps(r)
		var got strings.Builder
		for i, s := range steps {
			ok := b.apply(s)
			if ok {
				accepted[s.op]++
			}
			got.WriteString(map[bool]string{true: "+", false: "-"}[ok])
			if seed%10 != 0 && i < len(steps)-1 {
				continue
			}
			o, want := replay(steps[:i+1])
			if got.String() != want {
				t.Fatalf("seed %d: accepted %s, want %s; last step %+v", seed, got.String(), want, s)
			}
			if mine, theirs := b.amounts(t), o.amounts(b); mine != theirs {
				t.Fatalf("seed %d, after step %d (%+v):\n%s\nwant\n%s", seed, i, s, mine, theirs)
			}
			b.checkInvariants(t, seed)
		}
	}
	for op, n := range accepted {
		if n < sequences/20 {
			t.Errorf("operation %d was accepted %d times, too few to prove anything", op, n)
		}
	}
}

// amounts lists all results of the package.
func (b *book) amounts(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	for i, d := range b.docs {
		doc := b.document(d)
		_, held := doc.RefundsDue(b.credits(d))
		fmt.Fprintln(&out, "document", i, doc.Balance().Fixed2(), doc.Over().Fixed2(), held.Fixed2(), doc.SettledByCredit().Fixed2(), doc.Status())
	}
	for i, n := range b.notes {
		note := b.noteOf(n)
		fmt.Fprintln(&out, "note", i, note.RefundDue().Fixed2(), note.Status())
	}
	for i, r := range b.receipts {
		rest := r.Rest(b.liveOf(r))
		if r.reversed {
			rest = rest.Sub(r.Amount)
		}
		fmt.Fprintln(&out, "receipt", i, rest.Fixed2())
	}
	ages, err := b.ageing(lastDay)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range ages.Rows() {
		fmt.Fprint(&out, "owed ", row.Client[15], row.Currency)
		for _, owed := range row.Owed {
			fmt.Fprint(&out, " ", owed.Fixed2())
		}
		fmt.Fprintln(&out, "", row.Total.Fixed2(), row.Credit.Fixed2())
	}
	for client := range 3 {
		for _, s := range payment.Statements(b.events(clientID(client)), days[60], days[120]) {
			fmt.Fprintln(&out, "statement", client, s.Currency, s.Opening.Fixed2(), s.Closing.Fixed2())
		}
	}
	return out.String()
}

// amounts lists the same from the independent computation.
func (o *oracle) amounts(b *book) string {
	var out strings.Builder
	hundredths := func(units int64) string { return b.worth(units).Fixed2() }
	status := func(moved, open int64) ledger.Payment {
		if moved == 0 {
			return "Pending"
		}
		if open > 0 {
			return "Partially Paid"
		}
		return "Paid"
	}
	for i, d := range o.docs {
		owed := o.owed(i)
		_, held := o.shares(i)
		settled := min(o.credited(i), d.payable)
		if d.rejected {
			settled = 0
		}
		open := d.payable - o.credited(i) - o.received(i) + o.refunded(i, -1)
		fmt.Fprintln(&out, "document", i, hundredths(max(owed, 0)), hundredths(max(-owed, 0)), hundredths(held), hundredths(settled), status(o.received(i), open))
	}
	for i, n := range o.notes {
		var refunded int64
		for _, d := range n.docs {
			refunded += o.refunded(d, i)
		}
		fmt.Fprintln(&out, "note", i, hundredths(o.refundDue(i)), status(refunded, o.refundDue(i)))
	}
	for i := range o.receipts {
		fmt.Fprintln(&out, "receipt", i, hundredths(o.rest(i)))
	}
	sorted := []int{2, 0, 1} // KWD, SAR, USD
	for client := range 3 {
		for _, c := range sorted {
			owed, credit := o.aged(client, c, lastDay)
			if owed == [5]int64{} && credit == 0 {
				continue
			}
			fmt.Fprint(&out, "owed ", client, currencies[c])
			var total int64
			for _, amount := range owed {
				fmt.Fprint(&out, " ", hundredths(amount))
				total += amount
			}
			fmt.Fprintln(&out, "", hundredths(total), hundredths(credit))
		}
	}
	for client := range 3 {
		for _, c := range []int{2, 0, 1} {
			if o.moved(client, c, 120) {
				fmt.Fprintln(&out, "statement", client, currencies[c], hundredths(o.closing(client, c, 59)), hundredths(o.closing(client, c, 120)))
			}
		}
	}
	return out.String()
}

// moved reports whether a statement has an event up to a day.
func (o *oracle) moved(client, currency, day int) bool {
	for _, d := range o.docs {
		if d.client == client && d.currency == currency && !d.rejected && d.day <= day {
			return true
		}
	}
	for _, n := range o.notes {
		for _, d := range n.docs {
			if n.client == client && n.currency == currency && n.valid && !o.docs[d].rejected && n.day <= day {
				return true
			}
		}
	}
	for _, r := range o.receipts {
		if r.client == client && r.currency == currency && !r.kept && r.day <= day {
			return true
		}
	}
	for _, f := range o.refunds {
		if n := o.notes[f.note]; n.client == client && n.currency == currency && f.receipt < 0 && f.day <= day {
			return true
		}
	}
	return false
}

// checkInvariants checks what must hold for any documents and payments.
func (b *book) checkInvariants(t *testing.T, seed uint64) {
	t.Helper()
	for _, d := range b.docs {
		doc := b.document(d)
		if doc.Received.Sign() < 0 || doc.Refunded.Sign() < 0 {
			t.Fatalf("seed %d: a sum is negative: %+v", seed, doc)
		}
		if d.rejected {
			continue
		}
		if left, right := doc.Payable.Add(doc.Over()), money.Sum(doc.Received, doc.Credited, doc.Balance()).Sub(doc.Refunded); !left.Equal(right) {
			t.Fatalf("seed %d: payable and excess are %s, and received, credited and balance %s", seed, left, right)
		}
	}
	for _, r := range b.receipts {
		if rest := r.Rest(b.liveOf(r)); rest.Sign() < 0 {
			t.Fatalf("seed %d: the rest of a receipt is %s", seed, rest)
		}
	}
	ages, err := b.ageing(lastDay)
	if err != nil {
		t.Fatal(err)
	}
	owed := map[string]money.Decimal{}
	for _, row := range ages.Rows() {
		owed[row.Client.String()+row.Currency] = row.Total.Sub(row.Credit)
	}
	for client := range 3 {
		for _, s := range payment.Statements(b.events(clientID(client)), "", "") {
			if want := owed[clientID(client).String()+s.Currency]; !s.Closing.Equal(want) {
				t.Fatalf("seed %d: statement of client %d closes with %s %s, and the balances say %s", seed, client, s.Closing, s.Currency, want)
			}
			running := s.Opening
			for _, l := range s.Lines {
				running = running.Add(l.Debit).Sub(l.Credit)
				if !running.Equal(l.Balance) || l.Debit.Sign() < 0 || l.Credit.Sign() < 0 {
					t.Fatalf("seed %d: line %+v, want the balance %s", seed, l, running)
				}
			}
			if !running.Equal(s.Closing) || !s.Opening.IsZero() {
				t.Fatalf("seed %d: the lines add up to %s, and the statement closes with %s", seed, running, s.Closing)
			}
		}
	}
}
