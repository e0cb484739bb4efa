// Package trade models what an organisation sells and to whom: its clients, the
// items of its catalogue, and the reasons used as payment terms.
//
// To change a record, copy it, set fields and call Check, which normalises
// typed text (white space, Unicode forms, digits) and returns all problems by
// JSON field name. A record that passes also passes the rules of an invoice, as
// far as these depend on the record alone.
//
// The package also folds text for search ([Fold]) and cleans pictures
// ([Clean]). It uses no database, files, clock or HTTP, and does not issue
// invoices.
package trade
