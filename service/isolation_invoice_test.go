package service_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// bodies returns invoice requests that contain id, by the name of the field
// that contains it.
func bodies(r servicetest.Tenants, id any) map[string]string {
	credit := func(original any, change servicetest.Fields) string {
		return r.Mine.Standard(servicetest.Fields{"type_code": 381, "reason_id": r.Mine.Reason.ID, "original_invoice_reference": []any{original}}, change)
	}
	return map[string]string{
		"device":                     r.Mine.Standard(servicetest.Fields{"device": id}),
		"seller":                     r.Mine.Standard(servicetest.Fields{"seller": id}),
		"buyer":                      r.Mine.Standard(servicetest.Fields{"buyer": id}),
		"reason_id":                  r.Mine.Standard(servicetest.Fields{"reason_id": id}),
		"prepaid_invoices":           r.Mine.Standard(servicetest.Fields{"add_prepaid_amount": true, "prepaid_invoices": []any{id}}),
		"original_invoice_reference": credit(id, nil),
		"item_id":                    r.Mine.Standard(servicetest.Fields{"form_lines": []any{}, "lines": []any{servicetest.Fields{"item_id": id, "quantity": 1}}}),
		"invoice_line_id":            credit(r.OwnOriginal, servicetest.Fields{"form_lines": []any{r.Mine.Line(servicetest.Fields{"invoice_line_id": id})}}),
	}
}

func TestA3_AnothersIDInAnInvoiceIsARandomOne(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		r := h.Tenants()
		before, own := h.Snapshot(r.Theirs.Org), h.Snapshot(h.Org)
		theirs := map[string]string{
			"device": r.Theirs.Device.ID.String(), "seller": r.Theirs.Org.ID.String(), "buyer": r.Theirs.Buyer.ID.String(), "reason_id": r.Theirs.Reason.ID.String(),
			"prepaid_invoices": r.Advance.String(), "original_invoice_reference": r.Original.String(), "item_id": r.Item, "invoice_line_id": r.Line,
		}
		random := uuid.NewString()
		for field, unknown := range bodies(r, random) {
			foreign := bodies(r, theirs[field])[field]
			for _, path := range []string{"/v1/api/invoices/", "/v1/api/invoices/preview/"} {
				got, want := h.Call(http.MethodPost, path, foreign), h.Call(http.MethodPost, path, unknown)
				got.Body, want.Body = strings.ReplaceAll(got.Body, theirs[field], "ID"), strings.ReplaceAll(want.Body, random, "ID")
				if d := cmp.Diff(servicetest.Telling(want), servicetest.Telling(got)); d != "" || got.Status != http.StatusBadRequest {
					t.Errorf("%s: %s of another organisation: got %d %s, want the response to a random id\n%s", path, field, got.Status, got.Body, d)
				}
			}
		}
		servicetest.Same(t, "records of the other organisation", h.Snapshot(r.Theirs.Org), before)
		servicetest.Same(t, "our records", h.Snapshot(h.Org), own)
	})
}

// Every filter finds only invoices of the caller's organisation.
func TestA3_InvoicesOfAnotherAreNotListed(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		r := h.Tenants()
		foreign := servicetest.Text(h.As(r.Key, http.MethodGet, "/v1/api/invoices/?page_size=1", "").JSON(t)["next_cursor"])
		found := map[string]int{
			"":                                       1,
			"?invoice_status=CLEARED":                1,
			"?cursor=" + foreign:                     0, // ours are newer
			"?device=" + r.Theirs.Device.ID.String(): 0,
			"?buyer=" + r.Theirs.Buyer.ID.String():   0,
			"?uuid=" + r.Original.String():           0,
			"?uuid=" + r.Original.String() + "," + r.OwnOriginal:   1,
			"?search_text=" + r.Original.String():                  0,
			"?search_text=" + url.QueryEscape("INV-2026-000001"):   1,
			"?search_text=" + url.QueryEscape("ADV-2026-000001"):   0,
			"?search_text=" + url.QueryEscape(r.Theirs.Buyer.Name): 1, // our buyer has the same name
		}
		for query, want := range found {
			a := h.Call(http.MethodGet, "/v1/api/invoices/"+query, "")
			rows := servicetest.Names(t, a.Wants(t, http.StatusOK)["invoices"], "uuid")
			if len(rows) != want || want == 1 && rows[0] != r.OwnOriginal {
				t.Errorf("%s lists %v, want %d own invoices", query, rows, want)
			}
		}
	})
}
