package issue_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

func TestInterface_4_2_NotesOnAnInvoice(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		id := shop.Created(shop.Standard())
		before := shop.Full(id)
		path := "/api/invoices/" + id.String() + "/notes/"
		servicetest.Same(t, "none", shop.Read(t, path), servicetest.Record{"notes": []any{}})
		accountant := h.NewKey(h.Org, org.Accountant)
		var want []any
		for n, c := range []struct{ key, title, details string }{
			{h.Key, "Delivery", "Left at the gate."}, {accountant, "ملاحظة", "سُلّمت البضاعة"}, {h.Key, "Delivery", "Left at the gate."},
			{h.Key, strings.Repeat("t", 200), strings.Repeat("d", 5000)},
		} {
			got := h.As(c.key, http.MethodPost, "/v1"+path, servicetest.AsJSON(t, servicetest.Fields{"title": c.title, "details": c.details})).Wants(t, http.StatusCreated)
			if servicetest.IDOf(got) == "" {
				t.Errorf("note %d has no uuid", n)
			}
			holds(t, c.title, got, servicetest.Record{"title": c.title, "details": c.details, "created_by": c.key[:12], "created_at": h.Clock.Now().In(riyadh).Format(time.RFC3339)})
			want = append(want, got)
			h.Clock.Advance(time.Duration(n) * time.Second) // the first two at the same time
		}
		servicetest.Same(t, "the oldest first", shop.Read(t, path), servicetest.Record{"notes": want})
		for _, c := range []struct{ body, told string }{
			{`{"title":"","details":"x"}`, "title: "}, {`{"title":"  ","details":"x"}`, "title: "}, {`{"title":"x","details":" \n\t"}`, "details: "},
			{`{"title":"x"}`, "details: "}, {`{"title":null,"details":"x"}`, "title: "}, {`{"title":1,"details":"x"}`, "title: "},
			{servicetest.AsJSON(t, servicetest.Fields{"title": strings.Repeat("x", 201), "details": "x"}), "title: "}, {servicetest.AsJSON(t, servicetest.Fields{"title": "x", "details": strings.Repeat("x", 5001)}), "details: "},
		} {
			if told := shop.Call(http.MethodPost, "/v1"+path, c.body).Problems(t); len(told) != 1 || !strings.HasPrefix(told[0], c.told) {
				t.Errorf("%.60s: problems %q, want prefix %q", c.body, told, c.told)
			}
		}
		servicetest.Same(t, "after refusals", shop.Read(t, path), servicetest.Record{"notes": want})
		servicetest.Same(t, "the invoice", shop.Full(id), before)

		_, stranger := h.Stranger()
		noInvoice := servicetest.Refusal{Status: http.StatusNotFound, Body: `{"message":"Invoice not found"}` + "\n"}
		unknown := "/v1/api/invoices/" + h.Service.NewID().String() + "/notes/"
		for _, c := range []struct{ key, path string }{{h.Key, unknown}, {stranger, "/v1" + path}} {
			noInvoice.Wants(t, "reading", h.As(c.key, http.MethodGet, c.path, ""))
			noInvoice.Wants(t, "writing", h.As(c.key, http.MethodPost, c.path, `{"title":"x","details":"y"}`))
		}
	})
}

var riyadh = time.FixedZone("", 3*60*60)
