package check

import (
	"strings"

	"khatm/rules"
)

// Part is the part of a document that a finding of the verifier is about.
type Part int

// The parts. Reading is the document itself if it can be read in more than one
// way, so that a stamp does not prove its content.
const (
	Stamp Part = iota
	QRCode
	Reading
)

// Unreadable is the id of the finding for a document that the verifier cannot
// read.
const Unreadable = "stamp-unreadable"

// Row describes a finding of the verifier.
type Row struct {
	ID   string
	Part Part
	Says rules.Words // what is wrong
	Fix  rules.Words // how to fix it

	// Flag is the severity on a simplified document: an error if the authority
	// or its kit refuses the document, otherwise a warning. On a standard
	// document every finding is a warning, because the authority stamps it
	// itself and ignores the seller's stamp.
	Flag rules.Flag
	// Opinion reports that the finding is about form only: hash, signature,
	// certificate and QR code are not affected, and neither the authority nor
	// its kit is known to refuse it. It is always a warning.
	Opinion bool

	Answer Answer
}

// Answer is the authority's answer to a document with the finding. The zero
// value means that the authority has none: the finding is an opinion, or the
// schema or a business rule reports the same.
type Answer struct {
	Flag     rules.Flag
	Code     string
	Category string
	Says     rules.Words

	// Ours reports that the authority's own code and text are unknown; Code and
	// Says are in its style. Strict reports that the authority is not known to
	// check this at all.
	Ours, Strict bool
}

// Find returns the row of a finding of the verifier. For an unknown id it
// returns a row with the answer for an invalid certificate.
func Find(id string) Row {
	if at, known := places[id]; known {
		return at.row(id)
	}
	return entry{"", Stamp, refused, wrongCertificate, invalidCertificate}.row(id)
}

// IsOpinion reports whether a finding is an opinion about form. Findings of the
// schema and of the rules are not.
func IsOpinion(id string) bool { return Find(id).Opinion }

// IDs returns the ids of the table in order.
func IDs() []string {
	var ids []string
	for _, e := range table {
		ids = append(ids, strings.Fields(e.ids)...)
	}
	return ids
}

// entry is a row of the table for several ids.
type entry struct {
	ids      string
	part     Part
	severity severity
	words    explanation
	answer   Answer
}

// severity is a column of the table.
type severity struct {
	flag    rules.Flag
	opinion bool
}

var (
	refused = severity{rules.Error, false}   // the authority or its kit refuses the document
	warned  = severity{rules.Warning, false} // the authority accepts the document with a warning
	opinion = severity{rules.Warning, true}  // form only
)

// explanation describes a problem and how to fix it.
type explanation struct{ says, fix rules.Words }

func (e entry) row(id string) Row {
	return Row{
		ID: id, Part: e.part, Says: e.words.says, Fix: e.words.fix,
		Flag: e.severity.flag, Opinion: e.severity.opinion, Answer: e.answer,
	}
}

// places maps each id to its entry.
var places = func() map[string]entry {
	all := map[string]entry{}
	for _, e := range table {
		for _, id := range strings.Fields(e.ids) {
			all[id] = e
		}
	}
	return all
}()
