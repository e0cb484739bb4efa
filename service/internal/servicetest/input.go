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

// Input is a place that takes a JSON object.
type Input struct {
	Name   string
	Schema string // of the document
	Root   string // what paths begin with
	Good   string // an object that is accepted
	Send   func(body string) Answer

	Together []any // fields of which one sentence tells that they are missing
}

// Put is the good object with a member replaced by a text, which need be no JSON.
func (i Input) Put(t testing.TB, field, raw string) string {
	t.Helper()
	rest := strings.TrimSuffix(With(t, i.Good, Record{field: Absent{}}), "}")
	if rest != "{" {
		rest += ","
	}
	return rest + `"` + field + `":` + raw + "}"
}

// Told is what is told of a row.
func (i Input) Told(row BadValue) string {
	path := row.Path
	if path == "" {
		path = row.Field
	}
	if (row.Raw == `""` || row.Raw == `null`) && slices.Contains(i.Together, any(row.Field)) {
		return i.At("") + "Value error, Missing required fields: " + row.Field
	}
	return i.At(path) + row.Want
}

// At is the path of a field in what is told.
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

// BadValue is a value of a field, the path that is told if it is another, and what
// is told of it.
type BadValue struct{ Field, Raw, Path, Want string }

// Refused sends every row to every inlet and counts them. Nothing may come of it.
func (h *Instance) Refused(t testing.TB, rows []BadValue, to ...Input) int {
	t.Helper()
	before := h.Snapshot(h.Org)
	for _, in := range to {
		for _, row := range rows {
			a := in.Send(in.Put(t, row.Field, row.Raw))
			if a.Status != http.StatusBadRequest {
				t.Errorf("%s %s %.60s: got %d %.200s", in.Name, row.Field, row.Raw, a.Status, a.Body)
				continue
			}
			Same(t, in.Name+" "+row.Field+" "+row.Raw[:min(60, len(row.Raw))], a.Problems(t), []string{in.Told(row)})
		}
	}
	Same(t, "what is kept", h.Snapshot(h.Org), before)
	return len(rows) * len(to)
}

// Judged previews an invoice and, if that is refused, creates it: both must say
// the same.
func (t *Seller) Judged(text string) Answer {
	t.TB.Helper()
	preview := t.Preview(text)
	if preview.Status != http.StatusBadRequest {
		return preview
	}
	create := t.Create(text)
	if create.Status != preview.Status || create.Body != preview.Body {
		t.TB.Errorf("preview %d %.200s; create %d %.200s", preview.Status, preview.Body, create.Status, create.Body)
	}
	return create
}

// Place makes a call of the document with the instance's key.
func (h *Instance) Place(t testing.TB, call wiretest.Call) Answer {
	t.Helper()
	r, err := call.Request(h.HTTP.URL)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+h.Key)
	return h.Do(r)
}

// DocumentPath is where the document of the key surface is.
const DocumentPath = "/v1/api/integrations/openapi.json"

// Document reads the document as it is published, without a key.
func (h *Instance) Document(t testing.TB) Record {
	t.Helper()
	return h.As("", http.MethodGet, DocumentPath, "").Wants(t, http.StatusOK)
}

// Target is what a reference points to.
func Target(document Record, ref string) any {
	var at any = document
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		level, _ := at.(Record)
		at = level[name]
	}
	return at
}

// ReferenceRows returns the routes of reference data: lists that are the same for
// every key and may be kept for a day.
func ReferenceRows() []wire.Route {
	return slices.DeleteFunc(api.New(api.Config{}).Rows(), func(row wire.Route) bool { return row.Tag != "Reference data" })
}

// ReferencePaths returns their paths.
func ReferencePaths() (paths []string) {
	for _, row := range ReferenceRows() {
		paths = append(paths, row.Path)
	}
	return paths
}
