package mood

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Always is the rate at which a fault applies to every request.
const Always Rate = 10_000

// Rate is how often a fault applies, in parts per ten thousand: 250 is 2.5%.
type Rate int

// Plan maps the names of faults to their settings. A fault that is absent is
// off; the empty plan is polite. A setting of zero means its default.
type Plan map[string]Setting

// Setting holds the rate and the settings of one fault. [Knobs] lists which
// fields a fault uses and their defaults; a plan that sets any other field is
// invalid.
type Setting struct {
	Rate       Rate          // how often the fault applies
	Median     time.Duration // half of the answers are delayed by at most this
	P99        time.Duration // 99 of 100 answers are delayed by at most this
	Statuses   []int         // one of them is chosen at random
	Accepted   Rate          // share of the requests for which the handler runs anyway
	RetryAfter time.Duration // whole seconds
	Hold       time.Duration // maximum duration
	Pause      time.Duration // time between two pieces
	Bytes      int           // size of a piece, or the maximum size of the body
}

// PlanError describes an error in a plan and its position.
type PlanError struct {
	Knob    string // name of the fault; "" for the plan as a whole
	Setting string // "" for the fault as a whole
	Problem string
}

func (e *PlanError) Error() string {
	where := "plan"
	if e.Knob != "" {
		where += ": " + e.Knob
	}
	if e.Setting != "" {
		where += ": " + e.Setting
	}
	return where + ": " + e.Problem
}

// named maps names to plans. Moody is the authority on an ordinary day: answers
// may be late, odd or lost, but a robust client can cope.
var named = map[string]Plan{
	"polite": {},
	"nod":    {}, // no faults; the simulator skips validation
	"moody": {
		"latency":           {Rate: Always, Median: 150 * time.Millisecond, P99: 2 * time.Second},
		"duplicate_first":   {Rate: 500},
		"server_error":      {Rate: 300, Accepted: 5_000},
		"drop_after":        {Rate: 200},
		"too_many":          {Rate: 50},
		"too_many_silent":   {Rate: 50},
		"empty_body":        {Rate: 25},
		"truncated_body":    {Rate: 25},
		"html_body":         {Rate: 25, Accepted: 5_000},
		"wrong_type":        {Rate: 25},
		"unknown_fields":    {Rate: 500},
		"info_object":       {Rate: 1_000},
		"shuffled_messages": {Rate: Always},
	},
	"outage": {
		"server_error": {Rate: 5_000, Statuses: []int{503}},
		"timeout":      {Rate: 5_000},
	},
}

// Names returns the names that [Named] accepts, sorted.
func Names() []string { return slices.Sorted(maps.Keys(named)) }

// Named returns a copy of the plan with the given name.
func Named(name string) (Plan, error) {
	plan, ok := named[name]
	if !ok {
		return nil, &PlanError{Problem: fmt.Sprintf("unknown name %q, want one of %s", name, strings.Join(Names(), ", "))}
	}
	return plan.clone(), nil
}

func (p Plan) clone() Plan {
	c := make(Plan, len(p))
	for name, s := range p {
		s.Statuses = slices.Clone(s.Statuses)
		c[name] = s
	}
	return c
}

// Check returns all errors in the plan. At most one knob of the kind fault
// applies to a request, so their rates together must not exceed 100%.
func (p Plan) Check() error {
	var faults []error
	sum := Rate(0)
	for _, name := range slices.Sorted(maps.Keys(p)) {
		k := find(name)
		if k == nil {
			faults = append(faults, unknownKnob(name))
			continue
		}
		faults = append(faults, k.check(p[name])...)
		if k.kind == fault {
			sum += p[name].Rate
		}
	}
	if sum > Always {
		faults = append(faults, &PlanError{Problem: fmt.Sprintf("the rates of all faults add up to %s, more than 100%%", sum)})
	}
	return errors.Join(faults...)
}

func unknownKnob(name string) error {
	return &PlanError{Knob: name, Problem: "there is no such fault"}
}

// positions returns the settings in the order of table, with defaults filled
// in.
func (p Plan) positions() []Setting {
	all := make([]Setting, len(table))
	for i := range table {
		all[i] = table[i].fill(p[table[i].Name])
	}
	return all
}
