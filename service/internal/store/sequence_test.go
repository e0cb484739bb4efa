package store_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/payment"
	"khatm/service/internal/share"
	"khatm/service/internal/submit"
)

// sequence records random payments in the store and in the oracle.
type sequence struct {
	*seller
	r     *rand.Rand
	o     oracle
	unit  int64 // amounts are multiples of it, in hundredths
	mixed bool  // several clients and currencies
	// Client and currency of a sequence that is not mixed.
	client, currency int
	clients          [3]uuid.UUID
	// The ids of what the oracle knows by index.
	docs, notes, receipts, refunds []uuid.UUID
	trace                          strings.Builder
}

var currencies = []string{"SAR", "USD", "KWD"}

const (
	doCharge = iota
	doNote
	doAnswerNote
	doAnswer
	doPay
	doAllocate
	doRefund
	doReverse
	doReverseRefund
	doReplace
	doings
)

// TestSequencesEqualTheIndependentComputation records random sequences of invoices,
// debit notes, credit notes, verdicts, payments, splits, refunds, kept refunds,
// reversals and replacements in three currencies. Every balance, status, refund due,
// settled amount and credit must be the one that the oracle finds. The organisations
// of a run share one database.
func TestSequencesEqualTheIndependentComputation(t *testing.T) {
	sequences := testtool.Scale(8, 200, 5_000)
	each(t, func(t *testing.T, s *fixture) {
		var next atomic.Int64
		var accepted [doings]atomic.Int64
		var work sync.WaitGroup
		for worker := range 4 {
			work.Go(func() {
				var shop *seller
				for n := 0; ; n++ {
					seed := next.Add(1)
					if seed > int64(sequences) || t.Failed() {
						return
					}
					if n%100 == 0 {
						shop = s.seller(s.register(fmt.Sprint("worker", worker, "-", n)))
					}
					// A busy database may refuse a write. The sequence is then repeated
					// with new clients.
					var err error
					for range 10 {
						q := &sequence{seller: shop, r: rand.New(rand.NewPCG(uint64(seed), 7))}
						if err = q.run(&accepted, seed%25 == 0); fault.KindOf(err) != fault.Unavailable {
							break
						}
					}
					if err != nil {
						t.Errorf("seed %d: %v", seed, err)
						return
					}
				}
			})
		}
		work.Wait()
		if t.Failed() {
			return
		}
		var counts []int64
		for did := range doings {
			counts = append(counts, accepted[did].Load())
			if counts[did] < int64(sequences)/10 {
				t.Errorf("operation %d succeeded %d times, too few to prove anything", did, counts[did])
			}
		}
		t.Logf("%d sequences, accepted %v", sequences, counts)
	})
}

// run does the steps of a sequence and compares the result, or that of each step.
func (q *sequence) run(counts *[doings]atomic.Int64, often bool) error {
	if err := q.begin(); err != nil {
		return err
	}
	for i := range 5 + q.r.IntN(30) {
		did, accepted, err := q.step()
		if err == nil && often {
			err = q.compare()
		}
		if err != nil {
			return fmt.Errorf("step %d: %w\n%s", i, err, q.trace.String())
		}
		if accepted {
			counts[did].Add(1)
		}
	}
	if err := q.compare(); err != nil {
		return fmt.Errorf("%w\n%s", err, q.trace.String())
	}
	return nil
}

// begin adds the clients.
func (q *sequence) begin() error {
	q.unit = []int64{1, 1, 99, 100_003}[q.r.IntN(4)]
	q.client, q.currency, q.mixed = min(1, q.r.IntN(5)), q.r.IntN(3), q.r.IntN(3) == 0
	for n := range q.clients[1:] {
		c := sampleClient(q.s.config.NewID())
		if err := q.s.AddClient(q.s.ctx, q.by, c); err != nil {
			return err
		}
		q.clients[n+1] = c.ID
	}
	return nil
}

// some returns an amount.
func (q *sequence) some() int64 { return q.unit * (1 + q.r.Int64N(200)) }

// near returns an amount that is often n, and often a bit more or less.
func (q *sequence) near(n int64) int64 {
	switch {
	case n <= 0:
		return q.some()
	case q.r.IntN(3) == 0:
		return n
	case q.r.IntN(8) == 0:
		return n + 1
	}
	return 1 + q.r.Int64N(n)
}

// step does something. It reports what, whether it was accepted, and an error if the
// store and the oracle do not agree about that.
func (q *sequence) step() (did int, accepted bool, err error) {
	weights := [doings]int{doCharge: 2, doNote: 5, doAnswerNote: 3, doAnswer: 2, doPay: 7, doAllocate: 4, doRefund: 6, doReverse: 1, doReverseRefund: 3, doReplace: 3}
	var choice []int
	for did, n := range weights {
		for range n {
			choice = append(choice, did)
		}
	}
	did = choice[q.r.IntN(len(choice))]
	switch {
	case len(q.docs) < 2:
		did = doCharge
	case did == doRefund && len(q.notes) == 0:
		did = doNote
	case did == doReverseRefund && len(q.refunds) == 0, (did == doAllocate || did == doReverse) && len(q.receipts) == 0:
		did = doPay
	}
	want, do := q.plan(did)
	fmt.Fprintln(&q.trace, did, want)
	if do == nil {
		return did, false, nil
	}
	if err = do(); (err == nil) != want {
		return did, want, fmt.Errorf("the store answers %w, and the oracle accepts it: %t", err, want)
	}
	return did, want, nil
}

// plan applies something to the oracle. It returns whether that accepts it, and a
// function that does the same in the store; nil if nothing can be done.
func (q *sequence) plan(did int) (bool, func() error) {
	switch did {
	case doCharge:
		return q.charge()
	case doNote:
		return q.note()
	case doAnswerNote, doAnswer:
		return q.answer(did == doAnswerNote)
	case doPay:
		return q.pay()
	case doAllocate:
		which := q.r.IntN(len(q.receipts))
		for n := range q.receipts { // rather one with a rest
			if q.o.rest(which) == 0 {
				which = n
			}
		}
		r := q.o.receipts[which]
		parts := q.parts(r.client, r.currency, q.o.rest(which))
		if len(parts) == 0 {
			return false, nil
		}
		return q.o.payMore(which, parts), func() error {
			_, err := q.s.Allocate(q.s.ctx, q.by, q.receipts[which], q.wishes(parts))
			return err
		}
	case doRefund:
		return q.refund()
	case doReverse:
		which := q.r.IntN(len(q.receipts))
		return q.o.reverse(which), func() error {
			_, err := q.s.ReverseReceipt(q.s.ctx, q.by, q.receipts[which], "bounced")
			return err
		}
	case doReverseRefund:
		which := q.r.IntN(len(q.refunds))
		for n, f := range q.o.refunds {
			if q.o.refunds[which].dead && !f.dead {
				which = n
			}
		}
		return q.o.reverseRefund(which), func() error {
			_, err := q.s.ReverseRefund(q.s.ctx, q.by, q.refunds[which], "typed twice")
			return err
		}
	}
	return q.replace()
}

func (q *sequence) charge() (bool, func() error) {
	d := oDoc{client: q.client, currency: q.currency, payable: q.some()}
	if q.mixed {
		d.client, d.currency = q.r.IntN(3), q.r.IntN(3)
	}
	if d.total = d.payable; q.r.IntN(4) == 0 {
		d.total += q.some() // paid by an advance
	}
	kind := []invoice.Kind{invoice.TaxInvoice, invoice.TaxInvoice, invoice.DebitNote, invoice.AdvancePayment}[q.r.IntN(4)]
	paid := q.r.IntN(5) == 0
	q.o.docs = append(q.o.docs, d)
	if paid {
		q.o.settle()
	}
	return true, func() error { return q.issues(d, kind, paid, uuid.Nil) }
}

// issues writes the last document of the oracle. If it is paid on issue or corrects
// a rejected one, it is issued from a draft.
func (q *sequence) issues(d oDoc, kind invoice.Kind, paid bool, rejected uuid.UUID) error {
	var draft share.Draft
	if rejected != uuid.Nil {
		draft = sampleDraft(q.s.config.NewID())
		draft.Corrects = &rejected
		if err := q.s.AddDraft(q.s.ctx, q.by, draft); err != nil {
			return err
		}
	}
	written, err := q.append(func(e *issue.Entry) {
		e.Invoice.Kind, e.Invoice.Payment, e.Draft, e.Paid = kind, ledger.Pending, draft.ID, paid
		if paid && draft.ID == uuid.Nil {
			e.Draft = q.s.config.NewID()
		}
		q.bill(e, d.client, d.currency, d.payable)
	})
	if err != nil {
		return err
	}
	id := written[0].Invoice.ID
	q.docs = append(q.docs, id)
	if len(q.o.receipts) > len(q.receipts) {
		found := q.s.texts(`SELECT CAST(receipt_id AS TEXT) FROM allocation WHERE org_id = $1 AND invoice_id = $2 AND cause = 'payment'`, q.by.Tenant.ID().String(), id.String())
		if len(found) != 1 {
			return fmt.Errorf("receipts on issue: %v, want one", found)
		}
		q.receipts = append(q.receipts, uuid.MustParse(found[0]))
	}
	if rejected == uuid.Nil {
		return nil
	}
	_, err = q.s.ChangeDraft(q.s.ctx, q.by, draft.ID, func(f *share.Folder) error { f.Invoice = &id; return nil })
	return err
}

// bill sets the client, currency and amount of a document.
func (q *sequence) bill(e *issue.Entry, client, currency int, payable int64) {
	shop := till{q.seller, q.clients[client]}
	shop.toClient(e)
	e.Invoice.Record.Currency, e.Invoice.Record.Totals.Payable = currencies[currency], decimalOf(inText(payable))
}

func (q *sequence) note() (bool, func() error) {
	n := oNote{simplified: q.r.IntN(2) == 0}
	var sum int64
	for _, d := range q.r.Perm(len(q.docs))[:min(len(q.docs), 1+q.r.IntN(3))] {
		doc, left := q.o.docs[d], q.o.left(d)
		if len(n.docs) == 0 {
			n.client, n.currency = doc.client, doc.currency
		}
		if doc.rejected || left <= 0 || doc.client != n.client || doc.currency != n.currency {
			continue
		}
		amount := min(left, q.near(left))
		n.docs, n.amounts, sum = append(n.docs, d), append(n.amounts, amount), sum+amount
	}
	if len(n.docs) == 0 {
		return false, nil
	}
	q.o.notes = append(q.o.notes, n)
	return true, func() error {
		written, err := q.append(func(e *issue.Entry) {
			e.Invoice.Kind, e.Invoice.Transaction, e.Invoice.Payment = invoice.CreditNote, invoice.Transaction{Simplified: n.simplified}, ledger.Pending
			q.bill(e, n.client, n.currency, sum)
			for i, d := range n.docs {
				e.Credits = append(e.Credits, issue.Credit{Original: q.docs[d], Amount: decimalOf(inText(n.amounts[i]))})
			}
		})
		if err == nil {
			q.notes = append(q.notes, written[0].Invoice.ID)
		}
		return err
	}
}

// answer records a verdict on a document or note without one.
func (q *sequence) answer(onNote bool) (bool, func() error) {
	var waiting []int
	for i, d := range q.o.docs {
		if !onNote && !d.answered {
			waiting = append(waiting, i)
		}
	}
	for i, n := range q.o.notes {
		if onNote && !n.answered {
			waiting = append(waiting, i)
		}
	}
	if len(waiting) == 0 {
		return false, nil
	}
	which := waiting[q.r.IntN(len(waiting))]
	status := []ledger.Status{ledger.NotCleared, ledger.Cleared, ledger.Cleared}[q.r.IntN(3)]
	if onNote {
		q.o.notes[which].answered, q.o.notes[which].rejected = true, status == ledger.NotCleared
		return true, func() error { return q.verdict(q.notes[which], status) }
	}
	if q.r.IntN(2) == 0 {
		status = ledger.NotCleared // often, so that there is something to replace
	}
	q.o.docs[which].answered, q.o.docs[which].rejected = true, status == ledger.NotCleared
	return true, func() error { return q.verdict(q.docs[which], status) }
}

// verdict is fixture.Answer without its searches, which read the whole table.
func (q *sequence) verdict(id uuid.UUID, status ledger.Status) error {
	at, of := instantOf(40), q.by.Tenant
	q.execute(`UPDATE submission SET state = 'sending', attempts = 1, lease_until = $3, due_at = NULL, stopped = '' WHERE org_id = $1 AND invoice_id = $2`,
		of.ID().String(), id.String(), at.UnixMilli())
	q.execute(`INSERT INTO attempt (org_id, invoice_id, number, route, worker, claimed_at, sent, took, cause) VALUES ($1, $2, 1, 'clearance', 'test', $3, 0, 0, '')`,
		of.ID().String(), id.String(), at.UnixMilli())
	outcome := outcomes[status]
	result := submit.Result{
		Invoice: id, Attempt: 1, ClaimedAt: at, At: at, Route: ledger.ByClearance, Due: at,
		Event: ledger.OutcomeEvent(outcome), Verdict: ledger.Verdict{Outcome: outcome, Code: 200, Sent: true, Raw: []byte("{}")},
		Answer: &ledger.Answer{Status: status, Code: 200, Route: ledger.ByClearance, Attempt: 1, Result: "PASS", At: at, Stamped: []byte("<stamped/>")},
	}
	if outcome == ledger.Rejected {
		result.Answer.Code, result.Answer.Result, result.Answer.Stamped = 400, "ERROR", nil
	}
	recorded, err := q.s.Record(q.s.ctx, of, []submit.Result{result})
	if err == nil && !recorded[0].Taken {
		err = fmt.Errorf("the answer %s was not recorded", status)
	}
	return err
}

// execute runs a statement on the direct connection, for which SQLite may be busy.
func (q *sequence) execute(statement string, args ...any) {
	q.s.t.Helper()
	var err error
	for range 10 {
		if _, err = q.s.raw.Exec(statement, args...); err == nil || !strings.Contains(err.Error(), "SQLITE_BUSY") {
			break
		}
	}
	ok(q.s.t, err)
}

// parts returns parts for a receipt, most of which can pay its documents.
func (q *sequence) parts(client, currency int, rest int64) (parts []part) {
	most := q.r.IntN(4)
	for _, d := range q.r.Perm(len(q.docs)) {
		doc := q.o.docs[d]
		wrong := doc.client != client || doc.currency != currency || doc.rejected || q.o.owed(d) <= 0
		if len(parts) == most || wrong && q.r.IntN(12) > 0 {
			continue
		}
		amount := q.near(max(0, min(q.o.owed(d), rest)))
		parts, rest = append(parts, part{d, amount}), rest-amount
	}
	return parts
}

func (q *sequence) wishes(parts []part) (wishes []payment.Wish) {
	for _, p := range parts {
		wishes = append(wishes, payment.Wish{Document: q.docs[p.doc], Amount: decimalOf(inText(p.amount))})
	}
	return wishes
}

func (q *sequence) pay() (bool, func() error) {
	d := q.o.docs[q.r.IntN(len(q.o.docs))]
	amount := q.some()
	parts := q.parts(d.client, d.currency, amount)
	if d.client == 0 || q.r.IntN(3) == 0 { // exactly what the parts need
		var sum int64
		for _, p := range parts {
			sum += p.amount
		}
		if sum > 0 {
			amount = sum
		}
	}
	accepted := q.o.pay(d.client, d.currency, amount, parts)
	return accepted, func() error {
		r := payment.Receipt{
			ID: q.s.config.NewID(), Client: q.clients[d.client], Currency: currencies[d.currency], Amount: decimalOf(inText(amount)),
			Details: payment.Details{Means: "48", Date: "2026-11-14"},
		}
		_, err := q.s.AddReceipt(q.s.ctx, q.by, r, q.wishes(parts), payment.Request{})
		if err == nil {
			q.receipts = append(q.receipts, r.ID)
		}
		return err
	}
}

func (q *sequence) refund() (bool, func() error) {
	which := q.r.IntN(len(q.notes))
	for n := range q.notes { // rather one on which something is due
		if q.o.refundDue(which) == 0 {
			which = n
		}
	}
	amount, kept := q.near(q.o.refundDue(which)), q.r.IntN(3) == 0
	accepted := q.o.refund(which, amount, kept)
	return accepted, func() error {
		f := payment.Refund{ID: q.s.config.NewID(), Note: q.notes[which], Amount: decimalOf(inText(amount)), Kept: kept, Details: payment.Details{Means: "10", Date: "2026-11-14"}}
		recorded, err := q.s.AddRefund(q.s.ctx, q.by, f, payment.Request{})
		if err == nil {
			q.refunds = append(q.refunds, f.ID)
		}
		if err == nil && kept {
			q.receipts = append(q.receipts, recorded.Receipt)
		}
		return err
	}
}

func (q *sequence) replace() (bool, func() error) {
	var rejected []int
	for i, d := range q.o.docs {
		if d.rejected && !d.replaced {
			rejected = append(rejected, i)
		}
	}
	if len(rejected) == 0 {
		return q.answer(false)
	}
	from := rejected[q.r.IntN(len(rejected))]
	old := q.o.docs[from]
	d := oDoc{client: old.client, currency: old.currency, payable: q.near(old.payable)}
	d.total = d.payable
	switch q.r.IntN(10) {
	case 0:
		d.client = q.r.IntN(3)
	case 1:
		d.currency = q.r.IntN(3)
	}
	paid := q.r.IntN(4) == 0
	q.o.replace(from, d)
	if paid {
		q.o.settle()
	}
	return true, func() error { return q.issues(d, invoice.TaxInvoice, paid, q.docs[from]) }
}
