package wiretest_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"khatm/service/internal/wire/wiretest"
)

// document returns a document with one operation, whose body has the given field.
func document(field string) []byte {
	return fmt.Appendf(nil, `{
		"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "servers": [{"url": "https://example.com/v1/"}],
		"paths": {"/x/{id}/": {"post": {"operationId": "x",
			"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string", "format": "uuid"}}],
			"requestBody": {"required": true, "x-path-root": "root", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/X"}}}},
			"responses": {"200": {"description": "OK"}}}}},
		"components": {"schemas": {"X": {"type": "object", "required": ["f"], "properties": {"f": %s, "more": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/X"}}}}}}
	}`, field)
}

func read(t *testing.T, field string) *wiretest.Contract {
	t.Helper()
	c, err := wiretest.Read(document(field))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCallsMatchTheirSchema(t *testing.T) {
	cases := []struct{ field, want string }{
		{`{"type":"string"}`, `"a"`},
		{`{"type":"string","minLength":4}`, `"aaaa"`},
		{`{"type":"string","pattern":"^3[0-9]{13}3$"}`, `"300000000000003"`},
		{`{"type":"string","pattern":"^(SAR|USD)[a-c]+x?.$"}`, `"SARaa"`},
		{`{"type":"string","enum":["S","Z"]}`, `"S"`},
		{`{"type":"string","examples":["abc"],"pattern":"b"}`, `"abc"`},
		{`{"type":"integer","minimum":5,"maximum":9}`, `5`},
		{`{"type":"integer","exclusiveMinimum":5}`, `6`},
		{`{"anyOf":[{"type":"string","pattern":"^[0-9]+$"},{"type":"number","maximum":-2}]}`, `-2`},
		{`{"type":"boolean"}`, `false`},
		{`{"type":"array","items":{"type":"string"},"minItems":2}`, `["a","a"]`},
	}
	for _, c := range cases {
		calls, err := read(t, c.field).Calls()
		if err != nil {
			t.Errorf("Calls for schema %s: %v", c.field, err)
			continue
		}
		if got, want := string(calls[0].Body), `{"f":`+c.want+`}`; got != want {
			t.Errorf("sample body for schema %s = %s, want %s", c.field, got, want)
		}
		r, err := calls[0].Request("http://127.0.0.1:1")
		if err != nil || !regexp.MustCompile(`^http://127\.0\.0\.1:1/v1/x/[0-9a-f-]{36}/$`).MatchString(r.URL.String()) {
			t.Errorf("URL of the request = %s, %v; want /v1/x/ and a UUID", r.URL, err)
		}
	}
}

func TestPatternWithoutExample(t *testing.T) {
	if _, err := read(t, `{"type":"string","pattern":"^a*$","minLength":3}`).Calls(); err == nil || !strings.Contains(err.Error(), "add an example tag") {
		t.Errorf("error = %v, want the advice to add an example tag", err)
	}
}

func TestViolationsOfRecursiveSchema(t *testing.T) {
	violations, err := read(t, `{"type":"string","maxLength":3}`).Violations()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, v := range violations {
		found[v.Path+" "+v.Bound] = string(v.Body)
	}
	for name, want := range map[string]string{
		"root required":             ``,
		"root syntax":               `{`,
		"root.f required":           `{}`,
		"root.f maxLength":          `{"f":"aaaa"}`,
		"root.f null":               `{"f":null}`,
		"root.more type":            `{"f":"a","more":{}}`,
		"root.more.0.f type":        `{"f":"a","more":[{"f":7}]}`,
		"root.more.0.more.0.f null": `{"f":"a","more":[{"f":"a","more":[{"f":null}]}]}`,
	} {
		if got, is := found[name]; !is || got != want {
			t.Errorf("violation %s: body = %s, want %s", name, got, want)
		}
	}
	if _, is := found["id format"]; !is {
		t.Errorf("no violation of the path parameter id in %v", found)
	}
}

func TestViolationsOfBodyWithMissingFieldsReportedTogether(t *testing.T) {
	text := strings.Replace(string(document(`{"type":"string","minLength":1,"maxLength":3}`)), `"x-path-root"`, `"x-missing-together": true, "x-path-root"`, 1)
	c, err := wiretest.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	violations, err := c.Violations()
	if err != nil {
		t.Fatal(err)
	}
	const says = "Value error, Missing required fields: f"
	found := map[string]string{}
	for _, v := range violations {
		found[v.Path+" "+v.Bound+" "+string(v.Body)] = v.Says
	}
	for name, want := range map[string]string{
		`root required {}`:                                 says,
		`root null {"f":null}`:                             says,
		`root minLength {"f":""}`:                          says,
		`root.f maxLength {"f":"aaaa"}`:                    "",
		`root.f type {"f":7}`:                              "",
		`root.more.0.f null {"f":"a","more":[{"f":null}]}`: "", // only fields of the outermost object
	} {
		if got, is := found[name]; !is || got != want {
			t.Errorf("violation %s: expected message = %q, want %q", name, got, want)
		}
	}
	v := wiretest.Violation{Path: "root", Says: says}
	if v.Told([]byte(`{"message":["root: `+says+`"]}`)) != nil || v.Told([]byte(`{"message":["root: `+says+`, g"]}`)) == nil {
		t.Error("Told must accept exactly the expected message")
	}
}

func TestTold(t *testing.T) {
	v := wiretest.Violation{Path: "root.f", Bound: "maxLength"}
	for body, good := range map[string]bool{
		`{"message":["root.f: must have at most 3 characters"]}`: true,
		`{"message":["root.f: x","root.g: y"]}`:                  false,
		`{"message":["root.ff: x"]}`:                             false,
		`{"message":[]}`:                                         false,
		`{"message":"root.f: x"}`:                                false,
		`<html>`:                                                 false,
	} {
		if err := v.Told([]byte(body)); (err == nil) != good {
			t.Errorf("Told(%s) = %v, want success: %v", body, err, good)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"invalid JSON":         "{",
		"an array":             "[]",
		"an empty object":      "{}",
		"a dangling reference": strings.Replace(string(document(`{"type":"string"}`)), "schemas/X\"}}}}", "schemas/Y\"}}}}", 1),
		"an invalid example":   string(document(`{"type":"string","maxLength":2,"examples":["abc"]}`)),
	} {
		if _, err := wiretest.Read([]byte(text)); err == nil {
			t.Errorf("Read accepted %s", name)
		}
	}
}
