package service_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/api"
	"khatm/service/internal/app"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/tools"
	"khatm/service/internal/wire"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestInterface_Conventions_DocumentIsPublicAndGolden(t *testing.T) {
	h := servicetest.Open(t, nil)
	for path, golden := range map[string]string{
		servicetest.DocumentPath:                "testdata/openapi.json",
		"/v1/api/integrations/openapi-3.0.json": "testdata/openapi-3.0.json",
		"/v1-3/api/public/openapi.json":         "testdata/public.json",
		"/v1-3/api/public/openapi-3.0.json":     "testdata/public-3.0.json",
		"/app/openapi.json":                     "testdata/app.json",
		"/app/openapi-3.0.json":                 "testdata/app-3.0.json",
	} {
		a := h.As("", http.MethodGet, path, "")
		if a.Status != http.StatusOK || a.Header.Get("Content-Type") != "application/json" {
			t.Fatalf("%s: got %d %s, want 200 with JSON", path, a.Status, a.Header.Get("Content-Type"))
		}
		testtool.Golden(t, *update, golden, []byte(a.Body))
		servicetest.Same(t, "with a key", h.Call(http.MethodGet, path, "").Body, a.Body)
	}
	for _, path := range []string{"/v1/api/integrations/docs", "/v1-3/api/public/docs"} {
		page := h.As("", http.MethodGet, path, "")
		if page.Status != http.StatusOK || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: got %d %s, want 200 with HTML", path, page.Status, page.Header.Get("Content-Type"))
		}
	}
}

func TestContractOfMatchesTheServedDocument(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for base, path := range map[string]string{api.Base: servicetest.DocumentPath, app.Base: "/app/openapi.json", tools.Base: "/v1-3/api/public/openapi.json"} {
		if _, err := servicetest.ContractOf(h.Service.Rows(), base); err != nil {
			t.Errorf("%s: %v", base, err)
			continue
		}
		made, err := wire.Document(wire.Info{}, base, servicetest.RowsBelow(h.Service.Rows(), base))
		if err != nil {
			t.Fatal(err)
		}
		want := servicetest.Answer{Body: string(made)}.JSON(t)
		got := h.As("", http.MethodGet, path, "").JSON(t)
		shown, _ := got["paths"].(servicetest.Record)
		for path, operations := range paths(want) {
			servicetest.Same(t, base+path, servicetest.AsJSON(t, resolved(got, shown[path], 0)), servicetest.AsJSON(t, resolved(want, operations, 0)))
		}
		servicetest.Same(t, base+" servers", servicetest.AsJSON(t, got["servers"]), servicetest.AsJSON(t, want["servers"]))
	}
}

func paths(document servicetest.Record) servicetest.Record {
	all, _ := document["paths"].(servicetest.Record)
	return all
}

// The lookups are below the base of the API for keys but need no key: the
// public document lists them with their server.
func TestPublicDocumentShowsTheLookups(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	shown := paths(h.As("", http.MethodGet, "/v1-3/api/public/openapi.json", "").JSON(t))
	found := 0
	for _, row := range h.Service.KeyRows() {
		one, listed := shown[row.Path].(servicetest.Record)
		if listed != (row.Access == wire.Anyone && strings.HasPrefix(row.Path, "/api/")) {
			t.Errorf("%s: listed in the public document = %v, want only lookups that need no key", row.Path, listed)
		}
		if listed {
			found++
			servicetest.Same(t, row.Path, servicetest.AsJSON(t, one["servers"]), `[{"url":"/v1"}]`)
		}
	}
	if found == 0 {
		t.Error("the public document has no lookups")
	}
}

func TestInterface_9_Info(t *testing.T) {
	t.Parallel()
	info, _ := published(t)["info"].(servicetest.Record)
	delete(info, "description")
	servicetest.Same(t, "info", info, servicetest.Record{"title": "Khatm API", "version": "1.3.0", "license": servicetest.Record{"name": "Apache-2.0", "identifier": "Apache-2.0"}})
}

// undocumented are the operations of the API for keys that are not in its
// document: images are linked in responses, and invoices cannot be deleted.
var undocumented = []string{
	"DELETE /api/invoices/{invoice_id}/",
	"GET /api/buyers/{buyer_id}/logo/",
	"GET /api/items/{item_id}/images/{number}/",
}

// leastRoles maps the operations of sections 4.1 to 4.6 of docs/contract.md to
// their minimum roles; "" means any valid key.
var leastRoles = func() map[string]string {
	least := map[string]string{}
	for operation, r := range permissions[api.Base] {
		if !r.public && !r.people && !slices.Contains(undocumented, operation) {
			least[operation] = string(r.least)
		}
	}
	return least
}()

var (
	publishedOnce sync.Once
	publishedBody servicetest.Answer
)

// published returns the OpenAPI document of the API for keys, which is the same
// for every instance and therefore requested once.
func published(t testing.TB) servicetest.Record {
	t.Helper()
	publishedOnce.Do(func() {
		publishedBody = servicetest.Open(t, nil).As("", http.MethodGet, servicetest.DocumentPath, "")
	})
	return publishedBody.Wants(t, http.StatusOK)
}

// operations returns the operations of a document by method and path.
func operations(document servicetest.Record) map[string]servicetest.Record {
	all := map[string]servicetest.Record{}
	paths, _ := document["paths"].(servicetest.Record)
	for path, value := range paths {
		methods, _ := value.(servicetest.Record)
		for method, operation := range methods {
			all[strings.ToUpper(method)+" "+path], _ = operation.(servicetest.Record)
		}
	}
	return all
}

func TestInterface_4_DocumentHasTheseOperationsAndNoOther(t *testing.T) {
	t.Parallel()
	all := operations(published(t))
	servicetest.Same(t, "operations", slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(leastRoles)))
}

func TestInterface_4_EveryOperationIsDescribed(t *testing.T) {
	t.Parallel()
	document := published(t)
	var tags []string
	list, _ := document["tags"].([]any)
	for _, one := range list {
		tag, _ := one.(servicetest.Record)
		name, _ := tag["name"].(string)
		tags = append(tags, name)
	}
	seen := map[any]string{}
	for name, operation := range operations(document) {
		t.Run(name, func(t *testing.T) {
			id := operation["operationId"]
			if id == nil || seen[id] != "" {
				t.Errorf("operationId = %v, want one that is not used by another operation such as %q", id, seen[id])
			}
			seen[id] = name
			if summary, _ := operation["summary"].(string); summary == "" {
				t.Error("the operation has no summary")
			}
			given, _ := operation["tags"].([]any)
			if len(given) != 1 {
				t.Fatalf("tags = %v, want one", given)
			}
			if tag, _ := given[0].(string); !slices.Contains(tags, tag) {
				t.Errorf("tag %v is not among %q", given, tags)
			}
			words, _ := operation["description"].(string)
			role := "Any valid API key may call this operation."
			if least := leastRoles[name]; least != "" {
				role = "Requires role `" + least + "` or higher."
				servicetest.Same(t, "x-role", operation["x-role"], any(least))
			}
			if !strings.Contains(words, role) {
				t.Errorf("description %q does not contain %q", words, role)
			}
			servicetest.Same(t, "security", operation["security"], any([]any{servicetest.Record{"apiKey": []any{}}}))
			refusalsDescribed(t, document, name, operation)
			responses, _ := operation["responses"].(servicetest.Record)
			if !strings.HasSuffix(name, "/pdf-a3/") && !strings.Contains(servicetest.AsJSON(t, resolved(document, cmp.Or(responses["200"], responses["201"], responses["202"]), 0)), `"examples"`) {
				t.Error("the response has no example")
			}
		})
	}
}

// refusalsDescribed checks that every possible error has a schema, and that 422
// is not listed.
func refusalsDescribed(t *testing.T, document servicetest.Record, name string, operation servicetest.Record) {
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
	responses, _ := operation["responses"].(servicetest.Record)
	var got []string
	for code, value := range responses {
		if code < "400" {
			continue
		}
		got = append(got, code)
		response, _ := resolved(document, value, 0).(servicetest.Record)
		content, _ := response["content"].(servicetest.Record)
		media, _ := content["application/json"].(servicetest.Record)
		if len(content) != 1 || media["schema"] == nil {
			t.Errorf("response %s has content %v, want one with a schema", code, content)
		}
	}
	servicetest.Same(t, "refusals", slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)))
}

// resolved returns a value with its references replaced by their targets, to a
// limited depth.
func resolved(document servicetest.Record, value any, depth int) any {
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
	case servicetest.Record:
		if ref, is := v["$ref"].(string); is {
			return resolved(document, servicetest.Target(document, ref), depth+1)
		}
		out := servicetest.Record{}
		for name := range v {
			out[name] = resolved(document, v[name], depth+1)
		}
		return out
	}
	return value
}

func TestInterface_7_1_DocumentKnowsNo422(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for _, path := range []string{servicetest.DocumentPath, "/v1/api/integrations/openapi-3.0.json"} {
		body := h.As("", http.MethodGet, path, "").Body
		for _, word := range []string{"422", "Unprocessable", "problem+json"} {
			if strings.Contains(body, word) {
				t.Errorf("%s mentions %s", path, word)
			}
		}
		if !json.Valid([]byte(body)) {
			t.Errorf("%s is not valid JSON", path)
		}
	}
}

func TestDocumentLeavesOutWhatIsNotOnTheKeySurface(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	all := operations(h.Document(t))
	for _, row := range h.Service.KeyRows() {
		if _, listed := all[row.Method+" "+row.Path]; listed == row.Hidden {
			t.Errorf("%s %s: in the document = %v, hidden = %v; want exactly one", row.Method, row.Path, listed, row.Hidden)
		}
	}
}

// Operations refer to error responses, and to parameters that several of them
// have, so that the document contains each once.
func TestDocument_RepeatsNoErrorResponseAndNoParameter(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for _, path := range []string{servicetest.DocumentPath, "/v1-3/api/public/openapi.json", "/app/openapi.json"} {
		document := h.As("", http.MethodGet, path, "").JSON(t)
		params := map[string]string{}
		for name, operation := range operations(document) {
			list, _ := operation["parameters"].([]any)
			for _, one := range list {
				text := servicetest.AsJSON(t, one)
				if other := params[text]; other != "" && !strings.HasPrefix(text, `{"$ref":`) {
					t.Errorf("%s: %s repeats the parameter %s of %s", path, name, text, other)
				}
				params[text] = name
			}
			responses, _ := operation["responses"].(servicetest.Record)
			for status, value := range responses {
				if response, _ := value.(servicetest.Record); status >= "300" && response["$ref"] == nil {
					t.Errorf("%s: response %s of %s is not shared", path, status, name)
				}
			}
		}
		distinctComponents(t, path, document, "responses")
		distinctComponents(t, path, document, "parameters")
	}
}

// distinctComponents checks that no two components of a kind have the same
// content.
func distinctComponents(t *testing.T, path string, document servicetest.Record, kind string) {
	t.Helper()
	seen := map[string]string{}
	all, _ := servicetest.Target(document, "#/components/"+kind).(servicetest.Record)
	if len(all) == 0 {
		t.Errorf("%s has no components of kind %s", path, kind)
	}
	for name, value := range all {
		text := servicetest.AsJSON(t, value)
		if other := seen[text]; other != "" {
			t.Errorf("%s: %s and %s of %s are the same", path, name, other, kind)
		}
		seen[text] = name
	}
}
