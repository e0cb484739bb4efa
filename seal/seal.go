// Package seal gives an invoice its cryptographic stamp: it makes the keys and
// certificate requests of devices, reads their certificates, hashes documents
// and signs them.
//
// A document is sealed in two steps, because only the first depends on the
// document before it in the chain. [Prepare] writes and hashes; [Unsigned.Stamp]
// signs and inserts stamp and QR code:
//
//	unsigned, err := seal.Prepare(invoice)   // unsigned.Hash is the next one's previous hash
//	sealed, err := unsigned.Stamp(key, certificate, now)
//
// The stamp looks like XAdES and is not: the authority's program signs the hash
// of the document instead of ds:SignedInfo, and digests two of the three parts
// in a form of its own. Where this package departs from the standards, a
// comment says so, and the official samples agree with it. Nothing here
// verifies a document: that is what package witness is for, which shares no
// code with this one.
package seal

// GenesisHash stands as the previous hash in the first document of a device:
// base64 of the hexadecimal SHA-256 of the character 0. Later documents carry
// plain base64 of the hash.
const GenesisHash = "NWZlY2ViNjZmZmM4NmYzOGQ5NTI3ODZjNmQ2OTZjNzljMmRiYzIzOWRkNGU5MWI0NjcyOWQ3M2EyN2ZiNTdlOQ=="
