package main

import (
	"time"

	"khatm/rules"
	"khatm/ubl"
	"khatm/witness"
)

// verdict is what khatm thinks of one document.
type verdict struct {
	File     string    `json:"file"`
	Status   status    `json:"status"`
	Findings []finding `json:"findings"`
}

// status sums a verdict up.
type status string

const (
	clean      status = "clean"
	warned     status = "warned"     // nothing worse than warnings
	failed     status = "failed"     // at least one error
	unreadable status = "unreadable" // no invoice that could be judged
)

// finding is one thing that is wrong, in the language that was asked for.
type finding struct {
	ID      string     `json:"id"`
	Flag    rules.Flag `json:"flag"`
	Path    string     `json:"path"`
	Message string     `json:"message"`
	Field   string     `json:"field,omitempty"`
	Got     string     `json:"got,omitempty"`
	Want    string     `json:"want,omitempty"`
	Fix     string     `json:"fix,omitempty"`
}

// judge holds a document against the schema, the rulebook and the verifier.
func judge(document []byte, now time.Time, language string) (status, []finding) {
	root, err := ubl.Parse(document)
	if err != nil {
		return unreadable, unread(err)
	}
	inv, err := ubl.Bind(root)
	if err != nil {
		return unreadable, unread(err)
	}
	findings := []finding{}
	for _, f := range rules.Schema(root) {
		findings = append(findings, besides(f, language))
	}
	for _, f := range rules.Traps(root) {
		findings = append(findings, besides(f, language))
	}
	for _, r := range rules.Check(inv, now) {
		for _, p := range r.Places {
			findings = append(findings, finding{
				ID: r.Rule.ID, Flag: r.Rule.Flag, Path: p.Path, Field: p.Field, Got: p.Got, Want: p.Want,
				Message: r.Rule.Says.In(language), Fix: r.Rule.Fix.In(language),
			})
		}
	}
	findings = append(findings, stampFindings(document, language)...)
	return sumUp(findings), findings
}

// unread makes a finding of why a document could not be judged.
func unread(err error) []finding {
	return []finding{{ID: "XML", Flag: rules.Error, Message: err.Error()}}
}

func besides(f rules.Finding, language string) finding {
	return finding{
		ID: f.ID, Flag: f.Flag, Path: f.Path, Field: f.Field, Got: f.Got, Want: f.Want,
		Message: f.Says.In(language), Fix: f.Fix.In(language),
	}
}

// stampFindings asks the verifier. On a standard document they are warnings:
// the authority stamps it itself and does not look at the seller's stamp.
//
// The verifier reads more strictly than XML asks: what it cannot read is no
// reason to keep back what the rules found.
func stampFindings(document []byte, language string) []finding {
	report, err := witness.Verify(document, witness.Expect{})
	if err != nil {
		says, fix := wordsOfStamp("stamp-unreadable")
		return []finding{{ID: "stamp-unreadable", Flag: rules.Error, Message: says.In(language), Got: err.Error(), Fix: fix.In(language)}}
	}
	flag := rules.Warning
	if report.Simplified() {
		flag = rules.Error
	}
	var findings []finding
	for _, f := range report.Findings {
		says, fix := wordsOfStamp(f.ID)
		message := says.In(language)
		if language != "ar" {
			message = f.Message // nearer to the point
		}
		findings = append(findings, finding{
			ID: f.ID, Flag: flag, Path: f.Path, Got: f.Got, Want: f.Want,
			Message: message, Fix: fix.In(language),
		})
	}
	return findings
}

func sumUp(findings []finding) status {
	sum := clean
	for _, f := range findings {
		if f.Flag == rules.Error {
			return failed
		}
		sum = warned
	}
	return sum
}
