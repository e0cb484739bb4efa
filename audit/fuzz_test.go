package audit_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"khatm/audit"
)

// FuzzJournals checks for any journal that the audit ends, that every line is a
// record, a fault or a torn end, and that a second audit returns the same report.
func FuzzJournals(f *testing.F) {
	kept, err := os.ReadFile("testdata/authority.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(kept)
	f.Add([]byte("{\n{}\nnull\n[]\n\n\x00\n"))
	f.Add([]byte(`{"request":"r","time":"2026-01-01T00:00:00Z","organisation":"01930000-0000-7000-8000-0000000000aa","device":"01930000-0000-7000-8000-0000000000aa","body":"0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a","key":"k","status":202,"uuid":"01930000-0000-7000-8000-0000000000bb"}` + "\n"))
	f.Add([]byte(`{"time":"2026-01-01T00:00:00Z","endpoint":"/invoices/reporting/single","device":"","uuid":"{","counter":"-1","hash":"","status":400}` + "\n" + `{"ti`))
	h := made(f, 1)
	for i := range h.devices {
		h.devices[i].documents = h.devices[i].documents[:1]
	}
	f.Add(append(all(lines(h.authority, nil, "")), all(lines(h.clients, nil, ""))...))
	f.Fuzz(func(t *testing.T, journal []byte) {
		walk := func() *audit.Report {
			r, err := audit.Walk(context.Background(), devicesOnly{h}, audit.Options{Authority: bytes.NewReader(journal), Clients: bytes.NewReader(journal), Sole: true})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := walk()
		whole := int64(bytes.Count(journal, []byte("\n")))
		for _, c := range []*audit.Count{r.Authority, r.Clients} {
			torn := int64(len(journal) - bytes.LastIndexByte(journal, '\n') - 1)
			if c.Records+c.Bad != whole || c.Torn != torn {
				t.Fatalf("counts of a journal with %d lines and %d torn bytes = %+v", whole, torn, c)
			}
		}
		if r.Broken[audit.Journal] != r.Authority.Bad+r.Clients.Bad {
			t.Fatalf("%d bad lines and %d faults, want the same number", r.Authority.Bad+r.Clients.Bad, r.Broken[audit.Journal])
		}
		if again := walk(); again.Summary() != r.Summary() || again.Total() != r.Total() {
			t.Fatalf("first audit: %s; second audit: %s; want the same", r.Summary(), again.Summary())
		}
	})
}
