package mood

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// unshuffled sorts the messages of every list by their text.
func unshuffled(body string) string {
	whole, _ := parseObject([]byte(body))
	raw, _ := whole.get("validationResults")
	results, _ := parseObject(raw)
	for _, name := range lists {
		raw, _ := results.get(name)
		messages, _ := parseList(raw)
		slices.SortFunc(messages, func(a, b json.RawMessage) int { return bytes.Compare(a, b) })
		results.set(name, encodeList(messages))
	}
	whole.set("validationResults", results.encode())
	return string(whole.encode())
}

func shapeKnobs() []*knob {
	var all []*knob
	for i := range table {
		if table[i].kind == shape {
			all = append(all, &table[i])
		}
	}
	return all
}

func TestOtherShapesPassUntouched(t *testing.T) {
	cases := []struct{ name, contentType, body string }{
		{"empty", "application/json", ""},
		{"text", "text/plain", "This Version is not supported"},
		{"JSON as text/plain", "text/plain", `{` + results + `}`},
		{"a list", "application/json", `[{` + results + `}]`},
		{"two values", "application/json", `{` + results + `}{}`},
		{"broken", "application/json", `{` + results},
		{"a string for results", "application/json", `{"validationResults":"PASS"}`},
		{"a list for results", "application/json", `{"validationResults":[]}`},
		{"null lists", "application/json", `{"validationResults":{"infoMessages":null,"warningMessages":null}}`},
		{"strings for lists", "application/json", `{"validationResults":{"infoMessages":"a","warningMessages":"b"}}`},
		{"empty lists", "application/json", `{"validationResults":{"infoMessages":[],"warningMessages":[]}}`},
		{"no results", "application/json", `{"errors":[{"code":"Invalid-OTP"}]}`},
		{"already flat", "application/json", `{"validationResults":{"infoMessages":{}},"warningMessages":[1,2],"status":"PASS"}`},
		{"status inside and outside", "application/json", `{"validationResults":{"infoMessages":{},"status":"PASS"},"status":"PASS"}`},
	}
	for _, c := range cases {
		for _, k := range shapeKnobs() {
			a := newAnswer()
			a.say(200, c.contentType, c.body)
			did := k.change(&injection{rng: stream(1, Clearance, 1, k.Name)}, a)
			takesAnyObject := k.Name == "unknown_fields" && a.isJSON() && strings.HasPrefix(c.body, "{")
			if k.Name == "flat_results" && strings.HasSuffix(c.name, "lists") {
				continue // a list of any content can be moved
			}
			if did != takesAnyObject || !did && string(a.body) != c.body {
				t.Errorf("%s on %s: applied is %t, want %t; body is %s, want %s if not applied", k.Name, c.name, did, takesAnyObject, a.body, c.body)
			}
		}
	}
}

// TestShapesTogether checks that several shapes and a fault that keeps the body
// can be combined, and that values do not change.
func TestShapesTogether(t *testing.T) {
	plan := Plan{"duplicate_first": {Rate: Always}}
	for _, k := range shapeKnobs() {
		plan[k.Name] = Setting{Rate: Always}
	}
	var applied string
	x := newFixture(t, Config{Seed: 1, Plan: plan, Observe: func(e Event) { applied = e.Applied }})
	r := x.ask(Clearance)
	if want := "duplicate_first,shuffled_messages,unknown_fields,info_object,flat_results"; applied != want {
		t.Errorf("applied is %q, want %q", applied, want)
	}
	for _, part := range []string{
		`"clearedInvoice":"` + document + `"`, `12345678901234567890.10`, `"Complied <&>"`, `"infoMessages":{`, `},"warningMessages":[`, `"traceContext"`,
	} {
		if !strings.Contains(r.body, part) {
			t.Errorf("the body lacks %s: %s", part, r.body)
		}
	}
	if r.status != 208 || !json.Valid([]byte(r.body)) {
		t.Errorf("answer is %s, want 208 with valid JSON", r)
	}
}

// TestShapesOfUnsentBodies checks that a body that is not sent is neither
// reshaped nor counted.
func TestShapesOfUnsentBodies(t *testing.T) {
	for _, name := range []string{"drop_after", "empty_body", "html_body", "endless_body", "server_error", "empty_rejection"} {
		x := newFixture(t, Config{Seed: 1, Plan: Plan{name: {Rate: Always}, "unknown_fields": {Rate: Always}}})
		if name == "endless_body" {
			if err := x.SetPlan(Plan{name: {Rate: Always, Bytes: 1000}, "unknown_fields": {Rate: Always}}); err != nil {
				t.Fatal(err)
			}
		}
		x.ask(Reporting)
		if got := x.Counts(); got[name] != 1 || got["unknown_fields"] != 0 {
			t.Errorf("%s: counts are %v, want 1 of %s and 0 of unknown_fields", name, got, name)
		}
	}
}

func FuzzShapes(f *testing.F) {
	f.Add(goodBody(Clearance), uint64(1))
	f.Add(`{"validationResults":{"infoMessages":[{}]}}`, uint64(2))
	f.Add(`{"a":1,"a":2,"":[1,2],"validationResults":{"status":1}} `, uint64(3))
	f.Fuzz(func(t *testing.T, body string, n uint64) {
		for _, k := range shapeKnobs() {
			a := newAnswer()
			a.sayJSON(200, body)
			did := k.change(&injection{rng: stream(1, Clearance, n, k.Name)}, a)
			if !did && string(a.body) != body {
				t.Fatalf("%s reported no change, but the body is %q, want %q", k.Name, a.body, body)
			}
			if did && !json.Valid(a.body) {
				t.Fatalf("%s changed %q to %q, want valid JSON", k.Name, body, a.body)
			}
		}
	})
}
