package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

// reasonsOf lists the exemption reasons of docs/contract.md section 4.6 by category.
var reasonsOf = map[string][]string{
	"Z": {"VATEX-SA-32", "VATEX-SA-33", "VATEX-SA-34-1", "VATEX-SA-34-2", "VATEX-SA-34-3", "VATEX-SA-34-4", "VATEX-SA-34-5", "VATEX-SA-35", "VATEX-SA-36", "VATEX-SA-EDU", "VATEX-SA-HEA", "VATEX-SA-MLTRY"},
	"E": {"VATEX-SA-29", "VATEX-SA-29-7", "VATEX-SA-30"},
	"O": {"VATEX-SA-OOS"},
}

func TestInterface_4_6_VATCategories(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	list := h.Read(t, "/api/invoices/vat-categories/")
	shapedAs(t, list, "code", "description", "description_ar")
	servicetest.Same(t, "categories", codesOf(t, list), []string{"E", "O", "S", "Z"})
	for name, code := range map[string]string{"STANDARD_RATED": "S", "ZERO_RATED": "Z"} {
		entry, _ := list[name].(servicetest.Record)
		servicetest.Same(t, name, entry["code"], any(code))
	}
}

func TestInterface_4_6_VATRates(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	whole := h.Read(t, "/api/invoices/vat/")
	servicetest.Same(t, "keys", slices.Sorted(maps.Keys(whole)), []string{"E", "O", "S", "Z"})
	for category, value := range whole {
		entry, _ := value.(servicetest.Record)
		servicetest.Same(t, "fields of "+category, slices.Sorted(maps.Keys(entry)), []string{"is_free_text", "reasons", "vat_rates"})
		rates := []any{json.Number("0.0")}
		if category == "S" {
			rates = []any{json.Number("15.0"), json.Number("5.0")}
		}
		servicetest.Same(t, "rates of "+category, entry["vat_rates"], any(rates))
		servicetest.Same(t, "free text in "+category, entry["is_free_text"], any(category == "O"))
		reasons, _ := entry["reasons"].([]any)
		servicetest.Same(t, "reasons of "+category, slices.Sorted(slices.Values(servicetest.Names(t, reasons, "code"))), slices.Sorted(slices.Values(reasonsOf[category])))
		for _, one := range reasons {
			reason, _ := one.(servicetest.Record)
			servicetest.Same(t, "fields of a reason", slices.Sorted(maps.Keys(reason)), []string{"code", "text", "text_ar"})
			if reason["text"] == "" || reason["text_ar"] == "" {
				t.Errorf("reason %v has no English or no Arabic text", reason)
			}
		}
		servicetest.Same(t, "only "+category, h.Read(t, "/api/invoices/vat/?vat_category_code="+category), servicetest.Record{category: entry})
	}
	for _, unknown := range []string{"X", "s", "SZ", "S ", "VAT category that is longer than any", "ض"} {
		a := h.Call(http.MethodGet, "/v1/api/invoices/vat/?vat_category_code="+url.QueryEscape(unknown), "")
		servicetest.Refusal{Status: http.StatusBadRequest, Body: `{"message":"Invalid VAT Category"}` + "\n"}.Wants(t, unknown, a)
	}
}

func TestInterface_4_6_ExemptionReasons(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	whole := h.Read(t, "/api/invoices/vat-exemption-reasons/")
	shapedAs(t, whole, "category", "code", "description_en", "description_ar")
	servicetest.Same(t, "entries", len(whole), 16)
	servicetest.Same(t, "codes", codesOf(t, whole), slices.Sorted(slices.Values(slices.Concat(reasonsOf["Z"], reasonsOf["E"], reasonsOf["O"]))))
	for category, codes := range reasonsOf {
		some := h.Read(t, "/api/invoices/vat-exemption-reasons/?category="+category)
		servicetest.Same(t, category, codesOf(t, some), slices.Sorted(slices.Values(codes)))
		for key, value := range some {
			servicetest.Same(t, key, value, whole[key])
			entry, _ := value.(servicetest.Record)
			servicetest.Same(t, "category of "+key, entry["category"], any(category))
		}
	}
	for _, unknown := range []string{"S", "X", "z", "a category that is longer than any other", "ض"} {
		servicetest.Same(t, unknown, h.Read(t, "/api/invoices/vat-exemption-reasons/?category="+url.QueryEscape(unknown)), servicetest.Record{})
	}
}

func TestInterface_4_6_NumbersAreCodesOfTypesAndMeans(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for _, c := range []struct {
		path  string
		known map[string]int
		codes []int
	}{
		{"/api/invoices/invoice-type-codes/", map[string]int{"TAX_INVOICE": 388, "CREDIT_NOTE": 381}, []int{381, 383, 386, 388}},
		{"/api/invoices/payment-means-types/", map[string]int{"IN_CASH": 10, "CHEQUE": 20}, []int{10, 20, 23, 25, 26, 30, 31, 46, 48, 49, 54, 55}},
	} {
		list := h.Read(t, c.path)
		shapedAs(t, list, "code", "description", "description_ar")
		var codes []int
		for key, value := range list {
			entry, _ := value.(servicetest.Record)
			code, _ := entry["code"].(json.Number) // a number, not a string
			n, err := code.Int64()
			if err != nil {
				t.Errorf("entry %s has the code %v, want a number", key, entry["code"])
			}
			codes = append(codes, int(n))
		}
		slices.Sort(codes)
		servicetest.Same(t, c.path, codes, c.codes)
		for key, code := range c.known {
			entry, _ := list[key].(servicetest.Record)
			servicetest.Same(t, key, entry["code"], any(servicetest.Number(code)))
		}
	}
}

func TestInterface_4_6_UnitsOfMeasure(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	list := h.Read(t, "/api/invoices/units-of-measure/")
	shapedAs(t, list, "code", "description", "description_ar")
	all := codesOf(t, list)
	servicetest.Same(t, "entries", len(all), 41)
	want := []string{ // docs/contract.md section 2.6
		"PCE", "PCS", "PKT", "CTN", "BOX", "PALLET", "KGM", "GRM", "MGM", "MC", "GRN", "TNE", "DTN", "TON", "STN", "LTN", "STI", "LBR", "ONZ", "LTR",
		"K6", "GLL", "BL", "MTQ", "FTQ", "H19", "CDL", "MTK", "FTK", "INK", "ACR", "MTR", "CMT", "INH", "FOT", "YRD", "KWH", "JOU", "D10",
	}
	slices.Sort(want)
	servicetest.Same(t, "39 codes", slices.Compact(slices.Clone(all)), want)
	for _, twice := range []string{"LTR", "STN"} {
		servicetest.Same(t, twice, slices.Index(all, twice)+1 < len(all) && all[slices.Index(all, twice)+1] == twice, true)
	}
	for key, value := range list {
		if entry, _ := value.(servicetest.Record); entry["description_ar"] == "" {
			t.Errorf("%s has no Arabic label", key)
		}
	}
}

func TestInterface_4_6_ChargesAndAllowances(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	charges := h.Read(t, "/api/invoices/invoice-charges-codes/")
	shapedAs(t, charges, "code", "description")
	allowances := h.Read(t, "/api/invoices/invoice-allowances-codes/")
	shapedAs(t, allowances, "code", "description", "description_ar")
	if !slices.Contains(codesOf(t, allowances), "95") || len(charges) < 100 {
		t.Errorf("%d charge reasons and %d allowance reasons, want at least 100 charge reasons, and allowance reason 95", len(charges), len(allowances))
	}
	for key, value := range allowances {
		if entry, _ := value.(servicetest.Record); entry["description_ar"] == "" {
			t.Errorf("entry %s: a missing Arabic label must be null", key)
		}
	}
}

func TestInterface_4_6_ReferenceDataMayBeKeptForADay(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		other := h.NewKey(h.Organisation("Other Trading", "business"), org.ViewInvoice, org.DeviceGet)
		for _, path := range servicetest.ReferencePaths() {
			a := h.Call(http.MethodGet, "/v1"+path, "")
			tag := a.Header.Get("ETag")
			if a.Status != http.StatusOK || tag == "" || a.Header.Get("Cache-Control") != "private, max-age=86400" {
				t.Fatalf("%s: status %d, ETag %q, Cache-Control %q; want 200, an ETag and private, max-age=86400", path, a.Status, tag, a.Header.Get("Cache-Control"))
			}
			servicetest.NoToken.Wants(t, path+" without a key", h.As("", http.MethodGet, "/v1"+path, ""))
			h.Clock.Advance(time.Hour)
			if b := h.As(other, http.MethodGet, "/v1"+path, ""); b.Body != a.Body || b.Header.Get("ETag") != tag {
				t.Errorf("%s differs for another key an hour later", path)
			}
			for sent, want := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200, "": 200} {
				b := h.Send(http.MethodGet, "/v1"+path, servicetest.Bearer(h.Key), servicetest.Header("If-None-Match", sent))
				if b.Status != want || (b.Body == "") != (want == 304) || b.Header.Get("ETag") != tag {
					t.Errorf("%s with If-None-Match %s: status %d with %d bytes, want %d", path, sent, b.Status, len(b.Body), want)
				}
			}
		}
	})
}

func TestInterface_2_13_EveryReferenceEndpointReturnsAMap(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for _, path := range append(servicetest.ReferencePaths(),
		"/api/buyers/additional-buyer-id-types/", "/api/sellers/additional-seller-id-types/", "/api/business-types/", "/api/industries/", "/api/plans/") {
		for key, value := range h.Read(t, path) {
			if _, is := value.(servicetest.Record); !is {
				t.Errorf("%s: entry %s is %v, want an object", path, key, value)
			}
		}
	}
}
