package issue_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

// shown is the invoice of a preview that must be accepted.
func shown(t *servicetest.Seller, text string) servicetest.Record {
	t.TB.Helper()
	invoice, _ := t.Preview(text).Wants(t.TB, http.StatusCreated)["invoice"].(servicetest.Record)
	return invoice
}

// refuses shows that preview and create refuse a body with the same words, and
// gives them.
func refuses(t *servicetest.Seller, what, text string) []string {
	t.TB.Helper()
	preview, create := t.Preview(text), t.Create(text)
	if create.Status != http.StatusBadRequest || preview.Status != create.Status || preview.Body != create.Body {
		t.TB.Errorf("%s: preview %d %.200s; create %d %.200s", what, preview.Status, preview.Body, create.Status, create.Body)
		return nil
	}
	return create.Problems(t.TB)
}

// refusesField shows that a body is refused for one field and nothing else.
func refusesField(t *servicetest.Seller, what, path, text string) {
	t.TB.Helper()
	told := refuses(t, what, text)
	if len(told) != 1 || !strings.HasPrefix(told[0], "invoice_schema_data."+path+": ") {
		t.TB.Errorf("%s: told %q, want one problem of %s", what, told, path)
	}
}

// holds compares some fields of a record with what they should be.
func holds(t testing.TB, what string, got, want servicetest.Record) {
	t.Helper()
	for name, value := range want {
		servicetest.Same(t, what+": "+name, got[name], value)
	}
}
