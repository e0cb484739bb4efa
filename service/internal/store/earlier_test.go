package store_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/intake"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
)

// overtaken is a store in which another request registers the same invoices after
// this one has seen that they are missing.
type overtaken struct {
	*store.Store
	by   org.Actor
	seen int // calls of Earlier
}

// Earlier returns registered invoices, and registers one of the missing ones
// afterwards.
func (s *overtaken) Earlier(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]issue.Earlier, error) {
	known, err := s.Store.Earlier(ctx, of, ids)
	if s.seen++; err != nil || s.seen > 1 {
		return known, err
	}
	other := earlierRows(1)
	_, err = intake.RegisterInvoices(ctx, s.Store, s.by, strings.NewReader(other), int64(len(other)), intake.InvoiceOptions{}, instantOf(9))
	return known, err
}

// earlierRows returns a file with n invoices.
func earlierRows(n int) string {
	file := "number,issue_date,simplified,vat_category_code,vat_rate,taxable_amount,vat_amount\n"
	for i := range n {
		file += "OLD-" + string(rune('A'+i)) + ",2020-12-31,simplified,S,15,100,15\n"
	}
	return file
}

// Two requests with the same file both succeed and register each invoice once.
func TestFileOfEarlierInvoicesIsSentTwiceAtOnce(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		file, in := earlierRows(3), &overtaken{Store: s.Store, by: s.by}
		done, err := intake.RegisterInvoices(s.ctx, in, s.by, strings.NewReader(file), int64(len(file)), intake.InvoiceOptions{}, instantOf(9))
		ok(t, err)
		var fates []intake.Fate
		for _, r := range done.Rows {
			fates = append(fates, r.Fate)
		}
		same(t, []intake.Fate{intake.Unchanged, intake.Create, intake.Create})(fates, nil)
		same(t, 2)(done.Invoices, nil)
		same(t, 3)(s.count(`SELECT count(*) FROM earlier_invoice`), nil)
		same(t, 3)(s.count(`SELECT count(*) FROM event WHERE action = 'earlier.create'`), nil)
	})
}
