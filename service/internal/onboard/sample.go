package onboard

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/rules"
	"khatm/seal"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/ubl"
)

// sale is the content of all samples, with a fictitious buyer for the standard
// ones.
//
//go:embed samples.json
var sale []byte

// sample is a document that a device submits for the compliance checks before
// it may issue. It is not an invoice: it has no invoice number, is not part of
// the chain, and is not stored.
type sample struct {
	name     string
	dispatch ledger.Dispatch
}

// kinds lists the samples for each type of document, standard or simplified,
// that the device issues.
var kinds = []struct {
	kind invoice.Kind
	name string
}{
	{invoice.TaxInvoice, "invoice"},
	{invoice.CreditNote, "credit note"},
	{invoice.DebitNote, "debit note"},
}

// makeSamples prepares the samples and checks them against the rules before the
// authority does.
func (a *attempt) makeSamples(ctx context.Context) error {
	if err := a.prepareSamples(ctx); err != nil {
		return err
	}
	return a.move(ctx, device.SamplesGenerated, nil)
}

// brokenSample is the error for a sample that breaks a rule and must not be
// submitted.
type brokenSample struct{ name, why string }

func (b *brokenSample) Error() string { return "sample " + b.name + ": " + b.why }

// prepareSamples prepares the samples, unless this turn already has.
func (a *attempt) prepareSamples(ctx context.Context) error {
	if a.prepared != nil {
		return nil
	}
	signer, err := a.signer(ctx)
	if err != nil {
		return err
	}
	certificate, err := seal.ParseCertificate([]byte(a.enrolment.Token))
	if err != nil {
		return fmt.Errorf("read the stored compliance certificate: %w", err)
	}
	all, err := a.samples(signer, certificate)
	var broken *brokenSample
	if errors.As(err, &broken) {
		return a.fail(ctx, device.SamplesFailed, Trouble{SampleRefused, broken.Error()})
	}
	a.prepared = all
	return err
}

// samples returns one document of each kind for each type of document that the
// device issues.
func (a *attempt) samples(signer seal.Signer, certificate *seal.Certificate) ([]sample, error) {
	var all []sample
	for place, sort := range []string{"standard", "simplified"} {
		if a.device.InvoiceType[place] != '1' {
			continue
		}
		for _, k := range kinds {
			s := sample{name: sort + " " + k.name, dispatch: ledger.Dispatch{UUID: a.NewID().String()}}
			facts, err := sampleFacts(k.kind, place == 1, a.owner, a.branch, a.Now())
			if err != nil {
				return nil, err
			}
			if err := s.seal(facts, signer, certificate, a.Now()); err != nil {
				return nil, err
			}
			all = append(all, s)
		}
	}
	return all, nil
}

// sampleFacts returns the data of a sample with the real seller.
func sampleFacts(kind invoice.Kind, simplified bool, o org.Organisation, b org.Branch, now time.Time) (invoice.Facts, error) {
	f, err := invoice.Parse(sale)
	if err != nil {
		return f, fmt.Errorf("parse samples.json: %w", err)
	}
	today := now.In(invoice.Riyadh()).Format(time.DateOnly)
	f.Kind, f.Transaction.Simplified = kind, simplified
	f.SupplyDate, f.Seller = today, seller(o, b)
	if simplified {
		f.Buyer = nil
	}
	if kind.IsNote() {
		f.Reason = "إلغاء التوريد | The supply was cancelled"
		f.Originals = []invoice.Original{{Number: "SAMPLE", IssueDate: today}}
	}
	return f, nil
}

// seller returns the seller as printed on documents, with the number and
// address of the branch if the device has one.
func seller(o org.Organisation, b org.Branch) invoice.Seller {
	id, at := o.Identification, o.Address
	if b.ID != uuid.Nil {
		id, at = b.Identification, b.Address
	}
	return invoice.Seller{
		Name: o.Name, NameArabic: o.NameArabic, VATNumber: o.VATNumber,
		ID: invoice.PartyID{Scheme: id.Type, Value: id.Value},
		Address: invoice.Address{
			Street: at.Street, AdditionalStreet: at.AdditionalStreet, BuildingNumber: at.BuildingNumber, Plot: at.PlotIdentification,
			District: at.District, City: at.City, Province: at.ProvinceState, PostalCode: at.PostalCode, Country: at.CountryCode,
		},
	}
}

// seal creates and signs the document and checks it in its final form. Every
// sample is the first document of a chain of its own; it does not affect the
// chain of the device.
func (s *sample) seal(f invoice.Facts, signer seal.Signer, certificate *seal.Certificate, now time.Time) error {
	document, err := invoice.Compute(f)
	if err != nil {
		return &brokenSample{s.name, err.Error()}
	}
	inv, err := document.UBL(invoice.Identity{
		Number: "SAMPLE", UUID: s.dispatch.UUID, Counter: 1, PreviousHash: seal.GenesisHash,
	}.At(now))
	if err != nil {
		return &brokenSample{s.name, err.Error()}
	}
	unsigned, err := seal.Prepare(inv)
	if err != nil {
		return err
	}
	sealed, err := unsigned.Stamp(signer, certificate, now)
	if err != nil {
		return err
	}
	s.dispatch.Hash, s.dispatch.XML = sealed.Hash, sealed.XML
	return s.judge(now)
}

// judge checks the final bytes against the rules.
func (s *sample) judge(now time.Time) error {
	inv, err := ubl.Read(s.dispatch.XML)
	if err != nil {
		return err
	}
	var broken []string
	for _, r := range rules.Check(inv, now) {
		if r.Status == rules.Failed && r.Rule.Flag == rules.Error {
			broken = append(broken, fmt.Sprintf("%s: %s %s", r.Rule.ID, r.Rule.Says.EN, r.Rule.Fix.EN))
		}
	}
	if broken != nil {
		return &brokenSample{s.name, strings.Join(broken, "; ")}
	}
	return nil
}
