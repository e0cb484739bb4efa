// Package submit sends issued documents to the authority and has the verdict
// kept. The row of a submission is the job; its states are those that callers
// see. It claims what is due, sends the same bytes at every try, reads what an
// answer means for the document and what is done next, and knows when to hold
// back: from an authority that is down, that wants less, or that does not know
// a device any more.
//
// It speaks to the database and the authority through interfaces of its own,
// and never meets a private key.
package submit
