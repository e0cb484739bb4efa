package audit_test

import (
	"encoding/binary"
	"io"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/audit"
	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
)

// maker makes the documents of one device.
type maker struct {
	t            testing.TB
	key          *seal.Key
	certificate  *seal.Certificate
	organisation uuid.UUID
	stamp        *maker // the authority's
	facts        map[bool]*invoice.Document
}

func newMaker(t testing.TB, random io.Reader, serial string, from time.Time) *maker {
	t.Helper()
	key, err := seal.NewKey(random)
	if err != nil {
		t.Fatal(err)
	}
	m := &maker{t: t, key: key, facts: map[bool]*invoice.Document{}}
	m.certify(random, serial, from)
	for simplified, facts := range map[bool]invoice.Facts{true: sample.Simplified(), false: sample.Invoice()} {
		if m.facts[simplified], err = invoice.Compute(facts); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// certify sets the certificate of the device. A second call renews it.
func (m *maker) certify(random io.Reader, serial string, from time.Time) {
	m.t.Helper()
	seller := sample.Seller()
	c, err := seal.TestCertificate(m.key, seal.Unit{
		CommonName: "TST-" + serial, Provider: "Khatm", Model: "1.0", Serial: serial, VATNumber: seller.VATNumber,
		UnitName: "الفرع الرئيسي", Organisation: seller.NameArabic, InvoiceType: "1100", Location: "RRRD2929", Industry: "Retail trade",
	}, from, random)
	if err != nil {
		m.t.Fatal(err)
	}
	m.certificate = c
}

// name returns the name of the device at the authority.
func (m *maker) name() string {
	u := m.certificate.Unit
	return u.VATNumber + " 1-" + u.Provider + "|2-" + u.Model + "|3-" + u.Serial
}

// seal returns a sealed document.
func (m *maker) seal(simplified bool, id invoice.Identity, signed time.Time) *seal.Sealed {
	m.t.Helper()
	inv, err := m.facts[simplified].UBL(id)
	if err != nil {
		m.t.Fatal(err)
	}
	unsigned, err := seal.Prepare(inv)
	if err != nil {
		m.t.Fatal(err)
	}
	sealed, err := unsigned.Stamp(m.key, m.certificate, signed)
	if err != nil {
		m.t.Fatal(err)
	}
	return sealed
}

// issue makes a document whose row agrees with its bytes.
func (m *maker) issue(simplified bool, id invoice.Identity, at time.Time) audit.Document {
	m.t.Helper()
	document := m.facts[simplified]
	id = id.At(at)
	sealed := m.seal(simplified, id, at)
	d := audit.Document{
		ID: uuid.MustParse(id.UUID), Counter: id.Counter, Number: id.Number, TypeCode: int(document.Kind), Transaction: document.Transaction.String(),
		Hash: sealed.Hash, PreviousHash: id.PreviousHash, IssueDate: id.IssueDate, IssueTime: id.IssueTime,
		IssuedAt: at, CreatedAt: at, XML: sealed.XML, QR: sealed.QR, State: "queued",
	}
	if m.stamp != nil && !simplified {
		d.Cleared = m.stamp.seal(simplified, id, at.Add(time.Second)).XML // used if the document is cleared
	}
	return d
}

// reissue replaces document i of a device by one with another identity, as if
// the service had issued that one. The state of its submission does not change.
func (t *testDevice) reissue(i int, change func(*invoice.Identity, *time.Time)) {
	was := t.documents[i]
	id := invoice.Identity{Number: was.Number, UUID: was.ID.String(), Counter: was.Counter, PreviousHash: was.PreviousHash}
	at := was.IssuedAt
	change(&id, &at)
	d := t.maker.issue(was.Transaction[:2] == "02", id, at)
	d.IdempotencyKey, d.State, d.Status, d.Code, d.Attempts = was.IdempotencyKey, was.State, was.Status, was.Code, was.Attempts
	d.SubmittedAt, d.AnsweredAt, d.Verdicts, d.CreatedAt, d.Unstamped = was.SubmittedAt, was.AnsweredAt, was.Verdicts, was.CreatedAt, was.Unstamped
	if was.Cleared == nil {
		d.Cleared = nil
	}
	t.documents[i] = d
}

// idOf returns a unique uuid for each document, distributed like random ones.
func idOf(org, device, n int) uuid.UUID {
	sum := uuid.NewSHA1(uuid.NameSpaceOID, []byte(strconv.Itoa(org)+"/"+strconv.Itoa(device)+"/"+strconv.Itoa(n)))
	binary.BigEndian.PutUint16(sum[4:], uint16(device))
	return sum
}
