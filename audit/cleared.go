package audit

import (
	"bytes"
	"slices"

	"khatm/witness"
)

// checkCleared checks the document that clearance returned: it must be the same
// document, with a stamp of the authority and not of the device. signed is the
// report of the signed bytes, or nil if they cannot be read.
func (x *examination) checkCleared(signed *witness.Report) {
	d := x.d
	switch {
	case d.Status != Cleared && d.Cleared != nil:
		x.find(FirstVerdictStands, "a cleared document is stored for it, but its status is %s", d.Status.words())
	case d.Status == Cleared && d.Cleared == nil && !d.Unstamped:
		x.find(DocumentsVerify, "it is CLEARED, but the document with the authority's stamp is not stored")
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
		x.find(DocumentsVerify, "the QR code of its cleared document is %q according to its row, but %q according to its bytes", clipHash(d.ClearedQR), clipHash(code))
	}
	if signed == nil {
		return
	}
	if r.UUID != signed.UUID || r.Hash != signed.Hash {
		x.find(DocumentsVerify, "its cleared document is a different one, with the uuid %q and the hash %s", clipHash(r.UUID), r.Hash)
	}
	x.checkAuthority(signed.Certificate, r.Certificate)
}

// checkAuthority checks that a stamp is the authority's.
func (x *examination) checkAuthority(device, authority *witness.Certificate) {
	if authority == nil {
		return // reported by witness
	}
	if device != nil && bytes.Equal(device.PublicKey, authority.PublicKey) {
		x.find(DocumentsVerify, "its cleared document has the stamp of the device instead of the authority's")
		return
	}
	signed := func(issuer []byte) bool { return authority.SignedBy(issuer) == nil }
	if x.options.Issuers != nil && !slices.ContainsFunc(x.options.Issuers, signed) {
		x.find(DocumentsVerify, "the certificate (%s) in the stamp of its cleared document was not issued by a known authority", clipHash(authority.CommonName))
	}
}
