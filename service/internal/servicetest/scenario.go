package servicetest

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
	"khatm/service/internal/trade"
)

// Accepted records the acceptance of an invoice by the authority.
func (t *Seller) Accepted(id uuid.UUID) uuid.UUID {
	t.TB.Helper()
	t.Answered(id, ledger.Cleared)
	return id
}

// Scenario is a seller with records of every kind to refer to.
type Scenario struct {
	*Seller
	Other              *Seller
	WithoutVAT         trade.Client
	Foreign            trade.Client
	SelfBilled         trade.Client
	OtherBuyer         trade.Client
	Inactive           trade.Reason
	Item, InactiveItem trade.Item
	Few                trade.Item
	Pending            uuid.UUID // not answered
	Original           uuid.UUID // accepted, for Buyer
	Credit             uuid.UUID // accepted credit note
	Advance            uuid.UUID // accepted advance
	Spent              uuid.UUID // accepted advance that was deducted
	Waiting            uuid.UUID // advance that is not answered
	OnlyStandard       device.Device
	Unready, Over      device.Device
	Retired            device.Device
}

// Stocked adds an item, with changes, and returns it.
func (t *Seller) Stocked(name string, change func(*trade.Item)) trade.Item {
	t.TB.Helper()
	i := trade.Item{
		ID: t.Service.NewID(), Name: name, Price: money.MustParse("10"), Unit: "PCE", Category: "S", Rate: money.FromInt(15), Active: true, CreatedAt: t.Clock.Now(),
	}
	if change != nil {
		change(&i)
	}
	if err := t.Service.Store().AddItem(context.Background(), t.Operator(t.Org), i); err != nil {
		t.TB.Fatal(err)
	}
	return i
}

// Scenario returns a seller with records of every kind to refer to.
func (h *Instance) Scenario() *Scenario {
	h.TB.Helper()
	s := &Scenario{Seller: h.NewSeller()}
	s.Other = h.SellerOf(h.Organisation("Other Trading", "business"))
	change := func(name string, with func(*trade.Client)) trade.Client {
		c := h.Client(h.Org, name)
		changed, err := h.Service.Store().ChangeClient(context.Background(), h.Operator(h.Org), c.ID, func(c *trade.Client) error {
			with(c)
			return nil
		})
		if err != nil {
			h.TB.Fatal(err)
		}
		return changed
	}
	s.WithoutVAT = change("No VAT", func(c *trade.Client) { c.VATNumber = "" })
	s.Foreign = change("Foreign", func(c *trade.Client) { c.VATNumber, c.CountryCode = "", "AE" })
	s.SelfBilled = change("Self", func(c *trade.Client) { c.VATNumber = h.Org.VATNumber })
	s.OtherBuyer = h.Client(h.Org, "Another Buyer")
	s.Inactive = trade.Reason{ID: h.Service.NewID(), Description: "Old", CreatedAt: h.Clock.Now()}
	if err := h.Service.Store().AddReason(context.Background(), h.Operator(h.Org), s.Inactive); err != nil {
		h.TB.Fatal(err)
	}
	ten := money.FromInt(10)
	s.Item = s.Stocked("Paper", nil)
	s.InactiveItem = s.Stocked("Carbon paper", func(i *trade.Item) { i.Active = false })
	s.Few = s.Stocked("Ten of these", func(i *trade.Item) { i.Stock = &ten })
	s.OnlyStandard = h.Issuing(h.Org, func(d *device.Device) { d.InvoiceType = device.StandardOnly })
	s.Unready = h.Device(h.Org, func(d *device.Device) { d.Status, d.Production = device.CSRPending, nil })
	s.Retired = h.Issuing(h.Org, func(d *device.Device) { d.Retired = true })
	s.Over = h.Issuing(h.Org, func(d *device.Device) { d.Production.NotAfter = h.Clock.Now().Add(-time.Hour) })
	s.Pending = s.Created(s.Standard(Fields{"notes": Note("pending")}))
	s.Original = s.Accepted(s.Created(s.Standard(Fields{"notes": Note("original")})))
	s.Credit = s.Accepted(s.Created(s.Note(381, s.Accepted(s.Created(s.Standard(Fields{"notes": Note("to be credited")}))))))
	s.Advance = s.Accepted(s.Created(s.Standard(Fields{"type_code": 386, "notes": Note("advance")})))
	s.Spent = s.Accepted(s.Created(s.Standard(Fields{"type_code": 386, "notes": Note("spent")})))
	s.Created(s.Standard(Fields{"notes": Note("deducts"), "add_prepaid_amount": true, "prepaid_invoices": []any{s.Spent}}))
	s.Waiting = s.Created(s.Standard(Fields{"type_code": 386, "notes": Note("waiting")}))
	return s
}

// Note returns a note that makes an otherwise equal request unique.
func Note(text string) []any { return []any{Fields{"language_id": "en", "note": text}} }

// Note returns a valid credit or debit note on originals.
func (t *Seller) Note(kind int, originals ...uuid.UUID) string {
	return t.Standard(Fields{"type_code": kind, "original_invoice_reference": originals, "reason_id": t.Reason.ID, "notes": Note(fmt.Sprint(kind, originals))})
}

// Answered records an answer of the authority as the sender does.
func (t *Seller) Answered(id uuid.UUID, status ledger.Status) {
	t.TB.Helper()
	now := t.Clock.Now()
	t.Exec(t.TB, `UPDATE submission SET state = 'sending', attempts = attempts + 1, lease_until = 1 WHERE invoice_id = $1`, id.String())
	t.Exec(t.TB, `
		INSERT INTO attempt (org_id, invoice_id, number, route, worker, claimed_at, sent, took, cause)
		SELECT org_id, invoice_id, attempts, route, 'test', 1, 0, 0, '' FROM submission WHERE invoice_id = $1`, id.String())
	result := submit.Result{
		Invoice: id, Device: t.Device.ID, Attempt: 1, ClaimedAt: now, At: now, Route: ledger.ByReporting, Event: ledger.OutcomeEvent(ledger.Accepted),
		Verdict: ledger.Verdict{Outcome: ledger.Accepted, Code: 200, Sent: true},
		Answer:  &ledger.Answer{Status: status, Code: 200, Route: ledger.ByReporting, Attempt: 1, Result: "PASS", At: now},
	}
	switch {
	case status == ledger.NoResponse:
		result.Event, result.Answer, result.Due = ledger.OutcomeEvent(ledger.Unknown), nil, now.Add(time.Hour)
		result.Verdict = ledger.Verdict{Outcome: ledger.Unknown, Sent: true}
	case status == ledger.Cleared:
		result.Answer.Flag = ledger.NoDocument
	case !status.Accepted():
		result.Event, result.Verdict.Outcome, result.Answer.Code = ledger.OutcomeEvent(ledger.Rejected), ledger.Rejected, 400
	}
	if recorded, err := t.Service.Store().Record(context.Background(), org.TenantOf(t.Org.ID), []submit.Result{result}); err != nil || !recorded[0].Taken {
		t.TB.Fatalf("record the answer: %v, %v", recorded, err)
	}
}
