package mood

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPlanErrors(t *testing.T) {
	cases := []struct{ name, text, knob, setting, problem string }{
		{"unknown name", "angry", "", "", `unknown name "angry"`},
		{"empty text", "", "", "", `unknown name ""`},
		{"not JSON", `{"latency": `, "", "", "not JSON"},
		{"two plans", `{} {}`, "", "", "not JSON"},
		{"unknown fault", `{"server_eror": 1}`, "server_eror", "", "no such fault"},
		{"fault in capitals", `{"Latency": 1}`, "Latency", "", "no such fault"},
		{"fault twice", `{"timeout": 1, "timeout": 2}`, "timeout", "", "twice"},
		{"unknown base", `{"base": "rude"}`, "", "", `unknown name "rude"`},
		{"base is not a string", `{"base": 3}`, "base", "", "not the name of a plan"},
		{"unknown setting", `{"timeout": {"rate": 1, "wait": "1s"}}`, "timeout", "wait", "no such setting, want one of rate, hold, accepted"},
		{"setting of another fault", `{"timeout": {"rate": 1, "median": "1s"}}`, "timeout", "median", "no such setting"},
		{"setting twice", `{"timeout": {"hold": "1s", "hold": "2s"}}`, "timeout", "hold", "twice"},
		{"rate below 0", `{"timeout": -1}`, "timeout", "", "between 0 and 10000"},
		{"rate above 10000", `{"timeout": 10001}`, "timeout", "", "between 0 and 10000"},
		{"rate above 100 %", `{"timeout": "100.01%"}`, "timeout", "", "between 0 and 10000"},
		{"rate with a fraction", `{"timeout": 0.5}`, "timeout", "", "not a rate"},
		{"rate with an exponent", `{"timeout": 1e3}`, "timeout", "", "not a rate"},
		{"rate of three decimals", `{"timeout": "0.125%"}`, "timeout", "", "two decimals"},
		{"rate without a percent sign", `{"timeout": "5"}`, "timeout", "", "not a rate"},
		{"rate below 0 in text", `{"timeout": "-5%"}`, "timeout", "", "not a rate"},
		{"rate is true", `{"timeout": true}`, "timeout", "", "not a rate"},
		{"rate is null", `{"timeout": null}`, "timeout", "", "not a rate"},
		{"fault is a list", `{"timeout": [1]}`, "timeout", "", "not a rate"},
		{"duration is a number", `{"timeout": {"hold": 5}}`, "timeout", "hold", "not a duration"},
		{"duration without unit", `{"timeout": {"hold": "5"}}`, "timeout", "hold", "not a duration"},
		{"duration of 0", `{"timeout": {"hold": "0s"}}`, "timeout", "hold", "less than 1ms"},
		{"duration below 0", `{"slow_drip": {"pause": "-1s"}}`, "slow_drip", "pause", "less than 1ms"},
		{"duration too long", `{"timeout": {"hold": "2h"}}`, "timeout", "hold", "between"},
		{"p99 below median", `{"latency": {"median": "2s", "p99": "1s"}}`, "latency", "p99", "less than the median"},
		{"median above default p99", `{"latency": {"median": "3s"}}`, "latency", "p99", "less than the median"},
		{"half a second", `{"too_many": {"retry_after": "1500ms"}}`, "too_many", "retry_after", "whole number of seconds"},
		{"status that is not allowed", `{"server_error": {"statuses": [418]}}`, "server_error", "statuses", "not one of"},
		{"no status", `{"server_error": {"statuses": []}}`, "server_error", "statuses", "not a list of statuses"},
		{"one status", `{"server_error": {"statuses": 503}}`, "server_error", "statuses", "not a list of statuses"},
		{"no bytes", `{"endless_body": {"bytes": 0}}`, "endless_body", "bytes", "above 0"},
		{"too many bytes", `{"endless_body": {"bytes": 1073741825}}`, "endless_body", "bytes", "between 1 and"},
		{"faults above 100 %", `{"timeout": "60%", "drop_after": "40.01%"}`, "", "", "100.01%, more than 100%"},
		{"faults above 100 % with base", `{"base": "outage", "drop_after": 1}`, "", "", "100.01%, more than 100%"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			plan, err := Parse(c.text)
			var got *PlanError
			if !errors.As(err, &got) {
				t.Fatalf("Parse returned plan %v and error %v, want a PlanError", plan, err)
			}
			if got.Knob != c.knob || got.Setting != c.setting || !strings.Contains(got.Problem, c.problem) {
				t.Errorf("problem %q of fault %q, setting %q; want %q of fault %q, setting %q", got.Problem, got.Knob, got.Setting, c.problem, c.knob, c.setting)
			}
		})
	}
}

func TestPlanErrorsAreAllListed(t *testing.T) {
	_, err := Parse(`{"a": 1, "timeout": {"b": 1, "hold": 2}}`)
	for _, want := range []string{"plan: a: ", "plan: timeout: b: ", "plan: timeout: hold: "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q: %v", want, err)
		}
	}
}

func TestParse(t *testing.T) {
	cases := []struct {
		name, text string
		want       Plan
	}{
		{"empty", ` {} `, Plan{}},
		{"parts", `{"timeout": 250}`, Plan{"timeout": {Rate: 250}}},
		{"percent", `{"timeout": "2.5%", "drop_after": "0.01%", "too_many": "97%"}`,
			Plan{"timeout": {Rate: 250}, "drop_after": {Rate: 1}, "too_many": {Rate: 9_700}}},
		{"settings", `{"server_error": {"rate": "100%", "statuses": [503], "accepted": 1}}`,
			Plan{"server_error": {Rate: Always, Statuses: []int{503}, Accepted: 1}}},
		{"base", `{"server_error": 0, "base": "outage", "timeout": {"hold": "1s"}}`,
			Plan{"server_error": {Statuses: []int{503}}, "timeout": {Rate: 5_000, Hold: time.Second}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := Parse(c.text)
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("plan is %v (error: %v), want %v", got, err, c.want)
			}
		})
	}
}

func TestPlanRoundTrip(t *testing.T) {
	for _, name := range Names() {
		plan, err := Named(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(plan)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Parse(string(text)); err != nil || !reflect.DeepEqual(got, plan) {
			t.Errorf("plan %s: %s is parsed as %v (error: %v), want %v", name, text, got, err, plan)
		}
	}
	if got := Names(); !slices.Equal(got, []string{"moody", "nod", "outage", "polite"}) {
		t.Errorf("Names() = %v, want moody, nod, outage, polite", got)
	}
}

// TestKnobsAreDocumented checks that every fault is described and that its Off
// text switches it off.
func TestKnobsAreDocumented(t *testing.T) {
	for _, k := range Knobs() {
		if k.Does == "" || k.Where == "" || k.Ran == "" || k.Moody == "" {
			t.Errorf("description of %s = %+v, want all texts", k.Name, k)
		}
		if err := find(k.Name).check(k.Default); err != nil {
			t.Errorf("%s: check of the defaults returned %v, want no errors", k.Name, err)
		}
		plan, err := Parse(`{"base": "moody", ` + k.Off + `}`)
		if err != nil || plan[k.Name].Rate != 0 {
			t.Errorf("setting with %s = %v, want rate 0 (error: %v)", k.Off, plan[k.Name], err)
		}
		if got := drawnIn(1, Clearance, 500, plan)[k.Name]; got != 0 {
			t.Errorf("%s is off but was applied %d times, want 0", k.Name, got)
		}
	}
	if got, want := Knobs()[0].Default.String(), "median 150ms, p99 2s"; got != want {
		t.Errorf("default is %q, want %q", got, want)
	}
}

// TestNamedPlansAreCopies checks that changing a returned plan does not affect
// the named one.
func TestNamedPlansAreCopies(t *testing.T) {
	plan, err := Named("outage")
	if err != nil {
		t.Fatal(err)
	}
	plan["server_error"].Statuses[0] = 500
	if again, _ := Named("outage"); again["server_error"].Statuses[0] != 503 {
		t.Error("changing a returned plan changed the named plan, want a copy")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"base":"moody","latency":{"median":"1s","p99":"2s"},"timeout":"2.5%"}`)
	f.Add(`{"server_error":{"rate":1,"statuses":[503]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		plan, err := Parse(text)
		if err != nil {
			return
		}
		out, err := json.Marshal(plan)
		if err != nil {
			t.Fatalf("Marshal of the plan %q: %v", text, err)
		}
		if again, err := Parse(string(out)); err != nil || !reflect.DeepEqual(again, plan) {
			t.Fatalf("plan of %q after Marshal (%s) and Parse = %v (error: %v), want %v", text, out, again, err, plan)
		}
	})
}
