package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// wantItem returns the record of servicetest.GoodItem with some fields changed.
func wantItem(id any, changes servicetest.Record) servicetest.Record {
	want := servicetest.Record{
		"uuid": id, "item_name": "Laptop 15 inch", "item_name_arabic": "", "description": "", "sku": "", "barcode": "",
		"item_net_price": "4200.00", "unit_of_measure": "PCE", "vat_category_code": "S", "vat_rate": "15",
		"vat_exemption_reason_code": "", "vat_exemption_reason_text": "",
		"stock": nil, "images": []any{}, "is_active": true, "created_at": "2026-11-15T12:00:00+03:00",
	}
	maps.Copy(want, changes)
	return want
}

// untaxed returns the fields of an item without VAT.
func untaxed(category, code string) servicetest.Record {
	return servicetest.Record{"vat_category_code": category, "vat_rate": "0", "vat_exemption_reason_code": code, "vat_exemption_reason_text": "A reason in words"}
}

func TestInterface_4_4_CreateItemAnswers201WithLocation(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		a := h.TryItem(servicetest.GoodItem())
		made := a.Wants(t, http.StatusCreated)
		at := "/api/items/" + servicetest.IDOf(made) + "/"
		if got := a.Header.Get("Location"); got != at {
			t.Errorf("Location = %q, want %q", got, at)
		}
		servicetest.Same(t, "response", made, wantItem(made["uuid"], servicetest.Record{"message": "Item created.", "location": at}))
		servicetest.Same(t, "record at the location", h.Read(t, at), wantItem(made["uuid"], nil))
		servicetest.Same(t, "list", h.Read(t, "/api/items/"), servicetest.Record{
			"items": []any{wantItem(made["uuid"], nil)},
			"total": servicetest.Number(1), "num_pages": servicetest.Number(1), "current_page": servicetest.Number(1), "total_capped": false, "next_cursor": nil,
		})
	})
}

func TestInterface_2_10_ItemOfEveryField(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		given := servicetest.Record{
			"item_name": "دفتر", "item_name_arabic": "دفتر مدرسي", "description": "Two lines\nof text", "sku": "دفتر-1", "barcode": "6281000000014", "item_net_price": "0.01",
			"unit_of_measure": "BOX", "vat_category_code": "Z", "vat_rate": "0", "vat_exemption_reason_code": "VATEX-SA-32",
			"vat_exemption_reason_text": "Export of goods", "stock": "12.5", "is_active": false,
		}
		made := h.AddItem(t, servicetest.AsJSON(t, given))
		servicetest.Same(t, "record", h.Read(t, "/api/items/"+servicetest.IDOf(made)+"/"), wantItem(made["uuid"], given))
	})
}

func TestInterface_2_10_ItemsHaveDifferentCodes(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		with := func(sku, barcode string) string {
			return servicetest.With(t, servicetest.GoodItem(), servicetest.Record{"sku": sku, "barcode": barcode})
		}
		first, second := h.AddItem(t, with(" LAP-15 ", "6281000000014")), h.AddItem(t, with("", ""))
		servicetest.Same(t, "sku", first["sku"], any("LAP-15"))
		path := "/api/items/" + servicetest.IDOf(second) + "/"
		servicetest.Same(t, "a new item with the same SKU", h.TryItem(with("LAP-15", "")).Problems(t), []string{"item_data.sku: must not be the SKU of another item"})
		servicetest.Same(t, "a new item with the same barcode", h.TryItem(with("x", "6281000000014"), servicetest.Part{Field: "image", Filename: "image.png", Content: servicetest.OnePixelPNG()}).Problems(t),
			[]string{"item_data.barcode: must not be the barcode of another item"})
		servicetest.Same(t, "stored files", len(h.Pictures(t)), 0)
		servicetest.Same(t, "a change to the same SKU", h.Change(path, `{"sku":"LAP-15"}`).Problems(t), []string{"sku: must not be the SKU of another item"})
		servicetest.Same(t, "a long SKU", h.Change(path, `{"sku":"`+strings.Repeat("خ", 65)+`"}`).Problems(t), []string{"sku: must have at most 64 characters"})
		for _, search := range []string{"lap-15", "62810000", "٦٢٨١٠٠"} {
			list := h.Read(t, "/api/items/?search_text="+url.QueryEscape(search))
			servicetest.Same(t, "search for "+search, []any{list["total"], servicetest.IDOf(servicetest.First(t, list["items"]))}, []any{servicetest.Number(1), servicetest.IDOf(first)})
		}
		_, stranger := h.Stranger()
		h.Send(http.MethodPost, "/v1/api/items/", servicetest.Bearer(stranger), servicetest.FormBody(t, servicetest.Part{Field: "item_data", Filename: "", Content: with("LAP-15", "6281000000014")})).Wants(t, http.StatusCreated)
		h.Change("/api/items/"+servicetest.IDOf(first)+"/", `{"sku":null}`).Wants(t, http.StatusOK)
		servicetest.Same(t, "the free SKU", h.Change(path, `{"sku":"LAP-15"}`).Wants(t, http.StatusOK)["sku"], any("LAP-15"))
	})
}

func TestInterface_4_4_NumbersOfAnItem(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		for _, c := range []struct{ field, sent, want string }{
			{"item_net_price", `"4200"`, "4200.00"},
			{"item_net_price", `4200`, "4200.00"},
			{"item_net_price", `4200.5`, "4200.50"},
			{"item_net_price", `4.2e3`, "4200.00"},
			{"item_net_price", `0.01`, "0.01"},
			{"item_net_price", `"999999999.99"`, "999999999.99"},
			{"item_net_price", `999999999.990`, "999999999.99"},
			{"vat_rate", `15.0`, "15"},
			{"vat_rate", `"5.00"`, "5"},
			{"vat_rate", `0.5`, "0.5"},
			{"vat_rate", `100`, "100"},
			{"stock", `0`, "0"},
			{"stock", `-0`, "0"},
			{"stock", `"0.000001"`, "0.000001"},
			{"stock", `7.50`, "7.5"},
			{"stock", `999999999999999.999999`, "999999999999999.999999"},
		} {
			made := h.AddItem(t, servicetest.With(t, servicetest.GoodItem(), servicetest.Record{c.field: json.RawMessage(c.sent)}))
			servicetest.Same(t, c.field+" "+c.sent, h.Read(t, "/api/items/"+servicetest.IDOf(made)+"/"), wantItem(made["uuid"], servicetest.Record{c.field: c.want}))
		}
	})
}

func TestInterface_4_4_StockIsUnlimitedWhereItIsNotGiven(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		for name, value := range map[string]any{"absent": servicetest.Absent{}, "null": nil} {
			made := h.AddItem(t, servicetest.With(t, servicetest.GoodItem(), servicetest.Record{"stock": value}))
			servicetest.Same(t, name, h.Read(t, "/api/items/"+servicetest.IDOf(made)+"/"), wantItem(made["uuid"], servicetest.Record{"stock": nil}))
		}
		path := "/api/items/" + servicetest.IDOf(h.AddItem(t, servicetest.With(t, servicetest.GoodItem(), servicetest.Record{"stock": 5}))) + "/"
		for _, c := range []struct {
			body string
			want any
		}{
			{`{}`, "5"}, {`{"stock":"2.25"}`, "2.25"}, {`{"item_name":"Laptop 16 inch"}`, "2.25"},
			{`{"stock":null}`, nil}, {`{"stock":0}`, "0"}, {`{"stock":1e3}`, "1000"},
		} {
			servicetest.Same(t, c.body, h.Change(path, c.body).Wants(t, http.StatusOK)["stock"], c.want)
			servicetest.Same(t, c.body+" stored", h.Read(t, path)["stock"], c.want)
		}
		for body, want := range map[string]string{
			`{"stock":-1}`:          "stock: must be at least 0",
			`{"stock":1e15}`:        "stock: must be less than 1000000000000000",
			`{"stock":0.0000001}`:   "stock: must have at most 6 decimal places",
			`{"stock":"unlimited"}`: "stock: must be a decimal number",
			`{"stock":false}`:       "stock: must be a decimal number",
		} {
			servicetest.Same(t, body, h.Change(path, body).Problems(t), []string{want})
		}
		servicetest.Same(t, "stored stock", h.Read(t, path)["stock"], any("1000"))
	})
}

func TestInterface_4_4_InactiveItems(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		made := h.AddItem(t, servicetest.With(t, servicetest.GoodItem(), servicetest.Record{"is_active": false}))
		path := "/api/items/" + servicetest.IDOf(made) + "/"
		servicetest.Same(t, "created", made["is_active"], any(false))
		servicetest.Same(t, "listed", servicetest.Names(t, h.Read(t, "/api/items/")["items"], "uuid"), []string{servicetest.IDOf(made)})
		for _, c := range []struct {
			body string
			want bool
		}{
			{`{"item_net_price":1}`, false}, {`{"is_active":true}`, true}, {`{}`, true}, {`{"is_active":false}`, false},
			{`{"is_active":null}`, true}, // null means true, as for a new item
		} {
			servicetest.Same(t, c.body, h.Change(path, c.body).Wants(t, http.StatusOK)["is_active"], any(c.want))
		}
		servicetest.Same(t, "not given", h.AddItem(t, servicetest.GoodItem())["is_active"], any(true))
		servicetest.Same(t, "null", h.AddItem(t, servicetest.With(t, servicetest.GoodItem(), servicetest.Record{"is_active": nil}))["is_active"], any(true))
	})
}

func TestInterface_2_4_CategoriesOfAnItem(t *testing.T) {
	t.Parallel()
	const list = "; /api/invoices/vat-exemption-reasons/ lists them"
	cases := []struct {
		name    string
		changes servicetest.Record
		want    []string
	}{
		{"S at 5", servicetest.Record{"vat_rate": 5}, nil},
		{"S at 0", servicetest.Record{"vat_rate": 0}, []string{"item_data.vat_rate: must be greater than 0 and at most 100 in category S, such as 15"}},
		{"S with a reason", servicetest.Record{"vat_exemption_reason_code": "VATEX-SA-32", "vat_exemption_reason_text": "x"}, []string{
			"item_data.vat_exemption_reason_code: must be empty in category S, which is taxed",
			"item_data.vat_exemption_reason_text: must be empty in category S, which is taxed"}},
		{"Z", untaxed("Z", "VATEX-SA-32"), nil},
		{"E", untaxed("E", "VATEX-SA-29"), nil},
		{"O", untaxed("O", "VATEX-SA-OOS"), nil},
		{"Z at 15", merge(untaxed("Z", "VATEX-SA-32"), servicetest.Record{"vat_rate": 15}), []string{"item_data.vat_rate: must be 0 in category Z"}},
		{"Z without a reason", servicetest.Record{"vat_category_code": "Z", "vat_rate": 0}, []string{
			"item_data.vat_exemption_reason_code: Field required in category Z: the reason for not charging VAT, such as VATEX-SA-32",
			"item_data.vat_exemption_reason_text: Field required in category Z: the reason as text"}},
		{"Z with a reason of E", untaxed("Z", "VATEX-SA-29"), []string{
			"item_data.vat_exemption_reason_code: must be a reason code of category Z, such as VATEX-SA-32" + list}},
		{"O with an unknown reason", untaxed("O", "VATEX-SA-99"), []string{
			"item_data.vat_exemption_reason_code: must be a reason code of category O, such as VATEX-SA-OOS" + list}},
		{"unknown category", servicetest.Record{"vat_category_code": "X"}, []string{"item_data.vat_category_code: must be 'S', 'Z', 'E' or 'O'"}},
	}
	h := servicetest.Open(t, nil)
	for _, c := range cases {
		a := h.TryItem(servicetest.With(t, servicetest.GoodItem(), c.changes))
		if c.want == nil {
			a.Wants(t, http.StatusCreated)
			continue
		}
		servicetest.Same(t, c.name, a.Problems(t), c.want)
	}
}

func TestInterface_4_4_ItemsAreOfTheOrganisation(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		first, second := servicetest.IDOf(h.AddItem(t, servicetest.GoodItem())), servicetest.IDOf(h.AddItem(t, servicetest.GoodItem()))
		_, key := h.Stranger()
		servicetest.Same(t, "newest first", servicetest.Names(t, h.Read(t, "/api/items/")["items"], "uuid"), []string{second, first})
		servicetest.Same(t, "items of the other organisation", h.As(key, http.MethodGet, "/v1/api/items/", "").Wants(t, http.StatusOK)["items"], any([]any{}))
		at := "/v1/api/items/" + first + "/"
		servicetest.NoItem.Wants(t, "read by another", h.As(key, http.MethodGet, at, ""))
		servicetest.NoItem.Wants(t, "changed by another", h.As(key, http.MethodPatch, at, `{"item_net_price":1}`))
		servicetest.Same(t, "stored record", h.As(h.NewKey(h.Org, org.ViewInvoice), http.MethodGet, at, "").Wants(t, http.StatusOK), wantItem(first, nil))
	})
}
