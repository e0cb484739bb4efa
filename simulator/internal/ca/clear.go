package ca

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	"khatm/witness"
)

// Unclearable is the error for a document that cannot get the authority's
// stamp. It does not occur for valid documents.
type Unclearable struct {
	Reason string
	Err    error // a [*witness.Unreadable], or nil
}

func (u *Unclearable) Error() string {
	if u.Err != nil {
		return fmt.Sprintf("document cannot be cleared: %s: %v", u.Reason, u.Err)
	}
	return "document cannot be cleared: " + u.Reason
}

func (u *Unclearable) Unwrap() error { return u.Err }

// Clear adds the authority's stamp and QR code to a valid standard document.
// They replace the stamp and QR code of the seller if there are any. No other
// byte changes, so the invoice hash stays the same. The error is an
// [*Unclearable], unless the random source failed.
func (a *Authority) Clear(document []byte, now time.Time) ([]byte, error) {
	report, err := witness.Verify(document, witness.Expect{})
	if err != nil {
		return nil, &Unclearable{"cannot be read", err}
	}
	return a.ClearJudged(document, report, now)
}

// ClearJudged is like Clear for a caller that already has the report on this
// document, which saves most of the work.
func (a *Authority) ClearJudged(document []byte, report *witness.Report, now time.Time) ([]byte, error) {
	if report.Simplified() {
		return nil, &Unclearable{Reason: "not a standard document"}
	}
	hash, err := base64.StdEncoding.DecodeString(report.Hash)
	if err != nil {
		return nil, &Unclearable{"the hash in the report is not base64", err}
	}
	found, err := scan(document)
	if err != nil {
		return nil, err
	}
	s, err := a.stamper(now)
	if err != nil {
		return nil, err
	}
	signature := base64.StdEncoding.EncodeToString(s.key.sign(hash))
	code, err := s.code(report, signature)
	if err != nil {
		return nil, err
	}
	edits := []edit{
		{found.extensions, s.extensions(found.declared, report.Hash, signature, now)},
		{found.qr, qrReference(found.declared, code)},
		{found.signature, signatureReference(found.declared)},
	}
	for _, other := range found.others {
		edits = append(edits, edit{other, ""})
	}
	return splice(document, edits), nil
}

// span is a range of bytes. An empty span is a position for inserting.
type span struct{ from, to int }

// edit replaces a span with text.
type edit struct {
	span
	text string
}

// splice applies edits that do not overlap. Of two edits at the same position,
// the first one given comes first.
func splice(document []byte, edits []edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out bytes.Buffer
	out.Grow(len(document) + 8<<10)
	at := 0
	for _, e := range edits {
		out.Write(document[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.Write(document[at:])
	return out.Bytes()
}

// stamper holds the authority's own key and certificate.
type stamper struct {
	key         key
	certificate *witness.Certificate
	text        string // the certificate in base64
}

func newStamper(k key, c *witness.Certificate) *stamper {
	return &stamper{k, c, base64.StdEncoding.EncodeToString(c.Raw)}
}

// certifyStamp issues the certificate of the authority's stamp: a production
// certificate of the production environment.
func (a *Authority) certifyStamp(k key, now time.Time) (*stamper, error) {
	serial, err := longSerial(a.random)
	if err != nil {
		return nil, err
	}
	der := a.issuers[Production].production.production(registration{
		organization: "Khatm authority double",
		unit:         "Clearance",
		common:       "KHATM-DOUBLE-CLEARANCE-STAMP",
		public:       k.public(),
	}, serial, now)
	c, err := witness.ReadCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("certify the stamp: %w", err)
	}
	return newStamper(k, c), nil
}

// stamper returns the stamper whose certificate is valid at now. If the
// simulator's clock was moved by years, the same key gets a new certificate.
func (a *Authority) stamper(now time.Time) (*stamper, error) {
	valid := func() *stamper {
		if c := a.stamp.certificate; seconds(now).Before(c.NotBefore) || now.After(c.NotAfter) {
			return nil
		}
		return a.stamp
	}
	a.mu.RLock()
	s := valid()
	a.mu.RUnlock()
	if s != nil {
		return s, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if s := valid(); s != nil {
		return s, nil
	}
	s, err := a.certifyStamp(a.stamp.key, now)
	if err != nil {
		return nil, err
	}
	a.stamp = s
	return s, nil
}

// StampCertificate returns the certificate (DER) of the authority's stamp,
// signed by the production issuer of the production environment.
func (a *Authority) StampCertificate() []byte {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.stamp.certificate.Raw
}
