package service_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"khatm/service/internal/org"
)

// referencePaths are the endpoints of section 4.6.
var referencePaths = func() (paths []string) {
	for _, row := range referenceRows() {
		paths = append(paths, row.Path)
	}
	return paths
}()

// The exemption reasons of section 4.6, by category.
var reasonsOf = map[string][]string{
	"Z": {"VATEX-SA-32", "VATEX-SA-33", "VATEX-SA-34-1", "VATEX-SA-34-2", "VATEX-SA-34-3", "VATEX-SA-34-4", "VATEX-SA-34-5", "VATEX-SA-35", "VATEX-SA-36", "VATEX-SA-EDU", "VATEX-SA-HEA", "VATEX-SA-MLTRY"},
	"E": {"VATEX-SA-29", "VATEX-SA-29-7", "VATEX-SA-30"},
	"O": {"VATEX-SA-OOS"},
}

func TestInterface_4_6_VATCategories(t *testing.T) {
	h := open(t, nil)
	list := h.read(t, "/api/invoices/vat-categories/")
	shapedAs(t, list, "code", "description", "description_ar")
	same(t, "categories", codesOf(t, list), []string{"E", "O", "S", "Z"})
	for name, code := range map[string]string{"STANDARD_RATED": "S", "ZERO_RATED": "Z"} {
		entry, _ := list[name].(record)
		same(t, name, entry["code"], any(code))
	}
}

func TestInterface_4_6_VATRates(t *testing.T) {
	h := open(t, nil)
	whole := h.read(t, "/api/invoices/vat/")
	same(t, "keys", slices.Sorted(maps.Keys(whole)), []string{"E", "O", "S", "Z"})
	for category, value := range whole {
		entry, _ := value.(record)
		same(t, "fields of "+category, slices.Sorted(maps.Keys(entry)), []string{"is_free_text", "reasons", "vat_rates"})
		rates := []any{json.Number("0.0")}
		if category == "S" {
			rates = []any{json.Number("15.0"), json.Number("5.0")}
		}
		same(t, "rates of "+category, entry["vat_rates"], any(rates))
		same(t, "free text in "+category, entry["is_free_text"], any(category == "O"))
		reasons, _ := entry["reasons"].([]any)
		same(t, "reasons of "+category, slices.Sorted(slices.Values(names(t, reasons, "code"))), slices.Sorted(slices.Values(reasonsOf[category])))
		for _, one := range reasons {
			reason, _ := one.(record)
			same(t, "fields of a reason", slices.Sorted(maps.Keys(reason)), []string{"code", "text", "text_ar"})
			if reason["text"] == "" || reason["text_ar"] == "" {
				t.Errorf("%v has no words", reason)
			}
		}
		same(t, "only "+category, h.read(t, "/api/invoices/vat/?vat_category_code="+category), record{category: entry})
	}
	for _, unknown := range []string{"X", "s", "SZ", "S ", "VAT category that is longer than any", "ض"} {
		a := h.call(http.MethodGet, "/v1/api/invoices/vat/?vat_category_code="+url.QueryEscape(unknown), "")
		refusal{http.StatusBadRequest, `{"message":"Invalid VAT Category"}` + "\n"}.wants(t, unknown, a)
	}
}

func TestInterface_4_6_ExemptionReasons(t *testing.T) {
	h := open(t, nil)
	whole := h.read(t, "/api/invoices/vat-exemption-reasons/")
	shapedAs(t, whole, "category", "code", "description_en", "description_ar")
	same(t, "entries", len(whole), 16)
	same(t, "codes", codesOf(t, whole), slices.Sorted(slices.Values(slices.Concat(reasonsOf["Z"], reasonsOf["E"], reasonsOf["O"]))))
	for category, codes := range reasonsOf {
		some := h.read(t, "/api/invoices/vat-exemption-reasons/?category="+category)
		same(t, category, codesOf(t, some), slices.Sorted(slices.Values(codes)))
		for key, value := range some {
			same(t, key, value, whole[key])
			entry, _ := value.(record)
			same(t, "category of "+key, entry["category"], any(category))
		}
	}
	for _, unknown := range []string{"S", "X", "z", "a category that is longer than any other", "ض"} {
		same(t, unknown, h.read(t, "/api/invoices/vat-exemption-reasons/?category="+url.QueryEscape(unknown)), record{})
	}
}

func TestInterface_4_6_NumbersAreCodesOfTypesAndMeans(t *testing.T) {
	h := open(t, nil)
	for _, c := range []struct {
		path  string
		known map[string]int
		codes []int
	}{
		{"/api/invoices/invoice-type-codes/", map[string]int{"TAX_INVOICE": 388, "CREDIT_NOTE": 381}, []int{381, 383, 386, 388}},
		{"/api/invoices/payment-means-types/", map[string]int{"IN_CASH": 10, "CHEQUE": 20}, []int{10, 20, 23, 25, 26, 30, 31, 46, 48, 49, 54, 55}},
	} {
		list := h.read(t, c.path)
		shapedAs(t, list, "code", "description", "description_ar")
		var codes []int
		for key, value := range list {
			entry, _ := value.(record)
			code, _ := entry["code"].(json.Number) // a number, no string
			n, err := code.Int64()
			if err != nil {
				t.Errorf("%s has code %v", key, entry["code"])
			}
			codes = append(codes, int(n))
		}
		slices.Sort(codes)
		same(t, c.path, codes, c.codes)
		for key, code := range c.known {
			entry, _ := list[key].(record)
			same(t, key, entry["code"], any(number(code)))
		}
	}
}

func TestInterface_4_6_UnitsOfMeasure(t *testing.T) {
	h := open(t, nil)
	list := h.read(t, "/api/invoices/units-of-measure/")
	shapedAs(t, list, "code", "description", "description_ar")
	all := codesOf(t, list)
	same(t, "entries", len(all), 41)
	want := []string{ // section 2.6
		"PCE", "PCS", "PKT", "CTN", "BOX", "PALLET", "KGM", "GRM", "MGM", "MC", "GRN", "TNE", "DTN", "TON", "STN", "LTN", "STI", "LBR", "ONZ", "LTR",
		"K6", "GLL", "BL", "MTQ", "FTQ", "H19", "CDL", "MTK", "FTK", "INK", "ACR", "MTR", "CMT", "INH", "FOT", "YRD", "KWH", "JOU", "D10",
	}
	slices.Sort(want)
	same(t, "39 codes", slices.Compact(slices.Clone(all)), want)
	for _, twice := range []string{"LTR", "STN"} {
		same(t, twice, slices.Index(all, twice)+1 < len(all) && all[slices.Index(all, twice)+1] == twice, true)
	}
	for key, value := range list {
		if entry, _ := value.(record); entry["description_ar"] == "" {
			t.Errorf("%s has no Arabic label", key)
		}
	}
}

func TestInterface_4_6_ChargesAndAllowances(t *testing.T) {
	h := open(t, nil)
	charges := h.read(t, "/api/invoices/invoice-charges-codes/")
	shapedAs(t, charges, "code", "description")
	allowances := h.read(t, "/api/invoices/invoice-allowances-codes/")
	shapedAs(t, allowances, "code", "description", "description_ar")
	if !slices.Contains(codesOf(t, allowances), "95") || len(charges) < 100 {
		t.Errorf("%d charges, %d allowances", len(charges), len(allowances))
	}
	for key, value := range allowances {
		if entry, _ := value.(record); entry["description_ar"] == "" {
			t.Errorf("%s: an Arabic label that is missing is null", key)
		}
	}
}

func TestInterface_4_6_ReferenceDataMayBeKeptForADay(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		other := h.newKey(h.organisation("Other Trading", "business"), org.ViewInvoice, org.DeviceGet)
		for _, path := range referencePaths {
			a := h.call(http.MethodGet, "/v1"+path, "")
			tag := a.header.Get("ETag")
			if a.status != http.StatusOK || tag == "" || a.header.Get("Cache-Control") != "private, max-age=86400" {
				t.Fatalf("%s: %d, ETag %q, Cache-Control %q", path, a.status, tag, a.header.Get("Cache-Control"))
			}
			noToken.wants(t, path+" without a key", h.as("", http.MethodGet, "/v1"+path, ""))
			h.clock.Advance(time.Hour)
			if b := h.as(other, http.MethodGet, "/v1"+path, ""); b.body != a.body || b.header.Get("ETag") != tag {
				t.Errorf("%s is not the same for another key an hour later", path)
			}
			for sent, want := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200, "": 200} {
				b := h.send(http.MethodGet, "/v1"+path, bearer(h.key), header("If-None-Match", sent))
				if b.status != want || (b.body == "") != (want == 304) || b.header.Get("ETag") != tag {
					t.Errorf("%s with If-None-Match %s: got %d of %d bytes, want %d", path, sent, b.status, len(b.body), want)
				}
			}
		}
	})
}

func TestInterface_2_13_EveryReferenceEndpointReturnsAMap(t *testing.T) {
	h := open(t, nil)
	for _, path := range append(slices.Clone(referencePaths),
		"/api/buyers/additional-buyer-id-types/", "/api/sellers/additional-seller-id-types/", "/api/business-types/", "/api/industries/", "/api/plans/") {
		for key, value := range h.read(t, path) {
			if _, is := value.(record); !is {
				t.Errorf("%s: %s is %v", path, key, value)
			}
		}
	}
}
