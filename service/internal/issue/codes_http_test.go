package issue_test

import (
	"net/http"
	"testing"

	"khatm/service/internal/servicetest"
)

// problems returns the list errors of an error response.
func problems(t *testing.T, a servicetest.Answer) []servicetest.Record {
	t.Helper()
	list, _ := a.JSON(t)["errors"].([]any)
	all := make([]servicetest.Record, len(list))
	for i, one := range list {
		all[i], _ = one.(servicetest.Record)
	}
	return all
}

// TestInterface_7_1_ErrorsOfAnInvoice checks code, and path and code of each
// problem, for the ways in which an invoice is refused.
func TestInterface_7_1_ErrorsOfAnInvoice(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		s := h.Scenario()
		type want struct{ path, code string }
		for name, c := range map[string]struct {
			body string
			code string
			want []want
		}{
			"missing fields": {s.Standard(servicetest.Fields{"device": nil, "currency": ""}), "validation_failed", []want{{"device", "field_required"}, {"currency", "field_required"}}},
			"wrong values": {
				s.Standard(servicetest.Fields{"form_lines": []any{s.Line(nil), s.Line(servicetest.Fields{"item_name": 7, "vat_rate": "x"})}}), "validation_failed",
				[]want{{"form_lines[1].item_name", "wrong_type"}, {"form_lines[1].vat_rate", "wrong_type"}},
			},
			"not JSON":         {`{`, "validation_failed", []want{{"", "invalid_json"}}},
			"unknown device":   {s.Standard(servicetest.Fields{"device": s.Other.Device.ID}), "device_not_found", []want{{"device", "device_not_found"}}},
			"a rule":           {s.Standard(servicetest.Fields{"currency": "XXZ"}), "rule_violated", []want{{"currency", "rule_violated"}}},
			"unknown item":     {s.Standard(servicetest.Fields{"form_lines": []any{}, "lines": []any{servicetest.Fields{"item_id": s.Device.ID, "quantity": 1}}}), "unknown_item", []want{{"lines[0].item_id", "unknown_item"}}},
			"computed problem": {s.Standard(servicetest.Fields{"form_lines": []any{s.Line(servicetest.Fields{"vat_category_code": "Z", "vat_rate": 0})}}), "validation_failed", []want{{"form_lines[0].vat_exemption_reason_code", "invalid_value"}, {"form_lines[0].vat_exemption_reason_text", "invalid_value"}}},
		} {
			a := s.Create(c.body)
			if code := a.JSON(t)["code"]; a.Status != http.StatusBadRequest || code != c.code {
				t.Errorf("%s: %d %s, want 400 with code %s", name, a.Status, a.Body, c.code)
				continue
			}
			var got []want
			for _, p := range problems(t, a) {
				path, _ := p["path"].(string)
				code, _ := p["code"].(string)
				got = append(got, want{path, code})
			}
			if len(got) != len(c.want) {
				t.Errorf("%s: errors %v, want %v", name, got, c.want)
				continue
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("%s: errors %v, want %v", name, got, c.want)
					break
				}
			}
		}
	})
}

// TestRefusalAboutReasonListsTheActiveOnes checks that the three refusals about
// reason_id list the organisation's own active reasons.
func TestRefusalAboutReasonListsTheActiveOnes(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		s := h.Scenario()
		for name, body := range map[string]string{
			"payment_terms_required": s.Standard(servicetest.Fields{"payment_means_type_code": "30"}),
			"unknown_reason":         s.Standard(servicetest.Fields{"reason_id": s.Inactive.ID}),
			"reason_required":        s.Standard(servicetest.Fields{"type_code": 381, "original_invoice_reference": []any{s.Original}}),
		} {
			a := s.Create(body)
			told := a.JSON(t)
			if told["code"] != name {
				t.Errorf("%s: code %v in %s", name, told["code"], a.Body)
			}
			list, _ := told["reasons"].([]any)
			found := false
			for _, one := range list {
				r, _ := one.(servicetest.Record)
				found = found || r["uuid"] == s.Reason.ID.String() && r["description"] == s.Reason.Description
				if r["uuid"] == s.Inactive.ID.String() || r["uuid"] == s.Other.Reason.ID.String() {
					t.Errorf("%s: reasons contains %v, which is inactive or of another organisation", name, r)
				}
			}
			if !found {
				t.Errorf("%s: reasons %v lacks the active reason %s", name, list, s.Reason.ID)
			}
		}
		a := s.Create(s.Standard(servicetest.Fields{"device": s.Other.Device.ID}))
		if a.JSON(t)["reasons"] != nil {
			t.Errorf("a refusal about the device lists reasons: %s", a.Body)
		}
	})
}

func TestDuplicateRefusalHasRetryAfterAndLocation(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		s := h.Scenario()
		body := s.Standard(nil)
		first := s.Create(body)
		again := s.Create(body)
		told := again.JSON(t)
		if again.Status != http.StatusBadRequest || told["code"] != "duplicate_invoice" || told["location"] != first.JSON(t)["location"] {
			t.Errorf("the same body again: %d %s, want 400 duplicate_invoice with the location of the first", again.Status, again.Body)
		}
		if got := again.Header.Get("Retry-After"); got != "300" {
			t.Errorf("Retry-After = %q, want 300: the seconds in the message", got)
		}
	})
}
