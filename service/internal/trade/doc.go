// Package trade is what an organisation sells and to whom: its clients, the
// items of its catalogue, and the reasons that become payment terms.
//
// A record is changed by copying it, setting fields and asking Check: it tidies
// what people type (white space, Unicode forms, the digits of numbers) and
// lists everything that is wrong, under the names of the JSON. What it accepts,
// the rulebook accepts on an invoice, as far as the record alone decides it.
//
// Besides there are the folding of texts for search ([Fold]) and the cleaning
// of pictures ([Clean]). The package knows no database, no file, no clock and
// no HTTP, and it does not know how an invoice is made.
package trade
