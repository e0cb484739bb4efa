package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/api"
	"khatm/service/internal/servicetest"
)

// withIDs sets the device, seller, buyer and line of an invoice to existing
// ones, because the OpenAPI document cannot express their ids.
func withIDs(t *servicetest.Seller, body []byte) []byte {
	t.TB.Helper()
	return []byte(servicetest.With(t.TB, string(body), servicetest.Record{"device": t.Device.ID, "seller": t.Org.ID, "buyer": t.Buyer.ID, "form_lines": []any{t.Line(nil)}}))
}

func TestDocument_WhatItAllowsIsAccepted(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		calls, err := h.Contract(t, api.Base).Calls()
		if err != nil {
			t.Fatal(err)
		}
		if all := servicetest.Operations(h.Document(t)); len(calls) != len(all) {
			t.Fatalf("%d calls were generated for the %d operations of the published document, want one for each", len(calls), len(all))
		}
		shop := h.NewSeller()
		for _, call := range calls {
			want := http.StatusOK
			switch {
			case strings.HasPrefix(call.Operation, "get-buyer"), strings.HasPrefix(call.Operation, "get-item"), call.Method == http.MethodPatch,
				call.Operation == "get-invoice", strings.HasSuffix(call.URL, "/notes/"), strings.HasSuffix(call.URL, "/pdf-a3/"):
				want = http.StatusNotFound // the id in the sample does not exist
			case call.Operation == "create-invoice":
				want = http.StatusAccepted
				call.Body = withIDs(shop, call.Body)
			case call.Operation == "preview-invoice":
				want = http.StatusCreated
				call.Body = withIDs(shop, call.Body)
			case call.Method == http.MethodPost:
				want = http.StatusCreated
			}
			if a := h.Place(t, call); a.Status != want {
				t.Errorf("%s: got %d %s for %s, want %d", call.Operation, a.Status, a.Body, call.Body, want)
			}
		}
	})
}

func TestDocument_WhatItForbidsIsRefusedByName(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	violations := h.Violations(t, api.Base)
	bounds, operations := map[string]int{}, map[string]int{}
	for _, v := range violations {
		bounds[strings.TrimSuffix(v.Bound, " as text")]++
		operations[v.Operation]++
		a := h.Place(t, v.Call)
		if a.Status != http.StatusBadRequest {
			t.Errorf("%s: got %d %s for %s %.200s, want 400", v, a.Status, a.Body, v.URL, v.Body)
			continue
		}
		if servicetest.OneMessage(v, a) {
			continue
		}
		if err := v.Told([]byte(a.Body)); err != nil {
			t.Error(err)
		}
	}
	// Operations without input cannot be called wrongly, and the list of reasons
	// accepts any category.
	silent := []string{"get-usage"}
	for _, row := range servicetest.ReferenceRows() {
		if row.Path != "/api/invoices/vat/" {
			silent = append(silent, row.Name)
		}
	}
	calls, err := h.Contract(t, api.Base).Calls()
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range calls {
		if (operations[call.Operation] == 0) != slices.Contains(silent, call.Operation) {
			t.Errorf("%s has %d violations: if it reads no input, list it in silent in violations_test.go; otherwise add bounds to the fields of its wire.Route", call.Operation, operations[call.Operation])
		}
	}
	for _, l := range servicetest.Listings() {
		servicetest.Same(t, "written to "+l.Path, h.Read(t, l.Path)["total"], any(servicetest.Number(0)))
	}
	t.Logf("%d violations: %v", len(violations), bounds)
}
