// Package seal adds the cryptographic stamp and the QR code to a Saudi tax
// invoice. It also generates the keys and certificate requests of devices and
// reads their certificates.
//
// A document is sealed in two steps, because only the first step must wait for
// the previous document of the chain. [Prepare] writes and hashes the document;
// [Unsigned.Stamp] signs it and inserts the stamp and the QR code:
//
//	unsigned, err := seal.Prepare(invoice) // unsigned.Hash is the previous hash of the next document
//	sealed, err := unsigned.Stamp(key, certificate, now)
//
// The stamp has the form of an XAdES signature but is not valid XAdES: the
// authority's software signs the hash of the document instead of ds:SignedInfo,
// and computes two of the three digests in a non-standard way. Comments mark
// where this package follows the authority's software and its official samples
// instead of the standard. This package does not verify documents; package
// witness does and shares no code with this one.
package seal

// GenesisHash is the previous hash in the first document of a device: the base64
// encoding of the hexadecimal SHA-256 of the character 0. Later documents contain
// the base64 encoding of the hash itself.
const GenesisHash = "NWZlY2ViNjZmZmM4NmYzOGQ5NTI3ODZjNmQ2OTZjNzljMmRiYzIzOWRkNGU5MWI0NjcyOWQ3M2EyN2ZiNTdlOQ=="
