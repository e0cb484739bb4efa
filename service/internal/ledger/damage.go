package ledger

import (
	"bytes"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
)

// Damage is the error for an invoice whose stored copy cannot be read or does
// not match its digests.
type Damage struct {
	Invoice uuid.UUID
	Number  string // ref_num; empty if it cannot be verified
	What    string // the damaged part
}

// ID returns the id of the invoice, or uuid.Nil for a nil Damage.
func (d *Damage) ID() uuid.UUID {
	if d == nil {
		return uuid.Nil
	}
	return d.Invoice
}

// Error implements error. The text is for the log.
func (d *Damage) Error() string {
	return fmt.Sprintf("the stored copy of invoice %s is damaged: %s", d.Invoice, d.What)
}

// damagedAgain is the Retry-After of a damaged invoice: it needs an operator.
const damagedAgain = 10 * time.Minute

// Fault returns the error shown to callers.
func (d *Damage) Fault() error {
	e := fault.New(fault.InvoiceDamaged, "The stored copy of this invoice is damaged and is not shown. The operator must restore it from a backup; khatm audit --scrub names the damaged invoices.")
	e.Again, e.Cause = damagedAgain, d
	return e
}

// NumberIn returns the invoice number in a signed document, or "".
func NumberIn(xml []byte) string {
	_, rest, _ := bytes.Cut(xml, []byte("</cbc:ProfileID><cbc:ID>"))
	number, _, found := bytes.Cut(rest, []byte("</cbc:ID>"))
	const most = 127
	if !found || len(number) > most || bytes.ContainsAny(number, "<&") {
		return ""
	}
	return string(number)
}
