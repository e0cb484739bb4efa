package service_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"khatm/service/internal/org"
)

// rivals are two tills of two organisations, with the key of the other, and
// what the other has that an invoice can name.
type rivals struct {
	mine, theirs            *till
	key                     string
	original, advance       uuid.UUID // theirs, accepted
	item, line, ownOriginal string
}

func (h *house) rivals() rivals {
	h.t.Helper()
	r := rivals{mine: h.till(), theirs: h.tillOf(h.organisation("Other", "business"))}
	r.key = h.newKey(r.theirs.org, org.CreateInvoice)
	issued := func(text string) uuid.UUID {
		return r.theirs.accepted(uuid.MustParse(r.theirs.createdBy(r.key, text)))
	}
	r.original = issued(r.theirs.standard())
	r.advance = issued(r.theirs.standard(fields{"type_code": 386}))
	r.item = r.theirs.stocked("Their paper", nil).ID.String()
	whole := h.as(r.key, http.MethodGet, "/v1/api/invoices/"+r.original.String()+"/", "").wants(h.t, http.StatusOK)
	r.line = names(h.t, whole["lines"], "uuid")[0]
	r.ownOriginal = r.mine.accepted(r.mine.created(r.mine.standard())).String()
	return r
}

// bodies are invoices that name an id, by the field that names it.
func (r rivals) bodies(id any) map[string]string {
	credit := func(original any, change fields) string {
		return r.mine.standard(fields{"type_code": 381, "reason_id": r.mine.reason.ID, "original_invoice_reference": []any{original}}, change)
	}
	return map[string]string{
		"device":                     r.mine.standard(fields{"device": id}),
		"seller":                     r.mine.standard(fields{"seller": id}),
		"buyer":                      r.mine.standard(fields{"buyer": id}),
		"reason_id":                  r.mine.standard(fields{"reason_id": id}),
		"prepaid_invoices":           r.mine.standard(fields{"add_prepaid_amount": true, "prepaid_invoices": []any{id}}),
		"original_invoice_reference": credit(id, nil),
		"item_id":                    r.mine.standard(fields{"form_lines": []any{}, "lines": []any{fields{"item_id": id, "quantity": 1}}}),
		"invoice_line_id":            credit(r.ownOriginal, fields{"form_lines": []any{r.mine.line(fields{"invoice_line_id": id})}}),
	}
}

func TestA3_AnothersIDInAnInvoiceIsARandomOne(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		r := h.rivals()
		before, own := h.snapshot(r.theirs.org), h.snapshot(h.org)
		theirs := map[string]string{
			"device": r.theirs.device.ID.String(), "seller": r.theirs.org.ID.String(), "buyer": r.theirs.buyer.ID.String(), "reason_id": r.theirs.reason.ID.String(),
			"prepaid_invoices": r.advance.String(), "original_invoice_reference": r.original.String(), "item_id": r.item, "invoice_line_id": r.line,
		}
		random := uuid.NewString()
		for field, unknown := range r.bodies(random) {
			foreign := r.bodies(theirs[field])[field]
			for _, path := range []string{"/v1/api/invoices/", "/v1/api/invoices/preview/"} {
				got, want := h.call(http.MethodPost, path, foreign), h.call(http.MethodPost, path, unknown)
				got.body, want.body = strings.ReplaceAll(got.body, theirs[field], "ID"), strings.ReplaceAll(want.body, random, "ID")
				if d := cmp.Diff(telling(want), telling(got)); d != "" || got.status != http.StatusBadRequest {
					t.Errorf("%s: %s of another organisation: %d %s\n%s", path, field, got.status, got.body, d)
				}
			}
		}
		same(t, "another's records", h.snapshot(r.theirs.org), before)
		same(t, "our records", h.snapshot(h.org), own)
	})
}

// A filter may name whatever it likes: only own invoices are found.
func TestA3_InvoicesOfAnotherAreNotListed(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		r := h.rivals()
		foreign := text(h.as(r.key, http.MethodGet, "/v1/api/invoices/?page_size=1", "").json(t)["next_cursor"])
		found := map[string]int{
			"":                                       1,
			"?invoice_status=CLEARED":                1,
			"?cursor=" + foreign:                     0, // ours are newer
			"?device=" + r.theirs.device.ID.String(): 0,
			"?buyer=" + r.theirs.buyer.ID.String():   0,
			"?uuid=" + r.original.String():           0,
			"?uuid=" + r.original.String() + "," + r.ownOriginal:   1,
			"?search_text=" + r.original.String():                  0,
			"?search_text=" + url.QueryEscape("INV-2026-000001"):   1,
			"?search_text=" + url.QueryEscape("ADV-2026-000001"):   0,
			"?search_text=" + url.QueryEscape(r.theirs.buyer.Name): 1, // ours has the same name
		}
		for query, want := range found {
			a := h.call(http.MethodGet, "/v1/api/invoices/"+query, "")
			rows := names(t, a.wants(t, http.StatusOK)["invoices"], "uuid")
			if len(rows) != want || want == 1 && rows[0] != r.ownOriginal {
				t.Errorf("%s lists %v", query, rows)
			}
		}
	})
}
