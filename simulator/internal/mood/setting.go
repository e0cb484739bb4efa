package mood

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// field is one setting: its name in JSON, and functions that read, return and
// check its value.
type field struct {
	name  string
	read  func(raw json.RawMessage, s *Setting) error
	value func(s Setting) any // nil if not set
	wrong func(s Setting) string
}

var fields = []field{
	{"rate", rateInto(func(s *Setting) *Rate { return &s.Rate }),
		func(s Setting) any { return s.Rate },
		func(s Setting) string { return s.Rate.wrong() }},
	durationField("median", time.Millisecond, time.Minute, func(s *Setting) *time.Duration { return &s.Median }),
	durationField("p99", time.Millisecond, 10*time.Minute, func(s *Setting) *time.Duration { return &s.P99 }),
	{"statuses", readStatuses,
		func(s Setting) any { return orNil(s.Statuses, len(s.Statuses) == 0) },
		func(Setting) string { return "" }},
	{"accepted", rateInto(func(s *Setting) *Rate { return &s.Accepted }),
		func(s Setting) any { return orNil(s.Accepted, s.Accepted == 0) },
		func(s Setting) string { return s.Accepted.wrong() }},
	durationField("retry_after", time.Second, 24*time.Hour, func(s *Setting) *time.Duration { return &s.RetryAfter }),
	durationField("hold", time.Millisecond, time.Hour, func(s *Setting) *time.Duration { return &s.Hold }),
	durationField("pause", time.Millisecond, time.Minute, func(s *Setting) *time.Duration { return &s.Pause }),
	{"bytes", readBytes,
		func(s Setting) any { return orNil(s.Bytes, s.Bytes == 0) },
		func(s Setting) string {
			if s.Bytes < 0 || s.Bytes > maxBytes {
				return fmt.Sprintf("%d is not between 1 and %d", s.Bytes, maxBytes)
			}
			return ""
		}},
}

// maxBytes limits the size of one answer.
const maxBytes = 1 << 30

func orNil(v any, absent bool) any {
	if absent {
		return nil
	}
	return v
}

func rateInto(at func(*Setting) *Rate) func(json.RawMessage, *Setting) error {
	return func(raw json.RawMessage, s *Setting) error { return at(s).UnmarshalJSON(raw) }
}

func durationField(name string, least, most time.Duration, at func(*Setting) *time.Duration) field {
	return field{
		name: name,
		read: func(raw json.RawMessage, s *Setting) error {
			var text string
			if err := json.Unmarshal(raw, &text); err != nil {
				return fmt.Errorf("%s is not a duration string such as \"150ms\"", raw)
			}
			d, err := time.ParseDuration(text)
			if err != nil {
				return fmt.Errorf("%q is not a duration such as \"150ms\"", text)
			}
			if d < least {
				return fmt.Errorf("%s is less than %s", d, least)
			}
			*at(s) = d
			return nil
		},
		value: func(s Setting) any { return orNil(at(&s).String(), *at(&s) == 0) },
		wrong: func(s Setting) string {
			d := *at(&s)
			if d != 0 && (d < least || d > most) {
				return fmt.Sprintf("%s is not between %s and %s", d, least, most)
			}
			return ""
		},
	}
}

func readStatuses(raw json.RawMessage, s *Setting) error {
	var list []int
	if err := json.Unmarshal(raw, &list); err != nil || len(list) == 0 {
		return fmt.Errorf("%s is not a list of statuses such as [503]", raw)
	}
	s.Statuses = list
	return nil
}

func readBytes(raw json.RawMessage, s *Setting) error {
	var n int
	if err := json.Unmarshal(raw, &n); err != nil || n < 1 {
		return fmt.Errorf("%s is not a number of bytes above 0", raw)
	}
	s.Bytes = n
	return nil
}

// String returns the settings other than the rate, such as "median 150ms, p99
// 2s".
func (s Setting) String() string {
	var said []string
	for _, f := range fields[1:] {
		if v := f.value(s); v != nil {
			said = append(said, fmt.Sprintf("%s %v", f.name, v))
		}
	}
	return strings.Join(said, ", ")
}

// check returns the errors in the settings of the fault.
func (k *knob) check(s Setting) []error {
	var faults []error
	wrong := func(setting, problem string) {
		if problem != "" {
			faults = append(faults, &PlanError{Knob: k.Name, Setting: setting, Problem: problem})
		}
	}
	for _, f := range fields {
		if !k.takes(f.name) && f.value(s) != nil {
			wrong(f.name, k.noSetting())
			continue
		}
		wrong(f.name, f.wrong(s))
	}
	for _, status := range s.Statuses {
		if k.takes("statuses") && !slices.Contains(k.statuses, status) {
			wrong("statuses", fmt.Sprintf("%d is not one of %v", status, k.statuses))
		}
	}
	if full := k.fill(s); full.P99 < full.Median {
		wrong("p99", fmt.Sprintf("%s is less than the median %s", full.P99, full.Median))
	}
	if s.RetryAfter%time.Second != 0 {
		wrong("retry_after", fmt.Sprintf("%s is not a whole number of seconds", s.RetryAfter))
	}
	return faults
}

func (k *knob) takes(setting string) bool {
	return setting == "rate" || slices.Contains(k.Settings, setting)
}

func (k *knob) noSetting() string {
	return "no such setting, want one of " + strings.Join(append([]string{"rate"}, k.Settings...), ", ")
}

// fill returns s with the fault's defaults for settings that are not set.
func (k *knob) fill(s Setting) Setting {
	d := k.Default
	s.Median = cmp.Or(s.Median, d.Median)
	s.P99 = cmp.Or(s.P99, d.P99)
	s.RetryAfter = cmp.Or(s.RetryAfter, d.RetryAfter)
	s.Hold = cmp.Or(s.Hold, d.Hold)
	s.Pause = cmp.Or(s.Pause, d.Pause)
	s.Bytes = cmp.Or(s.Bytes, d.Bytes)
	if len(s.Statuses) == 0 {
		s.Statuses = d.Statuses
	}
	return s
}
