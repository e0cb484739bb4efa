package api_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"khatm/service/internal/servicetest"
)

// codesOf returns the sorted codes of a list.
func codesOf(t testing.TB, list servicetest.Record) []string {
	t.Helper()
	var all []string
	for key, value := range list {
		entry, _ := value.(servicetest.Record)
		code, is := entry["code"].(string)
		if !is || code == "" {
			t.Errorf("entry %s has the code %v, want a string", key, entry["code"])
		}
		all = append(all, code)
	}
	slices.Sort(all)
	return all
}

// shapedAs checks that every entry of a list has exactly these fields.
func shapedAs(t testing.TB, list servicetest.Record, fields ...string) {
	t.Helper()
	slices.Sort(fields)
	for key, value := range list {
		entry, _ := value.(servicetest.Record)
		servicetest.Same(t, "fields of "+key, slices.Sorted(maps.Keys(entry)), fields)
		for _, name := range []string{"description", "description_en"} {
			if text, given := entry[name]; given && text == "" {
				t.Errorf("entry %s has no English description", key)
			}
		}
	}
}

func TestInterface_4_6_LookupsNeedNoKey(t *testing.T) {
	cases := []struct {
		path   string
		fields []string
		codes  []string
	}{
		{"/api/buyers/additional-buyer-id-types/", nil, []string{"700", "CRN", "GCC", "IQA", "MLS", "MOM", "NAT", "OTH", "PAS", "SAG", "TIN"}},
		{"/api/sellers/additional-seller-id-types/", nil, []string{"CRN", "MLS", "MOM", "OTH", "SAG"}},
		{"/api/business-types/", []string{"uuid"}, []string{"0100", "1000", "1100"}},
		{"/api/plans/", []string{"invoices_limit", "fair_use_limit", "api_access"}, []string{"business", "enterprise", "free", "starter"}},
	}
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		for _, c := range cases {
			list := h.As("", http.MethodGet, "/v1"+c.path, "").Wants(t, http.StatusOK)
			shapedAs(t, list, append(slices.Clone(c.fields), "code", "description", "description_ar")...)
			servicetest.Same(t, c.path, codesOf(t, list), c.codes)
			servicetest.Same(t, c.path+" with a key", h.Call(http.MethodGet, "/v1"+c.path, "").Wants(t, http.StatusOK), list)
		}
		industries := h.As("", http.MethodGet, "/v1/api/industries/", "").Wants(t, http.StatusOK)
		shapedAs(t, industries, "uuid", "code", "description", "description_ar")
		if len(industries) < 10 {
			t.Errorf("list has %d industries, want at least 10", len(industries))
		}
	})
}

func TestInterface_4_6_BusinessTypesAreThese(t *testing.T) {
	t.Parallel()
	// Callers store these UUIDs, so they must never change.
	h := servicetest.Open(t, nil)
	servicetest.Same(t, "business types", h.As("", http.MethodGet, "/v1/api/business-types/", "").Wants(t, http.StatusOK), servicetest.Record{
		"B2B":  servicetest.Record{"uuid": "6c6a6e49-1046-52e9-911b-8024397176c3", "code": "1000", "description": "B2B", "description_ar": "من منشأة إلى منشأة"},
		"B2C":  servicetest.Record{"uuid": "cd25e53c-5546-5d8c-ac0b-3cf80c9d14a3", "code": "0100", "description": "B2C", "description_ar": "من منشأة إلى مستهلك"},
		"BOTH": servicetest.Record{"uuid": "0ae7d8b9-6149-593c-8201-0c6b9cfd957e", "code": "1100", "description": "Both", "description_ar": "كلاهما"},
	})
}

func TestInterface_4_6_PlansAreAsTheOperatorSetThem(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		list := h.As("", http.MethodGet, "/v1/api/plans/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "business", list["business"], any(servicetest.Record{
			"code": "business", "description": "Business", "description_ar": "الأعمال", "invoices_limit": servicetest.Number(5000), "fair_use_limit": servicetest.Number(100_000), "api_access": true,
		}))
		h.Exec(t, `UPDATE plan SET invoices = 7 WHERE slug = 'business'`)
		list = h.As("", http.MethodGet, "/v1/api/plans/", "").Wants(t, http.StatusOK)
		business, _ := list["business"].(servicetest.Record)
		servicetest.Same(t, "changed", business["invoices_limit"], any(servicetest.Number(7)))
	})
}
