package issue_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

// shown returns the preview of an invoice, which must be accepted.
func shown(t *servicetest.Seller, text string) servicetest.Record {
	t.TB.Helper()
	invoice, _ := t.Preview(text).Wants(t.TB, http.StatusCreated)["invoice"].(servicetest.Record)
	return invoice
}

// refuses checks that preview and create refuse a body with the same response,
// and returns its problems.
func refuses(t *servicetest.Seller, what, text string) []string {
	t.TB.Helper()
	preview, create := t.Preview(text), t.Create(text)
	if create.Status != http.StatusBadRequest || preview.Status != create.Status || preview.Body != create.Body {
		t.TB.Errorf("%s: preview returns %d %.200s, create %d %.200s; want the same 400", what, preview.Status, preview.Body, create.Status, create.Body)
		return nil
	}
	return create.Problems(t.TB)
}

// refusesField checks that a body is refused for a single field.
func refusesField(t *servicetest.Seller, what, path, text string) {
	t.TB.Helper()
	told := refuses(t, what, text)
	if len(told) != 1 || !strings.HasPrefix(told[0], "invoice_schema_data."+path+": ") {
		t.TB.Errorf("%s: problems %q, want one of %s", what, told, path)
	}
}

// holds checks that a record has the fields of want.
func holds(t testing.TB, what string, got, want servicetest.Record) {
	t.Helper()
	for name, value := range want {
		servicetest.Same(t, what+": "+name, got[name], value)
	}
}
