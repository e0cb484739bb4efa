package ledger

import (
	"bytes"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
)

// Damage describes an invoice whose stored copy does not match its digests, or
// cannot be read. It is an error.
type Damage struct {
	Invoice uuid.UUID
	Number  string // ref_num; empty if it cannot be proved
	What    string // the part that is damaged
}

// ID is the invoice's id, or the zero id without damage.
func (d *Damage) ID() uuid.UUID {
	if d == nil {
		return uuid.Nil
	}
	return d.Invoice
}

// Error says which invoice is damaged, for the log.
func (d *Damage) Error() string {
	return fmt.Sprintf("the stored copy of invoice %s is damaged: %s", d.Invoice, d.What)
}

// damagedAgain is when a caller may try again: only the operator can help.
const damagedAgain = 10 * time.Minute

// Fault returns the error for a caller who wants to see the invoice.
func (d *Damage) Fault() error {
	e := fault.New(fault.Unavailable, "The stored copy of this invoice is damaged and is not shown. The operator must restore it from a backup; khatm audit --scrub names the damaged invoices.")
	e.Again, e.Cause = damagedAgain, d
	return e
}

// NumberIn returns the number that a signed document carries, or "".
func NumberIn(xml []byte) string {
	_, rest, _ := bytes.Cut(xml, []byte("</cbc:ProfileID><cbc:ID>"))
	number, _, found := bytes.Cut(rest, []byte("</cbc:ID>"))
	const most = 127
	if !found || len(number) > most || bytes.ContainsAny(number, "<&") {
		return ""
	}
	return string(number)
}
