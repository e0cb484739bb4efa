// Package issue turns a request into an invoice: it admits it, computes it,
// holds it against the rulebook, and appends it to the book of its organisation
// and the chain of its device. It writes no SQL and sends nothing.
//
// Preview and create are the same up to the append, so that what a preview
// refuses a create refuses with the same words.
package issue
