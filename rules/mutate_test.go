package rules_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"khatm/invoice"
	"khatm/rules"
	"khatm/sample"
	"khatm/ubl"
)

// issued is the time at which the test documents were issued, and checked the
// time at which they are checked.
var (
	issued  = time.Date(2026, time.November, 14, 9, 0, 0, 0, invoice.Riyadh())
	checked = issued.Add(time.Hour)
)

// made caches the sealed documents by name.
var made sync.Map

// sealed returns the XML of the sample document with that name.
func sealed(t testing.TB, name string) []byte {
	t.Helper()
	if kept, ok := made.Load(name); ok {
		if document, ok := kept.([]byte); ok {
			return document
		}
	}
	for _, c := range sample.Every() {
		if c.Name == name {
			document := sealedFacts(t, c.Facts)
			made.Store(name, document)
			return document
		}
	}
	t.Fatalf("there is no sample document %q", name)
	return nil
}

func sealedFacts(t testing.TB, facts invoice.Facts) []byte {
	t.Helper()
	device, err := sample.NewDevice(sample.Seeded(1), issued)
	if err != nil {
		t.Fatal(err)
	}
	document, err := device.Seal(facts)
	if err != nil {
		t.Fatal(err)
	}
	return document.XML
}

func read(t testing.TB, document []byte) *ubl.Invoice {
	t.Helper()
	inv, err := ubl.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// The base documents. Each call parses a new one, on which no rule fails.
func standard(t testing.TB) *ubl.Invoice   { return read(t, sealed(t, "credit")) }
func simplified(t testing.TB) *ubl.Invoice { return read(t, sealed(t, "till")) }
func discounted(t testing.TB) *ubl.Invoice {
	return read(t, sealed(t, "388-standard-s15-z-sar-discount"))
}
func credit(t testing.TB) *ubl.Invoice { return read(t, sealed(t, "381-standard-s15-sar")) }
func deducting(t testing.TB) *ubl.Invoice {
	return read(t, sealed(t, "388-standard-s15-sar-advance-one"))
}
func export(t testing.TB) *ubl.Invoice  { return read(t, sealed(t, "388-export-z32-usd")) }
func foreign(t testing.TB) *ubl.Invoice { return read(t, sealed(t, "388-standard-s15-usd")) }

// replaced returns the document with one text replaced by another. The old text
// must occur in it.
func replaced(t testing.TB, document []byte, old, text string) *ubl.Invoice {
	t.Helper()
	if !strings.Contains(string(document), old) {
		t.Fatalf("document does not contain %q", old)
	}
	return read(t, []byte(strings.Replace(string(document), old, text, 1)))
}

// statusOf returns the status of one rule and the places where it failed.
func statusOf(t testing.TB, results []rules.Result, id string) (rules.Status, []rules.Place) {
	t.Helper()
	for _, r := range results {
		if r.Rule.ID == id {
			return r.Status, r.Places
		}
	}
	t.Fatalf("there is no rule %s", id)
	return "", nil
}

// example is the expected status of one rule for one document.
type example struct {
	id     string
	from   func(testing.TB) *ubl.Invoice
	change func(*ubl.Invoice) // nil for an unchanged document
	want   rules.Status
	path   string // of the first place, if failed
}

// show runs the examples.
func show(t *testing.T, examples []example) {
	t.Helper()
	for _, e := range examples {
		t.Run(e.id+" "+string(e.want)+" "+e.path, func(t *testing.T) {
			inv := e.from(t)
			if e.change != nil {
				e.change(inv)
			}
			got, places := statusOf(t, rules.Check(inv, checked), e.id)
			if got != e.want {
				t.Fatalf("%s: got %s at %+v, want %s", e.id, got, places, e.want)
			}
			if got == rules.Failed && places[0].Path != e.path {
				t.Errorf("%s failed at %s, want %s", e.id, places[0].Path, e.path)
			}
		})
	}
}
