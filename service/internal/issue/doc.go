// Package issue issues invoices: it checks a request, computes the invoice,
// applies the rules of the authority, and appends the signed document to the
// organisation's book and the device's hash chain.
//
// Preview and Create share all steps before the append, so both refuse an
// invalid request with the same message. Only Create checks for duplicates and
// the monthly allowance. The package contains no SQL and does not contact the
// authority.
package issue
