package wire_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"khatm/service/internal/wire/wiretest"
)

func contract(t *testing.T) *wiretest.Contract {
	t.Helper()
	c, err := wiretest.Read(shopDocument(t))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// serve sends a call to the test surface, below its base.
func serve(t *testing.T, call wiretest.Call) (*http.Request, *httptest.ResponseRecorder) {
	t.Helper()
	r, err := call.Request("http://example.com")
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	http.StripPrefix("/v1", open(shop())).ServeHTTP(w, r)
	return r, w
}

func TestValidCallsAreAccepted(t *testing.T) {
	t.Parallel()
	c := contract(t)
	calls, err := c.Calls()
	if err != nil || len(calls) != 7 {
		t.Fatalf("Calls returned %d calls, %v; want 7 calls", len(calls), err)
	}
	for _, call := range calls {
		r, w := serve(t, call)
		if w.Code >= 300 {
			t.Errorf("%s: status %d, body %s for the request %s; want success", call.Operation, w.Code, w.Body, call.Body)
		}
		if err := c.Check(r, w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Errorf("%s: %v", call.Operation, err)
		}
	}
}

func TestViolationsAreRefused(t *testing.T) {
	t.Parallel()
	c := contract(t)
	violations, err := c.Violations()
	if err != nil {
		t.Fatal(err)
	}
	bounds := map[string]int{}
	for _, v := range violations {
		bounds[strings.TrimSuffix(v.Bound, " as text")]++
		r, w := serve(t, v.Call)
		if w.Code != http.StatusBadRequest {
			t.Errorf("%s: status %d, body %s for %s %s; want 400", v, w.Code, w.Body, v.URL, v.Body)
			continue
		}
		if err := v.Told(w.Body.Bytes()); err != nil {
			t.Error(err)
		}
		if err := c.Check(r, w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Errorf("%s: %v", v, err)
		}
	}
	for _, bound := range []string{
		"type", "null", "required", "syntax", "additionalProperties", "minLength", "maxLength", "pattern", "enum", "format",
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "places", "digits", "minItems", "maxItems",
	} {
		if bounds[bound] == 0 {
			t.Errorf("no violation of %s", bound)
		}
	}
	t.Logf("%d violations: %v", len(violations), bounds)
}

func TestCheckSeesDrift(t *testing.T) {
	t.Parallel()
	c := contract(t)
	good := http.Header{"Content-Type": {"application/json"}, "Location": {"/x"}}
	events := http.Header{"Content-Type": {"text/event-stream"}}
	const step = `{"name":"boil","at":"2026-01-31T10:00:00+03:00","leaf":null,"by":null}`
	list := `{"teas":[],"total":1}`
	cases := []struct {
		name, method, path string
		status             int
		header             http.Header
		body, want         string
	}{
		{"good", "GET", "/v1/api/teas/", 200, good, list, ""},
		{"another path", "GET", "/v1/api/coffees/", 200, good, list, "has no GET"},
		{"another base", "GET", "/api/teas/", 200, good, list, "has no GET"},
		{"another method", "PUT", "/v1/api/teas/", 200, good, list, "has no PUT"},
		{"another status", "GET", "/v1/api/teas/", 404, good, `{"message":"x"}`, "not in the document"},
		{"a field missing", "GET", "/v1/api/teas/", 200, good, `{"teas":[]}`, "total"},
		{"null for a list", "GET", "/v1/api/teas/", 200, good, `{"teas":null,"total":1}`, "teas"},
		{"not JSON", "GET", "/v1/api/teas/", 200, good, `<html>`, "not JSON"},
		{"another type", "GET", "/v1/api/teas/", 200, http.Header{"Content-Type": {"text/html"}}, list, "not in the document"},
		{"no type", "GET", "/v1/api/teas/", 200, http.Header{}, list, "content type"},
		{"a header missing", "POST", "/v1/api/teas/", 201, http.Header{"Content-Type": {"application/json"}}, `{"location":"/x","uuid":"` + teaID + `"}`, "Location is missing"},
		{"a header of another type", "GET", "/v1/api/teas/", 200, http.Header{"Content-Type": {"application/json"}, "X-Ratelimit-Limit": {"many"}}, list, "not an integer"},
		{"not a UUID", "POST", "/v1/api/teas/", 201, good, `{"location":"/x","uuid":"7"}`, "uuid"},
		{"a code of another operation", "GET", "/v1/api/teas/", 429, good, `{"detail":"x","code":"buyer_not_found"}`, "code"},
		{"no code", "GET", "/v1/api/teas/", 429, good, `{"detail":"x"}`, "code"},
		{"the shape of a 401", "GET", "/v1/api/teas/", 401, good, `{"message":"x","code":"invalid_api_key"}`, "status"},
		{"the value in a 401", "GET", "/v1/api/teas/", 401, good, `{"message":"x","code":"invalid_api_key","status":false}`, "status"},
		{"the shape of a 429", "GET", "/v1/api/teas/", 429, good, `{"message":"x","code":"rate_limited"}`, "detail"},
		{"events", "GET", "/v1/api/teas/" + teaID + "/steps/", 200, events, "retry: 1\n\n:\n\nid: 1\ndata: " + step + "\n\nevent: end\ndata: {}\n\n", ""},
		{"an event that is not as promised", "GET", "/v1/api/teas/" + teaID + "/steps/", 200, events, "data: " + step + "\n\ndata: {\"name\":\"fry\"}\n\n", "name"},
		{"an event that is not JSON", "GET", "/v1/api/teas/" + teaID + "/steps/", 200, events, "event: problem\ndata: {\n\n", "not JSON"},
		{"a body where none is promised", "GET", "/v1/api/teas/" + teaID + "/", 304, good, `{}`, "promises no body"},
	}
	for _, x := range cases {
		t.Run(x.name, func(t *testing.T) {
			r := httptest.NewRequest(x.method, x.path, bytes.NewReader(nil))
			err := c.Check(r, x.status, x.header, []byte(x.body))
			switch {
			case x.want == "" && err != nil:
				t.Error(err)
			case x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)):
				t.Errorf("Check = %v, want %q", err, x.want)
			}
		})
	}
}
