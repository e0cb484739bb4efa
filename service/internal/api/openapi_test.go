package api_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"strings"
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
		servicetest.DocumentPath:                "../../testdata/openapi.json",
		"/v1/api/integrations/openapi-3.0.json": "../../testdata/openapi-3.0.json",
		"/v1-3/api/public/openapi.json":         "../../testdata/public.json",
		"/v1-3/api/public/openapi-3.0.json":     "../../testdata/public-3.0.json",
		"/app/openapi.json":                     "../../testdata/app.json",
		"/app/openapi-3.0.json":                 "../../testdata/app-3.0.json",
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
		for path, operations := range servicetest.Paths(want) {
			servicetest.Same(t, base+path, servicetest.AsJSON(t, servicetest.Resolved(got, shown[path], 0)), servicetest.AsJSON(t, servicetest.Resolved(want, operations, 0)))
		}
		servicetest.Same(t, base+" servers", servicetest.AsJSON(t, got["servers"]), servicetest.AsJSON(t, want["servers"]))
	}
}

// The lookups are below the base of the API for keys but need no key: the
// public document lists them with their server.
func TestPublicDocumentShowsTheLookups(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	shown := servicetest.Paths(h.As("", http.MethodGet, "/v1-3/api/public/openapi.json", "").JSON(t))
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
	info, _ := servicetest.Published(t)["info"].(servicetest.Record)
	delete(info, "description")
	servicetest.Same(t, "info", info, servicetest.Record{"title": "Khatm API", "version": "1.3.0", "license": servicetest.Record{"name": "Apache-2.0", "identifier": "Apache-2.0"}})
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
	all := servicetest.Operations(h.Document(t))
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
		for name, operation := range servicetest.Operations(document) {
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
