package service_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/share"
	"khatm/service/internal/trade"
)

// issuedOnce demands that the organisation has one invoice, this one.
func (d *desk) issuedOnce(id uuid.UUID) {
	d.t.Helper()
	list, err := d.service.Store().Invoices(d.ctx, d.of(), ledger.Filter{}, org.Page{Size: 10, Number: 1})
	d.must(err)
	if list.Total != 1 || list.Rows[0].ID != id {
		d.t.Errorf("%d invoices, not one", list.Total)
	}
}

// Twenty who issue a draft at once are given one invoice.
func TestDraft_IssuedOnceHoweverManyAsk(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft := d.approved()
		ids := make([]uuid.UUID, 20)
		var all sync.WaitGroup
		for n := range ids {
			all.Go(func() {
				i, err := d.sharer().Issue(d.ctx, d.by, draft.ID)
				if err != nil {
					t.Error(err)
				}
				ids[n] = i.ID
			})
		}
		all.Wait()
		for _, id := range ids {
			equal(t, "invoice", id, ids[0])
		}
		d.issuedOnce(ids[0])
		i, err := d.service.Store().Invoice(d.ctx, d.of(), ids[0])
		d.must(err)
		equal(t, "its key", i.IdempotencyKey, "draft-"+draft.ID.String())
		equal(t, "its total", i.Record.Totals, draft.Shown.Invoice.Record.Totals)
		equal(t, "the trail", d.deeds(draft.ID), []string{"draft.created", "draft.shared", "draft.code_sent", "draft.approved", "draft.issued"})
	})
}

// A server that ends between the invoice and the draft leaves a draft that does
// not know what it became. Asked again it finds out, whatever has changed.
func TestDraft_IssuedOnceAfterACrash(t *testing.T) {
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			var armed atomic.Pointer[func() bool]
			h := open(t, func(c *server.Config) {
				engine.set(t, c)
				server.Point(c, func(step string) error {
					if fails := armed.Load(); step == "commit" && fails != nil && (*fails)() {
						return errors.New("the power went")
					}
					return nil
				})
			})
			d := h.desk()
			draft := d.approved()
			isIssued := func() bool {
				list, err := h.service.Store().Invoices(d.ctx, d.of(), ledger.Filter{}, org.Page{Size: 1, Number: 1})
				return err == nil && list.Total > 0
			}
			armed.Store(&isIssued)
			if _, err := d.sharer().Issue(d.ctx, d.by, draft.ID); err == nil {
				t.Fatal("the power did not go")
			}
			armed.Store(nil)
			equal(t, "the draft", d.again(draft).State(), share.Approved)
			if !isIssued() {
				t.Fatal("the power went too early: the test proves nothing")
			}

			_, err := h.service.Store().ChangeClient(d.ctx, d.by, d.buyer.ID, func(c *trade.Client) error { c.VATNumber, c.Identifications = "", nil; return nil })
			d.must(err)
			if _, err := d.sharer().Preview(d.ctx, d.by, draft.ID); err == nil {
				t.Fatal("it could be issued again: the test proves less than it says")
			}
			i, err := d.sharer().Issue(d.ctx, d.by, draft.ID)
			d.must(err)
			d.issuedOnce(i.ID)
			equal(t, "the draft", *d.again(draft).Invoice, i.ID)
		})
	}
}

// A draft that was issued and does not know it, and was changed since, is told
// so, and does not become a second invoice.
func TestDraft_ChangedAfterItWasIssued(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft := d.draft()
		i, err := d.sharer().Issue(d.ctx, d.by, draft.ID)
		d.must(err)
		lost := d.draft() // what a crash leaves, with a later change
		r := d.request("1.00")
		r.IdempotencyKey, r.Digest = "draft-"+lost.ID.String(), [32]byte{1}
		first, err := h.service.Issuer().Create(d.ctx, d.by, r)
		d.must(err)
		_, err = d.sharer().Issue(d.ctx, d.by, lost.ID)
		turnedAway(t, "issued before it was changed", err, fault.Conflict, first.Number)
		equal(t, "what it became", *d.again(lost).Invoice, first.ID)
		equal(t, "the other", *d.again(draft).Invoice, i.ID)
	})
}

// What was approved is what is issued: a price that changes in between is told
// with both amounts.
func TestDraft_AnotherPriceThanApproved(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		item := h.item(d.org, "Laptop 15 inch")
		price := func(text string) {
			_, err := h.service.Store().ChangeItem(d.ctx, d.by, item.ID, func(i *trade.Item) error { i.Price = money.MustParse(text); return nil })
			d.must(err)
		}
		price("100.00")
		r := d.request("1")
		r.FormLines, r.Lines = nil, []issue.CatalogueLine{{Item: item.ID, Quantity: money.MustParse("2")}}
		draft, err := d.sharer().Create(d.ctx, d.by, r, recipient)
		d.must(err)
		draft, err = d.sharer().Share(d.ctx, d.by, draft.ID)
		d.must(err)
		token := d.token(draft)
		_, err = d.sharer().Approve(d.ctx, token, "Noura", d.code(token), share.From{})
		d.must(err)
		approved := draft.Shown.Invoice.Record.Totals

		price("110.00")
		now, err := d.sharer().Preview(d.ctx, d.by, draft.ID)
		d.must(err)
		_, err = d.sharer().Issue(d.ctx, d.by, draft.ID)
		turnedAway(t, "another price", err, fault.Conflict, approved.Payable.Fixed2()+" SAR", now.Record.Totals.Payable.Fixed2()+" SAR", approved.VAT.Fixed2(), now.Record.Totals.VAT.Fixed2())
		equal(t, "the draft", d.again(draft).State(), share.Approved)

		price("100.00")
		i, err := d.sharer().Issue(d.ctx, d.by, draft.ID)
		d.must(err)
		equal(t, "issued", i.Record.Totals, approved)
		xml, err := h.service.Store().SignedXML(d.ctx, d.of(), i.ID)
		d.must(err)
		if strings.Contains(string(xml), "PayableRoundingAmount") {
			t.Error("the approval left a rounding on the document")
		}
	})
}

// What may be done with a draft in which state.
func TestDraft_StatesAndVerbs(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		issued := d.approved()
		_, err := d.sharer().Issue(d.ctx, d.by, issued.ID)
		d.must(err)
		shared, _ := d.shared()
		type verb = func(id uuid.UUID) error
		change := func(id uuid.UUID) error {
			_, err := d.sharer().Change(d.ctx, d.by, id, 0, d.request("1.00"), recipient)
			return err
		}
		share1 := func(id uuid.UUID) error { _, err := d.sharer().Share(d.ctx, d.by, id); return err }
		issue1 := func(id uuid.UUID) error { _, err := d.sharer().Issue(d.ctx, d.by, id); return err }
		unshare := func(id uuid.UUID) error { _, err := d.sharer().Unshare(d.ctx, d.by, id); return err }
		remove := func(id uuid.UUID) error { return d.sharer().Remove(d.ctx, d.by, id) }
		for what, one := range map[string]struct {
			do   verb
			to   share.Draft
			says string // empty: it may
		}{
			"change an open draft":     {change, d.draft(), ""},
			"change an approved draft": {change, d.approved(), "approved"},
			"change an issued draft":   {change, issued, "issued"},
			"share an approved draft":  {share1, d.approved(), "approved"},
			"share an issued draft":    {share1, issued, "issued"},
			"issue an open draft":      {issue1, d.draft(), ""},
			"issue a shared draft":     {issue1, shared, "withdraw the link"},
			"issue an issued draft":    {issue1, issued, ""},
			"unshare an open draft":    {unshare, d.draft(), ""},
			"unshare an approved one":  {unshare, d.approved(), ""},
			"remove an open draft":     {remove, d.draft(), ""},
			"remove an approved draft": {remove, d.approved(), ""},
			"remove an issued draft":   {remove, issued, "issued"},
		} {
			err := one.do(one.to.ID)
			if one.says == "" {
				if err != nil {
					t.Errorf("%s: %v", what, err)
				}
				continue
			}
			turnedAway(t, what, err, fault.Conflict, one.says)
		}
		d.must(unshare(shared.ID))
		equal(t, "withdrawn", d.again(shared).State(), share.Open)
		d.must(issue1(shared.ID))
		for what, do := range map[string]verb{"change": change, "share": share1, "issue": issue1, "unshare": unshare, "remove": remove} {
			turnedAway(t, what+" what is not there", do(uuid.New()), fault.NotFound, "Draft not found")
		}
	})
}
