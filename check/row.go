package check

import (
	"strings"

	"khatm/rules"
)

// Part is what a finding of the verifier is about.
type Part int

// The parts. Reading is the document itself where it can be read in more than
// one way, so that no stamp can vouch for what it says.
const (
	Stamp Part = iota
	QRCode
	Reading
)

// Unreadable is the id of the finding that the verifier cannot read a document.
const Unreadable = "stamp-unreadable"

// Row is what is known of a finding of the verifier.
type Row struct {
	ID     string
	Part   Part
	Says   rules.Words // what is wrong
	Fix    rules.Words // what to do about it
	Answer Answer
}

// Answer is what the authority answers to a document with the finding. The zero
// value is that it answers nothing, because a rule of the rulebook does.
type Answer struct {
	Flag     rules.Flag
	Code     string
	Category string
	Says     rules.Words

	// Ours says that the authority's own code and text are not known, and these
	// are in its style. Strict says that it is not known to look at all.
	Ours, Strict bool
}

// Find returns the row of a finding of the verifier. An unknown one is refused
// like a certificate that is not valid.
func Find(id string) Row {
	if at, known := places[id]; known {
		return at.row(id)
	}
	return entry{"", Stamp, wrongStructure, invalidCertificate}.row(id)
}

// IDs returns the ids of the table, in its order.
func IDs() []string {
	var ids []string
	for _, e := range table {
		ids = append(ids, strings.Fields(e.ids)...)
	}
	return ids
}

// entry is a row of the table for several ids.
type entry struct {
	ids    string
	part   Part
	words  explanation
	answer Answer
}

// explanation is what is wrong, and what to do about it.
type explanation struct{ says, fix rules.Words }

func (e entry) row(id string) Row {
	return Row{ID: id, Part: e.part, Says: e.words.says, Fix: e.words.fix, Answer: e.answer}
}

// places are the entries of the table by id.
var places = func() map[string]entry {
	all := map[string]entry{}
	for _, e := range table {
		for _, id := range strings.Fields(e.ids) {
			all[id] = e
		}
	}
	return all
}()
