package judge

import (
	"slices"
	"strings"
	"time"

	"khatm/ubl"
	"khatm/witness"
)

// Verdict is what is said of a document, and what the document says of itself.
// Texts of the document are as they stand there, "" where absent; of one that
// cannot be read there are none.
type Verdict struct {
	Info, Warnings, Errors []Message // never nil

	Number       string
	UUID         string
	TypeCode     string // 388, 381, 383, 386
	Transaction  string // the name of the type code, as 0200000
	Standard     bool   // 01…
	Simplified   bool   // 02…; a wrong code is neither
	Counter      string
	PreviousHash string
	IssuedAt     time.Time // zero when date and time are none
	Hash         string    // recomputed; "" when the document departs from the schema

	Report *witness.Report // nil when the document departs from the schema
}

// Message is one entry of the authority's answer.
type Message struct {
	Type     string `json:"type"` // INFO, WARNING, ERROR
	Code     string `json:"code"`
	Category string `json:"category"`
	Message  string `json:"message"`
	Status   string `json:"status"` // PASS, WARNING, ERROR
}

// Status sums the verdict up: PASS, WARNING or ERROR.
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
	silent  severity = "" // nothing is said: the rulebook speaks of it
)

const passed = "PASS"

func newVerdict() Verdict {
	return Verdict{Info: []Message{}, Warnings: []Message{}, Errors: []Message{}}
}

// add says something, unless the same code was said before.
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

// describe reads what the document says of itself.
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

// reference finds the document reference with an id, or nil.
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

// riyadh has had no summer time and no other offset since there are invoices.
var riyadh = time.FixedZone("Asia/Riyadh", 3*60*60)

// moment puts date and time together: Saudi time unless a zone is written.
func moment(date, clock string) time.Time {
	text := date + "T" + clock
	for _, layout := range []string{"2006-01-02T15:04:05", time.RFC3339} {
		if at, err := time.ParseInLocation(layout, text, riyadh); err == nil {
			return at
		}
	}
	return time.Time{}
}
