package share_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
	"khatm/service/internal/trade"
)

// TestDraft_Summary checks that the summary follows the content of a draft, and that
// a draft with errors is saved without an amount.
func TestDraft_Summary(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		want := func(payable string, change func(*share.Summary)) *share.Summary {
			sum := &share.Summary{Kind: 388, Transaction: "0100000", Currency: "SAR", Buyer: d.Buyer.Name, BuyerArabic: d.Buyer.NameArabic, Lines: 1}
			if payable != "" {
				amount := money.MustParse(payable)
				sum.Payable = &amount
			}
			if change != nil {
				change(sum)
			}
			return sum
		}
		without := func(s *share.Summary) { s.Buyer, s.BuyerArabic = "", "" }
		for name, c := range map[string]struct {
			change func(*issue.Request)
			want   *share.Summary
		}{
			"valid":          {func(*issue.Request) {}, want("9660.00", nil)},
			"no lines":       {func(r *issue.Request) { r.FormLines = nil }, want("", func(s *share.Summary) { s.Lines = 0 })},
			"unknown device": {func(r *issue.Request) { r.Device = uuid.Max }, want("", nil)},
			"unknown client": {func(r *issue.Request) { r.Buyer = uuid.Max }, want("", without)},
			"no client":      {func(r *issue.Request) { r.Buyer = uuid.Nil }, want("", without)},
			"simplified without a client": {func(r *issue.Request) { r.Buyer, r.Transaction = uuid.Nil, "0200000" }, want("9660.00", func(s *share.Summary) {
				without(s)
				s.Transaction = "0200000"
			})},
			"a line of the catalogue": {func(r *issue.Request) { r.Lines = []issue.CatalogueLine{{Item: uuid.Max}} }, want("", func(s *share.Summary) { s.Lines = 2 })},
		} {
			r := d.Request("4200.00")
			c.change(&r)
			made, err := d.Sharer().Create(d.Ctx, d.By, r, servicetest.Recipient)
			d.Must(err)
			servicetest.Equal(t, name, made.Summary, c.want)
			servicetest.Equal(t, name+", as stored", d.Again(made), made)
		}

		draft := d.Draft()
		changed, err := d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("100.00"), servicetest.Recipient)
		d.Must(err)
		servicetest.Equal(t, "changed", changed.Summary, want("230.00", nil))
		_, err = h.Service.Store().ChangeClient(d.Ctx, d.By, d.Buyer.ID, func(c *trade.Client) error {
			c.Name = "Renamed Trading"
			return nil
		})
		d.Must(err)
		shared, err := d.Sharer().Share(d.Ctx, d.By, draft.ID)
		d.Must(err)
		renamed := func(s *share.Summary) { s.Buyer = "Renamed Trading" }
		servicetest.Equal(t, "shared", shared.Summary, want("230.00", renamed))
		changed, err = d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("200.00"), servicetest.Recipient)
		d.Must(err)
		servicetest.Equal(t, "changed while shared", d.Again(changed).Summary, want("460.00", renamed))
	})
}

// unpreviewed is an Issuer whose previews fail.
type unpreviewed struct {
	share.Issuer
	err error
}

func (u unpreviewed) Preview(context.Context, org.Actor, issue.Request) (ledger.Invoice, error) {
	return ledger.Invoice{}, u.err
}

// TestDraft_IsSavedWithoutAPreview checks that a draft is saved whatever makes its
// preview fail.
func TestDraft_IsSavedWithoutAPreview(t *testing.T) {
	t.Parallel()
	d := servicetest.Open(t, nil).DraftSharing()
	for _, err := range []error{errors.New("broken"), fault.New(fault.ServerBusy, "busy"), context.DeadlineExceeded} {
		config := d.Sharer().Config
		config.Issuer = unpreviewed{config.Issuer, err}
		sharer := share.New(config)
		made, err := sharer.Create(d.Ctx, d.By, d.Request("4200.00"), servicetest.Recipient)
		d.Must(err)
		made, err = sharer.Change(d.Ctx, d.By, made.ID, 1, d.Request("4300.00"), servicetest.Recipient)
		d.Must(err)
		servicetest.Equal(t, "summary", d.Again(made).Summary,
			&share.Summary{Kind: 388, Transaction: "0100000", Currency: "SAR", Buyer: d.Buyer.Name, BuyerArabic: d.Buyer.NameArabic, Lines: 1})
	}
}
