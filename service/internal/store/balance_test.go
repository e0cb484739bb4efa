package store_test

import (
	"io/fs"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/ledger"
	"khatm/service/internal/payment"
)

// settled checks settled_by_credit.
func (t *till) settled(id uuid.UUID, want string) {
	t.s.t.Helper()
	i, err := t.s.Invoice(t.s.ctx, t.by.Tenant, id)
	ok(t.s.t, err)
	if got := payment.Of(i).SettledByCredit.Fixed2(); got != want {
		t.s.t.Errorf("%s is settled by credit, want %s", got, want)
	}
}

// TestCreditNote_ReducesTheBalanceOnceValid uses a standard note, which counts once
// it is cleared, and a simplified one, which counts from its issue.
func TestCreditNote_ReducesTheBalanceOnceValid(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		id := shop.sells("115")
		shop.owes(id, "115.00", "0.00", ledger.Pending)
		s.pays(shop.client, id, "60")
		standard := shop.credits(id, "15", false)
		shop.owes(id, "55.00", "0.00", ledger.PartiallyPaid)
		shop.settled(id, "0.00")
		ok(t, s.Answer(s.ctx, s.by.Tenant, standard, ledger.Cleared, instantOf(40)))
		shop.owes(id, "40.00", "0.00", ledger.PartiallyPaid)
		shop.settled(id, "15.00")

		simplified := shop.credits(id, "50", true)
		shop.owes(id, "0.00", "0.00", ledger.Paid)
		shop.settled(id, "65.00")
		shop.owes(simplified, "0.00", "10.00", ledger.Pending)
		shop.owes(standard, "0.00", "0.00", ledger.Pending)
		ok(t, s.Answer(s.ctx, s.by.Tenant, simplified, ledger.Reported, instantOf(41)))
		shop.owes(simplified, "0.00", "10.00", ledger.Pending)
		shop.owes(id, "0.00", "0.00", ledger.Paid)
	})
}

func TestRejectedCreditNote_GivesTheBalanceBack(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		id := shop.sells("115")
		s.pays(shop.client, id, "100")
		simplified, standard := shop.credits(id, "15", true), shop.credits(id, "5", false)
		shop.owes(id, "0.00", "0.00", ledger.Paid)
		ok(t, s.Answer(s.ctx, s.by.Tenant, simplified, ledger.NotReported, instantOf(40)))
		ok(t, s.Answer(s.ctx, s.by.Tenant, standard, ledger.NotCleared, instantOf(41)))
		shop.owes(id, "15.00", "0.00", ledger.PartiallyPaid)
		shop.settled(id, "0.00")
		shop.owes(simplified, "0.00", "0.00", ledger.Pending)
	})
}

// TestCreditNote_SettlesWithoutPayment leaves a fully credited invoice Pending: a
// credit note is not a payment.
func TestCreditNote_SettlesWithoutPayment(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		id := shop.sells("115")
		shop.credits(id, "115", true)
		shop.owes(id, "0.00", "0.00", ledger.Pending)
		shop.settled(id, "115.00")
	})
}

// TestRejectedOriginal_DemandsNothing keeps the payment and its status, and ends the
// refund that was due on a note.
func TestRejectedOriginal_DemandsNothing(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		id := shop.sells("100")
		s.pays(shop.client, id, "90")
		note := shop.credits(id, "30", true)
		shop.owes(note, "0.00", "20.00", ledger.Pending)
		ok(t, s.Answer(s.ctx, s.by.Tenant, id, ledger.NotCleared, instantOf(40)))
		shop.owes(id, "0.00", "0.00", ledger.Paid)
		shop.owes(note, "0.00", "0.00", ledger.Pending)
		shop.settled(id, "0.00")
	})
}

// TestVerdict_DoesNotChangeThePaymentStatus answers invoices with all statuses.
func TestVerdict_DoesNotChangeThePaymentStatus(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		for _, status := range []ledger.Status{ledger.NoResponse, ledger.Cleared, ledger.Reported, ledger.NotCleared, ledger.NotReported} {
			for paid, want := range map[string]ledger.Payment{"": ledger.Pending, "40": ledger.PartiallyPaid, "100": ledger.Paid} {
				id := shop.sells("100")
				if paid != "" {
					s.pays(shop.client, id, paid)
				}
				ok(t, s.Answer(s.ctx, s.by.Tenant, id, status, instantOf(40)))
				i, err := s.Invoice(s.ctx, s.by.Tenant, id)
				ok(t, err)
				if i.Payment != want {
					t.Errorf("%s paid, then %q: %s, want %s", paid, status, i.Payment, want)
				}
			}
		}
	})
}

// TestNote_IsRestatedWhenThePaymentIsReversed takes back the payment that was partly
// refunded: nothing more is due on the note.
func TestNote_IsRestatedWhenThePaymentIsReversed(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		id := shop.sells("100")
		r := s.pays(shop.client, id, "100")
		note := shop.credits(id, "30", true)
		f := sampleRefund(s.config.NewID(), note)
		f.Amount = decimalOf("10")
		_, err := s.AddRefund(s.ctx, s.by, f, payment.Request{})
		ok(t, err)
		shop.owes(note, "0.00", "20.00", ledger.PartiallyPaid)
		_, err = s.ReverseReceipt(s.ctx, s.by, r.ID, "bounced")
		ok(t, err)
		shop.owes(id, "80.00", "0.00", ledger.Pending)
		shop.owes(note, "0.00", "0.00", ledger.Paid)
	})
}

// TestPayments_ConcurrentWithVerdictsOnNotes pays an invoice while credit notes on it
// are accepted and rejected.
func TestPayments_ConcurrentWithVerdictsOnNotes(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		id := shop.sells("100")
		notes := []uuid.UUID{shop.credits(id, "10", false), shop.credits(id, "5", false), shop.credits(id, "7", true)}
		var work sync.WaitGroup
		for n, status := range []ledger.Status{ledger.Cleared, ledger.NotCleared, ledger.NotReported} {
			work.Go(func() { ok(t, s.Answer(s.ctx, s.by.Tenant, notes[n], status, instantOf(40))) })
		}
		for range 10 {
			work.Go(func() { s.pays(shop.client, id, "4") })
		}
		work.Wait()
		shop.owes(id, "50.00", "0.00", ledger.PartiallyPaid)
		shop.settled(id, "10.00")
	})
}

// TestMigrateOldCredits computes the sums of documents from before payments.
func TestMigrateOldCredits(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.till()
		id, prepaid := shop.sells("100"), shop.sells("20")
		shop.credits(id, "7", false)
		ok(t, s.Answer(s.ctx, s.by.Tenant, shop.credits(id, "5", false), ledger.Cleared, instantOf(40)))
		ok(t, s.Answer(s.ctx, s.by.Tenant, shop.credits(id, "3", true), ledger.NotReported, instantOf(40)))
		notes := []uuid.UUID{shop.credits(id, "10", true), shop.credits(prepaid, "15", true), shop.credits(prepaid, "25", true), shop.credits(prepaid, "2", true)}
		read := func() (all []ledger.Sums) {
			for _, one := range append(notes, id, prepaid) {
				i, err := s.Invoice(s.ctx, s.by.Tenant, one)
				ok(t, err)
				all = append(all, i.Sums)
			}
			return all
		}
		want := read()
		if want[2].RefundDue.Fixed2() != "20.00" || want[3].RefundDue.Fixed2() != "2.00" || want[4].Credited.Fixed2() != "15.00" {
			t.Fatalf("sums %+v, want refunds of 20 and 2, and a credit of 15", want)
		}
		s.execute(`UPDATE invoice SET credited = 0, refund_due = 0`)
		for _, statement := range s.migration("_invoice_sums.sql") {
			if strings.HasPrefix(statement, "UPDATE") {
				s.execute(statement)
			}
		}
		same(t, want)(read(), nil)
	})
}

// migration returns the statements of a migration without comments.
func (s *fixture) migration(suffix string) []string {
	s.t.Helper()
	engine := "sqlite"
	if s.config.URL != "" {
		engine = "postgres"
	}
	names, err := fs.Glob(database.Migrations(), "migrations/"+engine+"/*"+suffix)
	ok(s.t, err)
	text, err := fs.ReadFile(database.Migrations(), names[0])
	ok(s.t, err)
	var statements []string
	for one := range strings.SplitSeq(regexp.MustCompile(`(?m)^--.*$`).ReplaceAllString(string(text), ""), ";\n") {
		statements = append(statements, strings.TrimSpace(one))
	}
	return statements
}
