package judge

import (
	"fmt"
	"strings"

	"khatm/check"
	"khatm/rules"
	"khatm/witness"
)

// Kind is the kind of a reason.
type Kind string

// The kinds. Refused and Warned explain an error or a warning of the answer. An
// Opinion is about form only and has no message in the answer.
const (
	Refused Kind = "refused"
	Warned  Kind = "warning"
	Opinion Kind = "opinion"
)

// Reason explains a message of the verdict, or an opinion, to the developer of a
// client, in English. It is not part of the authority's answer.
type Reason struct {
	Kind  Kind
	Code  string // code of the message, or id of the opinion
	Cause string
	Field string // path in the document, or field of the request; "" if none
	Fix   string
}

// why is what a reason says besides its message.
type why struct{ cause, field, fix string }

// maxReasons bounds the reasons of one verdict.
const maxReasons = 50

// explain adds a reason. Several reasons may have one code.
func (v *Verdict) explain(k Kind, code string, w why) {
	if len(v.Reasons) < maxReasons {
		v.Reasons = append(v.Reasons, Reason{k, code, w.cause, w.field, w.fix})
	}
}

// kindOf returns the kind of reason for a message, and false for information.
func kindOf(s severity) (Kind, bool) {
	switch s {
	case failure:
		return Refused, true
	case warning:
		return Warned, true
	}
	return "", false
}

// atPlace returns the reason of a finding of the rules or the schema.
func atPlace(says, fix rules.Words, p rules.Place) why {
	cause := says.EN
	if p.Got != "" || p.Want != "" {
		cause = strings.TrimSuffix(cause, ".") + comparison(p.Got, p.Want)
	}
	field := p.Path
	if p.Field != "" {
		field += " (" + p.Field + ")"
	}
	return why{cause, field, fix.EN}
}

// ofFinding returns the reason of a finding of the verifier.
func ofFinding(f *witness.Finding, row check.Row) why {
	cause := f.Message
	if f.Got != "" || f.Want != "" {
		cause += comparison(f.Got, f.Want)
	}
	return why{cause, f.Path, row.Fix.EN}
}

// comparison returns the value and the expected value, shortened.
func comparison(got, want string) string {
	switch {
	case want == "":
		return fmt.Sprintf(": it is %s", shown(got))
	case got == "":
		return fmt.Sprintf(": it should be %s", shown(want))
	}
	return fmt.Sprintf(": it is %s and should be %s", shown(got), shown(want))
}

// shown quotes a value and cuts it to about 60 bytes, enough to recognise it.
func shown(text string) string {
	const most = 60
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return fmt.Sprintf("%q", text)
}
