package share_test

import (
	"testing"

	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
	"khatm/service/internal/trade"
)

// approve shares a draft and approves it.
func approve(d *servicetest.DraftSharing, r issue.Request) share.Draft {
	d.TB.Helper()
	made, err := d.Sharer().Create(d.Ctx, d.By, r, servicetest.Recipient)
	d.Must(err)
	made, err = d.Sharer().Share(d.Ctx, d.By, made.ID)
	d.Must(err)
	token := d.Token(made)
	_, err = d.Sharer().Approve(d.Ctx, token, "Noura", d.Code(token), share.From{})
	d.Must(err)
	return d.Again(made)
}

// TestDraft_NothingElseThanApproved checks that an invoice that differs from
// the approved draft is refused, even with the same total, and that the error
// names the difference.
func TestDraft_NothingElseThanApproved(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		laptop, mouse := h.Item(d.Org, "Laptop 15 inch"), h.Item(d.Org, "Mouse without wire")
		item := func(one trade.Item, change func(*trade.Item)) {
			_, err := h.Service.Store().ChangeItem(d.Ctx, d.By, one.ID, func(i *trade.Item) error { change(i); return nil })
			d.Must(err)
		}
		price := func(one trade.Item, text string) {
			item(one, func(i *trade.Item) { i.Price = money.MustParse(text) })
		}
		buyer := func(change func(*trade.Client)) {
			_, err := h.Service.Store().ChangeClient(d.Ctx, d.By, d.Buyer.ID, func(c *trade.Client) error { change(c); return nil })
			d.Must(err)
		}
		seller := func(change func(*org.Organisation)) {
			_, err := h.Service.Store().ChangeOrganisation(d.Ctx, d.By, func(o *org.Organisation) error { change(o); return nil })
			d.Must(err)
		}
		price(laptop, "100.00")
		price(mouse, "50.00")
		r := d.Request("1")
		r.FormLines, r.Lines = nil, []issue.CatalogueLine{{Item: laptop.ID, Quantity: money.MustParse("1")}, {Item: mouse.ID, Quantity: money.MustParse("1")}}
		draft := approve(d, r)
		for what, one := range map[string]struct {
			change, back func()
			says         []string
		}{
			"prices whose sum is the same": {
				func() { price(laptop, "90.00"); price(mouse, "60.00") }, func() { price(laptop, "100.00"); price(mouse, "50.00") },
				[]string{"The price in line 1", `"100"`, `"90"`},
			},
			"a cent that could be rounded": {
				func() { price(laptop, "100.01") }, func() { price(laptop, "100.00") },
				[]string{"The price in line 1", "172.50 SAR (VAT 22.50)", "172.51 SAR (VAT 22.50)"},
			},
			"another item name": {
				func() { item(mouse, func(i *trade.Item) { i.Name = "Mouse with wire" }) }, func() { item(mouse, func(i *trade.Item) { i.Name = "Mouse without wire" }) },
				[]string{"The name in line 2", "Mouse without wire", "Mouse with wire"},
			},
			"another buyer name": {
				func() { buyer(func(c *trade.Client) { c.Name = "Another Buyer" }) }, func() { buyer(func(c *trade.Client) { c.Name = d.Buyer.Name }) },
				[]string{"The name of the buyer", d.Buyer.Name, "Another Buyer"},
			},
			"another seller address": {
				func() { seller(func(o *org.Organisation) { o.Address.Street = "Another Street" }) },
				func() { seller(func(o *org.Organisation) { o.Address.Street = d.Org.Address.Street }) },
				[]string{"The street of the seller", "Another Street"},
			},
		} {
			one.change()
			_, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID)
			wantFault(t, what, err, fault.Conflict, one.says...)
			one.back()
		}
		servicetest.Equal(t, "the draft", d.Again(draft).State(), share.Approved)
		// Data that is not printed on the document may change.
		buyer(func(c *trade.Client) { c.ContactPhone = "0500000000" })
		i, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID)
		d.Must(err)
		servicetest.Equal(t, "issued", i.Record.Totals, draft.Shown.Invoice.Record.Totals)
	})
}

// TestDraft_NumbersDiffer checks that drafts created in the same minute have
// different numbers.
func TestDraft_NumbersDiffer(t *testing.T) {
	t.Parallel()
	d := servicetest.Open(t, nil).DraftSharing()
	one, _ := d.Shared()
	other, _ := d.Shared()
	if one.Shown.Invoice.Number == other.Shown.Invoice.Number {
		t.Errorf("two drafts have the number %s", one.Shown.Invoice.Number)
	}
}
