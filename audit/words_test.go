package audit_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/audit"
	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
)

// spoiled changes a character of the signature, which the hash does not cover.
func spoiled(xml []byte) []byte {
	at := bytes.Index(xml, []byte("<ds:SignatureValue>")) + len("<ds:SignatureValue>") + 40
	xml = bytes.Clone(xml)
	if xml[at]++; xml[at] > 'Z' {
		xml[at] = 'B'
	}
	return xml
}

// TestFaultsSayWhatIsWrong plants faults that violate the same invariant in
// different ways and checks that each is described.
func TestFaultsSayWhatIsWrong(t *testing.T) {
	cases := []struct {
		want  audit.Invariant
		says  string
		plant func(*planter) bool
	}{
		{audit.CountersRun, "before its predecessor in the chain", place(inside, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(_ *invoice.Identity, at *time.Time) { *at = t.documents[i-1].IssuedAt.Add(-time.Minute) })
		})},
		{audit.CountersRun, "counters must increase", place(notLast, func(_ *planter, t *testDevice, i int) {
			t.documents[i], t.documents[i+1] = t.documents[i+1], t.documents[i]
		})},
		{audit.ChainHolds, "instead of the initial constant", place(isFirst, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(id *invoice.Identity, _ *time.Time) { id.PreviousHash = otherHash })
		})},
		{audit.DocumentsVerify, "its stored bytes do not verify", doc(nil, func(_ *planter, _ *testDevice, d *audit.Document) { d.XML = spoiled(d.XML) })},
		{audit.DocumentsVerify, "its cleared document does not verify", doc(isCleared, func(_ *planter, _ *testDevice, d *audit.Document) { d.Cleared = spoiled(d.Cleared) })},
		{audit.DocumentsVerify, "the VAT number of its seller is", doc(standard, func(_ *planter, _ *testDevice, d *audit.Document) {
			d.XML = bytes.ReplaceAll(d.XML, []byte(sample.Seller().VATNumber), []byte("399999999900003"))
		})},
		{audit.DocumentsVerify, "a certificate of the device cannot be read", place(nil, func(_ *planter, t *testDevice, _ int) {
			t.Certificates = append(t.Certificates, []byte("no certificate"))
		})},
		{audit.NoNumberWasted, "does not end in digits", place(nil, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(id *invoice.Identity, _ *time.Time) { id.Number = "INV-X" })
		})},
		{audit.NoNumberWasted, "is also that of document", place(inside, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(id *invoice.Identity, _ *time.Time) { id.Number = t.documents[i-1].Number })
		})},
		{audit.NoNumberWasted, "was refused with 403", line(func(r audit.Request) bool { return r.Status == 202 && r.Key != "" }, func(p *planter, i int) {
			key := p.clients[i].Key
			for i := range p.clients {
				if p.clients[i].Key == key {
					p.clients[i].Status, p.clients[i].Document = 403, [16]byte{}
				}
			}
		})},
		{audit.TrailComplete, "has details that cannot be read", retold("invoice.create", func(p *planter, i int) { p.trail[i].Details = "{" })},
		{audit.FirstVerdictStands, "which is never cleared", doc(func(d *audit.Document) bool { return !standard(d) && isAccepted(d) },
			func(_ *planter, _ *testDevice, d *audit.Document) { d.Status = audit.Cleared })},
		{audit.FinalStatusStays, "is stored for it, but its status is unanswered", doc(isFinal, func(_ *planter, _ *testDevice, d *audit.Document) { d.Status = "" })},
		{audit.FirstVerdictStands, "no attempt was rejected", doc(isRejected, func(_ *planter, _ *testDevice, d *audit.Document) { d.Attempts = nil })},
	}
	clean := made(t, 5)
	for _, c := range cases {
		t.Run(c.says, func(t *testing.T) {
			p := &planter{clean.clone(), rand.New(rand.NewPCG(1, 1))}
			if !c.plant(p) {
				t.Fatal("the history has no suitable record")
			}
			if r := p.audited(t); !says(r, c.want, c.says) {
				t.Errorf("faults %v, want one of %s with %q", r.Faults, c.want, c.says)
			}
		})
	}
}

func says(r *audit.Report, i audit.Invariant, words string) bool {
	return slices.ContainsFunc(r.Faults, func(f audit.Fault) bool { return f.Invariant == i && strings.Contains(f.Text, words) })
}

func TestClearedStampMustBeByTrustedIssuer(t *testing.T) {
	const seed = 5
	// made draws the key of the authority's stamp first, and then the key of
	// its issuer.
	random := sample.Seeded(seed)
	stamp, err := seal.NewKey(random)
	if err != nil {
		t.Fatal(err)
	}
	issuer, err := seal.NewKey(random)
	if err != nil {
		t.Fatal(err)
	}
	trust := func(keys ...[]byte) func(*audit.Options) { return func(o *audit.Options) { o.Issuers = keys } }
	h := made(t, seed)
	if r := h.audited(t, trust(stamp.PublicKey(), issuer.PublicKey())); !r.Sound() {
		t.Errorf("trusted issuer: faults %v, want none", r.Faults)
	}
	if r := h.audited(t, trust(stamp.PublicKey())); !says(r, audit.DocumentsVerify, "was not issued by a known authority") {
		t.Errorf("untrusted issuer: faults %v, want one", r.Faults)
	}
}

func TestCertificatesBeforeRenewal(t *testing.T) {
	h := made(t, 5).clone()
	u := h.devices[0] // the renewed device
	u.Certificates = u.Certificates[1:]
	if r := h.audited(t); !says(r, audit.DocumentsVerify, "a certificate that does not belong to the device") {
		t.Errorf("certificate missing: faults %v, want one", r.Faults)
	}
	u.Partial = true
	if r := h.audited(t); !r.Sound() {
		t.Errorf("certificate declared as missing: faults %v, want none", r.Faults)
	}
	// Only certificates older than the stored ones may be missing.
	u.Certificates = made(t, 5).devices[0].Certificates[:1]
	if r := h.audited(t); !says(r, audit.DocumentsVerify, "a certificate that does not belong to the device") {
		t.Errorf("newer certificate missing: faults %v, want one", r.Faults)
	}
}
