package issue

import (
	"fmt"
	"strconv"
	"strings"

	"khatm/service/internal/fault"
)

// Refusal is a reason for not issuing a document, with its fix. Where
// docs/contract.md prescribes the message, it is that one.
type Refusal struct {
	Code      fault.Code
	Path      string // field of the request that is the cause, as a format string; empty if there is no single one
	Name      string // title in the list of errors
	Message   string // format string for the values of refuse
	Cause     string
	Fix       string
	MessageAR string
	FixAR     string
}

// refuse returns the refusal as a fault, with values formatted into the messages
// of both languages.
func (r Refusal) refuse(values ...any) *fault.Error {
	e := fault.New(r.Code, "%s", fill(r.Message, values))
	e.Path = r.Path
	if strings.Contains(r.Path, "%") {
		e.Path = fill(r.Path, values)
	}
	return e.
		With("message_ar", fill(r.MessageAR, values)).
		With("fix", r.Fix).
		With("fix_ar", r.FixAR)
}

// refuseLine returns the refusal with the path of a field of line n, or of the line
// itself if field is empty.
func (p *prepared) refuseLine(r Refusal, n int, field string, values ...any) *fault.Error {
	e := r.refuse(values...)
	e.Path = p.field("lines." + strconv.Itoa(n))
	if field != "" {
		e.Path += "." + field
	}
	return e
}

// refuseField returns the refusal as a problem with one field of the request, in
// the form of all problems with fields. The Arabic message begins with the path
// too.
func (r Refusal) refuseField(field string) *fault.Error {
	path := Root + "." + field
	return fault.Wrong(fault.Problem{Path: path, Message: r.Message, Code: r.Code, MessageAR: r.MessageAR, Fix: r.Fix, FixAR: r.FixAR}).
		With("path", path).
		With("message_ar", path+": "+r.MessageAR).
		With("fix", r.Fix).
		With("fix_ar", r.FixAR)
}

func fill(text string, values []any) string {
	if len(values) == 0 {
		return text
	}
	return fmt.Sprintf(text, values...)
}

// Refusals returns all refusals, for the documentation.
func Refusals() []Refusal {
	return []Refusal{
		badTransaction, foreignSeller, unknownDevice, deviceCannotIssue, deviceRetired, deviceExpired, deviceForbids,
		unknownBuyer, missingBuyer, buyerWithoutVAT, foreignBuyerWithoutID, buyerIsSeller,
		linesTwice, noLines, twoPrices, fineQuantity, unknownItem, inactiveItem, shortStock,
		exportLines,
		missingTerms, unknownReason,
		strayOriginals, strayLineReference, noteWithoutOriginals, noteWithoutReason, unknownOriginal, originalNotAccepted, originalKind, originalDiffers, originalTwice, originalExceeded, unknownLine, advanceCreditedAlone, advanceExceeded,
		prepaidDisagrees, prepaidNotHere, unknownAdvance, advanceNotAccepted, advanceDiffers, advanceSpent, advanceTwice,
		advanceUnused, advanceVATExceeded, amountNotListed, amountTwice, amountMissing, amountAboveAdvance, amountAboveInvoice,
		duplicate, keyReused,
	}
}
