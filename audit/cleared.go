package audit

import (
	"bytes"
	"slices"

	"khatm/witness"
)

// checkCleared judges the document that came back from clearance: the same
// document, with a stamp that is the authority's and not the device's. The
// report is that of the signed bytes, nil if they cannot be read.
func (x *examination) checkCleared(signed *witness.Report) {
	d := x.d
	switch {
	case d.Status != Cleared && d.Cleared != nil:
		x.find(FirstVerdictStands, "a cleared document is kept for it, and its status is %s", d.Status.words())
	case d.Status == Cleared && d.Cleared == nil && !d.Unstamped:
		x.find(DocumentsVerify, "it is CLEARED and the document with the authority's stamp is not kept")
	}
	if d.Cleared == nil {
		return
	}
	r, err := witness.Verify(d.Cleared, witness.Expect{RequireStamp: true})
	if err != nil {
		x.find(DocumentsVerify, "its cleared document cannot be read: %v", err)
		return
	}
	if len(r.Findings) > 0 {
		x.find(DocumentsVerify, "its cleared document does not verify: %s", findings(r.Findings))
	}
	if code := codeText(r.QR); d.ClearedQR != "" && d.ClearedQR != code {
		x.find(DocumentsVerify, "the row says that the QR code of its cleared document is %q, its bytes say %q", clipHash(d.ClearedQR), clipHash(code))
	}
	if signed == nil {
		return
	}
	if r.UUID != signed.UUID || r.Hash != signed.Hash {
		x.find(DocumentsVerify, "its cleared document is another one: it has the uuid %q and the hash %s", clipHash(r.UUID), r.Hash)
	}
	x.checkAuthority(signed.Certificate, r.Certificate)
}

// checkAuthority says whether a stamp is the authority's.
func (x *examination) checkAuthority(device, authority *witness.Certificate) {
	if authority == nil {
		return // the witness has said so
	}
	if device != nil && bytes.Equal(device.PublicKey, authority.PublicKey) {
		x.find(DocumentsVerify, "its cleared document has no stamp of the authority, only the device's own")
		return
	}
	signed := func(issuer []byte) bool { return authority.SignedBy(issuer) == nil }
	if x.options.Issuers != nil && !slices.ContainsFunc(x.options.Issuers, signed) {
		x.find(DocumentsVerify, "the stamp of its cleared document is by a certificate (%s) that no known authority issued", clipHash(authority.CommonName))
	}
}
