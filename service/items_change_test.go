package service_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
)

func TestInterface_4_4_PatchItemReplacesWhatIsSent(t *testing.T) {
	values := record{
		"item_name": "Laptop 17 inch", "item_name_arabic": "حاسوب", "description": "New", "item_net_price": "1.50",
		"unit_of_measure": "BOX", "vat_rate": "5", "stock": "3", "is_active": false,
	}
	onSQLite(t, func(t *testing.T, h *house) {
		made := h.addItem(t, goodItem())
		path, want := "/api/items/"+idOf(made)+"/", record{}
		same(t, "nothing", h.change(path, `{}`).wants(t, http.StatusOK), wantItem(made["uuid"], nil))
		for _, field := range slices.Sorted(maps.Keys(values)) {
			want[field] = values[field]
			same(t, field, h.change(path, asJSON(t, record{field: values[field]})).wants(t, http.StatusOK), wantItem(made["uuid"], want))
		}
		maps.Copy(want, untaxed("E", "VATEX-SA-30"))
		same(t, "category", h.change(path, asJSON(t, untaxed("E", "VATEX-SA-30"))).wants(t, http.StatusOK), wantItem(made["uuid"], want))
		same(t, "kept", h.read(t, path), wantItem(made["uuid"], want))
		for _, field := range []string{"item_name_arabic", "description"} {
			want[field] = ""
			same(t, "null "+field, h.change(path, asJSON(t, record{field: nil})).wants(t, http.StatusOK), wantItem(made["uuid"], want))
		}
	})
}

func TestInterface_4_4_PatchItemThatIsRefusedChangesNothing(t *testing.T) {
	cases := []struct {
		body string
		want []string
	}{
		{`{"item_name":null}`, []string{"item_name: Field required"}},
		{`{"item_name":"abc"}`, []string{"item_name: String should have at least 4 characters"}},
		{`{"item_name":"a  b "}`, []string{"item_name: String should have at least 4 characters"}},
		{`{"item_net_price":null}`, []string{"item_net_price: Input should be greater than 0"}},
		{`{"unit_of_measure":null}`, []string{"unit_of_measure: Field required"}},
		{`{"vat_category_code":null}`, []string{"vat_category_code: Field required"}},
		{`{"vat_rate":null}`, []string{"vat_rate: Input should be greater than 0 and at most 100 in category S, such as 15"}},
		{`{"vat_category_code":"O"}`, []string{
			"vat_rate: Input should be 0 in category O",
			"vat_exemption_reason_code: Field required in category O: why there is no VAT, such as VATEX-SA-OOS",
			"vat_exemption_reason_text: Field required in category O: the reason in words",
		}},
		{`{"vat_exemption_reason_text":"x"}`, []string{"vat_exemption_reason_text: Input should be empty in category S, which bears VAT"}},
	}
	onSQLite(t, func(t *testing.T, h *house) {
		made := h.addItem(t, goodItem())
		path := "/api/items/" + idOf(made) + "/"
		for _, c := range cases {
			same(t, c.body, h.change(path, c.body).problems(t), c.want)
		}
		same(t, "kept", h.read(t, path), wantItem(made["uuid"], nil))
	})
}

func TestInterface_4_4_PatchItemIgnoresWhatCannotBeAssigned(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		made := h.addItem(t, goodItem(), part{"image", "a.png", aPNG(t)})
		path, other := "/api/items/"+idOf(made)+"/", h.service.NewID().String()
		want := wantItem(made["uuid"], record{"images": made["images"]})
		for _, field := range []string{"uuid", "created_at", "organisation", "org_id", "images", "message", "location", "no_such_field"} {
			for _, value := range []any{other, nil, []any{}, 7} {
				same(t, fmt.Sprint(field, " ", value), h.change(path, asJSON(t, record{field: value})).wants(t, http.StatusOK), want)
			}
		}
	})
}
