// Package wire is the HTTP frame: it reads requests, decides who calls and
// whether that is allowed, counts, and gives every answer its shape. It knows
// nothing of invoices: a surface is a table of rows, each with a verb.
package wire
