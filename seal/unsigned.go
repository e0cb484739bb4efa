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

// Unsigned is an invoice that is written and hashed, and waits for its stamp.
type Unsigned struct {
	Hash string // base64 of the SHA-256 of the canonical document

	canon      ubl.Canon
	digest     [sha256.Size]byte
	content    qr.Content
	simplified bool
}

// Sealed is a stamped invoice. XML is final: not one byte of it may change.
type Sealed struct {
	XML  []byte
	Hash string
	QR   string // base64 text of the code
}

// Signer signs the SHA-256 of a message with a key on secp256k1 and returns
// DER. [Key] is one; a vault that never gives its keys away is another.
type Signer interface {
	Sign(message []byte) ([]byte, error)
	PublicKey() []byte // SubjectPublicKeyInfo
}

// Prepare writes an invoice and hashes it. Whatever stamp the invoice carries
// is left out.
func Prepare(inv *ubl.Invoice) (*Unsigned, error) {
	if inv.Reference("ICV") == nil || inv.Reference("PIH") == nil {
		return nil, errors.New("prepare an invoice: it has no place in a chain: counter and previous hash are missing")
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

// codeOf takes the first five fields of the QR code from where the authority
// looks for them.
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
	// Not the total with VAT: the two differ where there is an advance or a
	// rounding, and the official samples carry what is payable.
	c.Total = inv.MonetaryTotal.PayableAmount.String()
	c.VATTotal = inv.TaxTotals[0].TaxAmount.String()
	return c, nil
}

// Stamp signs the document with the device's key and inserts the stamp, the QR
// code and the signature reference. The certificate must be that of the key
// and name the seller's VAT number.
func (u *Unsigned) Stamp(signer Signer, certificate *Certificate, signedAt time.Time) (*Sealed, error) {
	if !certificate.Belongs(signer) {
		return nil, errors.New("stamp an invoice: the certificate belongs to another key")
	}
	if certificate.Unit.VATNumber != u.content.VATNumber {
		return nil, fmt.Errorf("stamp an invoice: the certificate is that of VAT number %s, the seller has %s",
			certificate.Unit.VATNumber, u.content.VATNumber)
	}
	// The authority's program signs the 32 bytes of the hash as a message, so
	// they are hashed once more; ds:SignedInfo is never signed.
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
		XML:  u.canon.With(stamp(u.Hash, code.Signature, certificate, properties), references(text)),
		Hash: u.Hash,
		QR:   text,
	}, nil
}
