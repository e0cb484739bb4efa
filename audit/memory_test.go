package audit_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strconv"
	"testing"
	"time"

	"khatm/audit"
	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
)

// devicesOnly is a source without documents.
type devicesOnly struct{ *history }

// Devices yields devices whose chains have not begun.
func (d devicesOnly) Devices(ctx context.Context) iter.Seq2[audit.Device, error] {
	return func(yield func(audit.Device, error) bool) {
		for one := range d.history.Devices(ctx) {
			one.Counter, one.LastHash = 0, seal.GenesisHash
			if !yield(one, nil) {
				return
			}
		}
	}
}

// Documents yields no documents.
func (devicesOnly) Documents(context.Context, audit.Device) iter.Seq2[audit.Document, error] {
	return sequence[audit.Document](nil)
}

// Usage yields no records.
func (devicesOnly) Usage(context.Context) iter.Seq2[audit.Usage, error] {
	return sequence[audit.Usage](nil)
}

// Trail yields no entries.
func (devicesOnly) Trail(context.Context) iter.Seq2[audit.Entry, error] {
	return sequence[audit.Entry](nil)
}

func all(r io.Reader) []byte {
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return text
}

// endless generates documents one at a time, each signed and chained, and writes
// them, both journals and the trail to files.
type endless struct {
	*generator
	files map[string]*bufio.Writer
	n     int
}

func newEndless(t testing.TB, dir string, n int) *endless {
	random := sample.Seeded(1)
	m := newMaker(t, random, "till", began.Add(-24*time.Hour))
	e := &endless{generator: &generator{history: &history{}, now: began, rng: rand.New(rand.NewPCG(1, 1))}, files: map[string]*bufio.Writer{}, n: n}
	e.devices = []*testDevice{{maker: m, Device: audit.Device{
		ID: idOf(0, 1, 0), Organisation: idOf(0, 0, 0), LastHash: seal.GenesisHash, Certificates: [][]byte{m.certificate.DER},
	}}}
	for _, name := range []string{"trail", "authority", "clients", "documents"} {
		file, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		e.files[name] = bufio.NewWriter(file)
	}
	used := int64(0)
	for i := range n {
		e.make(i + 1)
		used++
	}
	e.usage = []audit.Usage{{Organisation: e.devices[0].Organisation, Month: began, Used: used, Ceiling: -1}}
	for _, f := range e.files {
		if err := f.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// make writes one document and its records to the files.
func (e *endless) make(n int) {
	u := e.devices[0]
	e.now = began.Add(time.Duration(n) * time.Millisecond) // all within one month
	id := invoice.Identity{Number: fmt.Sprintf("INV-2026-%06d", n), UUID: idOf(0, 1, n).String(), Counter: int64(n), PreviousHash: u.LastHash}
	d := u.maker.issue(true, id, e.now)
	d.IdempotencyKey = strconv.Itoa(n)
	u.Counter, u.LastHash, u.LastIssuedAt = d.Counter, d.Hash, d.IssuedAt
	e.entry(u.Organisation, "invoice.create", d.ID.String(), map[string]any{"hash": d.Hash})
	r := e.request(u, d.IdempotencyKey, "sale")
	r.Status, r.Document = 202, d.ID
	e.attempt(u, &d, "reporting", "accepted", 200, "new", 200)
	e.finish(u, &d, audit.Reported, 200)
	for _, entry := range e.trail {
		e.write("trail", entry)
	}
	e.write("authority", e.authority[0])
	e.write("clients", r)
	e.write("documents", d)
	e.trail, e.authority = nil, nil
}

func (e *endless) write(name string, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	_, _ = e.files[name].Write(append(text, '\n')) // Flush returns the error
}

// onDisk is a source that reads the files of endless.
type onDisk struct {
	*endless
	dir  string
	last audit.Link
}

func stored[T any](path string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		file, err := os.Open(path)
		if err != nil {
			panic(err)
		}
		defer func() { _ = file.Close() }()
		reader := json.NewDecoder(file)
		for reader.More() {
			var v T
			if err := reader.Decode(&v); err != nil {
				panic(err)
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

func (o *onDisk) Documents(context.Context, audit.Device) iter.Seq2[audit.Document, error] {
	return stored[audit.Document](filepath.Join(o.dir, "documents"))
}

// Trail yields the entries and links them while reading.
func (o *onDisk) Trail(context.Context) iter.Seq2[audit.Entry, error] {
	return func(yield func(audit.Entry, error) bool) {
		for e, err := range stored[audit.Entry](filepath.Join(o.dir, "trail")) {
			e.Link = linkAfter(o.last, e)
			o.last = e.Link
			if !yield(e, err) {
				return
			}
		}
	}
}

// peak audits n documents and returns the peak of the live heap during the
// audit.
func peak(t *testing.T, n int) uint64 {
	t.Helper()
	dir := t.TempDir()
	source := &onDisk{endless: newEndless(t, dir, n), dir: dir}
	open := func(name string) io.Reader {
		file, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		return file
	}
	runtime.GC()
	most := uint64(0)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() { // the sorting at the end reports no progress, so use a ticker
		defer close(stopped)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
				metrics.Read(live)
				most = max(most, live[0].Value.Uint64())
			}
		}
	}()
	began := time.Now()
	r, err := audit.Walk(context.Background(), source, audit.Options{
		Scratch: scratch(t), Authority: open("authority"), Clients: open("clients"), Sole: true, SubmissionBody: submissionBody,
	})
	close(stop)
	<-stopped
	if err != nil || !r.Sound() || r.Documents != int64(n) {
		t.Fatalf("audit of %d documents: %v, report %v", n, err, r)
	}
	t.Logf("%d documents: peak live heap %.1f MiB, %.1f s (%s)", n, float64(most)/(1<<20), time.Since(began).Seconds(), r.Summary())
	return most
}

func TestMemoryDoesNotGrowWithDocuments(t *testing.T) {
	if os.Getenv("KHATM_TORTURE") != "1" {
		t.Skip("signs and audits 110,000 documents; KHATM_TORTURE=1 runs it")
	}
	const small, large = 10_000, 100_000
	few, many := peak(t, small), peak(t, large)
	// The buffers of 1 MiB fill up; beyond that memory must not grow.
	if many > few+6<<20 {
		t.Errorf("peak heap is %d bytes for %d documents and %d bytes for %d, want at most 6 MiB more", few, small, many, large)
	}
}
