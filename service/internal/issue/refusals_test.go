package issue_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/servicetest"
)

// refused is a request with the expected refusal.
type refused struct {
	name    string // of the refusal
	body    string
	message string // prefix of the message
}

func refusals(s *servicetest.Scenario) []refused {
	unknownID := uuid.New()
	prepaid := func(ids ...any) servicetest.Fields {
		return servicetest.Fields{"add_prepaid_amount": true, "prepaid_invoices": ids}
	}
	lines := func(item uuid.UUID, quantity any) servicetest.Fields {
		return servicetest.Fields{"form_lines": []any{}, "lines": []any{servicetest.Fields{"item_id": item, "quantity": quantity}}}
	}
	credit := func(change servicetest.Fields, originals ...any) string {
		return s.Standard(servicetest.Fields{"type_code": 381, "original_invoice_reference": originals, "reason_id": s.Reason.ID}, change)
	}
	priced := func(price string) servicetest.Fields {
		return servicetest.Fields{"form_lines": []any{s.Line(servicetest.Fields{"item_net_price": price, "invoiced_quantity": 1})}}
	}
	sets := func(advance uuid.UUID, amounts ...string) servicetest.Fields {
		var entries []any
		for _, amount := range amounts {
			entries = append(entries, servicetest.Fields{"prepaid_invoice": advance, "vat_category_code": "S", "vat_rate": 15, "amount": amount})
		}
		return servicetest.Fields{"prepaid_amounts": entries}
	}
	small := s.Accepted(s.Created(s.Standard(servicetest.Fields{"type_code": 386}, priced("0.40")))) // 0.06 of VAT
	for n := range 3 {
		s.Created(credit(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(n)), "form_lines": priced("0.04")["form_lines"]}, small)) // 0.01 of VAT, rounded up
	}
	export := servicetest.Fields{"transaction_code": "0100100", "buyer": s.Foreign.ID}
	return []refused{
		{"transaction code", s.Standard(servicetest.Fields{"transaction_code": "0100001"}), "Invalid transaction_code"},
		{"transaction code", s.Standard(servicetest.Fields{"transaction_code": "1"}), "Invalid transaction_code"},
		{"seller", s.Standard(servicetest.Fields{"seller": s.Other.Org.ID}), "The seller is not your organisation."},
		{"device", s.Standard(servicetest.Fields{"device": unknownID}), "Device not found"},
		{"device", s.Standard(servicetest.Fields{"device": s.Other.Device.ID}), "Device not found"},
		{"device retired", s.Standard(servicetest.Fields{"device": s.Retired.ID}), "The device is retired"},
		{"device status", s.Standard(servicetest.Fields{"device": s.Unready.ID}), "The device cannot issue invoices: its device_status is csr_pending."},
		{"device certificate", s.Standard(servicetest.Fields{"device": s.Over.ID}), "The device's production certificate has expired."},
		{"device and transaction code", s.Simplified(servicetest.Fields{"device": s.OnlyStandard.ID}), "The device's invoice_type 1000 does not allow transaction_code 0200000."},
		{"buyer", s.Standard(servicetest.Fields{"buyer": unknownID}), "Buyer not found"},
		{"buyer", s.Standard(servicetest.Fields{"buyer": s.Other.Buyer.ID}), "Buyer not found"},
		{"buyer of a standard invoice", s.Standard(servicetest.Fields{"buyer": nil}), "A standard invoice needs a buyer."},
		{"buyer's VAT number", s.Standard(servicetest.Fields{"buyer": s.WithoutVAT.ID}), "The buyer of a standard invoice must have a vat_registration_number."},
		{"identification of a foreign buyer", s.Standard(export), "A foreign buyer without a VAT number needs an additional_buyer_id."},
		{"buyer and seller", s.Standard(servicetest.Fields{"buyer": s.SelfBilled.ID}), "Buyer and seller have the same VAT number."},
		{"lines and form_lines", s.Standard(servicetest.Fields{"lines": []any{servicetest.Fields{"item_id": s.Item.ID, "quantity": 1}}}), "Only one of lines and form_lines may have entries"},
		{"no lines", s.Standard(servicetest.Fields{"form_lines": []any{}}), "The invoice has no lines"},
		{"two prices on a line", s.Standard(servicetest.Fields{"form_lines": []any{s.Line(nil), s.Line(servicetest.Fields{"item_gross_price": "4830.00"})}}),
			"invoice_schema_data.form_lines.1.item_gross_price: must not be sent together with item_net_price"},
		{"decimals of a quantity", s.Standard(servicetest.Fields{"form_lines": []any{s.Line(servicetest.Fields{"item_net_price": "999999999.99", "invoiced_quantity": json.Number("0.33333333")})}}),
			"invoice_schema_data.form_lines.0.invoiced_quantity: must have at most six decimals: rounding it to six would change an amount of the invoice"},
		{"decimals of a quantity", s.Standard(lines(s.Item.ID, json.Number("0.0000001"))), "invoice_schema_data.lines.0.quantity: must have at most six decimals"},
		{"item", s.Standard(lines(unknownID, 1)), "Item not found: lines.0.item_id"},
		{"inactive item", s.Standard(lines(s.InactiveItem.ID, 1)), "The item Carbon paper is not active."},
		{"stock", s.Standard(lines(s.Few.ID, 11)), "The stock of Ten of these is 10, less than the requested quantity of 11."},
		{"lines of an export", s.Standard(servicetest.Fields{"transaction_code": "0100100"}), "Every line of an export invoice must be category Z"},
		{"payment terms", s.Standard(servicetest.Fields{"payment_means_type_code": "30"}), "Payment terms are required for credit payment."},
		{"reason", s.Standard(servicetest.Fields{"reason_id": unknownID}), "The reason is not an active reason of your organisation."},
		{"reason", s.Standard(servicetest.Fields{"reason_id": s.Inactive.ID}), "The reason is not an active reason of your organisation."},
		{"reason", s.Standard(servicetest.Fields{"reason_id": s.Other.Reason.ID}), "The reason is not an active reason of your organisation."},
		{"original of a tax invoice", s.Standard(servicetest.Fields{"original_invoice_reference": []any{s.Original}}), "original_invoice_reference must be [] on a tax invoice."},
		{"original line of a tax invoice", s.Standard(servicetest.Fields{"form_lines": []any{s.Line(servicetest.Fields{"invoice_line_id": unknownID})}}), "invoice_line_id is for credit and debit notes only."},
		{"original of a note", credit(nil), "A credit or debit note needs original_invoice_reference."},
		{"reason of a note", credit(servicetest.Fields{"reason_id": nil}, s.Original), "A credit or debit note needs a reason_id."},
		{"unknown original", credit(nil, unknownID), "Original invoice not found: " + unknownID.String()},
		{"original not accepted", credit(nil, s.Pending), "The original invoice INV-2026-"},
		{"kind of the original", credit(nil, s.Credit), "The original CRN-2026-"},
		{"original and note differ", credit(servicetest.Fields{"buyer": s.OtherBuyer.ID}, s.Original), "The original invoice INV-2026-"},
		{"credit above the original", credit(servicetest.Fields{"form_lines": []any{s.Line(servicetest.Fields{"invoiced_quantity": 3})}}, s.Original), "The credit of 14490.00 is more than the 9660.00 that is left"},
		{"original twice", credit(nil, s.Original, s.Original), "original_invoice_reference contains INV-2026-"},
		{"credit of an advance by category", credit(servicetest.Fields{"form_lines": []any{s.Line(servicetest.Fields{"vat_rate": 5, "invoiced_quantity": 1})}}, s.Advance), "The credit of 4200.00 in category S at 5 percent is more than the 0.00 that is left"},
		{"original line", credit(servicetest.Fields{"form_lines": []any{s.Line(servicetest.Fields{"invoice_line_id": unknownID})}}, s.Original), "invoice_line_id " + unknownID.String() + " is not a line"},
		{"credit note on an advance", credit(nil, s.Advance, s.Original), "A credit note on an advance payment invoice must not reference another invoice."},
		{"advance payments", s.Standard(servicetest.Fields{"add_prepaid_amount": true}), "add_prepaid_amount and prepaid_invoices contradict each other."},
		{"advances on this document", credit(prepaid(s.Advance), s.Original), "Advance payments are deducted from tax invoices (388) only."},
		{"unknown advance", s.Standard(prepaid(s.Original)), "Advance payment invoice not found: " + s.Original.String()},
		{"advance not accepted", s.Standard(prepaid(s.Waiting)), "The advance payment invoice ADV-2026-"},
		{"advance and invoice differ", s.Standard(prepaid(s.Advance), servicetest.Fields{"buyer": s.OtherBuyer.ID}), "The advance payment invoice ADV-2026-"},
		{"advance spent", s.Standard(prepaid(s.Spent)), "Nothing is left of the advance payment invoice ADV-2026-"},
		{"advance twice", s.Standard(prepaid(s.Advance, s.Advance)), "prepaid_invoices contains ADV-2026-"},
		{"advance not needed", s.Standard(prepaid(s.Advance), servicetest.Fields{"form_lines": []any{s.Line(servicetest.Fields{"vat_rate": 5})}}), "Nothing of the advance payment invoice ADV-2026-"},
		{"VAT of a credit of an advance", credit(priced("0.04"), small), "The credit has 0.01 of VAT in category S at 15 percent, which would leave too little of the 0.03 of VAT"},
		{"amount of an advance that is not listed", s.Standard(sets(s.Advance, "1.00")), "prepaid_amounts.0.prepaid_invoice: " + s.Advance.String() + " is not in prepaid_invoices."},
		{"amount of an advance twice", s.Standard(prepaid(s.Advance), sets(s.Advance, "1.00", "2.00")), "prepaid_amounts.1: the advance payment invoice ADV-2026-"},
		{"amount of an advance missing", s.Standard(prepaid(s.Advance, small), sets(s.Advance, "1.00")), "prepaid_amounts has no entry for the advance payment invoice ADV-2026-"},
		{"amount above the advance", s.Standard(prepaid(small), sets(small, "0.29")), "prepaid_amounts.0.amount: 0.29 is more than the 0.28 that is left"},
		{"amount above the invoice", s.Standard(prepaid(s.Advance), sets(s.Advance, "100.01"), priced("100.00")), "prepaid_amounts.0.amount: 100.01 is more than the 100.00 of this invoice"},
	}
}

// TestRefusals_OverHTTP checks every refusal with preview and create, which
// must return the same response. A refused request creates no document.
// pathsOfLines contains the paths of refusals that are about one line.
var pathsOfLines = map[string]string{
	"item": "lines[0].item_id", "inactive item": "lines[0].item_id", "stock": "lines[0].quantity", "lines of an export": "form_lines[0]",
	"two prices on a line":           "form_lines[1].item_gross_price",
	"original line of a tax invoice": "form_lines[0].invoice_line_id", "original line": "form_lines[0].invoice_line_id",
}

func TestRefusals_OverHTTP(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		s := h.Scenario()
		cases := refusals(s)
		before := len(h.AllInvoices(h.Org))
		shown := map[string]bool{"duplicate": true, "idempotency key": true} // covered by the tests of repeated requests
		for _, c := range cases {
			shown[c.name] = true
			preview := s.Call(http.MethodPost, "/v1/api/invoices/preview/", c.body)
			create := s.Create(c.body)
			if create.Status != http.StatusBadRequest || preview.Status != create.Status || preview.Body != create.Body {
				t.Errorf("%s: preview returns %d %s, create %d %s; want the same 400", c.name, preview.Status, preview.Body, create.Status, create.Body)
				continue
			}
			told := create.JSON(t)
			message, _ := told["message"].(string)
			if all, is := told["message"].([]any); is && len(all) == 1 {
				message, _ = all[0].(string)
			}
			if !strings.HasPrefix(message, c.message) {
				t.Errorf("%s: message %q, want prefix %q", c.name, told["message"], c.message)
			}
			if problems, _ := told["errors"].([]any); len(problems) != 1 || pathsOfLines[c.name] != "" && servicetest.TextIn(problems[0], "path") != pathsOfLines[c.name] {
				t.Errorf("%s: errors = %v, want one with the path %q", c.name, problems, pathsOfLines[c.name])
			}
			for _, name := range []string{"message_ar", "fix", "fix_ar"} {
				if text, _ := told[name].(string); text == "" || strings.Contains(text, "%!") {
					t.Errorf("%s: %s = %q, want a formatted text", c.name, name, told[name])
				}
			}
		}
		for _, r := range issue.Refusals() {
			if !shown[r.Name] {
				t.Errorf("no case covers the refusal %q", r.Name)
			}
		}
		if after := len(h.AllInvoices(h.Org)); after != before {
			t.Errorf("%d documents after refused requests, want %d", after, before)
		}
		h.CheckChains(h.Org)
	})
}
