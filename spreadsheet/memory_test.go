package spreadsheet_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"khatm/spreadsheet"
)

// TestMemoryFlat_50000Rows checks that ten times as many rows need the same
// memory, read or written.
func TestMemoryFlat_50000Rows(t *testing.T) {
	workbook := func(rows int) []byte {
		var b strings.Builder
		for i := range rows {
			fmt.Fprintf(&b, `<row><c t="s"><v>%d</v></c><c t="inlineStr"><is><t>%d</t></is></c><c><v>%d.75</v></c></row>`, i%100, i, i)
		}
		texts := make([]string, 100)
		for i := range texts {
			texts[i] = fmt.Sprintf("<t>عميل %d</t>", i)
		}
		return zipped(t, parts(b.String(), texts...))
	}
	cases := []struct {
		name string
		make func(rows int) func(sample func(row int))
	}{
		{"read CSV", func(rows int) func(func(int)) {
			return reading(t, written(t, spreadsheet.CSV, spreadsheet.Sheet{}, many(rows)...), rows)
		}},
		{"read XLSX", func(rows int) func(func(int)) { return reading(t, workbook(rows), rows) }},
		{"write CSV", func(rows int) func(func(int)) { return writing(t, spreadsheet.CSV, rows) }},
		{"write XLSX", func(rows int) func(func(int)) { return writing(t, spreadsheet.XLSX, rows) }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			few, fewAll := memory(5_000, c.make(5_000))
			more, moreAll := memory(50_000, c.make(50_000))
			t.Logf("5,000 rows: %d KiB in use, %d KiB allocated; 50,000 rows: %d KiB in use, %d KiB allocated", few>>10, fewAll>>10, more>>10, moreAll>>10)
			if more > few+64<<10 {
				t.Errorf("50,000 rows need %d KiB, and 5,000 rows %d KiB; want the same", more>>10, few>>10)
			}
			if moreAll > 11*fewAll {
				t.Errorf("50,000 rows allocate %d KiB, and 5,000 rows %d KiB; want ten times as much", moreAll>>10, fewAll>>10)
			}
		})
	}
}

// memory returns the most memory in use at ten rows, and all memory allocated.
func memory(rows int, use func(sample func(row int))) (most, all int64) {
	measured := func() (now runtime.MemStats) {
		runtime.GC()
		runtime.GC() // the first keeps what is in a sync.Pool
		runtime.ReadMemStats(&now)
		return now
	}
	before := measured()
	use(func(row int) {
		if row%(rows/10) == 0 {
			most = max(most, int64(measured().HeapAlloc)-int64(before.HeapAlloc))
		}
	})
	return most, int64(measured().TotalAlloc - before.TotalAlloc)
}

// reading returns a function that reads a file with the given number of rows.
func reading(t *testing.T, file []byte, rows int) func(sample func(row int)) {
	return func(sample func(row int)) {
		r, err := spreadsheet.NewReader(bytes.NewReader(file), int64(len(file)), spreadsheet.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			if _, err := r.Read(); err != nil {
				t.Fatal(err)
			}
			sample(i)
		}
		if _, err := r.Read(); !errors.Is(err, io.EOF) {
			t.Fatalf("error after %d rows = %v, want io.EOF", rows, err)
		}
	}
}

// writing returns a function that writes the given number of rows.
func writing(t *testing.T, format spreadsheet.Format, rows int) func(sample func(row int)) {
	return func(sample func(row int)) {
		w := spreadsheet.NewWriter(io.Discard, format, spreadsheet.Sheet{})
		for i := range rows {
			if err := w.Write(spreadsheet.Text("عميل"), spreadsheet.Number("115.00")); err != nil {
				t.Fatal(err)
			}
			sample(i)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestXLSX_MemoryIsBounded checks that a small file cannot take much memory.
func TestXLSX_MemoryIsBounded(t *testing.T) {
	const sheet = "xl/worksheets/sheet2.xml"
	cell := `<row r="1"><c r="A1" t="str"><v>%s</v></c></row>`
	noise := func(size int) string { // packs badly
		b := make([]byte, size)
		for i, x := 0, uint32(1); i < size; i++ {
			x = x*1664525 + 1013904223
			b[i] = 'a' + byte(x>>24)%26
		}
		return string(b)
	}
	entries := map[string]string{}
	for i := range 4_000 {
		entries[fmt.Sprintf("%0100d", i)] = ""
	}
	cases := []struct {
		name   string
		parts  map[string]string
		limits spreadsheet.Limits
		want   error
	}{
		{"spaces between rows", change(parts(fmt.Sprintf(cell, "a")), sheet, "</row>", "</row>"+strings.Repeat(" ", 16<<20)), spreadsheet.Limits{}, spreadsheet.ErrTooLarge},
		{"rows without cells", parts(strings.Repeat("<row/>", 1<<18)), spreadsheet.Limits{}, spreadsheet.ErrTooLarge},
		{"long text", parts(fmt.Sprintf(cell, noise(5<<18))), spreadsheet.Limits{}, spreadsheet.ErrTooLarge},
		{"long attribute", parts(`<row a="` + noise(5<<18) + `"/>`), spreadsheet.Limits{}, spreadsheet.ErrTooLarge},
		{"long comment", parts(`<!--` + noise(5<<18) + `-->`), spreadsheet.Limits{}, spreadsheet.ErrTooLarge},
		{"many comments", parts(strings.Repeat("<!--"+noise(1<<16)+"-->", 4)), spreadsheet.Limits{Unpacked: 1 << 17}, spreadsheet.ErrTooLarge},
		{"many shared texts", parts("", strings.Split(strings.Repeat("<t>"+noise(30)+"</t>,", 5_000), ",")...), spreadsheet.Limits{Shared: 1 << 17}, spreadsheet.ErrTooLarge},
		{"empty shared texts", parts("", make([]string, 5_000)...), spreadsheet.Limits{Shared: 1 << 17}, spreadsheet.ErrTooLarge},
		{"text of many runs", parts("", strings.Repeat("<r><t>"+noise(20_000)+"</t></r>", 100)), spreadsheet.Limits{}, nil},
		{"many entries", entries, spreadsheet.Limits{}, spreadsheet.ErrTooLarge},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			file := zipped(t, c.parts)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := readAll(file, c.limits)
			runtime.ReadMemStats(&after)
			if !errors.Is(err, c.want) {
				t.Errorf("error = %v, want %v", err, c.want)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 48<<20 {
				t.Errorf("%d KiB of file took %d KiB of memory", len(file)>>10, took>>10)
			}
		})
	}
}

// TestXLSX_UnpackedSizeIsBounded checks that the size which a file states for a
// part does not matter.
func TestXLSX_UnpackedSizeIsBounded(t *testing.T) {
	rows := strings.Repeat("<row/>", 1<<18)
	for _, stated := range []uint64{0, 1, 1 << 40} {
		file := withSheet(t, parts(rows), func(h *zip.FileHeader) { h.UncompressedSize64 = stated })
		_, _, err := readAll(file, spreadsheet.Limits{Unpacked: 1 << 20})
		if !errors.Is(err, spreadsheet.ErrTooLarge) && !errors.Is(err, spreadsheet.ErrMalformed) {
			t.Errorf("stated size %d: error = %v, want ErrTooLarge or ErrMalformed", stated, err)
		}
	}
}
