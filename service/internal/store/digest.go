package store

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"hash"
	"strconv"
	"sync"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// The stored data of an invoice has four digests: of its row, record and QR
// code (document.digest), of the signed XML (document.xml_digest), of the
// authority's answer as shown in lists (invoice.answer_digest), and of the
// verdict and the stamped copy (verdict.digest and verdict.stamped_digest).
// Each includes the ids of the invoice, so that a row cannot be mistaken for
// another one. The digests detect accidental damage only: anyone who can write
// to the database can also write digests.

// digester computes a digest of fields, each preceded by its length.
type digester struct {
	data []byte    // not yet hashed; never grows
	hash hash.Hash // of what was in data before
	full bool      // data was full at least once
}

var digesters = sync.Pool{New: func() any { return &digester{data: make([]byte, 0, 16<<10), hash: sha256.New()} }}

// newDigest starts a digest of the given kind for an invoice.
func newDigest(kind string, of, invoice uuid.UUID) *digester {
	d, _ := digesters.Get().(*digester) // the pool holds no other type
	d.data, d.full = d.data[:0], false
	d.hash.Reset()
	d.text("khatm " + kind)
	d.bytes(of[:])
	d.bytes(invoice[:])
	return d
}

func (d *digester) text(s string) {
	d.length(len(s))
	for len(s) > 0 {
		n := min(d.room(), len(s))
		d.data, s = append(d.data, s[:n]...), s[n:]
	}
}

func (d *digester) bytes(b []byte) {
	d.length(len(b))
	for len(b) > 0 {
		n := min(d.room(), len(b))
		d.data, b = append(d.data, b[:n]...), b[n:]
	}
}

func (d *digester) length(n int) {
	const size = 8
	if cap(d.data)-len(d.data) < size {
		d.flush()
	}
	d.data = binary.BigEndian.AppendUint64(d.data, uint64(n))
}

// room returns how many bytes fit into data, at least one.
func (d *digester) room() int {
	if len(d.data) == cap(d.data) {
		d.flush()
	}
	return cap(d.data) - len(d.data)
}

func (d *digester) flush() {
	_, _ = d.hash.Write(d.data) // a hash never returns an error
	d.data, d.full = d.data[:0], true
}

func (d *digester) number(n int64) { d.text(strconv.FormatInt(n, 10)) }

// maybe adds a nullable number.
func (d *digester) maybe(n sql.NullInt64) {
	if !n.Valid {
		d.text("null")
		return
	}
	d.number(n.Int64)
}

// sum returns the digest. The digester must not be used afterwards.
func (d *digester) sum() []byte {
	defer digesters.Put(d)
	if !d.full {
		sum := sha256.Sum256(d.data)
		return sum[:]
	}
	d.flush()
	return d.hash.Sum(nil)
}

// bytesDigest returns the digest of a document's bytes. kind is "xml" or
// "stamped".
func bytesDigest(kind string, of, invoice uuid.UUID, data []byte) []byte {
	d := newDigest(kind, of, invoice)
	d.bytes(data)
	return d.sum()
}

// stored is an invoice as stored, without its XML. The columns of the document
// are null if the document is missing.
type stored struct {
	of, id, task, device            uuid.UUID
	counter, kind                   int64
	hash, previousHash, number      string
	transaction                     string
	issueDate, issueTime            string
	issuedAt, createdAt             int64
	currency                        string
	buyer                           uuid.NullUUID
	buyerName                       string
	withoutVAT, vat, withVAT, total string
	key                             sql.NullString
	body                            []byte
	record, qr                      sql.NullString
	digest                          []byte

	status                    sql.NullString
	code, submitted, answered sql.NullInt64
	clearedQR                 sql.NullString
	answerDigest              []byte
	payment                   string
	sums                      [4]int64 // received, credited, refunded and refund_due, in hundredths
	state                     sql.NullString
	due                       sql.NullString // only written
}

// storedColumns are the columns of storedTables that stored.into scans.
const storedColumns = `
	i.org_id, i.id, i.ref_num, i.task_id, i.device_id, i.counter, i.type_code, i.hash, i.previous_hash, i.transaction_code, i.issue_date, i.issue_time,
	i.issued_at, i.created_at, i.currency, i.buyer_id, i.buyer_name, i.without_vat, i.vat, i.with_vat, i.payable, i.idempotency_key, i.body_digest,
	d.record, d.qr, d.digest, i.status, i.code, i.submitted_at, i.answered_at, i.cleared_qr, i.answer_digest, i.payment,
	i.received, i.credited, i.refunded, i.refund_due, s.state`

// storedTables uses left joins: an invoice whose document is missing is damaged
// and must not be left out.
const storedTables = `
	invoice i
	LEFT JOIN document d ON d.org_id = i.org_id AND d.invoice_id = i.id
	LEFT JOIN submission s ON s.org_id = i.org_id AND s.invoice_id = i.id`

func (r *stored) into(more ...any) []any {
	return append([]any{
		exactID{&r.of}, exactID{&r.id}, &r.number, exactID{&r.task}, exactID{&r.device}, &r.counter, &r.kind, &r.hash, &r.previousHash, &r.transaction, &r.issueDate, &r.issueTime,
		&r.issuedAt, &r.createdAt, &r.currency, &r.buyer, &r.buyerName, &r.withoutVAT, &r.vat, &r.withVAT, &r.total, &r.key, &r.body,
		&r.record, &r.qr, &r.digest, &r.status, &r.code, &r.submitted, &r.answered, &r.clearedQR, &r.answerDigest, &r.payment,
		&r.sums[0], &r.sums[1], &r.sums[2], &r.sums[3], &r.state,
	}, more...)
}

// sum computes document.digest.
func (r *stored) sum() []byte {
	d := newDigest("invoice", r.of, r.id)
	for _, id := range []uuid.UUID{r.task, r.device} {
		d.bytes(id[:])
	}
	for _, n := range []int64{r.counter, r.kind, r.issuedAt, r.createdAt} {
		d.number(n)
	}
	for _, text := range []string{
		r.number, r.hash, r.previousHash, r.transaction, r.issueDate, r.issueTime, r.currency, r.buyerName,
		r.withoutVAT, r.vat, r.withVAT, r.total, r.key.String, r.record.String, r.qr.String,
	} {
		d.text(text)
	}
	buyer := r.buyer.UUID[:]
	if !r.buyer.Valid {
		buyer = nil
	}
	d.bytes(buyer)
	d.bytes(r.body)
	return d.sum()
}

// answerSum computes invoice.answer_digest.
func (r *stored) answerSum() []byte {
	d := newDigest("answer", r.of, r.id)
	d.text(r.status.String)
	d.maybe(r.code)
	d.maybe(r.submitted)
	d.maybe(r.answered)
	d.text(r.clearedQR.String)
	return d.sum()
}

// damage returns which part does not match its digest, or "".
func (r *stored) damage() string {
	switch {
	case !r.record.Valid:
		return "the document is missing"
	case len(r.digest) == 0:
		return "the document has no digest"
	case !bytes.Equal(r.digest, r.sum()):
		return damagedRecord
	}
	return r.answerDamage()
}

// answerDamage returns which part of the authority's answer does not match its
// digest, or "".
func (r *stored) answerDamage() string {
	status := ledger.Status(r.status.String)
	known := status.Final() || status == ledger.Unanswered || status == ledger.NoResponse
	switch {
	case !known, status.Final() != (r.answerDigest != nil), r.answerDigest == nil && r.clearedQR.Valid:
		return "the status"
	case r.answerDigest != nil && !bytes.Equal(r.answerDigest, r.answerSum()):
		return damagedAnswer
	}
	return ""
}

// storedOf returns a new invoice in its stored form.
func storedOf(of org.Tenant, i ledger.Invoice, body []byte, record string) *stored {
	t := i.Record.Totals
	r := &stored{
		of: of.ID(), id: i.ID, task: i.Task, device: i.Device, counter: i.Counter, kind: int64(i.Kind), hash: i.Hash, previousHash: i.PreviousHash,
		number: i.Number, transaction: i.Transaction.String(), issueDate: i.IssueDate, issueTime: i.IssueTime,
		issuedAt: millis(i.IssuedAt), createdAt: millis(i.CreatedAt), currency: i.Record.Currency,
		withoutVAT: t.WithoutVAT.Fixed2(), vat: t.VAT.Fixed2(), withVAT: t.WithVAT.Fixed2(), total: t.Payable.Fixed2(),
		key: filled(i.IdempotencyKey), body: body, record: filled(record), qr: filled(i.QR), payment: string(i.Payment), due: filled(i.DueDate()),
	}
	if b := i.Record.Buyer; b != nil {
		r.buyer, r.buyerName = uuid.NullUUID{UUID: b.ID, Valid: true}, b.Name
	}
	return r
}
