package api_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

func TestInterface_Conventions_IdsAreUUIDStrings(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		buyer := servicetest.IDOf(h.AddClient(t, servicetest.With(t, servicetest.GoodClient(), servicetest.Record{"industry": strings.ToUpper(servicetest.AnyIndustry())})))
		item := servicetest.IDOf(h.AddItem(t, servicetest.GoodItem()))
		shop := h.NewSeller()
		invoice := shop.Created(shop.Standard()).String()
		for _, c := range []struct {
			path, id, name string
			changes        bool // with PATCH
		}{{"/api/buyers/", buyer, "buyer_id", true}, {"/api/items/", item, "item_id", true}, {"/api/invoices/", invoice, "invoice_id", false}} {
			if len(c.id) != 36 || c.id != strings.ToLower(c.id) {
				t.Errorf("id in %s = %q, want a UUID", c.path, c.id)
			}
			for name, id := range map[string]string{
				"unchanged": c.id, "in capitals": strings.ToUpper(c.id), "with an escape": "%3" + c.id[:1] + c.id[1:],
			} {
				servicetest.Same(t, c.path+name, h.Read(t, c.path+id+"/")["uuid"], any(c.id))
				if c.changes {
					servicetest.Same(t, c.path+name, h.Change(c.path+id+"/", `{}`).Wants(t, http.StatusOK)["uuid"], any(c.id))
				}
			}
			for name, id := range map[string]string{
				"a number": "7", "a word": "null", "no dashes": strings.ReplaceAll(c.id, "-", ""), "in braces": "%7B" + c.id + "%7D", "as a URN": "urn:uuid:" + c.id,
				"one too long": c.id + "0", "one too short": c.id[1:], "not hexadecimal": "g" + c.id[1:], "dashes elsewhere": strings.Replace(c.id, "-", "a", 1),
				"a space before": "%20" + c.id, "a space after": c.id + "%20", "a NUL byte": c.id + "%00", "not UTF-8": "%FF", "a slash": "a%2Fb", "a sign": "-" + c.id[1:],
				"Arabic digits": strings.Repeat("%D9%A1", 36), "a wildcard": "%25", "a quote": "'%20OR%20'1'='1",
			} {
				want := []string{c.name + ": must be a UUID"}
				servicetest.Same(t, name, h.Call(http.MethodGet, "/v1"+c.path+id+"/", "").Problems(t), want)
				if c.changes {
					servicetest.Same(t, name, h.Change(c.path+id+"/", `{}`).Problems(t), want)
				}
			}
		}
	})
}

func TestInterface_Conventions_VersionSegment(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for _, base := range []string{"", "/v1-3", "/v2", "/V1"} {
		servicetest.NoSuchPath.Wants(t, base, h.Call(http.MethodGet, base+"/api/buyers/", ""))
	}
}

func TestInterface_Conventions_TimesAreToldInRiyadh(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		servicetest.Same(t, "client", h.AddClient(t, servicetest.GoodClient())["created_at"], any("2026-11-15T12:00:00+03:00"))
		servicetest.Same(t, "item", h.AddItem(t, servicetest.GoodItem())["created_at"], any("2026-11-15T12:00:00+03:00"))
		shop := h.NewSeller()
		id := shop.Accepted(shop.Created(shop.Standard()))
		read := shop.Full(id)
		servicetest.Same(t, "invoice", []any{read["created_at"], read["authority_response_received_at"]}, []any{"2026-11-15T12:00:00+03:00", "2026-11-15T12:00:00+03:00"})
		note := h.Call(http.MethodPost, "/v1/api/invoices/"+id.String()+"/notes/", `{"title":"Delivery","details":"Left at the gate."}`)
		servicetest.Same(t, "note", note.Wants(t, http.StatusCreated)["created_at"], any("2026-11-15T12:00:00+03:00"))
	})
}
