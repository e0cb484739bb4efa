// Package issue issues invoices: it checks a request, computes the invoice,
// applies the rules of the authority, and appends the signed document to the
// organisation's book and the device's hash chain.
//
// Preview and Create share all steps before the append, so a preview is refused
// exactly when a create would be, with the same message. The package contains no
// SQL and does not contact the authority.
package issue
