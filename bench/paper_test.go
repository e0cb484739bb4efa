package bench

import (
	"bytes"
	"compress/flate"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"khatm/invoice"
	"khatm/paper"
	"khatm/sample"
)

// drawn returns the given number of stamped invoices, each with the given number of
// lines and its own item names.
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

// TestDrawnInvoice compares the CPU time of a PDF with that of deflating 120 KiB with
// the standard library, so that the limits do not depend on the machine. On a machine
// that needs 1.25 ms for deflating, the limits are 5 ms for twenty lines with cached
// words, 10 ms with new names, and 20 ms for two hundred lines.
func TestDrawnInvoice(t *testing.T) {
	enabled(t)
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as in khatm serve
	press := must(paper.New())
	few, many := drawn(t, 20, 400), drawn(t, 200, 1)
	deflate := func() {
		w := must(flate.NewWriter(&bytes.Buffer{}, flate.DefaultCompression))
		for i, n := 0, 0; n < 120<<10; i++ { // about as much as in a PDF of twenty lines
			n += must(w.Write(few[i]))
		}
		_ = w.Close()
	}
	n := 0
	for _, c := range []struct {
		name  string
		draw  func()
		bound float64 // in ms, if deflating takes 1.25 ms
	}{
		{"20 lines, cached words", func() { must(press.Draw(few[0], paper.Options{})) }, 5},
		{"20 lines, new names", func() { n++; must(press.Draw(few[n%len(few)], paper.Options{})) }, 10},
		{"20 lines on a roll", func() { must(press.Draw(few[0], paper.Options{Paper: paper.Roll80})) }, 5},
		{"200 lines", func() { must(press.Draw(many[0], paper.Options{})) }, 20},
	} {
		beside, times := ratio(c.draw, deflate)
		t.Logf("%s: %s; deflating 120 KiB: %s", c.name, micros(times[0]), micros(times[1]))
		hold(t, c.name+" / deflating 120 KiB", beside, c.bound/1.25)
	}
	pdf := must(press.Draw(few[0], paper.Options{}))
	hold(t, "size of a PDF of 20 lines, in KB", float64(len(pdf))/1000, 60)
}

// TestDrawnTwoAtATime compares the CPU time per PDF of two goroutines with that of one.
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
	hold(t, "a PDF with two goroutines / with one", two/2, 1.15)
}
