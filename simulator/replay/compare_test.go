package replay

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"khatm/simulator/recording"
)

func TestCompare(t *testing.T) {
	const results = `{"validationResults":{"infoMessages":[],"errorMessages":[{"type":"ERROR","code":"BR-1","message":"a"},{"type":"ERROR","code":"BR-2","message":"b"}],"status":"ERROR"},"reportingStatus":"NOT_REPORTED","hash":"x"}`
	for _, c := range []struct {
		name, recorded, simulator string
		want                      []string
	}{
		{"equal", results, results, nil},
		{"other values and order", results,
			`{"hash":"y","reportingStatus":"NOT_REPORTED","validationResults":{"status":"ERROR","infoMessages":[],"errorMessages":[{"type":"ERROR","code":"BR-2","message":"d"},{"type":"ERROR","code":"BR-1","message":"c"}]}}`, nil},
		{"other codes", results,
			`{"validationResults":{"infoMessages":[{"code":"I"}],"errorMessages":[{"type":"WARNING","code":"BR-2","message":null}],"status":"ERROR"},"reportingStatus":"REPORTED","hash":"x"}`,
			[]string{
				"value reportingStatus: recorded NOT_REPORTED, simulator REPORTED",
				"message validationResults.errorMessages: recorded BR-1, simulator absent",
				"type validationResults.errorMessages[BR-2].message: recorded string, simulator null",
				"value validationResults.errorMessages[BR-2].type: recorded ERROR, simulator WARNING",
				"message validationResults.infoMessages: recorded absent, simulator I",
			}},
		{"a code twice", `{"m":[{"code":"A"},{"code":"A"}]}`, `{"m":[{"code":"A"}]}`, []string{"message m: recorded A, simulator absent"}},
		{"fields", `{"a":1,"b":{}}`, `{"b":[],"c":true}`, []string{"field a: recorded number, simulator absent", "type b: recorded object, simulator list", "field c: recorded absent, simulator boolean"}},
		{"object for a list", `{"infoMessages":{"code":"A"}}`, `{"infoMessages":[{"code":"A"}]}`, []string{"type infoMessages: recorded object, simulator list"}},
		{"elements without a code", `{"m":[{"a":1},"x"]}`, `{"m":[{"a":"1"}]}`, []string{"type m[0].a: recorded number, simulator string", "message m: recorded 1, simulator absent"}},
		{"kinds of bodies", `<!DOCTYPE html><p>`, `{}`, []string{"body: recorded HTML, simulator JSON"}},
		{"text", `This version is not supported`, `That version is not supported`, nil},
		{"empty", ``, `x`, []string{"body: recorded empty, simulator text"}},
		{"two values", `{} {}`, `{}`, []string{"body: recorded text, simulator JSON"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, d := range compare(&recording.Message{Status: 200, Text: c.recorded}, 200, nil, []byte(c.simulator)) {
				got = append(got, d.String())
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("differences = %q, want %q", got, c.want)
			}
		})
	}
}

func TestCompareHeaders(t *testing.T) {
	recorded := &recording.Message{Status: 303, Header: http.Header{"Content-Type": {"application/json"}, "Location": {"/a"}}}
	same := http.Header{"Content-Type": {"Application/JSON;charset=UTF-8"}, "Location": {"/b"}, "X-Other": {"1"}}
	if got := compare(recorded, 303, same, nil); len(got) > 0 {
		t.Errorf("differences = %v, want none", got)
	}
	got := fmt.Sprint(compare(recorded, 429, http.Header{"Content-Type": {"text/html"}, "Retry-After": {"1"}}, nil))
	want := "[status: recorded 303, simulator 429 content type: recorded application/json, simulator text/html header Location: recorded present, simulator absent header Retry-After: recorded absent, simulator present]"
	if got != want {
		t.Errorf("differences = %s, want %s", got, want)
	}
	recorded.Cut = "longer than 4194304 bytes"
	if got := compare(recorded, 303, same, []byte("{}")); len(got) > 0 {
		t.Errorf("a body that is not complete was compared: %v", got)
	}
}

func TestUnplayable(t *testing.T) {
	whole := recording.Exchange{Environment: "sandbox", Response: &recording.Message{Status: 200}}
	if reason := unplayable(whole); reason != "" {
		t.Errorf("unplayable = %q, want \"\"", reason)
	}
	for name, change := range map[string]func(*recording.Exchange){
		"no answer":   func(e *recording.Exchange) { e.Response, e.Error = nil, "timeout" },
		"half":        func(e *recording.Exchange) { e.Error = "the response ended early" },
		"cut":         func(e *recording.Exchange) { e.Request.Cut = "longer" },
		"compressed":  func(e *recording.Exchange) { e.Request.Header = http.Header{"Content-Encoding": {"gzip"}} },
		"environment": func(e *recording.Exchange) { e.Environment = "elsewhere" },
	} {
		e := whole
		if change(&e); unplayable(e) == "" {
			t.Errorf("%s: the exchange can be replayed, want a reason", name)
		}
	}
}
