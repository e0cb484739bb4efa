package ubl_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"runtime"
	"sync"
	"testing"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"

	"khatm/internal/testtool"
	"khatm/sample"
	"khatm/ubl"
)

// rendering is a document that must already be canonical.
type rendering struct {
	name  string
	bytes []byte
}

// renderings returns two documents for every case: as hashed and as stamped.
func renderings(t *testing.T, cases []sample.Case) []rendering {
	t.Helper()
	var all []rendering
	for _, c := range sealAll(t, cases) {
		canon := mustWrite(t, mustRead(t, string(c.XML)))
		all = append(all,
			rendering{c.name + ", hashed", canon.Bytes()},
			rendering{c.name + ", stamped", c.XML})
	}
	return append(all, rendering{"awkward", awkward(t)})
}

// awkward returns a document whose leaf and attributes contain everything that
// canonical XML escapes, sorts or keeps.
func awkward(t *testing.T) []byte {
	t.Helper()
	const text = "\t\n\r \"'&<>]]>\u0085\u2028\u00A0\uFEFFé🧾\u007F"
	return mustWrite(t, &ubl.Invoice{
		ID:        ubl.NewText(text, "zZ", text, "Aa", "", "aA", "\r\n", "Z", "'"),
		UUID:      ubl.NewText(""),
		IssueDate: ubl.NewText("&amp;&#13;"),
		Supplier:  &ubl.AccountingParty{},
		Customer:  &ubl.AccountingParty{Party: &ubl.Party{}},
	}).Bytes()
}

// xmllint canonicalises a document.
func xmllint(path string, document []byte) ([]byte, error) {
	command := exec.Command(path, "--nonet", "--c14n11", "-")
	command.Stdin = bytes.NewReader(document)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("xmllint: %w\n%s", err, &complaint)
	}
	return out, nil
}

func TestWriteIsCanonicalForXmllint(t *testing.T) {
	path := testtool.Path(t, "xmllint")
	cases := testtool.Spread(testtool.Some(sample.Every(), 7), 0, 3) // one process per case; package witness reads all of them
	work := make(chan rendering)
	var workers sync.WaitGroup
	for range 2 * runtime.NumCPU() {
		workers.Go(func() {
			for r := range work {
				got, err := xmllint(path, r.bytes)
				if err != nil {
					t.Errorf("%s: %v", r.name, err)
				} else if !bytes.Equal(got, r.bytes) {
					t.Errorf("%s is not canonical: %s", r.name, parting(got, r.bytes))
				}
			}
		})
	}
	for _, r := range renderings(t, cases) {
		work <- r
	}
	close(work)
	workers.Wait()
}

// TestWriteIsCanonicalForGoxmldsig uses another library, which is always
// available.
func TestWriteIsCanonicalForGoxmldsig(t *testing.T) {
	every := sample.Every()
	for _, r := range renderings(t, every[len(every)-40:]) {
		document := etree.NewDocument()
		if err := document.ReadFromBytes(r.bytes); err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		got, err := dsig.MakeC14N11Canonicalizer().Canonicalize(document.Root())
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		if !bytes.Equal(got, r.bytes) {
			t.Errorf("%s is not canonical: %s", r.name, parting(got, r.bytes))
		}
	}
}

// parting describes the first difference between two documents.
func parting(got, want []byte) string {
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	from := max(0, at-40)
	return fmt.Sprintf("at byte %d: got %q, want %q", at, got[from:min(len(got), at+40)], want[from:min(len(want), at+40)])
}
