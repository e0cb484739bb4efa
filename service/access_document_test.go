package service_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/api"
	"khatm/service/internal/servicetest"
)

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

func TestInterface_4_DocumentHasTheseOperationsAndNoOther(t *testing.T) {
	t.Parallel()
	all := servicetest.Operations(servicetest.Published(t))
	servicetest.Same(t, "operations", slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(leastRoles)))
}

func TestInterface_4_EveryOperationIsDescribed(t *testing.T) {
	t.Parallel()
	document := servicetest.Published(t)
	var tags []string
	list, _ := document["tags"].([]any)
	for _, one := range list {
		tag, _ := one.(servicetest.Record)
		name, _ := tag["name"].(string)
		tags = append(tags, name)
	}
	seen := map[any]string{}
	for name, operation := range servicetest.Operations(document) {
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
			if !strings.HasSuffix(name, "/pdf-a3/") && !strings.Contains(servicetest.AsJSON(t, servicetest.Resolved(document, cmp.Or(responses["200"], responses["201"], responses["202"]), 0)), `"examples"`) {
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
		response, _ := servicetest.Resolved(document, value, 0).(servicetest.Record)
		content, _ := response["content"].(servicetest.Record)
		media, _ := content["application/json"].(servicetest.Record)
		if len(content) != 1 || media["schema"] == nil {
			t.Errorf("response %s has content %v, want one with a schema", code, content)
		}
	}
	servicetest.Same(t, "refusals", slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)))
}
