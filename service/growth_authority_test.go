package service_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"sync"
	"testing"
	"time"

	"khatm/seal"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
	"khatm/ubl"
)

// promptAuthority accepts every document at once, without a call. It stamps the
// documents that it clears.
type promptAuthority struct {
	key         *seal.Key
	certificate *seal.Certificate
	now         func() time.Time
}

func newPromptAuthority(t *testing.T, now func() time.Time) *promptAuthority {
	t.Helper()
	key, err := seal.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	// A stamp must name the seller's VAT number, which is the same for all
	// organisations of a test.
	certificate, err := seal.TestCertificate(key, seal.Unit{
		CommonName: "Authority", Provider: "Authority", Model: "1", Serial: "1", VATNumber: "399999999900003", UnitName: "Clearance",
		Organisation: "Authority", InvoiceType: device.Both, Location: "RRRD2929", Industry: "Authority",
	}, now().Add(-time.Hour), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &promptAuthority{key, certificate, now}
}

// passed is the message with which the authority accepts a document, and passedText
// is its JSON.
var passed = ledger.Message{
	Type: "INFO", Code: "XSD_ZATCA_VALID", Category: "XSD validation", Message: "Complied with UBL 2.1 standards in line with ZATCA specifications", Status: "PASS",
}

const passedText = `{"validationResults":{"infoMessages":[{"type":"INFO","code":"XSD_ZATCA_VALID","category":"XSD validation","message":"Complied with UBL 2.1 standards in line with ZATCA specifications","status":"PASS"}],"warningMessages":[],"errorMessages":[],"status":"PASS"},`

func (promptAuthority) Report(context.Context, device.Credentials, ledger.Dispatch) ledger.Verdict {
	return ledger.Verdict{
		Outcome: ledger.Accepted, Code: 200, Status: ledger.Reported, Result: "PASS", Infos: []ledger.Message{passed}, Sent: true,
		Took: 100 * time.Millisecond, Raw: []byte(passedText + `"reportingStatus":"REPORTED"}`),
	}
}

func (a *promptAuthority) Clear(_ context.Context, _ device.Credentials, d ledger.Dispatch) ledger.Verdict {
	stamped, err := a.stamp(d.XML)
	if err != nil {
		return ledger.Verdict{Outcome: ledger.Unknown, Cause: err}
	}
	return ledger.Verdict{
		Outcome: ledger.Accepted, Code: 200, Status: ledger.Cleared, Result: "PASS", Infos: []ledger.Message{passed}, Sent: true, Cleared: stamped,
		Took: 100 * time.Millisecond, Raw: fmt.Appendf(nil, `%s"clearanceStatus":"CLEARED","clearedInvoice":"%s"}`, passedText, base64.StdEncoding.EncodeToString(stamped)),
	}
}

func (a *promptAuthority) stamp(xml []byte) ([]byte, error) {
	inv, err := ubl.Read(xml)
	if err != nil {
		return nil, err
	}
	unsigned, err := seal.Prepare(inv)
	if err != nil {
		return nil, err
	}
	sealed, err := unsigned.Stamp(a.key, a.certificate, a.now())
	if err != nil {
		return nil, err
	}
	return sealed.XML, nil
}

// timedKeeper measures the calls of a sender.
type timedKeeper struct {
	submit.Keeper

	mu                     sync.Mutex
	claims, idle, verdicts []time.Duration
	recorded               int
}

// Claim implements [submit.Keeper].
func (k *timedKeeper) Claim(ctx context.Context, c submit.Claiming) (submit.Claimed, error) {
	began := time.Now()
	got, err := k.Keeper.Claim(ctx, c)
	took := time.Since(began)
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(got.Jobs) > 0 {
		k.claims = append(k.claims, took)
	} else {
		k.idle = append(k.idle, took)
	}
	return got, err
}

// Record implements [submit.Keeper].
func (k *timedKeeper) Record(ctx context.Context, of org.Tenant, results []submit.Result) ([]submit.Recorded, error) {
	began := time.Now()
	done, err := k.Keeper.Record(ctx, of, results)
	took := time.Since(began)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.verdicts = append(k.verdicts, took/time.Duration(len(results)))
	k.recorded += len(results)
	return done, err
}

// count returns the number of claims that found a document, and of verdicts.
func (k *timedKeeper) count() (claims, verdicts int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.claims), k.recorded
}
