package service_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// preview asks for a preview with the house's key.
func (t *till) preview(text string) answer {
	t.t.Helper()
	return t.call(http.MethodPost, "/v1/api/invoices/preview/", text)
}

// shown is the invoice of a preview that must be accepted.
func (t *till) shown(text string) record {
	t.t.Helper()
	invoice, _ := t.preview(text).wants(t.t, http.StatusCreated)["invoice"].(record)
	return invoice
}

// full reads a whole invoice.
func (t *till) full(id uuid.UUID) record {
	t.t.Helper()
	return t.read(t.t, "/api/invoices/"+id.String()+"/")
}

// refuses shows that preview and create refuse a body with the same words, and
// gives them.
func (t *till) refuses(what, text string) []string {
	t.t.Helper()
	preview, create := t.preview(text), t.create(text)
	if create.status != http.StatusBadRequest || preview.status != create.status || preview.body != create.body {
		t.t.Errorf("%s: preview %d %.200s; create %d %.200s", what, preview.status, preview.body, create.status, create.body)
		return nil
	}
	return create.problems(t.t)
}

// refusesField shows that a body is refused for one field and nothing else.
func (t *till) refusesField(what, path, text string) {
	t.t.Helper()
	told := t.refuses(what, text)
	if len(told) != 1 || !strings.HasPrefix(told[0], "invoice_schema_data."+path+": ") {
		t.t.Errorf("%s: told %q, want one problem of %s", what, told, path)
	}
}

// holds compares some fields of a record with what they should be.
func holds(t testing.TB, what string, got, want record) {
	t.Helper()
	for name, value := range want {
		same(t, what+": "+name, got[name], value)
	}
}

// first is the first object of a list.
func first(t testing.TB, list any) record {
	t.Helper()
	rows, _ := list.([]any)
	if len(rows) == 0 {
		t.Fatalf("%v has no entries", list)
	}
	row, _ := rows[0].(record)
	return row
}

func parsed(t testing.TB, id string) uuid.UUID {
	t.Helper()
	u, err := uuid.Parse(id)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// inner is an object within a record.
func inner(t testing.TB, r record, name string) record {
	t.Helper()
	o, is := r[name].(record)
	if !is {
		t.Fatalf("%s is %v, no object", name, r[name])
	}
	return o
}

// list is a list within a record.
func list(t testing.TB, r record, name string) []any {
	t.Helper()
	rows, is := r[name].([]any)
	if !is {
		t.Fatalf("%s is %v, no list", name, r[name])
	}
	return rows
}

// issuedID is the id that a create answered.
func issuedID(t testing.TB, created record) string {
	t.Helper()
	id, _ := created["invoice_uuid"].(string)
	return parsed(t, id).String()
}
