package issue

import (
	"fmt"

	"khatm/service/internal/fault"
)

// Refusal is one reason of our own for not issuing a document, with what to do
// about it. The message is the contract's where the contract has one.
type Refusal struct {
	Name      string // for the list of errors
	Message   string // may have places for values
	Cause     string
	Fix       string
	MessageAR string
	FixAR     string
}

// refuse makes the fault of a refusal. The values are put into both languages.
func (r Refusal) refuse(values ...any) *fault.Error {
	return fault.New(fault.Invalid, "%s", fill(r.Message, values)).
		With("message_ar", fill(r.MessageAR, values)).
		With("fix", r.Fix).
		With("fix_ar", r.FixAR)
}

func fill(text string, values []any) string {
	if len(values) == 0 {
		return text
	}
	return fmt.Sprintf(text, values...)
}

// Refusals lists every refusal, for the documentation.
func Refusals() []Refusal {
	return []Refusal{
		badTransaction, foreignSeller, unknownDevice, deviceCannotIssue, deviceRetired, deviceExpired, deviceForbids,
		unknownBuyer, missingBuyer, buyerWithoutVAT, foreignBuyerWithoutID, buyerIsSeller,
		linesTwice, noLines, unknownItem, inactiveItem, shortStock,
		exportLines,
		missingTerms, unknownReason,
		strayOriginals, strayLineReference, noteWithoutOriginals, noteWithoutReason, unknownOriginal, originalNotAccepted, originalKind, originalDiffers, originalTwice, originalExceeded, unknownLine, advanceCreditedAlone, advanceExceeded,
		prepaidDisagrees, prepaidNotHere, unknownAdvance, advanceNotAccepted, advanceDiffers, advanceSpent, advanceTwice,
		duplicate, keyReused,
	}
}
