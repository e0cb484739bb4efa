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

// TestFaultsSayWhatIsWrong has the faults that break the same invariant in
// several ways: each way is to be told by its own words.
func TestFaultsSayWhatIsWrong(t *testing.T) {
	cases := []struct {
		want  audit.Invariant
		says  string
		plant func(*planter) bool
	}{
		{audit.CountersRun, "before the document that it follows", place(inside, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(_ *invoice.Identity, at *time.Time) { *at = t.documents[i-1].IssuedAt.Add(-time.Minute) })
		})},
		{audit.CountersRun, "counters must only rise", place(notLast, func(_ *planter, t *testDevice, i int) {
			t.documents[i], t.documents[i+1] = t.documents[i+1], t.documents[i]
		})},
		{audit.ChainHolds, "not the constant of the beginning", place(isFirst, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(id *invoice.Identity, _ *time.Time) { id.PreviousHash = otherHash })
		})},
		{audit.DocumentsVerify, "its stored bytes do not verify", doc(nil, func(_ *planter, _ *testDevice, d *audit.Document) { d.XML = spoiled(d.XML) })},
		{audit.DocumentsVerify, "its cleared document does not verify", doc(isCleared, func(_ *planter, _ *testDevice, d *audit.Document) { d.Cleared = spoiled(d.Cleared) })},
		{audit.DocumentsVerify, "its seller has the VAT number", doc(standard, func(_ *planter, _ *testDevice, d *audit.Document) {
			d.XML = bytes.ReplaceAll(d.XML, []byte(sample.Seller().VATNumber), []byte("399999999900003"))
		})},
		{audit.DocumentsVerify, "a certificate of the device cannot be read", place(nil, func(_ *planter, t *testDevice, _ int) {
			t.Certificates = append(t.Certificates, []byte("no certificate"))
		})},
		{audit.NoNumberWasted, "does not end in a number", place(nil, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(id *invoice.Identity, _ *time.Time) { id.Number = "INV-X" })
		})},
		{audit.NoNumberWasted, "is that of document", place(inside, func(_ *planter, t *testDevice, i int) {
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
		{audit.FirstVerdictStands, "which is reported and never cleared", doc(func(d *audit.Document) bool { return !standard(d) && isAccepted(d) },
			func(_ *planter, _ *testDevice, d *audit.Document) { d.Status = audit.Cleared })},
		{audit.FinalStatusStays, "is kept for it, and its status is unanswered", doc(isFinal, func(_ *planter, _ *testDevice, d *audit.Document) { d.Status = "" })},
		{audit.FirstVerdictStands, "no attempt was answered with a rejection", doc(isRejected, func(_ *planter, _ *testDevice, d *audit.Document) { d.Attempts = nil })},
	}
	clean := made(t, 5)
	for _, c := range cases {
		t.Run(c.says, func(t *testing.T) {
			p := &planter{clean.clone(), rand.New(rand.NewPCG(1, 1))}
			if !c.plant(p) {
				t.Fatal("there is no place for it")
			}
			if r := p.audited(t); !says(r, c.want, c.says) {
				t.Errorf("got %v", r.Faults)
			}
		})
	}
}

func says(r *audit.Report, i audit.Invariant, words string) bool {
	return slices.ContainsFunc(r.Faults, func(f audit.Fault) bool { return f.Invariant == i && strings.Contains(f.Text, words) })
}

func TestStampIsByAnIssuerThatIsTrusted(t *testing.T) {
	const seed = 5
	// The random source of the history makes the key of the authority's stamp
	// first, and then that of who certifies it.
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
		t.Errorf("got %v", r.Faults)
	}
	if r := h.audited(t, trust(stamp.PublicKey())); !says(r, audit.DocumentsVerify, "that no known authority issued") {
		t.Errorf("got %v", r.Faults)
	}
}

func TestCertificatesFromBeforeARenewal(t *testing.T) {
	h := made(t, 5).clone()
	u := h.tills[0] // which was renewed
	u.Certificates = u.Certificates[1:]
	if r := h.audited(t); !says(r, audit.DocumentsVerify, "by a certificate that the device does not have") {
		t.Errorf("got %v", r.Faults)
	}
	u.Partial = true
	if r := h.audited(t); !r.Sound() {
		t.Errorf("got %v", r.Faults)
	}
	// What is believed of an old certificate is not believed of a later one.
	u.Certificates = made(t, 5).tills[0].Certificates[:1]
	if r := h.audited(t); !says(r, audit.DocumentsVerify, "by a certificate that the device does not have") {
		t.Errorf("got %v", r.Faults)
	}
}
