package service_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"khatm/service/internal/api"
	"khatm/service/internal/app"
	"khatm/service/internal/tools"
	"khatm/service/internal/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

const documentPath = "/v1/api/integrations/openapi.json"

// document reads the document as it is published, without a key.
func (h *house) document(t testing.TB) record {
	t.Helper()
	return h.as("", http.MethodGet, documentPath, "").wants(t, http.StatusOK)
}

func TestInterface_Conventions_DocumentIsPublicAndGolden(t *testing.T) {
	h := open(t, nil)
	for path, golden := range map[string]string{
		documentPath:                            "testdata/openapi.json",
		"/v1/api/integrations/openapi-3.0.json": "testdata/openapi-3.0.json",
		"/v1-3/api/public/openapi.json":         "testdata/public.json",
		"/v1-3/api/public/openapi-3.0.json":     "testdata/public-3.0.json",
		"/app/openapi.json":                     "testdata/app.json",
		"/app/openapi-3.0.json":                 "testdata/app-3.0.json",
	} {
		a := h.as("", http.MethodGet, path, "")
		if a.status != http.StatusOK || a.header.Get("Content-Type") != "application/json" {
			t.Fatalf("%s: %d %s", path, a.status, a.header.Get("Content-Type"))
		}
		if *update {
			if err := os.WriteFile(golden, []byte(a.body), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(strings.Split(string(want), "\n"), strings.Split(a.body, "\n")); diff != "" {
			t.Errorf("%s is not what %s says; write it with -update and read it (-want +got):\n%s", path, golden, diff)
		}
		same(t, "with a key", h.call(http.MethodGet, path, "").body, a.body)
	}
	for _, path := range []string{"/v1/api/integrations/docs", "/v1-3/api/public/docs"} {
		page := h.as("", http.MethodGet, path, "")
		if page.status != http.StatusOK || !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %d %s", path, page.status, page.header.Get("Content-Type"))
		}
	}
}

func TestDocumentThatAnswersAreHeldToIsTheOneServed(t *testing.T) {
	h := open(t, nil)
	for base, path := range map[string]string{api.Base: documentPath, app.Base: "/app/openapi.json", tools.Base: "/v1-3/api/public/openapi.json"} {
		if _, err := contractOf(h.service.Rows(), base); err != nil {
			t.Errorf("%s: %v", base, err)
			continue
		}
		made, err := wire.Document(wire.Info{}, base, rowsBelow(h.service.Rows(), base))
		if err != nil {
			t.Fatal(err)
		}
		want := answer{body: string(made)}.json(t)
		got := h.as("", http.MethodGet, path, "").json(t)
		shown, _ := got["paths"].(record)
		for path, operations := range paths(want) {
			same(t, base+path, asJSON(t, shown[path]), asJSON(t, operations))
		}
		same(t, base+" servers", asJSON(t, got["servers"]), asJSON(t, want["servers"]))
	}
}

func paths(document record) record {
	all, _ := document["paths"].(record)
	return all
}

// The lookups stand below the key surface's base and need no key: the public
// document tells of them, and where they are.
func TestPublicDocumentShowsTheLookups(t *testing.T) {
	h := open(t, nil)
	shown := paths(h.as("", http.MethodGet, "/v1-3/api/public/openapi.json", "").json(t))
	found := 0
	for _, row := range h.service.KeyRows() {
		one, listed := shown[row.Path].(record)
		if listed != (row.Access == wire.Anyone && strings.HasPrefix(row.Path, "/api/")) {
			t.Errorf("%s: listed %v", row.Path, listed)
		}
		if listed {
			found++
			same(t, row.Path, asJSON(t, one["servers"]), `[{"url":"/v1"}]`)
		}
	}
	if found == 0 {
		t.Error("there are none")
	}
}

func TestInterface_9_Info(t *testing.T) {
	info, _ := open(t, nil).document(t)["info"].(record)
	delete(info, "description")
	same(t, "info", info, record{"title": "Khatm API", "version": "1.3.0", "license": record{"name": "Apache-2.0", "identifier": "Apache-2.0"}})
}

// undocumented are the operations of the key surface that are not in its
// document: the way to an image is in the answer that has it, and no invoice can
// be deleted.
var undocumented = []string{
	"DELETE /api/invoices/{invoice_id}/",
	"GET /api/buyers/{buyer_id}/logo/",
	"GET /api/items/{item_id}/images/{number}/",
}

// leastRoles are the operations of sections 4.1 to 4.6 with the least privilege
// that works; "" is any valid key.
var leastRoles = func() map[string]string {
	least := map[string]string{}
	for operation, r := range rights {
		if !r.public && !r.people && !slices.Contains(undocumented, operation) {
			least[operation] = string(r.least)
		}
	}
	return least
}()

// operations are those of the document, by method and path.
func operations(document record) map[string]record {
	all := map[string]record{}
	paths, _ := document["paths"].(record)
	for path, value := range paths {
		methods, _ := value.(record)
		for method, operation := range methods {
			all[strings.ToUpper(method)+" "+path], _ = operation.(record)
		}
	}
	return all
}

func TestInterface_4_DocumentHasTheseOperationsAndNoOther(t *testing.T) {
	all := operations(open(t, nil).document(t))
	same(t, "operations", slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(leastRoles)))
}

func TestInterface_4_EveryOperationIsDescribed(t *testing.T) {
	document := open(t, nil).document(t)
	var tags []string
	list, _ := document["tags"].([]any)
	for _, one := range list {
		tag, _ := one.(record)
		name, _ := tag["name"].(string)
		tags = append(tags, name)
	}
	seen := map[any]string{}
	for name, operation := range operations(document) {
		t.Run(name, func(t *testing.T) {
			id := operation["operationId"]
			if id == nil || seen[id] != "" {
				t.Errorf("operationId is %v, that of %s too", id, seen[id])
			}
			seen[id] = name
			if summary, _ := operation["summary"].(string); summary == "" {
				t.Error("no summary")
			}
			given, _ := operation["tags"].([]any)
			if len(given) != 1 {
				t.Fatalf("tags are %v", given)
			}
			if tag, _ := given[0].(string); !slices.Contains(tags, tag) {
				t.Errorf("tag %v is not among %q", given, tags)
			}
			words, _ := operation["description"].(string)
			role := "Any valid key may call it."
			if least := leastRoles[name]; least != "" {
				role = "Least role: `" + least + "`."
				same(t, "x-role", operation["x-role"], any(least))
			}
			if !strings.Contains(words, role) {
				t.Errorf("%q does not say %q", words, role)
			}
			same(t, "security", operation["security"], any([]any{record{"apiKey": []any{}}}))
			refusalsDescribed(t, document, name, operation)
			responses, _ := operation["responses"].(record)
			if !strings.HasSuffix(name, "/pdf-a3/") && !strings.Contains(asJSON(t, resolved(document, cmp.Or(responses["200"], responses["201"], responses["202"]), 0)), `"examples"`) {
				t.Error("the answer has no example")
			}
		})
	}
}

// refusalsDescribed demands a schema of every refusal that the operation can
// meet, and no 422.
func refusalsDescribed(t *testing.T, document record, name string, operation record) {
	t.Helper()
	want := []string{"401", "403", "429", "500", "503"}
	if strings.Contains(name, "{") {
		want = append(want, "400", "404")
	} else if operation["parameters"] != nil || operation["requestBody"] != nil {
		want = append(want, "400")
	}
	if strings.HasPrefix(name, "PATCH /api/invoices/") {
		want = append(want, "409")
	}
	responses, _ := operation["responses"].(record)
	var got []string
	for code, value := range responses {
		if code < "400" {
			continue
		}
		got = append(got, code)
		response, _ := resolved(document, value, 0).(record)
		content, _ := response["content"].(record)
		media, _ := content["application/json"].(record)
		if len(content) != 1 || media["schema"] == nil {
			t.Errorf("%s has content %v", code, content)
		}
	}
	same(t, "refusals", slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)))
}

// resolved follows the references in a value, so deep as ours go.
func resolved(document record, value any, depth int) any {
	if depth > 20 {
		return value
	}
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = resolved(document, v[i], depth+1)
		}
		return out
	case record:
		if ref, is := v["$ref"].(string); is {
			return resolved(document, target(document, ref), depth+1)
		}
		out := record{}
		for name := range v {
			out[name] = resolved(document, v[name], depth+1)
		}
		return out
	}
	return value
}

// target is what a reference points to.
func target(document record, ref string) any {
	var at any = document
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		level, _ := at.(record)
		at = level[name]
	}
	return at
}

func TestInterface_7_1_DocumentKnowsNo422(t *testing.T) {
	h := open(t, nil)
	for _, path := range []string{documentPath, "/v1/api/integrations/openapi-3.0.json"} {
		body := h.as("", http.MethodGet, path, "").body
		for _, word := range []string{"422", "Unprocessable", "problem+json"} {
			if strings.Contains(body, word) {
				t.Errorf("%s says %s", path, word)
			}
		}
		if !json.Valid([]byte(body)) {
			t.Errorf("%s is no JSON", path)
		}
	}
}

func TestDocumentLeavesOutWhatIsNotOnTheKeySurface(t *testing.T) {
	h := open(t, nil)
	all := operations(h.document(t))
	for _, row := range h.service.KeyRows() {
		if _, listed := all[row.Method+" "+row.Path]; listed == row.Hidden {
			t.Errorf("%s %s: in the document %v, hidden %v", row.Method, row.Path, listed, row.Hidden)
		}
	}
}
