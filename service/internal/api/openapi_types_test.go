package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

// listed are the fields whose values are a fixed list, in requests and responses.
var listed = map[string][]string{
	"type_code":                 {"381", "383", "386", "388"},
	"transaction_code":          {"0100000", "0100100", "0200000"},
	"vat_category_code":         {"E", "O", "S", "Z"},
	"payment_means_type_code":   {"10", "20", "23", "25", "26", "30", "31", "46", "48", "49", "54", "55"},
	"payment_status":            {"Paid", "Partially Paid", "Pending"},
	"authority_response_status": {"CLEARED", "NOT_CLEARED", "NOT_REPORTED", "No response", "REPORTED"},
	"invoice_type":              {"0100", "1000", "1100"},
	"invoice_status":            {"CLEARED", "NOT_CLEARED", "NOT_REPORTED", "No response", "REPORTED", "Unanswered"},
}

// valuesOf returns the enum of a schema or of its items, sorted, without null.
func valuesOf(t testing.TB, schema servicetest.Record) []string {
	t.Helper()
	if items, is := schema["items"].(servicetest.Record); is {
		schema = items
	}
	if choices, is := schema["anyOf"].([]any); is { // or null
		schema, _ = choices[0].(servicetest.Record)
	}
	all, _ := schema["enum"].([]any)
	var values []string
	for _, one := range all {
		if one != nil {
			values = append(values, strings.Trim(servicetest.AsJSON(t, one), `"`))
		}
	}
	slices.Sort(values)
	return values
}

func TestDocument_ListsTheValuesOfEveryFieldThatHasFewOfThem(t *testing.T) {
	t.Parallel()
	document := servicetest.Published(t)
	seen := map[string]int{}
	check := func(way, name string, schema servicetest.Record) {
		if want, is := listed[name]; is {
			seen[name]++
			servicetest.Same(t, "values of "+way, valuesOf(t, schema), want)
		}
	}
	servicetest.Properties(document, "", func(way string, property servicetest.Record) {
		check(way, way[strings.LastIndex(way, ".")+1:], property)
	})
	for name, operation := range servicetest.Operations(document) {
		params, _ := operation["parameters"].([]any)
		for _, one := range params {
			param, _ := servicetest.Resolved(document, one, 0).(servicetest.Record)
			schema, _ := param["schema"].(servicetest.Record)
			field, _ := param["name"].(string)
			check(name+" "+field, field, schema)
		}
	}
	for name := range listed {
		if seen[name] == 0 {
			t.Errorf("the document has no field %s", name)
		}
	}
}

func TestDocument_OnlyAPreviewHasNoUUID(t *testing.T) {
	t.Parallel()
	document := servicetest.Published(t)
	for _, name := range []string{"uuid", "counter", "invoice_hash", "previous_invoice_hash", "created_at"} {
		for component, want := range map[string]bool{"Invoice": false, "InvoiceListed": false, "InvoicePreview": true} {
			kinds, _ := propertyOf(t, document, component, name)["type"].([]any)
			if got := slices.Contains(kinds, any("null")); got != want {
				t.Errorf("%s.%s may be null = %v, want %v", component, name, got, want)
			}
		}
	}
}

// Wrong values of these fields are refused in the words of docs/contract.md,
// although the document lists the right ones.
func TestDocument_ListedValuesKeepTheirRefusals(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	shop := h.NewSeller()
	body := servicetest.With(t, shop.Standard(), servicetest.Record{"transaction_code": "0100001"})
	refused := h.Call(http.MethodPost, "/v1/api/invoices/", body).Wants(t, http.StatusBadRequest)
	servicetest.Same(t, "message", refused["message"], any("Invalid transaction_code"))
	refused = h.Call(http.MethodGet, "/v1/api/invoices/?invoice_status=CLEARED,PENDING", "").Wants(t, http.StatusBadRequest)
	servicetest.Same(t, "message", refused["message"], any([]any{
		"invoice_status: 'PENDING' is not a status; must be one of CLEARED, REPORTED, NOT_CLEARED, NOT_REPORTED, No response, Unanswered",
	}))
	for _, query := range []string{"CLEARED,REPORTED", "CLEARED,%20REPORTED,", "CLEARED&invoice_status=REPORTED", ""} {
		h.Call(http.MethodGet, "/v1/api/invoices/?invoice_status="+query, "").Wants(t, http.StatusOK)
	}
}

// Files have a schema from which generators of clients make a type for bytes: in
// OpenAPI 3.1 a media type and the format binary, in 3.0 the format alone.
func TestDocument_FilesAreBinary(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for path, is31 := range map[string]bool{
		servicetest.DocumentPath: true, "/v1/api/integrations/openapi-3.0.json": false,
		"/v1-3/api/public/openapi.json": true, "/v1-3/api/public/openapi-3.0.json": false,
	} {
		document := h.As("", http.MethodGet, path, "").JSON(t)
		files := 0
		check := func(way string, value any) {
			files++
			schema, _ := value.(servicetest.Record)
			if items, is := schema["items"].(servicetest.Record); is {
				schema = items
			}
			if schema["type"] != "string" || schema["format"] != "binary" || (schema["contentMediaType"] != nil) != is31 {
				t.Errorf("%s %s has schema %v, want a binary string, with contentMediaType = %v", path, way, schema, is31)
			}
		}
		for name, operation := range servicetest.Operations(document) {
			whole, _ := servicetest.Resolved(document, operation, 0).(servicetest.Record)
			body, _ := whole["requestBody"].(servicetest.Record)
			content, _ := body["content"].(servicetest.Record)
			form, _ := content["multipart/form-data"].(servicetest.Record)
			schema, _ := form["schema"].(servicetest.Record)
			parts, _ := schema["properties"].(servicetest.Record)
			encoding, _ := form["encoding"].(servicetest.Record)
			for part, value := range parts {
				kind, _ := encoding[part].(servicetest.Record)
				if kind["contentType"] == nil {
					t.Errorf("%s %s: part %s has no content type", path, name, part)
				}
				if kind["contentType"] != "application/json" {
					check(name+" "+part, value)
				}
			}
			responses, _ := whole["responses"].(servicetest.Record)
			for status, value := range responses {
				response, _ := value.(servicetest.Record)
				content, _ := response["content"].(servicetest.Record)
				if pdf, is := content["application/pdf"].(servicetest.Record); is {
					check(name+" "+status, pdf["schema"])
				}
			}
		}
		if files == 0 {
			t.Errorf("%s has no files", path)
		}
	}
}
