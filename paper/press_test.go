package paper_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"khatm/invoice"
	"khatm/paper"
	"khatm/sample"
	"khatm/seal"
)

var sharedPress = sync.OnceValues(paper.New)

// press returns a Press that is shared by all tests, because loading the fonts is slow.
func press(tb testing.TB) *paper.Press {
	tb.Helper()
	p, err := sharedPress()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// sealed returns the facts as the sealed first document of a device.
func sealed(tb testing.TB, f invoice.Facts) *seal.Sealed {
	tb.Helper()
	device, err := sample.NewDevice(sample.Seeded(1), time.Date(2026, 11, 14, 9, 0, 0, 0, invoice.Riyadh()))
	if err != nil {
		tb.Fatal(err)
	}
	document, err := device.Seal(f)
	if err != nil {
		tb.Fatal(err)
	}
	return document
}

// facts returns the sample with the given name.
func facts(tb testing.TB, name string) invoice.Facts {
	tb.Helper()
	for _, c := range sample.Every() {
		if c.Name == name {
			return c.Facts
		}
	}
	tb.Fatalf("package sample has no sample %s", name)
	return invoice.Facts{}
}

// names are realistic item names, in Arabic, English and both.
var names = []string{
	"قهوة عربية محمصة بالهيل – عبوة 250 جرام",
	"طابعة ليزر HP LaserJet Pro M404dn مع ضمان سنتين",
	"لابتوب Dell Latitude 7450 بذاكرة 16GB وقرص 512GB | Dell Latitude 7450 laptop 16GB/512GB",
	"كرسي مكتبي مريح قابل للتعديل | Ergonomic adjustable office chair",
	"Consulting services (digital transformation), November 2026",
}

// long returns an invoice with the given number of lines. Each seed above 0 has
// different item names.
func long(lines, seed int) invoice.Facts {
	f := sample.Invoice()
	goods := f.Lines
	f.Lines = nil
	for i := range lines {
		line := goods[i%len(goods)]
		line.Name = names[i%len(names)]
		if seed > 0 {
			line.Name = fmt.Sprintf("صنف%dب%d كود%dx%d | item%dq%d of%dk%d", seed, i, i, seed, i, seed, seed, i)
		}
		f.Lines = append(f.Lines, line)
	}
	return f
}
