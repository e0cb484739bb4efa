package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"

	"khatm/service/internal/servicetest"
)

func TestInterface_4_3_PatchOfNothingChangesNothing(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		path, id := h.Buyer(t)
		servicetest.Same(t, "response", h.Change(path, `{}`).Wants(t, http.StatusOK), wantBuyer(id, nil))
		servicetest.Same(t, "stored record", h.Read(t, path), wantBuyer(id, nil))
	})
}

func TestInterface_4_3_PatchReplacesWhatIsSent(t *testing.T) {
	values := servicetest.Record{
		"buyer_name": "New Name", "buyer_name_arabic": "اسم جديد", "vat_registration_number": "322222222200003",
		"street": "Olaya Street", "additional_street": "Behind the mosque", "building_number": "4321", "plot_identification": "9999",
		"district": "Al Malaz", "city": "Jeddah", "province_state": "Makkah", "postal_code": "54321", "country_code": "SA",
		"street_arabic": "شارع العليا", "additional_street_arabic": "خلف الجامع", "district_arabic": "الملز", "city_arabic": "جدة", "province_state_arabic": "مكة",
		"contact_name": "Noura", "contact_email": "noura@example.com", "contact_phone": "+966 50 000 0000",
		"additional_buyer_id": []any{servicetest.Record{"type_id": "MOM", "value": "77"}, servicetest.Record{"type_id": "OTH", "value": "DE136"}},
	}
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		path, id := h.Buyer(t)
		want := servicetest.Record{}
		for _, field := range slices.Sorted(maps.Keys(values)) {
			want[field] = values[field]
			got := h.Change(path, servicetest.AsJSON(t, servicetest.Record{field: values[field]})).Wants(t, http.StatusOK)
			servicetest.Same(t, field, got, wantBuyer(id, want))
		}
		types := h.As("", http.MethodGet, "/v1/api/business-types/", "").Wants(t, http.StatusOK)
		both, _ := types["BOTH"].(servicetest.Record)
		industries := h.As("", http.MethodGet, "/v1/api/industries/", "").Wants(t, http.StatusOK)
		other, _ := industries["OTHER"].(servicetest.Record)
		got := h.Change(path, servicetest.AsJSON(t, servicetest.Record{"business_type": both["uuid"], "industry": other["uuid"]})).Wants(t, http.StatusOK)
		delete(both, "description_ar")
		delete(other, "description_ar")
		want["business_type"], want["industry"] = both, other
		servicetest.Same(t, "classifications", got, wantBuyer(id, want))
		servicetest.Same(t, "stored record", h.Read(t, path), wantBuyer(id, want))
	})
}

func TestInterface_4_3_PatchOfNullClears(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		path, id := h.Buyer(t)
		want := servicetest.Record{}
		// The VAT number first, because the address is required with it.
		for _, field := range []string{
			"vat_registration_number", "buyer_name_arabic", "additional_street", "building_number", "plot_identification", "district", "city", "postal_code",
			"contact_name", "contact_email", "contact_phone", "additional_buyer_id",
		} {
			want[field] = ""
			if field == "additional_buyer_id" {
				want[field] = []any{}
			}
			servicetest.Same(t, field, h.Change(path, servicetest.AsJSON(t, servicetest.Record{field: nil})).Wants(t, http.StatusOK), wantBuyer(id, want))
		}
		h.Change(path, `{"city":"Dubai","country_code":"AE"}`).Wants(t, http.StatusOK)
		want["city"] = "Dubai" // without a country, SA applies
		servicetest.Same(t, "country_code", h.Change(path, `{"country_code":null}`).Wants(t, http.StatusOK), wantBuyer(id, want))
	})
}

func TestInterface_4_3_PatchCannotTakeWhatAClientNeeds(t *testing.T) {
	const need = "Field required"
	const saudi = " for a Saudi client with a VAT number"
	cases := []struct{ body, want string }{
		{`{"buyer_name":null}`, "buyer_name: " + need},
		{`{"buyer_name":""}`, "buyer_name: must have at least 1 character"},
		{`{"buyer_name":" \t "}`, "buyer_name: " + need},
		{`{"street":null}`, "street: " + need},
		{`{"province_state":null}`, "province_state: " + need},
		{`{"business_type":null}`, "business_type: must be the uuid of a business type; /api/business-types/ lists them"},
		{`{"industry":null}`, "industry: must be the uuid of an industry; /api/industries/ lists them"},
		{`{"industry":"6c6a6e49-1046-52e9-911b-8024397176c3"}`, "industry: must be the uuid of an industry; /api/industries/ lists them"},
		{`{"building_number":null}`, "building_number: " + need + saudi},
		{`{"district":""}`, "district: " + need + saudi},
		{`{"city":null}`, "city: " + need + saudi},
		{`{"postal_code":null}`, "postal_code: " + need + saudi},
	}
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		path, id := h.Buyer(t)
		for _, c := range cases {
			servicetest.Same(t, c.body, h.Change(path, c.body).Problems(t), []string{c.want})
		}
		servicetest.Same(t, "record after refused changes", h.Read(t, path), wantBuyer(id, nil))
		bare := "/api/buyers/" + servicetest.IDOf(h.AddClient(t, leastClient())) + "/"
		servicetest.Same(t, "VAT number without an address", h.Change(bare, `{"vat_registration_number":"311111111100003"}`).Problems(t), []string{
			"building_number: " + need + saudi, "district: " + need + saudi, "city: " + need + saudi, "postal_code: " + need + saudi,
		})
	})
}

func TestInterface_4_3_PatchIgnoresWhatCannotBeAssigned(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		path, id := h.Buyer(t)
		other, key := h.Stranger()
		for _, field := range []string{
			"uuid", "id", "created_at", "organisation", "organisation_id", "org_id", "seller", "logo", "logo_url", "message", "location", "folded", "no_such_field",
		} {
			for _, value := range []any{other.ID.String(), nil, 7, servicetest.Record{"uuid": other.ID.String()}} {
				got := h.Change(path, servicetest.AsJSON(t, servicetest.Record{field: value})).Wants(t, http.StatusOK)
				servicetest.Same(t, fmt.Sprint(field, " ", value), got, wantBuyer(id, nil))
			}
		}
		servicetest.NoBuyer.Wants(t, "read with the key of the other organisation", h.As(key, http.MethodGet, "/v1"+path, ""))
	})
}

func TestInterface_4_3_PatchOfAnotherOrganisationsClient(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		path, id := h.Buyer(t)
		_, key := h.Stranger()
		servicetest.NoBuyer.Wants(t, "with a good body", h.As(key, http.MethodPatch, "/v1"+path, `{"city":"Jeddah"}`))
		servicetest.NoBuyer.Wants(t, "with a body that breaks a rule", h.As(key, http.MethodPatch, "/v1"+path, `{"street":null}`))
		servicetest.Same(t, "stored record", h.Read(t, path), wantBuyer(id, nil))
	})
}

func TestInterface_4_3_PatchesAtOnceLoseNothing(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		path, id := h.Buyer(t)
		want := servicetest.Record{}
		var all sync.WaitGroup
		for _, field := range []string{"buyer_name", "street", "city", "district", "province_state", "contact_name", "additional_street", "plot_identification"} {
			for n := range 5 {
				all.Go(func() {
					if a := h.Change(path, fmt.Sprintf(`{%q:"value %d"}`, field, n)); a.Status != http.StatusOK {
						t.Errorf("concurrent change of %s: status %d, body %s; want 200", field, a.Status, a.Body)
					}
				})
			}
		}
		all.Wait()
		got := h.Read(t, path)
		for _, field := range []string{"buyer_name", "street", "city", "district", "province_state", "contact_name", "additional_street", "plot_identification"} {
			value, _ := got[field].(string)
			if !slices.Contains([]string{"value 0", "value 1", "value 2", "value 3", "value 4"}, value) {
				t.Errorf("field %s = %q after concurrent changes, want one of the values that were sent", field, value)
			}
			want[field] = value
		}
		servicetest.Same(t, "other fields", got, wantBuyer(id, want))
	})
}
