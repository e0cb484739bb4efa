package service_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"
)

// buyer creates goodClient and gives its path.
func (h *house) buyer(t testing.TB) (path string, id any) {
	t.Helper()
	made := h.addClient(t, goodClient())
	return "/api/buyers/" + idOf(made) + "/", made["uuid"]
}

func TestInterface_4_3_PatchOfNothingChangesNothing(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		path, id := h.buyer(t)
		same(t, "the whole record comes back", h.change(path, `{}`).wants(t, http.StatusOK), wantBuyer(id, nil))
		same(t, "kept", h.read(t, path), wantBuyer(id, nil))
	})
}

func TestInterface_4_3_PatchReplacesWhatIsSent(t *testing.T) {
	values := record{
		"buyer_name": "New Name", "buyer_name_arabic": "اسم جديد", "vat_registration_number": "322222222200003",
		"street": "Olaya Street", "additional_street": "Behind the mosque", "building_number": "4321", "plot_identification": "9999",
		"district": "Al Malaz", "city": "Jeddah", "province_state": "Makkah", "postal_code": "54321", "country_code": "SA",
		"contact_name": "Noura", "contact_email": "noura@example.com", "contact_phone": "+966 50 000 0000",
		"additional_buyer_id": []any{record{"type_id": "MOM", "value": "77"}, record{"type_id": "OTH", "value": "DE136"}},
	}
	onSQLite(t, func(t *testing.T, h *house) {
		path, id := h.buyer(t)
		want := record{}
		for _, field := range slices.Sorted(maps.Keys(values)) {
			want[field] = values[field]
			got := h.change(path, asJSON(t, record{field: values[field]})).wants(t, http.StatusOK)
			same(t, field, got, wantBuyer(id, want))
		}
		types := h.as("", http.MethodGet, "/v1/api/business-types/", "").wants(t, http.StatusOK)
		both, _ := types["BOTH"].(record)
		industries := h.as("", http.MethodGet, "/v1/api/industries/", "").wants(t, http.StatusOK)
		other, _ := industries["OTHER"].(record)
		got := h.change(path, asJSON(t, record{"business_type": both["uuid"], "industry": other["uuid"]})).wants(t, http.StatusOK)
		delete(both, "description_ar")
		delete(other, "description_ar")
		want["business_type"], want["industry"] = both, other
		same(t, "classifications", got, wantBuyer(id, want))
		same(t, "kept", h.read(t, path), wantBuyer(id, want))
	})
}

func TestInterface_4_3_PatchOfNullClears(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		path, id := h.buyer(t)
		want := record{}
		// The VAT number first: the others are required beside it.
		for _, field := range []string{
			"vat_registration_number", "buyer_name_arabic", "additional_street", "building_number", "plot_identification", "district", "city", "postal_code",
			"contact_name", "contact_email", "contact_phone", "additional_buyer_id",
		} {
			want[field] = ""
			if field == "additional_buyer_id" {
				want[field] = []any{}
			}
			same(t, field, h.change(path, asJSON(t, record{field: nil})).wants(t, http.StatusOK), wantBuyer(id, want))
		}
		h.change(path, `{"city":"Dubai","country_code":"AE"}`).wants(t, http.StatusOK)
		want["city"] = "Dubai" // no country is Saudi Arabia
		same(t, "country_code", h.change(path, `{"country_code":null}`).wants(t, http.StatusOK), wantBuyer(id, want))
	})
}

func TestInterface_4_3_PatchCannotTakeWhatAClientNeeds(t *testing.T) {
	const need = "Field required"
	const saudi = " for a Saudi client with a VAT number"
	cases := []struct{ body, want string }{
		{`{"buyer_name":null}`, "buyer_name: " + need},
		{`{"buyer_name":""}`, "buyer_name: String should have at least 1 character"},
		{`{"buyer_name":" \t "}`, "buyer_name: " + need},
		{`{"street":null}`, "street: " + need},
		{`{"province_state":null}`, "province_state: " + need},
		{`{"business_type":null}`, "business_type: Input should be the uuid of a business type; /api/business-types/ lists them"},
		{`{"industry":null}`, "industry: Input should be the uuid of an industry; /api/industries/ lists them"},
		{`{"industry":"6c6a6e49-1046-52e9-911b-8024397176c3"}`, "industry: Input should be the uuid of an industry; /api/industries/ lists them"},
		{`{"building_number":null}`, "building_number: " + need + saudi},
		{`{"district":""}`, "district: " + need + saudi},
		{`{"city":null}`, "city: " + need + saudi},
		{`{"postal_code":null}`, "postal_code: " + need + saudi},
	}
	onSQLite(t, func(t *testing.T, h *house) {
		path, id := h.buyer(t)
		for _, c := range cases {
			same(t, c.body, h.change(path, c.body).problems(t), []string{c.want})
		}
		same(t, "a refused change changes nothing", h.read(t, path), wantBuyer(id, nil))
		bare := "/api/buyers/" + idOf(h.addClient(t, leastClient())) + "/"
		same(t, "a VAT number wants an address", h.change(bare, `{"vat_registration_number":"311111111100003"}`).problems(t), []string{
			"building_number: " + need + saudi, "district: " + need + saudi, "city: " + need + saudi, "postal_code: " + need + saudi,
		})
	})
}

func TestInterface_4_3_PatchIgnoresWhatCannotBeAssigned(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		path, id := h.buyer(t)
		other, key := h.stranger()
		for _, field := range []string{
			"uuid", "id", "created_at", "organisation", "organisation_id", "org_id", "seller", "logo", "logo_url", "message", "location", "folded", "no_such_field",
		} {
			for _, value := range []any{other.ID.String(), nil, 7, record{"uuid": other.ID.String()}} {
				got := h.change(path, asJSON(t, record{field: value})).wants(t, http.StatusOK)
				same(t, fmt.Sprint(field, " ", value), got, wantBuyer(id, nil))
			}
		}
		noBuyer.wants(t, "it stays ours", h.as(key, http.MethodGet, "/v1"+path, ""))
	})
}

func TestInterface_4_3_PatchOfAnotherOrganisationsClient(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		path, id := h.buyer(t)
		_, key := h.stranger()
		noBuyer.wants(t, "with a good body", h.as(key, http.MethodPatch, "/v1"+path, `{"city":"Jeddah"}`))
		noBuyer.wants(t, "with a body that breaks a rule", h.as(key, http.MethodPatch, "/v1"+path, `{"street":null}`))
		same(t, "kept", h.read(t, path), wantBuyer(id, nil))
	})
}

func TestInterface_4_3_PatchesAtOnceLoseNothing(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		path, id := h.buyer(t)
		want := record{}
		var all sync.WaitGroup
		for _, field := range []string{"buyer_name", "street", "city", "district", "province_state", "contact_name", "additional_street", "plot_identification"} {
			for n := range 5 {
				all.Go(func() {
					if a := h.change(path, fmt.Sprintf(`{%q:"value %d"}`, field, n)); a.status != http.StatusOK {
						t.Errorf("%s: got %d %s", field, a.status, a.body)
					}
				})
			}
		}
		all.Wait()
		got := h.read(t, path)
		for _, field := range []string{"buyer_name", "street", "city", "district", "province_state", "contact_name", "additional_street", "plot_identification"} {
			value, _ := got[field].(string)
			if !slices.Contains([]string{"value 0", "value 1", "value 2", "value 3", "value 4"}, value) {
				t.Errorf("%s is %q", field, value)
			}
			want[field] = value
		}
		same(t, "the rest", got, wantBuyer(id, want))
	})
}
