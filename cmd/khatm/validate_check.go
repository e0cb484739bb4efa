package main

import (
	"slices"
	"time"

	"khatm/check"
	"khatm/rules"
)

// verdict is the result of checking one document. Status follows the authority;
// Form is our opinion.
type verdict struct {
	File     string    `json:"file"`
	Status   status    `json:"status"`
	Form     form      `json:"form,omitempty"` // empty if the document is unreadable
	Findings []finding `json:"findings"`
}

// status is the first verdict: the official rules, hash, signature, certificate
// and QR code.
type status string

// form is the second verdict.
type form string

const (
	usual   form = "usual"
	unusual form = "unusual" // at least one opinion
)

const (
	clean      status = "clean"
	warned     status = "warned"     // nothing worse than warnings
	failed     status = "failed"     // at least one error
	unreadable status = "unreadable" // not an invoice that can be checked
)

// finding is a failed check, in the language of the user.
type finding struct {
	ID      string     `json:"id"`
	Flag    rules.Flag `json:"flag"`
	Opinion bool       `json:"opinion,omitempty"` // about form only: counts for the second verdict
	Path    string     `json:"path"`
	Message string     `json:"message"`
	Field   string     `json:"field,omitempty"`
	Got     string     `json:"got,omitempty"`
	Want    string     `json:"want,omitempty"`
	Fix     string     `json:"fix,omitempty"`
}

// judge checks a document: schema, rules, and stamp and QR code.
func judge(document []byte, now time.Time, language string) (status, []finding) {
	read, err := check.Read(document)
	if err != nil {
		return unreadable, unread(err)
	}
	findings := []finding{}
	for _, f := range read.All(now) {
		findings = append(findings, findingOf(f, language))
	}
	return sumUp(findings), findings
}

// unread returns the finding for a document that cannot be checked.
func unread(err error) []finding {
	return []finding{{ID: "XML", Flag: rules.Error, Message: err.Error()}}
}

func findingOf(f rules.Finding, language string) finding {
	return finding{
		ID: f.ID, Flag: f.Flag, Opinion: check.IsOpinion(f.ID), Path: f.Path, Field: f.Field, Got: f.Got, Want: f.Want,
		Message: f.Says.In(language), Fix: f.Fix.In(language),
	}
}

func sumUp(findings []finding) status {
	sum := clean
	for _, f := range findings {
		switch {
		case f.Opinion:
		case f.Flag == rules.Error:
			return failed
		default:
			sum = warned
		}
	}
	return sum
}

func formOf(s status, findings []finding) form {
	switch {
	case s == unreadable:
		return ""
	case slices.ContainsFunc(findings, func(f finding) bool { return f.Opinion }):
		return unusual
	}
	return usual
}
