package ubl_test

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
	"khatm/ubl"
)

// sealedCase is a stamped document with the name of its facts.
type sealedCase struct {
	name string
	*seal.Sealed
}

// sealAll stamps documents in one chain.
func sealAll(t testing.TB, cases []sample.Case) []sealedCase {
	t.Helper()
	device := newDevice(t)
	var all []sealedCase
	for _, c := range cases {
		sealed, err := device.Seal(c.Facts)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		all = append(all, sealedCase{c.Name, sealed})
	}
	return all
}

func mustWrite(t testing.TB, inv *ubl.Invoice) ubl.Canon {
	t.Helper()
	canon, err := ubl.Write(inv)
	if err != nil {
		t.Fatal(err)
	}
	return canon
}

func randomCases(count int) []sample.Case {
	r := rand.New(rand.NewPCG(1, 2))
	cases := make([]sample.Case, count)
	for i := range cases {
		cases[i] = sample.Case{Name: "random-" + strconv.Itoa(i), Facts: sample.Random(r)}
	}
	return cases
}

// checkRoundTrip checks that a stamped document can be read, written and read
// again without changes.
func checkRoundTrip(t *testing.T, c sealedCase) {
	t.Helper()
	stamped := mustRead(t, string(c.XML))
	if stamped.Extensions == nil || len(stamped.Signatures) != 1 || stamped.Reference("QR") == nil {
		t.Errorf("%s: stamp is missing after reading", c.name)
	}
	canon := mustWrite(t, stamped)
	unstamped := mustRead(t, string(canon.Bytes()))
	again := mustWrite(t, unstamped)
	for i, runs := range [][2][]byte{{canon.Head, again.Head}, {canon.Body, again.Body}, {canon.Tail, again.Tail}} {
		if !bytes.Equal(runs[0], runs[1]) {
			t.Errorf("%s: part %d differs when written again: %s", c.name, i, parting(runs[1], runs[0]))
		}
	}
	// The stamp is in the slots and changed nothing else.
	rest, hasHead := bytes.CutPrefix(c.XML, canon.Head)
	rest, hasTail := bytes.CutSuffix(rest, canon.Tail)
	if !hasHead || !hasTail || bytes.Count(rest, canon.Body) != 1 {
		t.Errorf("%s: stamped document does not contain all parts of the hashed one", c.name)
	}
	unsigned, err := seal.Prepare(stamped)
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	if unsigned.Hash != c.Hash {
		t.Errorf("%s: hash after reading is %s, want %s", c.name, unsigned.Hash, c.Hash)
	}
}

func TestRoundTripOfEverySample(t *testing.T) {
	for _, c := range sealAll(t, sample.Every()) {
		checkRoundTrip(t, c)
	}
}

func TestRoundTripOfRandomSamples(t *testing.T) {
	for _, c := range sealAll(t, randomCases(testtool.Scale(30, 100, 300))) {
		checkRoundTrip(t, c)
	}
}

// Reading a written invoice returns the same model.
func TestModelRoundTrip(t *testing.T) {
	for _, c := range randomCases(50) {
		document, err := invoice.Compute(c.Facts)
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		want, err := document.UBL(invoice.Identity{
			Number: "INV-1", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", Counter: 1, PreviousHash: seal.GenesisHash,
		}.At(issued))
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		got := mustRead(t, string(mustWrite(t, want).Bytes()))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.Name, diff)
		}
	}
}

// Write leaves the content of the slots out of its output, but keeps it in the
// invoice.
func TestWriteDoesNotChangeInvoice(t *testing.T) {
	document := string(sealAll(t, sample.Every()[:1])[0].XML)
	inv := mustRead(t, document)
	canon := mustWrite(t, inv)
	if diff := cmp.Diff(mustRead(t, document), inv); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
	// The parts share no memory: appending to one does not change the next.
	tail := string(canon.Tail)
	_ = append(canon.Head, bytes.Repeat([]byte("x"), 100)...)
	_ = append(canon.Body, bytes.Repeat([]byte("x"), 100)...)
	if string(canon.Tail) != tail || !bytes.HasPrefix(canon.Body, []byte("<cbc:ProfileID>")) {
		t.Error("appending to a part changed the next one")
	}
}

func TestSlotsOfCanon(t *testing.T) {
	canon := ubl.Canon{Head: []byte("a"), Body: []byte("b"), Tail: []byte("c")}
	if got := string(canon.Bytes()); got != "abc" {
		t.Errorf("bytes: got %q, want %q", got, "abc")
	}
	if got := string(canon.With([]byte("1"), []byte("2"))); got != "a1b2c" {
		t.Errorf("with slots: got %q, want %q", got, "a1b2c")
	}
}
