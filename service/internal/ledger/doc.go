// Package ledger is the invoice as kept: its record, its states and what moves
// it from one to the next, and what the authority's answers mean to it. It
// makes no document and sends none.
package ledger
