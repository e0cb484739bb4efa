package mood

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Always is the rate of what happens to every request.
const Always Rate = 10_000

// Rate is how often a knob fires, in parts per ten thousand: 250 is 2.5 %.
type Rate int

// Plan says how often, and how, each knob fires. A knob that is absent is off;
// the empty plan is polite. Settings left at zero take the knob's default.
type Plan map[string]Setting

// Setting is the position of one knob. Which fields a knob has, and their
// defaults, stands in [Knobs]; a plan that sets another one is refused.
type Setting struct {
	Rate       Rate          // how often
	Median     time.Duration // half the answers are at most this late
	P99        time.Duration // 99 of 100 answers are at most this late
	Statuses   []int         // one is drawn
	Accepted   Rate          // share in which the handler ran all the same
	RetryAfter time.Duration // whole seconds
	Hold       time.Duration // for how long at most
	Pause      time.Duration // between two pieces
	Bytes      int           // a piece, or the whole
}

// A PlanError says what is wrong with a plan, and where.
type PlanError struct {
	Knob    string // "" for the plan as a whole
	Setting string // "" for the knob as a whole
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

// named are the plans that have a name. Moody is the authority on an ordinary
// day: what it sends may be late, odd or lost, and all of it can be lived with.
var named = map[string]Plan{
	"polite": {},
	"nod":    {}, // the simulator skips its judge; its manners are polite
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

// Names are the names that [Named] knows, sorted.
func Names() []string { return slices.Sorted(maps.Keys(named)) }

// Named is the plan of that name.
func Named(name string) (Plan, error) {
	plan, ok := named[name]
	if !ok {
		return nil, &PlanError{Problem: fmt.Sprintf("there is none named %q, but %s", name, strings.Join(Names(), ", "))}
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

// Check finds everything that is wrong with the plan. Faults exclude each
// other, so their rates together may not be more than 100 %.
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
		faults = append(faults, &PlanError{Problem: fmt.Sprintf("the faults together fire at %s, more than 100%%", sum)})
	}
	return errors.Join(faults...)
}

func unknownKnob(name string) error {
	return &PlanError{Knob: name, Problem: "there is no such knob"}
}

// positions is the plan in the order of the table, with defaults filled in.
func (p Plan) positions() []Setting {
	all := make([]Setting, len(table))
	for i := range table {
		all[i] = table[i].fill(p[table[i].Name])
	}
	return all
}
