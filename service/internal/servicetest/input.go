package servicetest

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/api"
	"khatm/service/internal/wire"
	"khatm/service/internal/wire/wiretest"
)

// Input is an endpoint that accepts a JSON object.
type Input struct {
	Name   string
	Schema string // name in the OpenAPI document
	Root   string // first element of the paths in its errors
	Good   string // a valid object
	Send   func(body string) Answer

	Together []any // required fields that are reported missing in a single message
}

// Put returns the valid object with a field replaced by raw, which need not be
// JSON.
func (i Input) Put(t testing.TB, field, raw string) string {
	t.Helper()
	rest := strings.TrimSuffix(With(t, i.Good, Record{field: Absent{}}), "}")
	if rest != "{" {
		rest += ","
	}
	return rest + `"` + field + `":` + raw + "}"
}

// Told returns the expected problem of a row.
func (i Input) Told(row BadValue) string {
	path := row.Path
	if path == "" {
		path = row.Field
	}
	if (row.Raw == `""` || row.Raw == `null`) && slices.Contains(i.Together, any(row.Field)) {
		return i.At("") + "Value error, Missing required fields: " + row.Field
	}
	if row.Field == "transaction_code" && row.Raw != `""` && row.Raw != `null` {
		return "Invalid transaction_code" // docs/contract.md prescribes one message for every wrong value
	}
	return i.At(path) + row.Want
}

// At returns the path of a field as it appears in problems.
func (i Input) At(path string) string {
	switch {
	case path == "" && i.Root == "":
		return "body: "
	case i.Root == "":
		return path + ": "
	case path == "":
		return i.Root + ": "
	}
	return i.Root + "." + path + ": "
}

// BadValue is an invalid value of a field with the expected problem, and its
// path if that is not the field.
type BadValue struct{ Field, Raw, Path, Want string }

// Refused sends every row to every input, checks that all are refused and change
// nothing, and returns their number.
func (h *Instance) Refused(t testing.TB, rows []BadValue, to ...Input) int {
	t.Helper()
	before := h.Snapshot(h.Org)
	for _, in := range to {
		for _, row := range rows {
			a := in.Send(in.Put(t, row.Field, row.Raw))
			if a.Status != http.StatusBadRequest {
				t.Errorf("%s %s %.60s: got %d %.200s, want 400", in.Name, row.Field, row.Raw, a.Status, a.Body)
				continue
			}
			Same(t, in.Name+" "+row.Field+" "+row.Raw[:min(60, len(row.Raw))], a.Problems(t), []string{in.Told(row)})
		}
	}
	Same(t, "records of the organisation after refused requests", h.Snapshot(h.Org), before)
	return len(rows) * len(to)
}

// Judged previews an invoice and, if that is refused, also tries to create it
// and checks that both responses are equal.
func (t *Seller) Judged(text string) Answer {
	t.TB.Helper()
	preview := t.Preview(text)
	if preview.Status != http.StatusBadRequest {
		return preview
	}
	create := t.Create(text)
	if create.Status != preview.Status || create.Body != preview.Body {
		t.TB.Errorf("preview returns %d %.200s, create %d %.200s; want the same", preview.Status, preview.Body, create.Status, create.Body)
	}
	return create
}

// Place makes a call generated from the OpenAPI document, with the instance's
// key.
func (h *Instance) Place(t testing.TB, call wiretest.Call) Answer {
	t.Helper()
	r, err := call.Request(h.HTTP.URL)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+h.Key)
	return h.Do(r)
}

// DocumentPath is the path of the OpenAPI document of the API for keys.
const DocumentPath = "/v1/api/integrations/openapi.json"

// Document returns the published OpenAPI document.
func (h *Instance) Document(t testing.TB) Record {
	t.Helper()
	return h.As("", http.MethodGet, DocumentPath, "").Wants(t, http.StatusOK)
}

// Target returns the target of a reference in a document.
func Target(document Record, ref string) any {
	var at any = document
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		level, _ := at.(Record)
		at = level[name]
	}
	return at
}

// ReferenceRows returns the routes of reference data, which is the same for
// every key and may be cached for a day.
func ReferenceRows() []wire.Route {
	return slices.DeleteFunc(api.New(api.Config{}).Rows(), func(row wire.Route) bool { return row.Tag != "Reference data" })
}

// ReferencePaths returns the paths of ReferenceRows.
func ReferencePaths() (paths []string) {
	for _, row := range ReferenceRows() {
		paths = append(paths, row.Path)
	}
	return paths
}
