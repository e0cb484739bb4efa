package payment_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/payment"
)

func d(text string) money.Decimal { return money.MustParse(text) }

func TestStanding(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name                string
		s                   payment.Standing
		balance, over, cred string
		status              ledger.Payment
	}{
		{"nothing received is Pending", payment.Standing{Payable: d("115")}, "115.00", "0.00", "0.00", ledger.Pending},
		{"a part is Partially Paid", payment.Standing{Payable: d("115"), Received: d("114.99")}, "0.01", "0.00", "0.00", ledger.PartiallyPaid},
		{"all is Paid", payment.Standing{Payable: d("115"), Received: d("115")}, "0.00", "0.00", "0.00", ledger.Paid},
		{"the rest settled by a credit note", payment.Standing{Payable: d("115"), Received: d("100"), Credited: d("15")}, "0.00", "0.00", "15.00", ledger.Paid},
		{"a credit note alone is no payment", payment.Standing{Payable: d("115"), Credited: d("115")}, "0.00", "0.00", "115.00", ledger.Pending},
		{"paid, then credited", payment.Standing{Payable: d("115"), Received: d("115"), Credited: d("20")}, "0.00", "20.00", "20.00", ledger.Paid},
		{"paid, credited and refunded", payment.Standing{Payable: d("115"), Received: d("115"), Credited: d("20"), Refunded: d("20")}, "0.00", "0.00", "20.00", ledger.Paid},
		{"refunded, and the note rejected", payment.Standing{Payable: d("115"), Received: d("115"), Refunded: d("20")}, "20.00", "0.00", "0.00", ledger.PartiallyPaid},
		{"credited beyond the payable amount, with an advance", payment.Standing{Payable: d("15"), Credited: d("115")}, "0.00", "100.00", "15.00", ledger.Pending},
		{"rejected, not paid", payment.Standing{Payable: d("115"), Rejected: true}, "0.00", "0.00", "0.00", ledger.Pending},
		{"rejected, a part received", payment.Standing{Payable: d("115"), Received: d("50"), Credited: d("10"), Rejected: true}, "0.00", "50.00", "0.00", ledger.PartiallyPaid},
		{"rejected, received", payment.Standing{Payable: d("115"), Received: d("115"), Rejected: true}, "0.00", "115.00", "0.00", ledger.Paid},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if b, o, k, s := c.s.Balance().Fixed2(), c.s.Over().Fixed2(), c.s.SettledByCredit().Fixed2(), c.s.Status(); b != c.balance || o != c.over || k != c.cred || s != c.status {
				t.Errorf("balance %s, over %s, settled by credit %s, %s; want %s, %s, %s, %s", b, o, k, s, c.balance, c.over, c.cred, c.status)
			}
		})
	}
}

func TestRefundsDue_LastNoteFirst(t *testing.T) {
	t.Parallel()
	first, last := clientID(1), clientID(2)
	s := payment.Standing{Payable: d("100"), Received: d("50"), Credited: d("80")}
	due, held := s.RefundsDue([]payment.Credit{{Note: first, Place: 1, Amount: d("60")}, {Note: last, Place: 2, Amount: d("20")}})
	if due[last].Fixed2() != "20.00" || due[first].Fixed2() != "10.00" || !held.IsZero() {
		t.Errorf("due %v, held %s; want 20 on the last note and 10 on the first", due, held)
	}
}

// invoiceOf returns an invoice of client 1 in SAR with a balance.
func invoiceOf(n int, balance string) payment.Document {
	return payment.Document{ID: clientID(10 + n), Number: "INV-" + balance, Client: clientID(1), Currency: "SAR", Due: days[n], Place: int64(n), Standing: payment.Standing{Payable: d(balance)}}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	changed := func(change func(*payment.Document)) payment.Document {
		doc := invoiceOf(1, "100")
		change(&doc)
		return doc
	}
	good := invoiceOf(1, "100")
	cases := []struct {
		name   string
		doc    payment.Document
		client uuid.UUID
		wish   string
		rest   string
		code   fault.Code
		path   string
	}{
		{"a part; the rest is credit", good, clientID(1), "60", "90.00", "", ""},
		{"the whole balance", good, clientID(1), "100", "50.00", "", ""},
		{"more than the balance", good, clientID(1), "100.01", "", fault.PaymentExceeds, "allocations.0.amount"},
		{"more than the receipt", invoiceOf(1, "200"), clientID(1), "150.01", "", fault.PaymentExceedsRest, "allocations.0.amount"},
		{"three places", good, clientID(1), "1.001", "", fault.ValidationFailed, "allocations.0.amount"},
		{"nothing", good, clientID(1), "0", "", fault.ValidationFailed, "allocations.0.amount"},
		{"negative", good, clientID(1), "-1", "", fault.ValidationFailed, "allocations.0.amount"},
		{"another currency", changed(func(d *payment.Document) { d.Currency = "USD" }), clientID(1), "60", "", fault.PaymentCurrency, "allocations.0.invoice"},
		{"another client", changed(func(d *payment.Document) { d.Client = clientID(2) }), clientID(1), "60", "", fault.PaymentClient, "allocations.0.invoice"},
		{"a credit note", changed(func(d *payment.Document) { d.CreditNote = true }), clientID(1), "60", "", fault.PaymentOnNote, "allocations.0.invoice"},
		{"rejected", changed(func(d *payment.Document) { d.Rejected = true }), clientID(1), "60", "", fault.PaymentOnRejected, "allocations.0.invoice"},
		{"a rest without a client", changed(func(d *payment.Document) { d.Client = uuid.Nil }), uuid.Nil, "60", "", fault.PaymentUnused, "amount"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := payment.Receipt{ID: clientID(9), Client: c.client, Currency: "SAR", Amount: d("150")}
			wishes := []payment.Wish{{Document: c.doc.ID, Amount: d(c.wish), Path: "allocations.0"}}
			rows, rest, err := r.Split(r.Amount, wishes, map[uuid.UUID]payment.Document{c.doc.ID: c.doc})
			if c.code != "" {
				checkRefusal(t, err, c.code, c.path)
				return
			}
			if err != nil || len(rows) != 1 || !rows[0].Amount.Equal(d(c.wish)) || rows[0].Receipt != r.ID || rest.Fixed2() != c.rest {
				t.Errorf("allocations %+v, rest %s, error %v; want %s and the rest %s", rows, rest, err, c.wish, c.rest)
			}
		})
	}
}

func checkRefusal(t *testing.T, err error, code fault.Code, path string) {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) || e.Code() != code {
		t.Fatalf("error %v, want the code %s", err, code)
	}
	got := e.Path
	if len(e.Problems) > 0 {
		got = e.Problems[0].Path
	}
	if got != path {
		t.Errorf("the error names the field %q, want %q", got, path)
	}
}

func TestSplit_UnknownAndRepeatedInvoices(t *testing.T) {
	t.Parallel()
	doc := invoiceOf(1, "100")
	r := payment.Receipt{Client: clientID(1), Currency: "SAR", Amount: d("150")}
	known := map[uuid.UUID]payment.Document{doc.ID: doc}
	_, _, err := r.Split(r.Amount, []payment.Wish{{Document: clientID(77), Amount: d("1"), Path: "allocations.0"}}, known)
	checkRefusal(t, err, fault.ValidationFailed, "allocations.0.invoice")
	_, _, err = r.Split(r.Amount, []payment.Wish{{Document: doc.ID, Amount: d("1")}, {Document: doc.ID, Amount: d("1")}}, known)
	checkRefusal(t, err, fault.ValidationFailed, "invoice")
}

func TestRefund(t *testing.T) {
	t.Parallel()
	// Two paid invoices of 100, both credited by the note: 30 and 20.
	original := func(n int, credited string) payment.Original {
		return payment.Original{
			ID: clientID(20 + n), Place: int64(n), Credits: []payment.Credit{{Note: clientID(30), Amount: d(credited)}},
			Standing: payment.Standing{Payable: d("100"), Received: d("100"), Credited: d(credited)},
		}
	}
	note := payment.Note{ID: clientID(30), Client: clientID(1), Currency: "SAR", Valid: true, Originals: []payment.Original{original(1, "30"), original(2, "20")}}
	if got := note.RefundDue().Fixed2(); got != "50.00" {
		t.Errorf("the refund due is %s, want 50.00", got)
	}
	parts, err := note.Refund(d("25"), false)
	want := []payment.Part{{Original: clientID(22), Amount: d("20")}, {Original: clientID(21), Amount: d("5")}}
	same := func(a, b payment.Part) bool { return a.Original == b.Original && a.Amount.Equal(b.Amount) }
	if err != nil || !slices.EqualFunc(parts, want, same) {
		t.Errorf("parts %v, error %v; want %v", parts, err, want)
	}
	_, err = note.Refund(d("50.01"), false)
	checkRefusal(t, err, fault.RefundExceeds, "amount")

	early := note
	early.Valid = false
	_, err = early.Refund(d("1"), false)
	checkRefusal(t, err, fault.RefundTooEarly, "")

	anonymous := note
	anonymous.Client = uuid.Nil
	_, err = anonymous.Refund(d("1"), true)
	checkRefusal(t, err, fault.PaymentUnused, "keep_as_credit")
	if _, err = anonymous.Refund(d("1"), false); err != nil {
		t.Errorf("refund in cash without a client: %v", err)
	}
}

func TestReverse_OnlyOnceAndOnlyPayments(t *testing.T) {
	t.Parallel()
	_, err := payment.Receipt{Kind: payment.Payment}.Reverse(true, nil)
	checkRefusal(t, err, fault.ReceiptReversed, "")
	_, err = payment.Receipt{Kind: payment.Reversal}.Reverse(false, nil)
	checkRefusal(t, err, fault.ReceiptReversed, "")
	_, err = payment.Receipt{Kind: payment.Kept}.Reverse(false, nil)
	checkRefusal(t, err, fault.ReceiptIsCredit, "")
	_, _, err = payment.Refund{Amount: d("1")}.Reverse(true, nil)
	checkRefusal(t, err, fault.RefundReversed, "")
	_, _, err = payment.Refund{Amount: d("-1")}.Reverse(false, nil)
	checkRefusal(t, err, fault.RefundReversed, "")
}

// TestReversalRestores records a payment or a refund after a random sequence and
// takes it back: every other amount must be as before.
func TestReversalRestores(t *testing.T) {
	t.Parallel()
	reversed := map[int]int{}
	for seed := range uint64(1_000) {
		r := rand.New(rand.NewPCG(seed, 5))
		b := &book{unit: d("0.01")}
		for _, s := range randomSteps(r) {
			b.apply(s)
		}
		before := withoutReceipts(b.amounts(t))
		attempts := []step{
			{op: opSpread, client: 1, amount: 20, day: 190, which: len(b.receipts)},
			{op: opRefund, amount: 1, which: r.IntN(4), day: 190},
			{op: opRefund, amount: 1, which: r.IntN(4), day: 190, flag: true},
		}
		for _, s := range attempts {
			back := step{op: opReverse, which: len(b.receipts), day: 190}
			if s.op == opRefund {
				back = step{op: opReverseRefund, which: len(b.refunds), day: 190}
			}
			if !b.apply(s) {
				continue
			}
			if !b.apply(back) {
				t.Fatalf("seed %d: %+v was not reversed", seed, s)
			}
			reversed[s.op]++
			if after := withoutReceipts(b.amounts(t)); after != before {
				t.Fatalf("seed %d: after a reversal of %+v\n%s\nwant\n%s", seed, s, after, before)
			}
		}
	}
	if reversed[opSpread] < 900 || reversed[opRefund] < 50 {
		t.Errorf("reversed %v, too few to prove anything", reversed)
	}
}

func withoutReceipts(amounts string) string {
	lines := strings.Split(amounts, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "receipt") }), "\n")
}

func TestAge(t *testing.T) {
	t.Parallel()
	const on = "2026-11-17"
	cases := map[string]payment.Bucket{
		"2026-11-18": payment.NotDue, on: payment.NotDue,
		"2026-11-16": payment.Days30, "2026-10-18": payment.Days30,
		"2026-10-17": payment.Days60, "2026-09-18": payment.Days60,
		"2026-09-17": payment.Days90, "2026-08-19": payment.Days90,
		"2026-08-18": payment.Older, "2020-02-29": payment.Older,
	}
	for due, want := range cases {
		if got, err := payment.Age(due, "2001-01-01", on); got != want || err != nil {
			t.Errorf("due on %s: %d, %v; want %d", due, got, err, want)
		}
		if got, err := payment.Age("", due, on); got != want || err != nil {
			t.Errorf("issued on %s without a due date: %d, %v; want %d", due, got, err, want)
		}
	}
	for _, wrong := range [][3]string{{"soon", "", on}, {"", "", on}, {on, on, "today"}} {
		if _, err := payment.Age(wrong[0], wrong[1], wrong[2]); err == nil {
			t.Errorf("the dates %q were accepted", wrong)
		}
	}
}

func TestCurrenciesNeverMix(t *testing.T) {
	t.Parallel()
	var a payment.Ageing
	var events []payment.Event
	for i, currency := range []string{"USD", "SAR", "USD", "KWD"} {
		amount := money.FromInt(int64(1) << (4 * i))
		a.Owe(clientID(1+i%2), currency, payment.Days60, amount)
		events = append(events, payment.Event{Entry: payment.Charged, Currency: currency, Date: days[i], Amount: amount})
	}
	var got []string
	for _, row := range a.Totals() {
		got = append(got, row.Currency+" "+row.Total.String()+" "+row.Owed[payment.Days60].String())
	}
	if want := []string{"KWD 4096 4096", "SAR 16 16", "USD 257 257"}; !slices.Equal(got, want) {
		t.Errorf("totals %q, want %q", got, want)
	}
	if rows := a.Rows(); len(rows) != 3 || rows[0].Currency != "USD" || rows[0].Total.String() != "257" {
		t.Errorf("rows %+v, want USD of the first client and two of the second", rows)
	}
	got = nil
	for _, s := range payment.Statements(events, "", "") {
		got = append(got, s.Currency+" "+s.Closing.String())
	}
	if want := []string{"KWD 4096", "SAR 16", "USD 257"}; !slices.Equal(got, want) {
		t.Errorf("statements %q, want %q", got, want)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	ten := d("10")
	good := payment.Receipt{Currency: "USD", Amount: d("12.50"), Details: payment.Details{SAR: &ten, Means: "10", Date: "2026-11-17", Note: " till 2\n"}}
	if ps := good.Check("2026-11-17"); len(ps) > 0 || good.Note != "till 2" {
		t.Errorf("problems %v, note %q; want none", ps, good.Note)
	}
	blank := payment.Receipt{Currency: "SAR", Amount: d("1"), Details: payment.Details{Means: "10", Date: "2026-11-17", Note: "\u200b"}}
	if ps := blank.Check("2026-11-17"); len(ps) > 0 || blank.Note != "" {
		t.Errorf("problems %v, note %q; want an empty note", ps, blank.Note)
	}
	cases := map[string]func(*payment.Receipt){
		"currency":                func(r *payment.Receipt) { r.Currency = "XXY" },
		"amount":                  func(r *payment.Receipt) { r.Amount = d("0.001") },
		"sar_received":            func(r *payment.Receipt) { r.Currency = "SAR" },
		"payment_means_type_code": func(r *payment.Receipt) { r.Means = "11" },
		"received_on":             func(r *payment.Receipt) { r.Date = "2026-11-18" },
		"note":                    func(r *payment.Receipt) { r.Note = strings.Repeat("ن", 1_001) },
	}
	for path, change := range cases {
		r := good
		change(&r)
		if ps := r.Check("2026-11-17"); len(ps) != 1 || ps[0].Path != path {
			t.Errorf("%s: problems %v, want one", path, ps)
		}
	}
	for _, change := range []func(*payment.Receipt){
		func(r *payment.Receipt) { r.Amount = d("10000000000000") },
		func(r *payment.Receipt) { r.Amount = d("-1") },
		func(r *payment.Receipt) { r.Date = "1999-12-31" },
		func(r *payment.Receipt) { r.Date = "2026-11-31" },
		func(r *payment.Receipt) { r.Note = "a\x00b" },
		func(r *payment.Receipt) { r.Note = "\xff" },
		func(r *payment.Receipt) { r.Note = "a\u202eb" },
		func(r *payment.Receipt) { zero := d("0"); r.SAR = &zero },
	} {
		r := good
		change(&r)
		if ps := r.Check("2026-11-17"); len(ps) != 1 {
			t.Errorf("%+v: problems %v, want one", r, ps)
		}
	}
	kept := payment.Refund{Currency: "SAR", Amount: d("1"), Kept: true, Details: payment.Details{Date: "2026-11-17"}}
	if ps := kept.Check("2026-11-17"); len(ps) > 0 {
		t.Errorf("a kept refund has the problems %v", ps)
	}
	kept.Means = "10"
	if ps := kept.Check("2026-11-17"); len(ps) != 1 || ps[0].Path != "payment_means_type_code" {
		t.Errorf("a kept refund with a payment means has the problems %v, want one", ps)
	}
	for reason, want := range map[string]int{" typed twice ": 0, " ": 1, "\u200b\n\u200f": 1, "a\x01": 1, "a\u2066b": 1, "شيك\u200f\nمرتجع": 0} {
		if ps := payment.CheckReason(&reason); len(ps) != want {
			t.Errorf("reason %q: problems %v, want %d", reason, ps, want)
		}
	}
}

// TestReverseRefund_TakesBackSpentCredit reverses a refund that the client kept
// as credit and spent on another invoice, whose balance is then open again.
func TestReverseRefund_TakesBackSpentCredit(t *testing.T) {
	t.Parallel()
	b := &book{unit: d("1")}
	for i, s := range []step{
		{op: opCharge, client: 1, amount: 100},
		{op: opSpread, client: 1, amount: 100},
		{op: opNote, docs: []int{0}, amounts: []int64{40}},
		{op: opRefund, amount: 40, flag: true},
		{op: opCharge, client: 1, amount: 30},
		{op: opAllocate, which: 1, docs: []int{1}, amounts: []int64{30}},
	} {
		if !b.apply(s) {
			t.Fatalf("step %d was refused", i)
		}
	}
	if doc := b.document(b.docs[1]); doc.Status() != ledger.Paid {
		t.Fatalf("the second invoice is %s, want Paid", doc.Status())
	}
	if !b.apply(step{op: opReverseRefund}) {
		t.Fatal("the refund was not reversed")
	}
	doc, note := b.document(b.docs[1]), b.noteOf(b.notes[0])
	if doc.Balance().Fixed2() != "30.00" || doc.Status() != ledger.Pending || note.RefundDue().Fixed2() != "40.00" {
		t.Errorf("balance %s, %s, refund due %s; want 30.00, Pending, 40.00", doc.Balance().Fixed2(), doc.Status(), note.RefundDue().Fixed2())
	}
}
