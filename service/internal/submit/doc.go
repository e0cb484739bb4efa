// Package submit sends issued documents to the authority and records its
// answers. It claims due documents in the database, sends the same bytes at
// every attempt, interprets the answer and decides what follows. It slows down
// or stops when the authority is down, limits the rate, or refuses the
// credentials of a device.
//
// The package uses the database and the authority through its own interfaces,
// and has no access to private keys.
package submit
