package bench

import (
	"bytes"
	"compress/flate"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"khatm/invoice"
	"khatm/paper"
	"khatm/sample"
)

// drawn are stamped invoices of so many lines; the names of each are its own.
func drawn(t *testing.T, lines, documents int) [][]byte {
	t.Helper()
	device := must(sample.NewDevice(sample.Seeded(3), time.Date(2026, 11, 14, 9, 0, 0, 0, invoice.Riyadh())))
	var all [][]byte
	for seed := range documents {
		f := sample.Invoice()
		goods := f.Lines
		f.Lines = nil
		for i := range lines {
			line := goods[i%len(goods)]
			line.Name = fmt.Sprintf("صنف%dب%d كود%dx%d | item%dq%d of%dk%d", seed, i, i, seed, i, seed, seed, i)
			f.Lines = append(f.Lines, line)
		}
		all = append(all, must(device.Seal(f)).XML)
	}
	return all
}

// TestDrawnInvoice holds the CPU time of a PDF to its bounds, and shows beside it
// what it costs to deflate as many bytes with the standard library.
func TestDrawnInvoice(t *testing.T) {
	enabled(t)
	press := must(paper.New())
	few, many := drawn(t, 20, 400), drawn(t, 200, 1)
	pdf := must(press.Draw(few[0], paper.Options{}))
	deflated := cpu(func() {
		w := must(flate.NewWriter(&bytes.Buffer{}, flate.DefaultCompression))
		for n := 0; n < 120<<10; n += len(few[0]) { // what the pages of twenty lines are before
			must(w.Write(few[0]))
		}
		_ = w.Close()
	})
	warm := cpu(func() { must(press.Draw(few[0], paper.Options{})) })
	n := 0
	fresh := cpu(func() { n++; must(press.Draw(few[n%len(few)], paper.Options{})) })
	long := cpu(func() { must(press.Draw(many[0], paper.Options{})) })
	roll := cpu(func() { must(press.Draw(few[0], paper.Options{Paper: paper.Roll80})) })
	table(t, []part{
		{"deflate of 120 KiB, standard library", deflated}, {"20 lines, words seen before", warm}, {"20 lines, new names", fresh},
		{"200 lines", long}, {"20 lines on a roll", roll},
	})
	t.Logf("a PDF of 20 lines has %d bytes", len(pdf))
	hold(t, "20 lines, words seen before, in ms", warm.Seconds()*1000, 5)
	hold(t, "20 lines, new names, in ms", fresh.Seconds()*1000, 10)
	hold(t, "200 lines, in ms", long.Seconds()*1000, 20)
	hold(t, "size of a PDF, in KB", float64(len(pdf))/1000, 60)
}

// TestDrawnTwoAtATime holds what a PDF costs while two are drawn at a time
// against one at a time.
func TestDrawnTwoAtATime(t *testing.T) {
	enabled(t)
	runtime.GOMAXPROCS(2)
	press := must(paper.New())
	document := drawn(t, 20, 1)[0]
	const calls = 4
	draw := func() {
		for range calls {
			must(press.Draw(document, paper.Options{}))
		}
	}
	two, times := ratio(func() {
		var both sync.WaitGroup
		both.Go(draw)
		both.Go(draw)
		both.Wait()
	}, draw)
	t.Logf("two goroutines %s, one %s for half as many", micros(times[0]), micros(times[1]))
	hold(t, "a PDF with two goroutines to one", two/2, 1.15)
}
