package service_test

import (
	"testing"

	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
	"khatm/service/internal/trade"
)

// approve shares a draft and has it approved.
func (d *desk) approve(r issue.Request) share.Draft {
	d.t.Helper()
	made, err := d.sharer().Create(d.ctx, d.by, r, recipient)
	d.must(err)
	made, err = d.sharer().Share(d.ctx, d.by, made.ID)
	d.must(err)
	token := d.token(made)
	_, err = d.sharer().Approve(d.ctx, token, "Noura", d.code(token), share.From{})
	d.must(err)
	return d.again(made)
}

// What is issued is what was approved, and not only in its total: whatever else
// would stand on the document is named.
func TestDraft_NothingElseThanApproved(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		laptop, mouse := h.item(d.org, "Laptop 15 inch"), h.item(d.org, "Mouse without wire")
		item := func(one trade.Item, change func(*trade.Item)) {
			_, err := h.service.Store().ChangeItem(d.ctx, d.by, one.ID, func(i *trade.Item) error { change(i); return nil })
			d.must(err)
		}
		price := func(one trade.Item, text string) {
			item(one, func(i *trade.Item) { i.Price = money.MustParse(text) })
		}
		buyer := func(change func(*trade.Client)) {
			_, err := h.service.Store().ChangeClient(d.ctx, d.by, d.buyer.ID, func(c *trade.Client) error { change(c); return nil })
			d.must(err)
		}
		seller := func(change func(*org.Organisation)) {
			_, err := h.service.Store().ChangeOrganisation(d.ctx, d.by, func(o *org.Organisation) error { change(o); return nil })
			d.must(err)
		}
		price(laptop, "100.00")
		price(mouse, "50.00")
		r := d.request("1")
		r.FormLines, r.Lines = nil, []issue.CatalogueLine{{Item: laptop.ID, Quantity: money.MustParse("1")}, {Item: mouse.ID, Quantity: money.MustParse("1")}}
		draft := d.approve(r)
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
			"another name": {
				func() { item(mouse, func(i *trade.Item) { i.Name = "Mouse with wire" }) }, func() { item(mouse, func(i *trade.Item) { i.Name = "Mouse without wire" }) },
				[]string{"The name in line 2", "Mouse without wire", "Mouse with wire"},
			},
			"another buyer": {
				func() { buyer(func(c *trade.Client) { c.Name = "Somebody Else" }) }, func() { buyer(func(c *trade.Client) { c.Name = d.buyer.Name }) },
				[]string{"The name of the buyer", d.buyer.Name, "Somebody Else"},
			},
			"the seller elsewhere": {
				func() { seller(func(o *org.Organisation) { o.Address.Street = "Another Street" }) },
				func() { seller(func(o *org.Organisation) { o.Address.Street = d.org.Address.Street }) },
				[]string{"The street of the seller", "Another Street"},
			},
		} {
			one.change()
			_, err := d.sharer().Issue(d.ctx, d.by, draft.ID)
			turnedAway(t, what, err, fault.Conflict, one.says...)
			one.back()
		}
		equal(t, "the draft", d.again(draft).State(), share.Approved)
		// What does not stand on the document may change.
		buyer(func(c *trade.Client) { c.ContactPhone = "0500000000" })
		i, err := d.sharer().Issue(d.ctx, d.by, draft.ID)
		d.must(err)
		equal(t, "issued", i.Record.Totals, draft.Shown.Invoice.Record.Totals)
	})
}

// The number of a draft is its own, also among those of one minute.
func TestDraft_NumbersDiffer(t *testing.T) {
	d := open(t, nil).desk()
	one, _ := d.shared()
	other, _ := d.shared()
	if one.Shown.Invoice.Number == other.Shown.Invoice.Number {
		t.Errorf("two drafts are %s", one.Shown.Invoice.Number)
	}
}
