package api_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

// TestInterface_2_7_NestedRecordsAreComplete compares the members of device and
// buyer in an invoice with those of the records themselves.
func TestInterface_2_7_NestedRecordsAreComplete(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		s := h.Scenario()
		full := s.Call(http.MethodGet, "/v1"+location(t, s.Create(s.Standard(nil))), "").Wants(t, http.StatusOK)
		if charges, is := full["document_level_charges"].([]any); !is || len(charges) != 0 {
			t.Errorf("document_level_charges = %v, want []", full["document_level_charges"])
		}
		issued, _ := full["buyer"].(servicetest.Record)
		buyer := s.Call(http.MethodGet, "/v1/api/buyers/"+text(issued["uuid"])+"/", "").Wants(t, http.StatusOK)
		servicetest.Equal(t, "buyer", issued, buyer)
		device, _ := full["device"].(servicetest.Record)
		for _, one := range records(t, s.Call(http.MethodGet, "/v1/api/devices/?page_size=100", ""), "devices") {
			if one["device_id"] != device["device_id"] {
				continue
			}
			one["counter"] = device["counter"]
			servicetest.Equal(t, "device", device, one)
			return
		}
		t.Error("the device of the invoice is not in the list of devices")
	})
}

func location(t *testing.T, a servicetest.Answer) string {
	t.Helper()
	return text(a.Wants(t, http.StatusAccepted)["location"])
}

func text(value any) string {
	text, _ := value.(string)
	return text
}

func records(t *testing.T, a servicetest.Answer, name string) []servicetest.Record {
	t.Helper()
	list, _ := a.Wants(t, http.StatusOK)[name].([]any)
	all := make([]servicetest.Record, len(list))
	for i, one := range list {
		all[i], _ = one.(servicetest.Record)
	}
	return all
}

func TestInterface_4_5_DevicesCanBeSearched(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		s := h.Scenario()
		all := records(t, s.Call(http.MethodGet, "/v1/api/devices/?page_size=100", ""), "devices")
		serial := text(all[0]["serial_number"])
		found := records(t, s.Call(http.MethodGet, "/v1/api/devices/?search_text="+strings.ToUpper(serial[len(serial)-12:]), ""), "devices")
		if len(found) != 1 || found[0]["device_id"] != all[0]["device_id"] {
			t.Errorf("search by serial number returns %d devices, want the one with it", len(found))
		}
		if none := s.Call(http.MethodGet, "/v1/api/devices/?search_text=nothinglikethis", "").Wants(t, http.StatusOK); none["total"] != servicetest.Number(0) {
			t.Errorf("search without a match: %v, want a total of 0", none)
		}
	})
}

func TestInterface_2_1_AnyWrongTransactionCode(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	s := h.Scenario()
	for _, value := range []any{"0100001", "1", strings.Repeat("0", 3000), 100000, true, []any{}, servicetest.Fields{"a": 1}, "\u0001", " "} {
		told := s.Create(s.Standard(servicetest.Fields{"transaction_code": value})).Wants(t, http.StatusBadRequest)
		if told["message"] != "Invalid transaction_code" || told["code"] != "invalid_transaction_code" {
			t.Errorf("transaction_code %.30v: %v, want Invalid transaction_code", value, told)
		}
	}
	for _, value := range []any{nil, ""} {
		told := s.Create(s.Standard(servicetest.Fields{"transaction_code": value})).Wants(t, http.StatusBadRequest)
		if told["code"] != "validation_failed" {
			t.Errorf("transaction_code %v: %v, want it reported as missing", value, told)
		}
	}
}

func TestTrailingCommaInFilters(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	s := h.Scenario()
	for _, query := range []string{"invoice_status=CLEARED,", "invoice_status=CLEARED,REPORTED,", "uuid=" + s.Original.String() + ","} {
		s.Call(http.MethodGet, "/v1/api/invoices/?"+query, "").Wants(t, http.StatusOK)
	}
	for _, query := range []string{"invoice_status=,CLEARED", "uuid=," + s.Original.String()} {
		s.Call(http.MethodGet, "/v1/api/invoices/?"+query, "").Wants(t, http.StatusBadRequest)
	}
}

// TestPatchAcceptsWhatGetReturned sends a client and an item back unchanged.
func TestPatchAcceptsWhatGetReturned(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	s := h.Scenario()
	for _, path := range []string{"/v1/api/buyers/" + s.Buyer.ID.String() + "/", "/v1/api/items/" + s.Item.ID.String() + "/"} {
		before := s.Call(http.MethodGet, path, "")
		after := s.Call(http.MethodPatch, path, before.Body)
		if after.Status != http.StatusOK || after.Body != before.Body {
			t.Errorf("PATCH %s with what GET returned: %d %s, want 200 and no change", path, after.Status, after.Body)
		}
	}
	told := s.Call(http.MethodPatch, "/v1/api/buyers/"+s.Buyer.ID.String()+"/", `{"industry":{"code":"x"}}`)
	if told.Status != http.StatusBadRequest || !strings.Contains(told.Body, "industry: must be a UUID") {
		t.Errorf("an object without uuid: %d %s, want 400", told.Status, told.Body)
	}
}
