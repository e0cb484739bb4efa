package seal

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"khatm/qr"
	"khatm/ubl"
)

// Unsigned is an invoice that has been written and hashed but not stamped.
type Unsigned struct {
	Hash string // base64 of the SHA-256 of the canonical document

	canon      ubl.Canon
	digest     [sha256.Size]byte
	content    qr.Content
	simplified bool
}

// Sealed is a stamped invoice. Changing a single byte of XML invalidates it.
type Sealed struct {
	XML  []byte
	Hash string
	QR   string // base64 text of the QR code
}

// Signer signs messages with a private key on secp256k1. [Key] implements it; a
// key store that does not reveal its keys can implement it, too.
type Signer interface {
	Sign(message []byte) ([]byte, error) // ECDSA signature of the SHA-256 hash, in DER
	PublicKey() []byte                   // SubjectPublicKeyInfo
}

// Prepare writes an invoice as canonical XML and hashes it. An existing stamp is
// omitted.
func Prepare(inv *ubl.Invoice) (*Unsigned, error) {
	if inv.Reference("ICV") == nil || inv.Reference("PIH") == nil {
		return nil, errors.New("prepare an invoice: it has no counter or no previous hash, so it is not part of a chain")
	}
	content, err := codeOf(inv)
	if err != nil {
		return nil, fmt.Errorf("prepare an invoice: %w", err)
	}
	canon, err := ubl.Write(inv)
	if err != nil {
		return nil, fmt.Errorf("prepare an invoice: %w", err)
	}
	u := &Unsigned{
		canon:      canon,
		content:    content,
		simplified: strings.HasPrefix(inv.InvoiceTypeCode.Attr("name"), "02"),
	}
	hasher := sha256.New()
	hasher.Write(canon.Head)
	hasher.Write(canon.Body)
	hasher.Write(canon.Tail)
	hasher.Sum(u.digest[:0])
	u.Hash = base64.StdEncoding.EncodeToString(u.digest[:])
	return u, nil
}

// codeOf returns the first five fields of the QR code, read from the elements
// that the authority compares them with.
func codeOf(inv *ubl.Invoice) (qr.Content, error) {
	c := qr.Content{Timestamp: inv.IssueDate.String() + "T" + inv.IssueTime.String()}
	if inv.Supplier == nil || inv.Supplier.Party == nil {
		return c, errors.New("it has no seller")
	}
	seller := inv.Supplier.Party
	if len(seller.LegalEntities) != 1 || len(seller.TaxSchemes) != 1 {
		return c, errors.New("its seller must have one registered name and one VAT number")
	}
	c.SellerName = seller.LegalEntities[0].RegistrationName.String()
	c.VATNumber = seller.TaxSchemes[0].CompanyID.String()
	if inv.MonetaryTotal == nil || len(inv.TaxTotals) == 0 {
		return c, errors.New("it has no totals")
	}
	// The payable amount, not the total including VAT: they differ if there is an
	// advance or a rounding, and the official samples contain the payable amount.
	c.Total = inv.MonetaryTotal.PayableAmount.String()
	c.VATTotal = inv.TaxTotals[0].TaxAmount.String()
	return c, nil
}

// Stamp signs the document and inserts the stamp, the QR code and the signature
// reference. The certificate must belong to the signer's key and contain the
// seller's VAT number.
func (u *Unsigned) Stamp(signer Signer, certificate *Certificate, signedAt time.Time) (*Sealed, error) {
	if !certificate.Belongs(signer) {
		return nil, errors.New("stamp an invoice: the certificate belongs to another key")
	}
	if certificate.Unit.VATNumber != u.content.VATNumber {
		return nil, fmt.Errorf("stamp an invoice: the certificate has VAT number %s, the seller has %s",
			certificate.Unit.VATNumber, u.content.VATNumber)
	}
	// The authority's software signs the 32 bytes of the hash as a message, so they
	// are hashed again; it does not sign ds:SignedInfo.
	signature, err := signer.Sign(u.digest[:])
	if err != nil {
		return nil, fmt.Errorf("stamp an invoice: %w", err)
	}
	code := u.content
	code.Hash = u.Hash
	code.Signature = base64.StdEncoding.EncodeToString(signature)
	code.PublicKey = certificate.PublicKey
	if u.simplified {
		code.CertificateSignature = certificate.Signature
	}
	text, err := code.Encode()
	if err != nil {
		return nil, fmt.Errorf("stamp an invoice: %w", err)
	}
	properties := newSignedProperties(certificate, signedAt)
	return &Sealed{
		XML:  fill(u.canon, stamp(u.Hash, code.Signature, certificate, properties), references(text)),
		Hash: u.Hash,
		QR:   text,
	}, nil
}
