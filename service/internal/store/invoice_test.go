package store_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
)

func TestInvoiceIsReadAsItWasWritten(t *testing.T) {
	cases := []struct {
		name   string
		change func(*issue.Entry)
	}{
		{"every field", asIs},
		{"no idempotency key", func(e *issue.Entry) { e.Invoice.IdempotencyKey = "" }},
		{"no buyer", func(e *issue.Entry) { e.Invoice.Record.Buyer = nil }},
		{"queued", func(e *issue.Entry) { e.Invoice.Held = false }},
		{"empty record", func(e *issue.Entry) { e.Invoice.Record = ledger.Record{Currency: "SAR"} }},
		{"empty lists", func(e *issue.Entry) {
			e.Invoice.Record.Notes, e.Invoice.Record.Lines = []ledger.Note{}, []ledger.Line{}
		}},
		{"simplified", func(e *issue.Entry) { e.Invoice.Transaction = invoice.Transaction{Simplified: true} }},
		{"standard", func(e *issue.Entry) { e.Invoice.Transaction = invoice.Transaction{} }},
		{"credit note", func(e *issue.Entry) { e.Invoice.Kind = invoice.CreditNote }},
		{"binary XML", func(e *issue.Entry) { e.XML = []byte{0, 0xff, 0xfe, '\''} }},
	}
	each(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				written, err := seller.append(c.change)
				ok(t, err)
				want := written[0]
				same(t, want.Invoice)(s.Invoice(s.ctx, s.by.Tenant, want.Invoice.ID))
				same(t, want.XML)(s.SignedXML(s.ctx, s.by.Tenant, want.Invoice.ID))
				deadline := s.count(`SELECT deadline FROM submission WHERE invoice_id = $1`, want.Invoice.ID.String())
				if want := want.Invoice.Deadline().UnixMilli(); int64(deadline) != want {
					t.Errorf("deadline of the submission = %d, want %d", deadline, want)
				}
			})
		}
	})
}

// An answered invoice, in which every field is set, is read as it was written.
func TestInvoiceIsReadWithItsAnswer(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		want := s.seller(s.by).answered(ledger.Cleared)
		answered, submitted := instantOf(40), instantOf(39)
		want.Status, want.Code, want.SubmittedAt, want.AnsweredAt = ledger.Cleared, 202, &submitted, &answered
		s.withoutTrigger(t, "submission_ends_once", "submission", `UPDATE submission SET state = 'held'`)
		s.withoutTrigger(t, "invoice_answer_is_final", "invoice", `UPDATE invoice SET submitted_at = `+strconv.FormatInt(submitted.UnixMilli(), 10))
		s.withoutTrigger(t, "invoice_is_final", "invoice", `UPDATE invoice SET code = 202`)
		s.execute(`UPDATE invoice SET received = 101, credited = 250, refunded = 3, refund_due = 40005`)
		want.Sums = ledger.Sums{Received: decimalOf("1.01"), Credited: decimalOf("2.50"), Refunded: decimalOf("0.03"), RefundDue: decimalOf("400.05")}
		s.digestAnew(want.ID)
		filled(t, withDamage(want))
		filled(t, want.Sums)
		filled(t, want.Record)
		filled(t, *want.Record.Buyer)
		filled(t, want.Record.Lines[0])
		filled(t, want.Record.Device)
		filled(t, want.Record.Totals)
		same(t, want)(s.Invoice(s.ctx, s.by.Tenant, want.ID))
		same(t, org.List[ledger.Invoice]{Rows: []ledger.Invoice{want}, Total: 1})(s.Invoices(s.ctx, s.by.Tenant, ledger.Filter{}, org.Page{Size: 9, Number: 1}))
	})
}

// withDamage returns an invoice with the field Damage set, which only damaged
// invoices have.
func withDamage(i ledger.Invoice) ledger.Invoice {
	i.Damage = &ledger.Damage{}
	return i
}

// digestAnew recomputes the digest of an invoice's answer after a test has
// changed it.
func (s *fixture) digestAnew(id uuid.UUID) {
	s.t.Helper()
	digest, err := store.AnswerDigest(s.ctx, s.Store, s.by.Tenant, id)
	ok(s.t, err)
	trigger := "invoice_answer_digest_is_final"
	if s.config.URL != "" {
		trigger += " ON invoice"
	}
	s.execute(`DROP TRIGGER ` + trigger)
	s.execute(`UPDATE invoice SET answer_digest = $1 WHERE id = $2`, digest, id.String())
}

// withoutTrigger drops a trigger and runs a statement that it would refuse.
func (s *fixture) withoutTrigger(t *testing.T, trigger, table, statement string) {
	t.Helper()
	if s.config.URL != "" {
		trigger += ` ON ` + table
	}
	s.execute(`DROP TRIGGER ` + trigger)
	s.execute(statement)
}

func TestInvoiceOfAnotherIsNotFound(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		s.seller(s.by).issue(asIs)
		foreign := s.seller(s.other).issue(asIs)
		before := s.contents()
		for name, id := range map[string]uuid.UUID{"unknown id": s.config.NewID(), "invoice of another organisation": foreign.ID, "zero id": uuid.Nil} {
			t.Run(name, func(t *testing.T) {
				_, err := s.Invoice(s.ctx, s.by.Tenant, id)
				refused(t, err, fault.NotFound, "Invoice not found")
				_, err = s.SignedXML(s.ctx, s.by.Tenant, id)
				refused(t, err, fault.NotFound, "Invoice not found")
				refused(t, s.Answer(s.ctx, s.by.Tenant, id, ledger.Cleared, noon()), fault.NotFound, "Invoice not found")
			})
		}
		same(t, before)(s.contents(), nil)
	})
}

// An invoice is returned with its link until the link expires or is revoked.
func TestInvoiceWithoutValidLink(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		ended := seller.issue(func(e *issue.Entry) { e.Invoice.Share.Expires = s.config.Now() })
		revoked := seller.issue(asIs)
		s.execute(`UPDATE share SET revoked = 1 WHERE invoice_id = $1`, revoked.ID.String())
		last := seller.issue(func(e *issue.Entry) { e.Invoice.Share.Expires = s.config.Now().Add(time.Millisecond) })
		ended.Share, revoked.Share = ledger.Share{}, ledger.Share{}
		for _, want := range []ledger.Invoice{ended, revoked, last} {
			same(t, want)(s.Invoice(s.ctx, s.by.Tenant, want.ID))
		}
	})
}

// VAT is stored by category, in the document's currency and in riyals.
func TestInvoiceVATRows(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		s.seller(s.by).issue(asIs)
		const query = `
			SELECT position || ' ' || category || ' ' || rate || ' ' || reason_code || ' ' || taxable || ' ' || vat || ' ' || taxable_sar || ' ' || vat_sar
			FROM vat_row
			ORDER BY position`
		want := []string{"1 S 15  100.10 15.02 412.75 61.93", "2 Z 0 VATEX-SA-32 7.77 0.00 32.04 0.00"}
		same(t, want)(s.texts(query), nil)
	})
}

// A status can change until it is final. The stored counts change with it.
func TestAnswers(t *testing.T) {
	statuses := []ledger.Status{ledger.NoResponse, ledger.Cleared, ledger.Reported, ledger.NotCleared, ledger.NotReported}
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		s.seller(s.other).answered(ledger.Reported)
		for _, first := range statuses {
			for _, second := range statuses {
				i := seller.answered(first)
				err := s.Answer(s.ctx, s.by.Tenant, i.ID, second, instantOf(50))
				want, at := second, instantOf(50)
				switch {
				case first.Final() && first == second:
					ok(t, err)
					at = instantOf(40) // the first answer is kept
				case first.Final():
					refused(t, err, fault.Conflict, "The authority has answered this invoice.")
					want, at = first, instantOf(40)
				default:
					ok(t, err)
				}
				got, err := s.Invoice(s.ctx, s.by.Tenant, i.ID)
				if err != nil || got.Status != want || (got.AnsweredAt != nil) != want.Final() || want.Final() && !got.AnsweredAt.Equal(at) {
					t.Errorf("answer %q after %q: status = %q at %s, %v, want %q", second, first, got.Status, got.AnsweredAt, err, want)
				}
			}
		}
		seller.issue(asIs)
		s.talliedStatuses(slices.Concat(statuses, []ledger.Status{ledger.Unanswered}))
		if err := s.Answer(s.ctx, s.by.Tenant, seller.issue(asIs).ID, "CLEAR", noon()); !isRefusal(err) {
			t.Errorf("answer with an unknown status: %v, want a refusal", err)
		}
		s.talliedStatuses(statuses)
	})
}

// talliedStatuses checks that the stored counts by status match the rows.
func (s *fixture) talliedStatuses(statuses []ledger.Status) {
	s.t.Helper()
	s.tallied()
	for _, status := range statuses {
		const rows = `SELECT count(*) FROM invoice WHERE org_id = $1 AND coalesce(status, '') = $2`
		of := s.by.Tenant
		want := s.count(rows, of.ID().String(), string(status))
		list, err := s.Invoices(s.ctx, of, ledger.Filter{Statuses: []ledger.Status{status, status}}, org.Page{Size: 1, Number: 1})
		if err != nil || list.Total != want || want == 0 {
			s.t.Errorf("total of invoices with status %q = %d, %v, want %d", status, list.Total, err, want)
		}
	}
}
