package judge

import (
	"slices"
	"strings"
	"time"

	"khatm/ubl"
	"khatm/witness"
)

// Verdict is the result of a validation together with fields of the document.
// The fields are as written in the document, "" if absent; they are all empty
// if the document cannot be parsed.
type Verdict struct {
	Info, Warnings, Errors []Message // never nil

	Number       string
	UUID         string
	TypeCode     string // 388, 381, 383, 386
	Transaction  string // name attribute of the type code, such as 0200000
	Standard     bool   // transaction code 01…
	Simplified   bool   // transaction code 02…; an invalid code is neither
	Counter      string
	PreviousHash string
	IssuedAt     time.Time // zero if date or time is invalid
	Hash         string    // recomputed; "" if the document violates the schema

	Report *witness.Report // nil if the document violates the schema

	Reasons []Reason // of the warnings and errors, and our opinions about form
}

// Message is one message of the authority's answer.
type Message struct {
	Type     string `json:"type"` // INFO, WARNING, ERROR
	Code     string `json:"code"`
	Category string `json:"category"`
	Message  string `json:"message"`
	Status   string `json:"status"` // PASS, WARNING, ERROR
}

// Status returns the overall status: PASS, WARNING or ERROR.
func (v Verdict) Status() string {
	switch {
	case len(v.Errors) > 0:
		return string(failure)
	case len(v.Warnings) > 0:
		return string(warning)
	}
	return passed
}

// severity is the type of a message.
type severity string

const (
	info    severity = "INFO"
	warning severity = "WARNING"
	failure severity = "ERROR"
	silent  severity = "" // no message
)

const passed = "PASS"

func newVerdict() Verdict {
	return Verdict{Info: []Message{}, Warnings: []Message{}, Errors: []Message{}}
}

// add adds a message, unless its list has one with the same code.
func (v *Verdict) add(s severity, code, category, text string) {
	list, status := &v.Info, passed
	switch s {
	case silent:
		return
	case warning:
		list, status = &v.Warnings, string(warning)
	case failure:
		list, status = &v.Errors, string(failure)
	}
	if slices.ContainsFunc(*list, func(m Message) bool { return m.Code == code }) {
		return
	}
	*list = append(*list, Message{string(s), code, category, text, status})
}

// describe reads the fields of the document.
func (v *Verdict) describe(root *ubl.Node) {
	if root.Name != "Invoice" {
		return
	}
	v.Number = textOf(root.Child("cbc:ID"))
	v.UUID = textOf(root.Child("cbc:UUID"))
	v.IssuedAt = moment(textOf(root.Child("cbc:IssueDate")), textOf(root.Child("cbc:IssueTime")))
	v.TypeCode = textOf(root.Child("cbc:InvoiceTypeCode"))
	v.Transaction = attributeOf(root.Child("cbc:InvoiceTypeCode"), "name")
	v.Standard = strings.HasPrefix(v.Transaction, "01")
	v.Simplified = strings.HasPrefix(v.Transaction, "02")
	v.Counter = textOf(reference(root, "ICV").Child("cbc:UUID"))
	v.PreviousHash = textOf(reference(root, "PIH").Child("cac:Attachment").Child("cbc:EmbeddedDocumentBinaryObject"))
}

// reference returns the document reference with an ID, or nil.
func reference(root *ubl.Node, id string) *ubl.Node {
	for _, n := range root.Children {
		if n.Name == "cac:AdditionalDocumentReference" && textOf(n.Child("cbc:ID")) == id {
			return n
		}
	}
	return nil
}

func textOf(n *ubl.Node) string {
	if n == nil {
		return ""
	}
	return n.Text
}

func attributeOf(n *ubl.Node, name string) string {
	if n == nil {
		return ""
	}
	for _, a := range n.Attrs {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// riyadh is a fixed zone: Saudi Arabia has no daylight saving time and has not
// changed its offset since e-invoicing began.
var riyadh = time.FixedZone("Asia/Riyadh", 3*60*60)

// moment combines date and time, in Saudi time unless the text has a zone. It
// returns the zero time if they are invalid.
func moment(date, clock string) time.Time {
	text := date + "T" + clock
	for _, layout := range []string{"2006-01-02T15:04:05", time.RFC3339} {
		if at, err := time.ParseInLocation(layout, text, riyadh); err == nil {
			return at
		}
	}
	return time.Time{}
}
