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

// sale is what all samples sell, and the buyer of the standard ones, who does
// not exist.
//
//go:embed samples.json
var sale []byte

// sample is a document that a device shows the authority before it may issue.
// It is no invoice: it has no number of the organisation's, no place in the
// chain, and is kept nowhere.
type sample struct {
	name     string
	dispatch ledger.Dispatch
}

// kinds are what is shown of each sort of sale that the device issues.
var kinds = []struct {
	kind invoice.Kind
	name string
}{
	{invoice.TaxInvoice, "invoice"},
	{invoice.CreditNote, "credit note"},
	{invoice.DebitNote, "debit note"},
}

// makeSamples makes the samples and has them judged, before the authority does.
func (a *attempt) makeSamples(ctx context.Context) error {
	if err := a.prepareSamples(ctx); err != nil {
		return err
	}
	return a.move(ctx, device.SamplesGenerated, nil)
}

// brokenSample says why a sample must not be shown.
type brokenSample struct{ name, why string }

func (b *brokenSample) Error() string { return "sample " + b.name + ": " + b.why }

// prepareSamples makes the samples, unless this turn has made them.
func (a *attempt) prepareSamples(ctx context.Context) error {
	if a.shown != nil {
		return nil
	}
	signer, err := a.signer(ctx)
	if err != nil {
		return err
	}
	certificate, err := seal.ParseCertificate([]byte(a.enrolment.Token))
	if err != nil {
		return fmt.Errorf("read the kept compliance certificate: %w", err)
	}
	all, err := a.samples(signer, certificate)
	var broken *brokenSample
	if errors.As(err, &broken) {
		return a.fail(ctx, device.SamplesFailed, Trouble{SampleRefused, broken.Error()})
	}
	a.shown = all
	return err
}

// samples are one document of each kind, for each sort of sale that the device
// issues.
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

// sampleFacts are the facts of a sample, with the seller as it will issue.
func sampleFacts(kind invoice.Kind, simplified bool, o org.Organisation, b org.Branch, now time.Time) (invoice.Facts, error) {
	f, err := invoice.Parse(sale)
	if err != nil {
		return f, fmt.Errorf("read the sale of the samples: %w", err)
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

// seller is the organisation as it stands on a document: with the number and
// the address of the branch, if the device is tied to one.
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

// seal makes the document and judges it as it will be sent. Every sample stands
// at the beginning of a chain: the device's own has not begun, or goes on
// without it.
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

// judge runs the rulebook over the finished bytes.
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
