package servicetest

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"khatm/service/internal/wire/wiretest"
)

// AppDocumentPath is the path of the OpenAPI document of the app.
const AppDocumentPath = "/app/openapi.json"

// Paths returns the paths of a document.
func Paths(document Record) Record {
	all, _ := document["paths"].(Record)
	return all
}

var (
	publishedOnce sync.Once
	publishedBody Answer
)

// Published returns the OpenAPI document of the API for keys, which is the same
// for every instance and therefore requested once.
func Published(t testing.TB) Record {
	t.Helper()
	publishedOnce.Do(func() {
		publishedBody = Open(t, nil).As("", http.MethodGet, DocumentPath, "")
	})
	return publishedBody.Wants(t, http.StatusOK)
}

// Operations returns the operations of a document by method and path.
func Operations(document Record) map[string]Record {
	all := map[string]Record{}
	paths, _ := document["paths"].(Record)
	for path, value := range paths {
		methods, _ := value.(Record)
		for method, operation := range methods {
			all[strings.ToUpper(method)+" "+path], _ = operation.(Record)
		}
	}
	return all
}

// Resolved returns a value with its references replaced by their targets, to a
// limited depth.
func Resolved(document Record, value any, depth int) any {
	if depth > 20 {
		return value
	}
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = Resolved(document, v[i], depth+1)
		}
		return out
	case Record:
		if ref, is := v["$ref"].(string); is {
			return Resolved(document, Target(document, ref), depth+1)
		}
		out := Record{}
		for name := range v {
			out[name] = Resolved(document, v[name], depth+1)
		}
		return out
	}
	return value
}

// BodyExample returns the example of an operation's body, and the name of the
// form part that contains it, or "" for the whole body.
func BodyExample(operation Record) (part string, example any) {
	body, _ := operation["requestBody"].(Record)
	content, _ := body["content"].(Record)
	if media, is := content["application/json"].(Record); is {
		if samples, is := media["examples"].(Record); is {
			first, _ := samples["standard-invoice"].(Record) // another test sends the others
			return "", first["value"]
		}
		return "", media["example"]
	}
	media, _ := content["multipart/form-data"].(Record)
	schema, _ := media["schema"].(Record)
	properties, _ := schema["properties"].(Record)
	for name, value := range properties {
		property, _ := value.(Record)
		if samples, _ := property["examples"].([]any); len(samples) > 0 {
			return name, samples[0]
		}
	}
	return "", nil
}

// Properties visits every property in a value with its path.
func Properties(value any, way string, visit func(way string, property Record)) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			Properties(one, way, visit)
		}
	case Record:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name != "properties" {
				Properties(v[name], way+"/"+name, visit)
				continue
			}
			all, _ := v[name].(Record)
			for _, field := range slices.Sorted(maps.Keys(all)) {
				property, _ := all[field].(Record)
				visit(way+"."+field, property)
				Properties(property, way+"."+field, visit)
			}
		}
	}
}

// OneMessage reports whether a response has the only message that docs/contract.md
// prescribes for every wrong value of a field.
func OneMessage(v wiretest.Violation, a Answer) bool {
	return strings.HasSuffix(v.Path, ".transaction_code") && strings.Contains(a.Body, `"message":"Invalid transaction_code"`) ||
		v.Path == "vat_category_code" && strings.Contains(a.Body, `"message":"Invalid VAT Category"`) ||
		v.Path == "invoice_status.0" && strings.Contains(a.Body, `["invoice_status: 'no-such-value' is not a status; `)
}
