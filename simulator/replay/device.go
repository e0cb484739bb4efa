package replay

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
	"khatm/simulator/recording"
)

// credential is a token and a secret that the simulator issued.
type credential struct {
	RequestID json.Number `json:"requestID"`
	Token     string      `json:"binarySecurityToken"`
	Secret    string      `json:"secret"`
}

// device is a device of the replay itself. It takes the place of one that was
// onboarded before the recording began.
type device struct{ compliance, production credential }

// onboard creates a device of the taxpayer of a recorded certificate.
func (r *run) onboard(ctx context.Context, environment string, of *recording.Certificate, now time.Time) (device, error) {
	o := onboarding{run: r, environment: environment, previous: seal.GenesisHash, now: now}
	var made device
	err := r.control.politely(ctx, func() (err error) {
		made, err = o.do(ctx, of)
		return err
	})
	if err != nil {
		return device{}, fmt.Errorf("onboard a device of %s on the simulator: %w", of.VATNumber, err)
	}
	return made, nil
}

// onboarding is an onboarding in progress.
type onboarding struct {
	run         *run
	environment string
	now         time.Time
	key         *seal.Key
	counter     int64
	previous    string
}

func (o *onboarding) do(ctx context.Context, of *recording.Certificate) (made device, err error) {
	if o.key, err = seal.NewKey(o.run.cfg.Random); err != nil {
		return made, err
	}
	types := of.InvoiceTypes
	if !slices.Contains([]string{"1000", "0100", "1100"}, types) {
		types = "1100"
	}
	serial, err := o.uuid()
	if err != nil {
		return made, err
	}
	unit := seal.Unit{
		CommonName: "KHATM-REPLAY", Provider: "Khatm", Model: "1.0", Serial: serial, VATNumber: of.VATNumber,
		UnitName: "Replay", Organisation: "Replay", InvoiceType: types, Location: "RRRD2929", Industry: "Retail trade",
	}
	if of.VATNumber[10] == '1' {
		unit.UnitName = of.VATNumber[:10] // of a VAT group: the number of the member
	}
	csr, err := unit.Request(o.key, o.environment)
	if err != nil {
		return made, err
	}
	otp, err := o.run.control.password(ctx, o.environment, of.VATNumber)
	if err != nil {
		return made, err
	}
	header := http.Header{"Otp": {otp}}
	if err := o.call(ctx, "/compliance", header, credential{}, map[string]string{"csr": csr.Body()}, &made.compliance); err != nil {
		return made, err
	}
	if err := o.pass(ctx, made.compliance, of.VATNumber, types); err != nil {
		return made, err
	}
	body := map[string]string{"compliance_request_id": made.compliance.RequestID.String()}
	return made, o.call(ctx, "/production/csids", nil, made.compliance, body, &made.production)
}

// pass sends the documents of the compliance checks.
func (o *onboarding) pass(ctx context.Context, as credential, vatNumber, types string) error {
	certificate, err := seal.ParseCertificate([]byte(as.Token))
	if err != nil {
		return err
	}
	for i, facts := range []invoice.Facts{sample.Invoice(), sample.Simplified()} {
		if types[i] != '1' {
			continue
		}
		facts.Seller.VATNumber = vatNumber
		for _, kind := range []invoice.Kind{facts.Kind, invoice.CreditNote, invoice.DebitNote} {
			f := facts
			if f.Kind = kind; kind != facts.Kind {
				f.Reason, f.ExpectedPayable = "Returned goods", nil
				f.Originals = []invoice.Original{{Number: "INV-1", IssueDate: "2026-01-31"}}
			}
			body, err := o.document(f, certificate)
			if err != nil {
				return err
			}
			if err := o.call(ctx, "/compliance/invoices", nil, as, body, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// document returns the request body of the next document.
func (o *onboarding) document(f invoice.Facts, certificate *seal.Certificate) (map[string]string, error) {
	computed, err := invoice.Compute(f)
	if err != nil {
		return nil, err
	}
	id, err := o.uuid()
	if err != nil {
		return nil, err
	}
	inv, err := computed.UBL(invoice.Identity{Number: "REPLAY-" + id[:8], UUID: id, Counter: o.counter + 1, PreviousHash: o.previous}.At(o.now))
	if err != nil {
		return nil, err
	}
	unsigned, err := seal.Prepare(inv)
	if err != nil {
		return nil, err
	}
	sealed, err := unsigned.Stamp(o.key, certificate, o.now)
	if err != nil {
		return nil, err
	}
	o.counter, o.previous = o.counter+1, sealed.Hash
	return map[string]string{"invoiceHash": sealed.Hash, "uuid": id, "invoice": base64.StdEncoding.EncodeToString(sealed.XML)}, nil
}

func (o *onboarding) uuid() (string, error) {
	id, err := uuid.NewRandomFromReader(o.run.cfg.Random)
	return id.String(), err
}

// call sends a request of the onboarding, which must succeed.
func (o *onboarding) call(ctx context.Context, path string, header http.Header, as credential, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if header == nil {
		header = http.Header{}
	}
	header.Set("Accept-Version", "V2")
	header.Set("Content-Type", "application/json")
	a, err := o.run.send(ctx, http.MethodPost, o.environment, path, header, as, text)
	if err != nil {
		return err
	}
	if a.status/100 != 2 {
		return fmt.Errorf("%s returned %d: %.300s (%s)", path, a.status, a.body, a.header.Get(reasonHeader))
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(a.body, into)
}
