package service_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/wire/wiretest"

	"khatm/service/internal/api"
)

// place makes a call of the document with the house's key.
func (h *house) place(t testing.TB, call wiretest.Call) answer {
	t.Helper()
	r, err := call.Request(h.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+h.key)
	return h.do(r)
}

// lent puts a till's ids and a line into an invoice: no document says which
// there are, or that there must be a line in one of two lists.
func (t *till) lent(body []byte) []byte {
	t.t.Helper()
	return []byte(with(t.t, string(body), record{"device": t.device.ID, "seller": t.org.ID, "buyer": t.buyer.ID, "form_lines": []any{t.line(nil)}}))
}

func TestDocument_WhatItAllowsIsAccepted(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		contract, err := contractOf(h.service.Rows(), api.Base)
		if err != nil {
			t.Fatal(err)
		}
		calls, err := contract.Calls()
		if err != nil || len(calls) != len(leastRoles) {
			t.Fatalf("%d calls, %v", len(calls), err)
		}
		shop := h.till()
		for _, call := range calls {
			want := http.StatusOK
			switch {
			case strings.HasPrefix(call.Operation, "get-buyer"), strings.HasPrefix(call.Operation, "get-item"), call.Method == http.MethodPatch,
				call.Operation == "get-invoice", strings.HasSuffix(call.URL, "/notes/"), strings.HasSuffix(call.URL, "/pdf-a3/"):
				want = http.StatusNotFound // the id of the sample is nobody's
			case call.Operation == "create-invoice":
				want = http.StatusAccepted
				call.Body = shop.lent(call.Body)
			case call.Operation == "preview-invoice":
				want = http.StatusCreated
				call.Body = shop.lent(call.Body)
			case call.Method == http.MethodPost:
				want = http.StatusCreated
			}
			if a := h.place(t, call); a.status != want {
				t.Errorf("%s: got %d %s for %s, want %d", call.Operation, a.status, a.body, call.Body, want)
			}
		}
	})
}

func TestDocument_WhatItForbidsIsRefusedByName(t *testing.T) {
	h := open(t, nil)
	contract, err := contractOf(h.service.Rows(), api.Base)
	if err != nil {
		t.Fatal(err)
	}
	violations, err := contract.Violations()
	if err != nil {
		t.Fatal(err)
	}
	bounds, operations := map[string]int{}, map[string]int{}
	for _, v := range violations {
		bounds[strings.TrimSuffix(v.Bound, " as text")]++
		operations[v.Operation]++
		a := h.place(t, v.Call)
		if a.status != http.StatusBadRequest {
			t.Errorf("%s: got %d %s for %s %.200s", v, a.status, a.body, v.URL, v.Body)
			continue
		}
		if err := v.Told([]byte(a.body)); err != nil {
			t.Error(err)
		}
	}
	// Those that read nothing cannot be called wrongly, nor can a category be unknown to the list of reasons.
	silent := []string{"get-usage"}
	for _, row := range referenceRows() {
		silent = append(silent, row.Name)
	}
	calls, err := contract.Calls()
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range calls {
		if (operations[call.Operation] == 0) != slices.Contains(silent, call.Operation) {
			t.Errorf("%s: %d violations", call.Operation, operations[call.Operation])
		}
	}
	for _, l := range listings() {
		same(t, "written to "+l.path, h.read(t, l.path)["total"], any(number(0)))
	}
	t.Logf("%d violations: %v", len(violations), bounds)
}
