package service_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/servicetest"
)

// figure is one measured value: durations, or a value with its unit.
type figure struct {
	Median, P99 time.Duration
	Value       float64
	Unit        string
}

// figures holds what was measured, by operation and number of documents.
type figures map[string]map[int]figure

// set adds a figure.
func (f figures) set(what string, size int, value figure) {
	if f[what] == nil {
		f[what] = map[int]figure{}
	}
	f[what][size] = value
}

// figureOf returns the median and the 99th percentile of durations.
func figureOf(all []time.Duration) figure {
	if len(all) == 0 {
		return figure{}
	}
	sorted := slices.Sorted(slices.Values(all))
	return figure{Median: sorted[len(sorted)/2], P99: sorted[len(sorted)*99/100]}
}

// String returns the figure as a cell of the table.
func (f figure) String() string {
	if f.Unit != "" {
		return fmt.Sprintf("%.0f %s", f.Value, f.Unit)
	}
	millis := func(d time.Duration) string { return fmt.Sprintf("%.2f", float64(d.Microseconds())/1000) }
	return millis(f.Median) + " / " + millis(f.P99)
}

// Limits of the growth of an operation. The median at the last size is compared
// with that at the first.
const (
	growthRatio  = 1.5
	growthSearch = 50 * time.Millisecond
)

// growthRow is a row of the table: an operation and its limit.
type growthRow struct {
	what   string
	limit  string // shown in the table
	exceed func(first, last figure) bool
}

// growthRows lists the operations in the order of the table.
func growthRows() []growthRow {
	slower := func(first, last figure) bool { return float64(last.Median) > growthRatio*float64(first.Median) }
	late := func(_, last figure) bool { return last.P99 > growthSearch }
	never := func(_, _ figure) bool { return false }
	var rows []growthRow
	for _, what := range []string{
		createLarge, createSmall, readNewest, readAny, listFirst, listMiddle, claimWaiting,
	} {
		rows = append(rows, growthRow{what, "1.5 × the first", slower})
	}
	for _, what := range []string{searchNumber, searchBuyer, searchBuyers, searchAll, searchNone} {
		rows = append(rows, growthRow{what, "p99 50 ms", late})
	}
	for _, what := range []string{claimIdle, recordVerdict, auditRate, diskInvoice, xmlPlain, xmlCompressed, xmlDictionary, recordPlain, recordCompressed, recordDictionary} {
		rows = append(rows, growthRow{what, "–", never})
	}
	return rows
}

// Names of the measured operations.
const (
	createLarge  = "create, in the largest organisation"
	createSmall  = "create, in the smallest organisation"
	readNewest   = "read one of the newest 1,000"
	readAny      = "read any"
	listFirst    = "list, first page"
	listMiddle   = "list, page in the middle (cursor)"
	claimWaiting = "claim, 100 to 300 waiting"

	searchNumber = "search by the number of an old invoice"
	searchBuyer  = "search by one dormant buyer"
	searchBuyers = "search by 50 dormant buyers"
	searchAll    = "search by a word of all buyers"
	searchNone   = "search without a result"

	claimIdle     = "claim, nothing waiting"
	recordVerdict = "record a verdict"
	auditRate     = "audit of up to 10,000 documents"
	diskInvoice   = "disk per invoice, database"

	xmlPlain         = "XML per invoice"
	xmlCompressed    = "XML per invoice, zstd"
	xmlDictionary    = "XML per invoice, zstd with a dictionary"
	recordPlain      = "record per invoice"
	recordCompressed = "record per invoice, zstd"
	recordDictionary = "record per invoice, zstd with a dictionary"
)

// sizes returns the measured sizes in order.
func (f figures) sizes() []int {
	all := map[int]bool{}
	for _, bySize := range f {
		for size := range bySize {
			all[size] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// table returns the figures in Markdown.
func (f figures) table(engine string) string {
	var b strings.Builder
	sizes := f.sizes()
	fmt.Fprintf(&b, "| %s: median / p99 in ms", engine)
	for _, size := range sizes {
		b.WriteString(" | " + grouped(size))
	}
	b.WriteString(" | limit |\n|---" + strings.Repeat("|---", len(sizes)+1) + "|\n")
	for _, row := range growthRows() {
		if len(f[row.what]) == 0 {
			continue
		}
		b.WriteString("| " + row.what)
		for _, size := range sizes {
			cell := "–"
			if value, known := f[row.what][size]; known {
				cell = value.String()
			}
			b.WriteString(" | " + cell)
		}
		b.WriteString(" | " + row.limit + " |\n")
	}
	return b.String()
}

// exceeded returns the rows whose last figure exceeds its limit.
func (f figures) exceeded() []string {
	var out []string
	sizes := f.sizes()
	if len(sizes) == 0 {
		return nil
	}
	for _, row := range growthRows() {
		first, known := f[row.what][sizes[0]]
		last, measured := f[row.what][sizes[len(sizes)-1]]
		if known && measured && row.exceed(first, last) {
			out = append(out, fmt.Sprintf("%s: %s with %s documents, %s with %s; limit %s", row.what, first, grouped(sizes[0]), last, grouped(sizes[len(sizes)-1]), row.limit))
		}
	}
	return out
}

// grouped returns a number with commas between groups of three digits.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// TestGrowthTable checks the table and its limits.
func TestGrowthTable(t *testing.T) {
	ms := func(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }
	f := figures{}
	f.set(createLarge, 10_000, figure{Median: ms(2), P99: ms(9)})
	f.set(createLarge, 3_000_000, figure{Median: ms(3), P99: ms(90)})
	f.set(searchAll, 3_000_000, figure{Median: ms(1), P99: ms(50)})
	f.set(diskInvoice, 10_000, figure{Value: 12_345.4, Unit: "bytes"})
	const want = `| SQLite: median / p99 in ms | 10,000 | 3,000,000 | limit |
|---|---|---|---|
| create, in the largest organisation | 2.00 / 9.00 | 3.00 / 90.00 | 1.5 × the first |
| search by a word of all buyers | – | 1.00 / 50.00 | p99 50 ms |
| disk per invoice, database | 12345 bytes | – | – |
`
	servicetest.Equal(t, "table", f.table("SQLite"), want)
	if got := f.exceeded(); len(got) > 0 {
		t.Errorf("exceeded = %q, want none", got)
	}
	f.set(createLarge, 3_000_000, figure{Median: ms(3.1), P99: ms(3.1)})
	f.set(searchAll, 10_000, figure{Median: ms(1), P99: ms(1)})
	f.set(searchAll, 3_000_000, figure{Median: ms(1), P99: ms(51)})
	if got := f.exceeded(); len(got) != 2 || !strings.HasPrefix(got[0], createLarge) || !strings.HasPrefix(got[1], searchAll) {
		t.Errorf("exceeded = %q, want create and search", got)
	}
	servicetest.Equal(t, "median and p99", figureOf([]time.Duration{5, 1, 3}), figure{Median: 3, P99: 5})
	for n, want := range map[int]string{0: "0", 999: "999", 1_000: "1,000", 3_000_000: "3,000,000"} {
		servicetest.Equal(t, "grouped", grouped(n), want)
	}
}
