package mood

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Parse reads a plan: one of [Names], or a JSON object. The object maps each
// fault to its rate or to its settings:
//
//	{"base": "moody", "timeout": "0.5%", "latency": 0,
//	 "server_error": {"rate": 300, "statuses": [503, 504]}}
//
// A rate is a whole number of parts per ten thousand, or a percentage as a
// string with at most two decimals. "base" names the plan to start from, polite
// by default; faults that the object does not contain have their settings from
// that plan. Unknown and repeated members are errors.
func Parse(text string) (Plan, error) {
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "{") {
		return Named(text)
	}
	var p Plan
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		var at *PlanError
		if errors.As(err, &at) {
			return nil, err
		}
		return nil, &PlanError{Problem: "not JSON: " + err.Error()}
	}
	return p, nil
}

// UnmarshalJSON reads a plan as described at [Parse].
func (p *Plan) UnmarshalJSON(data []byte) error {
	knobs, ok := parseObject(data)
	if !ok {
		return &PlanError{Problem: "not an object of faults"}
	}
	plan, faults := Plan{}, repeated(knobs, "")
	if base, ok := knobs.get("base"); ok {
		var err error
		if plan, err = basePlan(base); err != nil {
			return err
		}
	}
	for _, m := range knobs {
		if m.key == "base" {
			continue
		}
		k := find(m.key)
		if k == nil {
			faults = append(faults, unknownKnob(m.key))
			continue
		}
		s := plan[m.key]
		faults = append(faults, k.read(m.value, &s)...)
		plan[m.key] = s
	}
	if len(faults) == 0 {
		faults = append(faults, plan.Check())
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	*p = plan
	return nil
}

func basePlan(raw json.RawMessage) (Plan, error) {
	var name string
	if err := json.Unmarshal(raw, &name); err != nil {
		return nil, &PlanError{Knob: "base", Problem: fmt.Sprintf("%s is not the name of a plan", raw)}
	}
	return Named(name)
}

func repeated(members object, knob string) []error {
	var faults []error
	seen := map[string]bool{}
	for _, m := range members {
		if seen[m.key] {
			e := &PlanError{Knob: knob, Setting: m.key, Problem: "appears twice"}
			if knob == "" {
				e.Knob, e.Setting = m.key, ""
			}
			faults = append(faults, e)
		}
		seen[m.key] = true
	}
	return faults
}

// read sets s from the JSON value of the fault and returns the errors in it.
func (k *knob) read(raw json.RawMessage, s *Setting) []error {
	settings, ok := parseObject(raw)
	if !ok {
		if err := s.Rate.UnmarshalJSON(raw); err != nil {
			return []error{&PlanError{Knob: k.Name, Problem: err.Error()}}
		}
		return nil
	}
	faults := repeated(settings, k.Name)
	for _, m := range settings {
		f := findField(m.key)
		if f == nil || !k.takes(m.key) {
			faults = append(faults, &PlanError{Knob: k.Name, Setting: m.key, Problem: k.noSetting()})
			continue
		}
		if err := f.read(m.value, s); err != nil {
			faults = append(faults, &PlanError{Knob: k.Name, Setting: m.key, Problem: err.Error()})
		}
	}
	return faults
}

func findField(name string) *field {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}

// MarshalJSON returns the plan in the format that [Parse] reads, with the
// faults in the order of [Knobs].
func (p Plan) MarshalJSON() ([]byte, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	var knobs object
	for _, k := range table {
		s, ok := p[k.Name]
		if !ok {
			continue
		}
		var settings object
		for _, f := range fields {
			v := f.value(s)
			if v == nil {
				continue
			}
			raw, err := json.Marshal(v)
			if err != nil {
				return nil, fmt.Errorf("encode %s of %s: %w", f.name, k.Name, err)
			}
			settings = append(settings, member{f.name, raw})
		}
		knobs = append(knobs, member{k.Name, settings.encode()})
	}
	return knobs.encode(), nil
}

var percent = regexp.MustCompile(`^([0-9]{1,3})(?:\.([0-9]{1,2}))?%$`)

// UnmarshalJSON reads a whole number of parts per ten thousand, or a percentage
// as a string.
func (r *Rate) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return fmt.Errorf("%s is not a rate: want a whole number of parts per ten thousand, or a string such as \"2.5%%\"", raw)
		}
		m := percent.FindStringSubmatch(text)
		if m == nil {
			return fmt.Errorf("%q is not a rate: want a percentage such as \"2.5%%\", with at most two decimals", text)
		}
		n, err = strconv.Atoi(m[1] + (m[2] + "00")[:2])
		if err != nil {
			return err
		}
	}
	if wrong := Rate(n).wrong(); wrong != "" {
		return errors.New(wrong)
	}
	*r = Rate(n)
	return nil
}

// MarshalJSON returns the rate as a percentage in a string.
func (r Rate) MarshalJSON() ([]byte, error) { return json.Marshal(r.String()) }

// String returns the rate as a percentage: "2.5%".
func (r Rate) String() string {
	text := fmt.Sprintf("%d.%02d", r/100, r%100)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".") + "%"
}

func (r Rate) wrong() string {
	if r < 0 || r > Always {
		return fmt.Sprintf("%d is not between 0 and %d parts per ten thousand", int(r), int(Always))
	}
	return ""
}
