package view

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// frame is what every page needs.
type frame struct {
	language
	Title  string
	Live   string // address that the script polls; "" for none
	Toggle string // address of this page in the other language
	Home   string
}

func frameOf(r *http.Request, l language, title string) frame {
	return frame{language: l, Title: title, Toggle: r.URL.EscapedPath() + "?lang=" + string(l.Other()), Home: home(l)}
}

// home returns the address of the overview.
func home(l language) string { return Base + "?lang=" + string(l) }

// Lang returns the language code for HTML.
func (f frame) Lang() string { return string(f.language) }

// overview is the data of the main page.
type overview struct {
	frame
	Host     string // of the control API
	Moods    []choice
	OwnPlan  bool
	Options  []faultOption
	Faults   []faultCount
	Rejects  []Rejection
	Rules    []string // ids of the rules
	Settings []setting
	Devices  []device
	More     int // devices that are not shown
	Requests []requestRow
}

// choice is a mood.
type choice struct {
	Name, Label, Hint string
	Current           bool
}

// faultCount is how often a fault was applied and will be.
type faultCount struct {
	Name, Does string
	Struck     uint64
	Forced     int
}

// setting is a setting with its value and the other one.
type setting struct {
	Name, Label, Value, Other, OtherLabel string
}

// requestRow is a request in the list.
type requestRow struct {
	ID          int64
	Path        string
	At          moment
	Operation   string
	Environment string
	Number      string
	Kind        string
	Verdict     verdict
	Sent        string
	Silent      bool // no answer was sent
	Codes       []string
	Faults      []string
}

func (p *Page) overview(w http.ResponseWriter, r *http.Request) {
	l := languageOf(r)
	certificates, err := p.Certificates()
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	now := p.Mood()
	o := overview{
		frame: frameOf(r, l, l.T("title")), Host: r.Host, Moods: l.moods(now.Name), OwnPlan: now.Name == "",
		Options: l.faultOptions(), Faults: l.faultCounts(now), Rejects: now.Rejects, Rules: ruleIDs(), Settings: l.settings(now.Settings),
	}
	o.Live = home(l)
	o.Devices, o.More = l.devices(certificates, p.Now())
	for _, sent := range p.Recent.List() {
		o.Requests = append(o.Requests, l.rowOf(sent))
	}
	p.render(w, r, http.StatusOK, "overview.html", o)
}

// moods returns the moods in the order of the page.
func (l language) moods(current string) []choice {
	var list []choice
	for _, name := range []string{"polite", "moody", "outage", "nod"} {
		list = append(list, choice{name, l.T(name), l.T(name + "_hint"), name == current})
	}
	return list
}

func (l language) faultCounts(m Mood) []faultCount {
	var list []faultCount
	for _, f := range l.faultOptions() {
		if c := (faultCount{f.Name, f.Does, m.Struck[f.Name], m.Forced[f.Name]}); c.Struck > 0 || c.Forced > 0 {
			list = append(list, c)
		}
	}
	return list
}

// otherValues maps each value of a setting to the other one.
var otherValues = map[string]string{"on": "off", "off": "on", "direct": "checks", "checks": "direct", "open": "strict", "strict": "open"}

func (l language) settings(values map[string]string) []setting {
	var list []setting
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value := values[name]
		list = append(list, setting{name, l.T("set_" + name), l.T(value), otherValues[value], l.T(otherValues[value])})
	}
	return list
}

func (l language) rowOf(r Request) requestRow {
	row := requestRow{
		ID: r.ID, Path: l.pathOf(r), At: l.momentOf(r.Began), Operation: l.operationOf(r), Environment: l.environment(r.Environment),
		Number: clip(r.Number, 60), Kind: l.kindOf(r), Verdict: l.verdictOf(r), Sent: l.sentOf(r), Silent: r.Sent == 0, Faults: faultsOf(r),
	}
	for _, reason := range r.Reasons {
		code := clip(reason.Code, 60)
		if code == "" {
			code = clip(reason.Field, 60)
		}
		if code != "" && !slices.Contains(row.Codes, code) && !slices.Contains(row.Faults, code) && len(row.Codes) < 3 {
			row.Codes = append(row.Codes, code)
		}
	}
	return row
}

// environment returns the name of an environment, or "".
func (l language) environment(name string) string {
	if name == "" {
		return ""
	}
	return l.T(strings.ToLower(name))
}
