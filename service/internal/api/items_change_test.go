package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"khatm/service/internal/servicetest"
)

func TestInterface_4_4_PatchItemReplacesWhatIsSent(t *testing.T) {
	values := servicetest.Record{
		"item_name": "Laptop 17 inch", "item_name_arabic": "حاسوب", "description": "New", "sku": "LAP-17", "barcode": "6281000000021", "item_net_price": "1.50",
		"unit_of_measure": "BOX", "vat_rate": "5", "stock": "3", "is_active": false,
	}
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		made := h.AddItem(t, servicetest.GoodItem())
		path, want := "/api/items/"+servicetest.IDOf(made)+"/", servicetest.Record{}
		servicetest.Same(t, "empty change", h.Change(path, `{}`).Wants(t, http.StatusOK), wantItem(made["uuid"], nil))
		for _, field := range slices.Sorted(maps.Keys(values)) {
			want[field] = values[field]
			servicetest.Same(t, field, h.Change(path, servicetest.AsJSON(t, servicetest.Record{field: values[field]})).Wants(t, http.StatusOK), wantItem(made["uuid"], want))
		}
		maps.Copy(want, untaxed("E", "VATEX-SA-30"))
		servicetest.Same(t, "category", h.Change(path, servicetest.AsJSON(t, untaxed("E", "VATEX-SA-30"))).Wants(t, http.StatusOK), wantItem(made["uuid"], want))
		servicetest.Same(t, "stored record", h.Read(t, path), wantItem(made["uuid"], want))
		for _, field := range []string{"item_name_arabic", "description", "sku", "barcode"} {
			want[field] = ""
			servicetest.Same(t, "null "+field, h.Change(path, servicetest.AsJSON(t, servicetest.Record{field: nil})).Wants(t, http.StatusOK), wantItem(made["uuid"], want))
		}
	})
}

func TestInterface_4_4_PatchItemThatIsRefusedChangesNothing(t *testing.T) {
	cases := []struct {
		body string
		want []string
	}{
		{`{"item_name":null}`, []string{"item_name: Field required"}},
		{`{"item_name":"abc"}`, []string{"item_name: must have at least 4 characters"}},
		{`{"item_name":"a  b "}`, []string{"item_name: must have at least 4 characters"}},
		{`{"item_net_price":null}`, []string{"item_net_price: must be greater than 0"}},
		{`{"unit_of_measure":null}`, []string{"unit_of_measure: Field required"}},
		{`{"vat_category_code":null}`, []string{"vat_category_code: Field required"}},
		{`{"vat_rate":null}`, []string{"vat_rate: must be greater than 0 and at most 100 in category S, such as 15"}},
		{`{"vat_category_code":"O"}`, []string{
			"vat_rate: must be 0 in category O",
			"vat_exemption_reason_code: Field required in category O: the reason for not charging VAT, such as VATEX-SA-OOS",
			"vat_exemption_reason_text: Field required in category O: the reason as text",
		}},
		{`{"vat_exemption_reason_text":"x"}`, []string{"vat_exemption_reason_text: must be empty in category S, which is taxed"}},
	}
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		made := h.AddItem(t, servicetest.GoodItem())
		path := "/api/items/" + servicetest.IDOf(made) + "/"
		for _, c := range cases {
			servicetest.Same(t, c.body, h.Change(path, c.body).Problems(t), c.want)
		}
		servicetest.Same(t, "stored record", h.Read(t, path), wantItem(made["uuid"], nil))
	})
}

func TestInterface_4_4_PatchItemIgnoresWhatCannotBeAssigned(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		made := h.AddItem(t, servicetest.GoodItem(), servicetest.Part{Field: "image", Filename: "a.png", Content: servicetest.APNG(t)})
		path, other := "/api/items/"+servicetest.IDOf(made)+"/", h.Service.NewID().String()
		want := wantItem(made["uuid"], servicetest.Record{"images": made["images"]})
		for _, field := range []string{"uuid", "created_at", "organisation", "org_id", "images", "message", "location", "no_such_field"} {
			for _, value := range []any{other, nil, []any{}, 7} {
				servicetest.Same(t, fmt.Sprint(field, " ", value), h.Change(path, servicetest.AsJSON(t, servicetest.Record{field: value})).Wants(t, http.StatusOK), want)
			}
		}
	})
}
