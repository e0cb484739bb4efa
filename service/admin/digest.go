package admin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"khatm/audit"
	"khatm/money"
	"khatm/service/internal/ledger"
	"khatm/service/internal/store"
	"khatm/ubl"
)

// DamagedDocument is a stored document that does not match its digests.
type DamagedDocument struct {
	Organisation string `json:"organisation"`
	Invoice      string `json:"invoice"`
	Number       string `json:"ref_num"` // empty if it cannot be verified
	What         string `json:"damaged"`
}

// String returns the document and its damage on one line.
func (d DamagedDocument) String() string {
	number := d.Number
	if number == "" {
		number = "number unknown"
	}
	return fmt.Sprintf("invoice %s (%s) of organisation %s: %s", d.Invoice, number, d.Organisation, d.What)
}

// Checked is the result of a check of stored documents.
type Checked struct {
	Documents int               `json:"documents"`
	Damaged   []DamagedDocument `json:"damaged"`
}

func checkedOf(documents int, damaged []store.DamagedDocument) Checked {
	c := Checked{Documents: documents, Damaged: []DamagedDocument{}}
	for _, d := range damaged {
		c.Damaged = append(c.Damaged, DamagedDocument{d.Organisation.String(), d.Invoice.String(), d.Number, d.What})
	}
	return c
}

// Scrub compares every stored document with its digests, at most rate documents
// per second.
func (a *Admin) Scrub(ctx context.Context, rate int, progress func(done, total int)) (Checked, error) {
	found, err := a.scrub(ctx, rate, progress)
	return checkedOf(found.Documents, found.Damaged), err
}

func (a *Admin) scrub(ctx context.Context, rate int, progress func(done, total int)) (found store.Scrubbed, err error) {
	if rate <= 0 {
		return found, errors.New("the rate must be at least 1 document per second")
	}
	total, err := a.store.CountDocuments(ctx)
	if err != nil {
		return found, err
	}
	return a.store.Scrub(ctx, store.Position{}, store.Scrubbing{
		Rate: rate, Progress: func(done int) { progress(done, max(total, done)) },
	})
}

// DigestDocuments verifies the documents that have no digests, because they were
// stored by an older version, and stores the digests of the valid ones. It is the
// second half of an upgrade. After an interruption it continues where it stopped.
func DigestDocuments(ctx context.Context, c Config, progress func(done, total int)) (Checked, error) {
	found, err := store.DigestDocuments(ctx, c.store(), store.Digesting{Verify: verify, Progress: progress})
	return checkedOf(found.Documents, found.Damaged), err
}

// verify checks a document: its bytes, stamps and QR codes, its rows, and its
// record.
func verify(d store.Undigested) error {
	of := audit.Device{ID: d.Device, Organisation: d.Organisation}
	for _, token := range d.Tokens {
		of.Certificates = append(of.Certificates, store.CertificateOf(token))
	}
	var problems []string
	for _, f := range audit.Check(of, documentOf(d.KeptDocument)) {
		problems = append(problems, f.Text)
	}
	if len(problems) == 0 {
		problems = recordProblems(d.Record, d.XML)
	}
	if len(problems) == 0 {
		return nil
	}
	return errors.New(firstFew(problems))
}

// recordProblems returns the differences between a record and the signed document
// in the totals, the VAT and the lines.
func recordProblems(r ledger.Record, xml []byte) (problems []string) {
	inv, err := ubl.Read(xml)
	if err != nil {
		return []string{err.Error()}
	}
	differ := func(what, record string, document *ubl.Text) {
		if record != document.String() {
			problems = append(problems, fmt.Sprintf("%s is %q in the record and %q in the signed document", what, record, document.String()))
		}
	}
	amount := func(what string, record money.Decimal, document *ubl.Text) {
		if value, err := money.Parse(document.String()); err != nil || !value.Equal(record) {
			differ(what, record.String(), document)
		}
	}
	if inv.MonetaryTotal == nil {
		return []string{"the signed document has no totals"}
	}
	amount("amount without VAT", r.Totals.WithoutVAT, inv.MonetaryTotal.TaxExclusiveAmount)
	amount("amount with VAT", r.Totals.WithVAT, inv.MonetaryTotal.TaxInclusiveAmount)
	amount("payable amount", r.Totals.Payable, inv.MonetaryTotal.PayableAmount)
	amount("VAT", r.Totals.VAT, vatIn(inv, r.Currency))
	differ("currency", r.Currency, inv.DocumentCurrencyCode)
	// Each deducted advance is a line at the end of the document.
	if len(inv.Lines) != len(r.Lines)+len(r.Advances) {
		return append(problems, fmt.Sprintf("the record has %d lines and %d advances, the signed document has %d lines", len(r.Lines), len(r.Advances), len(inv.Lines)))
	}
	for n, l := range r.Lines {
		line := inv.Lines[n]
		if line.Item == nil {
			return append(problems, fmt.Sprintf("line %d of the signed document has no item", n+1))
		}
		differ(fmt.Sprintf("name on line %d", n+1), l.Name, line.Item.Name)
		amount(fmt.Sprintf("quantity on line %d", n+1), l.Quantity, line.InvoicedQuantity)
		amount(fmt.Sprintf("amount of line %d", n+1), l.Net, line.LineExtensionAmount)
	}
	return problems
}

// vatIn returns the VAT of a document in a currency, or nil. A document in a
// foreign currency has its VAT in that currency and in riyals.
func vatIn(inv *ubl.Invoice, currency string) *ubl.Text {
	for _, total := range inv.TaxTotals {
		if total.TaxAmount.Attr("currencyID") == currency {
			return total.TaxAmount
		}
	}
	return nil
}

// documents reports the documents that are known to be damaged.
func (x *examination) documents(ctx context.Context, a *Admin) {
	const check = "stored documents"
	const most = 5
	damaged, all, err := a.store.Damages(ctx, most)
	if err != nil {
		x.fail(check, "", "%v", err)
		return
	}
	last, err := a.store.LastScrub(ctx)
	switch {
	case err != nil:
		x.fail(check, "", "%v", err)
	case all > 0:
		var names []string
		for _, d := range checkedOf(all, damaged).Damaged {
			names = append(names, d.String())
		}
		if all > len(names) {
			names = append(names, fmt.Sprintf("and %d more", all-len(names)))
		}
		x.fail(check, "repair them with khatm repair if there is an archive, otherwise restore them from a backup; khatm audit --scrub checks all documents and lists every damaged one",
			"%d are damaged, and are neither shown nor sent: %s", all, strings.Join(names, "; "))
	case last == nil:
		x.ok(check, "none is known to be damaged; the server has not checked all documents yet")
	default:
		x.ok(check, "none is known to be damaged; the server last checked all documents on %s", last.Format("2006-01-02"))
	}
}
