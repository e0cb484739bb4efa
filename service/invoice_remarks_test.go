package service_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/org"
)

func TestInterface_4_2_NotesOnAnInvoice(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		id := shop.created(shop.standard())
		before := shop.full(id)
		path := "/api/invoices/" + id.String() + "/notes/"
		same(t, "none", shop.read(t, path), record{"notes": []any{}})
		accountant := h.newKey(h.org, org.Accountant)
		var want []any
		for n, c := range []struct{ key, title, details string }{
			{h.key, "Delivery", "Left at the gate."}, {accountant, "ملاحظة", "سُلّمت البضاعة"}, {h.key, "Delivery", "Left at the gate."},
			{h.key, strings.Repeat("t", 200), strings.Repeat("d", 5000)},
		} {
			got := h.as(c.key, http.MethodPost, "/v1"+path, asJSON(t, fields{"title": c.title, "details": c.details})).wants(t, http.StatusCreated)
			if idOf(got) == "" {
				t.Errorf("note %d has no uuid", n)
			}
			holds(t, c.title, got, record{"title": c.title, "details": c.details, "created_by": c.key[:12], "created_at": h.clock.Now().In(riyadh).Format(time.RFC3339)})
			want = append(want, got)
			h.clock.Advance(time.Duration(n) * time.Second) // two of them at the same moment
		}
		same(t, "the oldest first", shop.read(t, path), record{"notes": want})
		for _, c := range []struct{ body, told string }{
			{`{"title":"","details":"x"}`, "title: "}, {`{"title":"  ","details":"x"}`, "title: "}, {`{"title":"x","details":" \n\t"}`, "details: "},
			{`{"title":"x"}`, "details: "}, {`{"title":null,"details":"x"}`, "title: "}, {`{"title":1,"details":"x"}`, "title: "},
			{asJSON(t, fields{"title": strings.Repeat("x", 201), "details": "x"}), "title: "}, {asJSON(t, fields{"title": "x", "details": strings.Repeat("x", 5001)}), "details: "},
		} {
			if told := shop.call(http.MethodPost, "/v1"+path, c.body).problems(t); len(told) != 1 || !strings.HasPrefix(told[0], c.told) {
				t.Errorf("%.60s: told %q", c.body, told)
			}
		}
		same(t, "after refusals", shop.read(t, path), record{"notes": want})
		same(t, "the invoice", shop.full(id), before)

		_, stranger := h.stranger()
		noInvoice := refusal{http.StatusNotFound, `{"message":"Invoice not found"}` + "\n"}
		unknown := "/v1/api/invoices/" + h.service.NewID().String() + "/notes/"
		for _, c := range []struct{ key, path string }{{h.key, unknown}, {stranger, "/v1" + path}} {
			noInvoice.wants(t, "reading", h.as(c.key, http.MethodGet, c.path, ""))
			noInvoice.wants(t, "writing", h.as(c.key, http.MethodPost, c.path, `{"title":"x","details":"y"}`))
		}
	})
}

var riyadh = time.FixedZone("", 3*60*60)
