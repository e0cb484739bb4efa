package service_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/device"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
	"khatm/service/internal/trade"
)

// accepted says that the authority has accepted an invoice.
func (t *till) accepted(id uuid.UUID) uuid.UUID {
	t.t.Helper()
	t.answered(id, ledger.Cleared)
	return id
}

// scene is a till with something of everything to refer to.
type scene struct {
	*till
	other         *till
	withoutVAT    trade.Client
	foreign       trade.Client
	self          trade.Client
	otherBuyer    trade.Client
	inactive      trade.Reason
	item, dead    trade.Item
	few           trade.Item
	pending       uuid.UUID // not answered yet
	original      uuid.UUID // accepted, of the usual buyer
	credit        uuid.UUID // an accepted credit note
	advance       uuid.UUID // accepted
	spent         uuid.UUID // accepted and deducted
	waiting       uuid.UUID // an advance that is not answered
	onlyStandard  device.Device
	unready, over device.Device
	retired       device.Device
}

func (t *till) stocked(name string, change func(*trade.Item)) trade.Item {
	t.t.Helper()
	i := trade.Item{
		ID: t.service.NewID(), Name: name, Price: money.MustParse("10"), Unit: "PCE", Category: "S", Rate: money.FromInt(15), Active: true, CreatedAt: t.clock.Now(),
	}
	if change != nil {
		change(&i)
	}
	if err := t.service.Store().AddItem(context.Background(), t.operator(t.org), i); err != nil {
		t.t.Fatal(err)
	}
	return i
}

func (h *house) scene() *scene {
	h.t.Helper()
	s := &scene{till: h.till()}
	s.other = h.tillOf(h.organisation("Other Trading", "business"))
	change := func(name string, with func(*trade.Client)) trade.Client {
		c := h.client(h.org, name)
		changed, err := h.service.Store().ChangeClient(context.Background(), h.operator(h.org), c.ID, func(c *trade.Client) error {
			with(c)
			return nil
		})
		if err != nil {
			h.t.Fatal(err)
		}
		return changed
	}
	s.withoutVAT = change("No VAT", func(c *trade.Client) { c.VATNumber = "" })
	s.foreign = change("Foreign", func(c *trade.Client) { c.VATNumber, c.CountryCode = "", "AE" })
	s.self = change("Self", func(c *trade.Client) { c.VATNumber = h.org.VATNumber })
	s.otherBuyer = h.client(h.org, "Another Buyer")
	s.inactive = trade.Reason{ID: h.service.NewID(), Description: "Old", CreatedAt: h.clock.Now()}
	if err := h.service.Store().AddReason(context.Background(), h.operator(h.org), s.inactive); err != nil {
		h.t.Fatal(err)
	}
	ten := money.FromInt(10)
	s.item = s.stocked("Paper", nil)
	s.dead = s.stocked("Carbon paper", func(i *trade.Item) { i.Active = false })
	s.few = s.stocked("Ten of these", func(i *trade.Item) { i.Stock = &ten })
	s.onlyStandard = h.issuing(h.org, func(d *device.Device) { d.InvoiceType = device.StandardOnly })
	s.unready = h.device(h.org, func(d *device.Device) { d.Status, d.Production = device.CSRPending, nil })
	s.retired = h.issuing(h.org, func(d *device.Device) { d.Retired = true })
	s.over = h.issuing(h.org, func(d *device.Device) { d.Production.NotAfter = h.clock.Now().Add(-time.Hour) })
	s.pending = s.created(s.standard(fields{"notes": note("pending")}))
	s.original = s.accepted(s.created(s.standard(fields{"notes": note("original")})))
	s.credit = s.accepted(s.created(s.note(381, s.accepted(s.created(s.standard(fields{"notes": note("to be credited")}))))))
	s.advance = s.accepted(s.created(s.standard(fields{"type_code": 386, "notes": note("advance")})))
	s.spent = s.accepted(s.created(s.standard(fields{"type_code": 386, "notes": note("spent")})))
	s.created(s.standard(fields{"notes": note("deducts"), "add_prepaid_amount": true, "prepaid_invoices": []any{s.spent}}))
	s.waiting = s.created(s.standard(fields{"type_code": 386, "notes": note("waiting")}))
	return s
}

// note makes a body different from others that are otherwise the same.
func note(text string) []any { return []any{fields{"language_id": "en", "note": text}} }

// note is a right credit or debit note on originals.
func (t *till) note(kind int, originals ...uuid.UUID) string {
	return t.standard(fields{"type_code": kind, "original_invoice_reference": originals, "reason_id": t.reason.ID, "notes": note(fmt.Sprint(kind, originals))})
}

// refused is a request that one refusal refuses.
type refused struct {
	name    string // of the refusal
	body    string
	message string // begins so
}

func (s *scene) refusals() []refused {
	nobody := uuid.New()
	prepaid := func(ids ...any) fields {
		return fields{"add_prepaid_amount": true, "prepaid_invoices": ids}
	}
	lines := func(item uuid.UUID, quantity any) fields {
		return fields{"form_lines": []any{}, "lines": []any{fields{"item_id": item, "quantity": quantity}}}
	}
	credit := func(change fields, originals ...any) string {
		return s.standard(fields{"type_code": 381, "original_invoice_reference": originals, "reason_id": s.reason.ID}, change)
	}
	export := fields{"transaction_code": "0100100", "buyer": s.foreign.ID}
	return []refused{
		{"transaction code", s.standard(fields{"transaction_code": "0100001"}), "Invalid transaction_code"},
		{"transaction code", s.standard(fields{"transaction_code": "1"}), "Invalid transaction_code"},
		{"seller", s.standard(fields{"seller": s.other.org.ID}), "The seller is not your organisation."},
		{"device", s.standard(fields{"device": nobody}), "Device not found"},
		{"device", s.standard(fields{"device": s.other.device.ID}), "Device not found"},
		{"device retired", s.standard(fields{"device": s.retired.ID}), "The device is retired"},
		{"device status", s.standard(fields{"device": s.unready.ID}), "The device cannot issue invoices: its device_status is csr_pending."},
		{"device certificate", s.standard(fields{"device": s.over.ID}), "The device's production certificate has expired."},
		{"device and transaction code", s.simplified(fields{"device": s.onlyStandard.ID}), "The device's invoice_type 1000 does not allow transaction_code 0200000."},
		{"buyer", s.standard(fields{"buyer": nobody}), "Buyer not found"},
		{"buyer", s.standard(fields{"buyer": s.other.buyer.ID}), "Buyer not found"},
		{"buyer of a standard invoice", s.standard(fields{"buyer": nil}), "A standard invoice needs a buyer."},
		{"buyer's VAT number", s.standard(fields{"buyer": s.withoutVAT.ID}), "The buyer of a standard invoice must have a vat_registration_number."},
		{"identification of a foreign buyer", s.standard(export), "A foreign buyer without a VAT number needs an additional_buyer_id."},
		{"buyer and seller", s.standard(fields{"buyer": s.self.ID}), "Buyer and seller have the same VAT number."},
		{"lines and form_lines", s.standard(fields{"lines": []any{fields{"item_id": s.item.ID, "quantity": 1}}}), "Exactly one of lines and form_lines may have entries"},
		{"no lines", s.standard(fields{"form_lines": []any{}}), "The invoice has no lines"},
		{"item", s.standard(lines(nobody, 1)), "Item not found: lines.0.item_id"},
		{"inactive item", s.standard(lines(s.dead.ID, 1)), "The item Carbon paper is not active."},
		{"stock", s.standard(lines(s.few.ID, 11)), "The stock of Ten of these is 10, less than the quantity of 11."},
		{"lines of an export", s.standard(fields{"transaction_code": "0100100"}), "Every line of an export invoice must be category Z"},
		{"payment terms", s.standard(fields{"payment_means_type_code": "30"}), "Payment terms are required for credit payment."},
		{"reason", s.standard(fields{"reason_id": nobody}), "The reason is not an active reason of your organisation."},
		{"reason", s.standard(fields{"reason_id": s.inactive.ID}), "The reason is not an active reason of your organisation."},
		{"reason", s.standard(fields{"reason_id": s.other.reason.ID}), "The reason is not an active reason of your organisation."},
		{"original of a tax invoice", s.standard(fields{"original_invoice_reference": []any{s.original}}), "original_invoice_reference must be [] on a tax invoice."},
		{"original line of a tax invoice", s.standard(fields{"form_lines": []any{s.line(fields{"invoice_line_id": nobody})}}), "invoice_line_id is for credit and debit notes only."},
		{"original of a note", credit(nil), "A credit or debit note needs original_invoice_reference."},
		{"reason of a note", credit(fields{"reason_id": nil}, s.original), "A credit or debit note needs a reason_id."},
		{"unknown original", credit(nil, nobody), "Original invoice not found: " + nobody.String()},
		{"original not accepted", credit(nil, s.pending), "The original invoice INV-2026-"},
		{"kind of the original", credit(nil, s.credit), "The original CRN-2026-"},
		{"original of another sort", credit(fields{"buyer": s.otherBuyer.ID}, s.original), "The original invoice INV-2026-"},
		{"credit above the original", credit(fields{"form_lines": []any{s.line(fields{"invoiced_quantity": 3})}}, s.original), "The credit of 14490.00 is more than the 9660.00 that is left"},
		{"original twice", credit(nil, s.original, s.original), "original_invoice_reference names INV-2026-"},
		{"credit of an advance by category", credit(fields{"form_lines": []any{s.line(fields{"vat_rate": 5, "invoiced_quantity": 1})}}, s.advance), "The credit of 4200.00 in category S at 5 percent is more than is left"},
		{"original line", credit(fields{"form_lines": []any{s.line(fields{"invoice_line_id": nobody})}}, s.original), "invoice_line_id " + nobody.String() + " is not a line"},
		{"credit note on an advance", credit(nil, s.advance, s.original), "A credit note on an advance payment invoice names that one alone."},
		{"advance payments", s.standard(fields{"add_prepaid_amount": true}), "add_prepaid_amount and prepaid_invoices do not agree."},
		{"advances on this document", credit(prepaid(s.advance), s.original), "Advance payments are deducted from tax invoices (388) only."},
		{"unknown advance", s.standard(prepaid(s.original)), "Advance payment invoice not found: " + s.original.String()},
		{"advance not accepted", s.standard(prepaid(s.waiting)), "The advance payment invoice ADV-2026-"},
		{"advance of another sort", s.standard(prepaid(s.advance), fields{"buyer": s.otherBuyer.ID}), "The advance payment invoice ADV-2026-"},
		{"advance spent", s.standard(prepaid(s.spent)), "The advance payment invoice ADV-2026-"},
		{"advance twice", s.standard(prepaid(s.advance, s.advance)), "prepaid_invoices names ADV-2026-"},
	}
}

// TestRefusals shows every refusal of the admission table, by preview and by
// create, which must say the same; a refused request takes no number.
func TestRefusals(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		s := h.scene()
		before := len(h.wholeBook(h.org))
		shown := map[string]bool{"duplicate": true, "idempotency key": true} // shown by the tests of repeated requests
		for _, c := range s.refusals() {
			shown[c.name] = true
			preview := s.call(http.MethodPost, "/v1/api/invoices/preview/", c.body)
			create := s.create(c.body)
			if create.status != http.StatusBadRequest || preview.status != create.status || preview.body != create.body {
				t.Errorf("%s: preview %d %s; create %d %s", c.name, preview.status, preview.body, create.status, create.body)
				continue
			}
			told := create.json(t)
			if message, _ := told["message"].(string); !strings.HasPrefix(message, c.message) {
				t.Errorf("%s: told %q, want %q", c.name, told["message"], c.message)
			}
			for _, name := range []string{"message_ar", "fix", "fix_ar"} {
				if text, _ := told[name].(string); text == "" || strings.Contains(text, "%!") {
					t.Errorf("%s: %s is %q", c.name, name, told[name])
				}
			}
		}
		for _, r := range issue.Refusals() {
			if !shown[r.Name] {
				t.Errorf("no request is refused for %q", r.Name)
			}
		}
		if after := len(h.wholeBook(h.org)); after != before {
			t.Errorf("%d documents, %d before", after, before)
		}
		h.provesChains(h.org)
	})
}

// answered has a verdict recorded as sending does.
func (t *till) answered(id uuid.UUID, status ledger.Status) {
	t.t.Helper()
	now := t.clock.Now()
	t.exec(t.t, `UPDATE submission SET state = 'sending', attempts = attempts + 1, lease_until = 1 WHERE invoice_id = $1`, id.String())
	t.exec(t.t, `
		INSERT INTO attempt (org_id, invoice_id, number, route, worker, claimed_at, sent, took, cause)
		SELECT org_id, invoice_id, attempts, route, 'test', 1, 0, 0, '' FROM submission WHERE invoice_id = $1`, id.String())
	result := submit.Result{
		Invoice: id, Device: t.device.ID, Attempt: 1, ClaimedAt: now, At: now, Route: ledger.ByReporting, Event: ledger.OutcomeEvent(ledger.Accepted),
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
	if recorded, err := t.service.Store().Record(context.Background(), org.TenantOf(t.org.ID), []submit.Result{result}); err != nil || !recorded[0].Taken {
		t.t.Fatalf("%v, %v", recorded, err)
	}
}
