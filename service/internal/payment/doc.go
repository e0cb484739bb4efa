// Package payment computes what is owed for issued documents: balances,
// payments split over several invoices, refunds on credit notes, the credit of
// clients, statements and ageing.
//
// A payment is recorded as a [Receipt], and [Allocation] rows say which invoices
// it pays. Rows never change: a correction is a second row that reverses the
// first. A credit note reduces the balance of its originals; if they were paid,
// the difference is due as a refund. All amounts of a computation are in one
// currency, and a result for several currencies has one sum for each.
//
// The package uses no database, clock or HTTP, and does not decide whether a
// document is valid.
package payment
