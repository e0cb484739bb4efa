package share_test

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
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
	"khatm/service/internal/trade"
)

// issuedOnce checks that the organisation has only this invoice.
func issuedOnce(d *servicetest.DraftSharing, id uuid.UUID) {
	d.TB.Helper()
	list, err := d.Service.Store().Invoices(d.Ctx, d.Of(), ledger.Filter{}, org.Page{Size: 10, Number: 1})
	d.Must(err)
	if list.Total != 1 || list.Rows[0].ID != id {
		d.TB.Errorf("%d invoices, want one", list.Total)
	}
}

// TestDraft_IssuedOnceHoweverManyAsk checks that twenty concurrent requests get
// the same invoice.
func TestDraft_IssuedOnceHoweverManyAsk(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Approved()
		ids := make([]uuid.UUID, 20)
		var all sync.WaitGroup
		for n := range ids {
			all.Go(func() {
				i, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID)
				if err != nil {
					t.Error(err)
				}
				ids[n] = i.ID
			})
		}
		all.Wait()
		for _, id := range ids {
			servicetest.Equal(t, "invoice", id, ids[0])
		}
		issuedOnce(d, ids[0])
		i, err := d.Service.Store().Invoice(d.Ctx, d.Of(), ids[0])
		d.Must(err)
		servicetest.Equal(t, "its key", i.IdempotencyKey, "draft-"+draft.ID.String())
		servicetest.Equal(t, "its total", i.Record.Totals, draft.Shown.Invoice.Record.Totals)
		servicetest.Equal(t, "the trail", d.Events(draft.ID), []string{"draft.created", "draft.shared", "draft.code_sent", "draft.approved", "draft.issued"})
	})
}

// TestDraft_IssuedOnceAfterACrash checks that the invoice of a draft is found after
// a crash between issuing the invoice and updating the draft.
func TestDraft_IssuedOnceAfterACrash(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			var armed atomic.Pointer[func() bool]
			h := servicetest.Open(t, func(c *server.Config) {
				engine.Set(t, c)
				server.Point(c, func(step string) error {
					if fails := armed.Load(); step == "commit" && fails != nil && (*fails)() {
						return errors.New("the power went")
					}
					return nil
				})
			})
			d := h.DraftSharing()
			draft := d.Approved()
			isIssued := func() bool {
				list, err := h.Service.Store().Invoices(d.Ctx, d.Of(), ledger.Filter{}, org.Page{Size: 1, Number: 1})
				return err == nil && list.Total > 0
			}
			armed.Store(&isIssued)
			if _, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID); err == nil {
				t.Fatal("the simulated crash did not happen")
			}
			armed.Store(nil)
			servicetest.Equal(t, "the draft", d.Again(draft).State(), share.Approved)
			if !isIssued() {
				t.Fatal("the simulated crash happened before the invoice was issued, so the test proves nothing")
			}

			_, err := h.Service.Store().ChangeClient(d.Ctx, d.By, d.Buyer.ID, func(c *trade.Client) error { c.VATNumber, c.Identifications = "", nil; return nil })
			d.Must(err)
			if _, err := d.Sharer().Preview(d.Ctx, d.By, draft.ID); err == nil {
				t.Fatal("the draft could be issued again, so the test proves too little")
			}
			i, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID)
			d.Must(err)
			issuedOnce(d, i.ID)
			servicetest.Equal(t, "the draft", *d.Again(draft).Invoice, i.ID)
		})
	}
}

// TestDraft_ChangedAfterItWasIssued checks that a draft which was changed after
// a crash does not become a second invoice.
func TestDraft_ChangedAfterItWasIssued(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft := d.Draft()
		i, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID)
		d.Must(err)
		lost := d.Draft() // as after a crash, with a later change
		r := d.Request("1.00")
		r.IdempotencyKey, r.Digest = "draft-"+lost.ID.String(), [32]byte{1}
		first, err := h.Service.Issuer().Create(d.Ctx, d.By, r)
		d.Must(err)
		_, err = d.Sharer().Issue(d.Ctx, d.By, lost.ID)
		wantFault(t, "issued before it was changed", err, fault.Conflict, first.Number)
		servicetest.Equal(t, "the invoice of the draft", *d.Again(lost).Invoice, first.ID)
		servicetest.Equal(t, "the other", *d.Again(draft).Invoice, i.ID)
	})
}

// TestDraft_AnotherPriceThanApproved checks that a price change after the
// approval is refused with both amounts.
func TestDraft_AnotherPriceThanApproved(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		item := h.Item(d.Org, "Laptop 15 inch")
		price := func(text string) {
			_, err := h.Service.Store().ChangeItem(d.Ctx, d.By, item.ID, func(i *trade.Item) error { i.Price = money.MustParse(text); return nil })
			d.Must(err)
		}
		price("100.00")
		r := d.Request("1")
		r.FormLines, r.Lines = nil, []issue.CatalogueLine{{Item: item.ID, Quantity: money.MustParse("2")}}
		draft := approve(d, r)
		approved := draft.Shown.Invoice.Record.Totals

		price("110.00")
		now, err := d.Sharer().Preview(d.Ctx, d.By, draft.ID)
		d.Must(err)
		_, err = d.Sharer().Issue(d.Ctx, d.By, draft.ID)
		wantFault(t, "another price", err, fault.Conflict, approved.Payable.Fixed2()+" SAR", now.Record.Totals.Payable.Fixed2()+" SAR", approved.VAT.Fixed2(), now.Record.Totals.VAT.Fixed2())
		servicetest.Equal(t, "the draft", d.Again(draft).State(), share.Approved)

		price("100.00")
		i, err := d.Sharer().Issue(d.Ctx, d.By, draft.ID)
		d.Must(err)
		servicetest.Equal(t, "issued", i.Record.Totals, approved)
		xml, err := h.Service.Store().SignedXML(d.Ctx, d.Of(), i.ID)
		d.Must(err)
		if strings.Contains(string(xml), "PayableRoundingAmount") {
			t.Error("the issued document has a rounding amount")
		}
	})
}

// TestDraft_StatesAndVerbs checks which operations are allowed in which state.
func TestDraft_StatesAndVerbs(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		issued := d.Approved()
		_, err := d.Sharer().Issue(d.Ctx, d.By, issued.ID)
		d.Must(err)
		shared, _ := d.Shared()
		type verb = func(id uuid.UUID) error
		change := func(id uuid.UUID) error {
			_, err := d.Sharer().Change(d.Ctx, d.By, id, 0, d.Request("1.00"), servicetest.Recipient)
			return err
		}
		share1 := func(id uuid.UUID) error { _, err := d.Sharer().Share(d.Ctx, d.By, id); return err }
		issue1 := func(id uuid.UUID) error { _, err := d.Sharer().Issue(d.Ctx, d.By, id); return err }
		unshare := func(id uuid.UUID) error { _, err := d.Sharer().Unshare(d.Ctx, d.By, id); return err }
		remove := func(id uuid.UUID) error { return d.Sharer().Remove(d.Ctx, d.By, id) }
		for what, one := range map[string]struct {
			do   verb
			to   share.Draft
			says string // "" if allowed
		}{
			"change an open draft":      {change, d.Draft(), ""},
			"change an approved draft":  {change, d.Approved(), "approved"},
			"change an issued draft":    {change, issued, "issued"},
			"share an approved draft":   {share1, d.Approved(), "approved"},
			"share an issued draft":     {share1, issued, "issued"},
			"issue an open draft":       {issue1, d.Draft(), ""},
			"issue a shared draft":      {issue1, shared, "withdraw the link"},
			"issue an issued draft":     {issue1, issued, ""},
			"unshare an open draft":     {unshare, d.Draft(), ""},
			"unshare an approved draft": {unshare, d.Approved(), ""},
			"remove an open draft":      {remove, d.Draft(), ""},
			"remove an approved draft":  {remove, d.Approved(), ""},
			"remove an issued draft":    {remove, issued, "issued"},
		} {
			err := one.do(one.to.ID)
			if one.says == "" {
				if err != nil {
					t.Errorf("%s: %v", what, err)
				}
				continue
			}
			wantFault(t, what, err, fault.Conflict, one.says)
		}
		d.Must(unshare(shared.ID))
		servicetest.Equal(t, "withdrawn", d.Again(shared).State(), share.Open)
		d.Must(issue1(shared.ID))
		for what, do := range map[string]verb{"change": change, "share": share1, "issue": issue1, "unshare": unshare, "remove": remove} {
			wantFault(t, what+" of an unknown draft", do(uuid.New()), fault.NotFound, "Draft not found")
		}
	})
}
