package archive_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"khatm/internal/testtool"
	"khatm/service/internal/archive"
)

const firstFile = "journal/000001/web-1/00000001.jsonl.zst"

// written returns the content of a file with the given batches, each of some lines,
// and the offset of each batch.
func written(t testing.TB, batches [][]int) (text []byte, offsets []int) {
	t.Helper()
	dir := t.TempDir()
	a := begin(t, options(dir), 1)
	for _, numbers := range batches {
		add(t, a, numbers...)
	}
	last := uint64(0)
	if _, err := a.Read(context.Background(), func(p archive.Position, _ []byte) error {
		if p.Batch != last {
			offsets = append(offsets, int(p.Offset))
		}
		last = p.Batch
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, firstFile))
	if err != nil {
		t.Fatal(err)
	}
	return text, offsets
}

// store returns the folder of an archive whose first file has the text.
func store(t testing.TB) (dir string, replace func(text []byte)) {
	t.Helper()
	dir = t.TempDir()
	file := filepath.Join(dir, firstFile)
	begin(t, options(dir), 1)
	return dir, func(text []byte) {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

var threeBatches = [][]int{{1}, {2, 3}, {4, 5, 6}}

// A file that ends anywhere in its last batch has all batches before.
func TestTornAtEveryByte(t *testing.T) {
	text, offsets := written(t, threeBatches)
	dir, replace := store(t)
	a := open(t, options(dir))
	for end := offsets[2]; end <= len(text); end++ {
		replace(text[:end])
		want := []int{1, 2, 3}
		torn := end - offsets[2]
		if end == len(text) {
			want, torn = []int{1, 2, 3, 4, 5, 6}, 0
		}
		report := wantLines(t, a, want...)
		switch {
		case torn == 0 && len(report.Torn) > 0:
			t.Fatalf("end %d: torn = %v, want none", end, report.Torn)
		case torn > 0 && (len(report.Torn) != 1 || report.Torn[0].Offset != int64(offsets[2]) || report.Torn[0].Bytes != int64(torn)):
			t.Fatalf("end %d: torn = %v, want %d bytes at %d", end, report.Torn, torn, offsets[2])
		}
	}
}

// A flipped bit anywhere is found, and changes no line that is read. Damage before the
// last batch is an error.
func TestEveryFlippedByteIsFound(t *testing.T) {
	text, offsets := written(t, threeBatches)
	dir, replace := store(t)
	a := open(t, options(dir))
	all := []string{string(line(1)), string(line(2)), string(line(3)), string(line(4)), string(line(5)), string(line(6))}
	batchOf := []int{0, 1, 1, 2, 2, 2}
	for at := range text {
		damaged := slices.Clone(text)
		damaged[at] ^= 1 << (at % 8)
		replace(damaged)
		batch := 0
		for n, offset := range offsets {
			if at >= offset {
				batch = n
			}
		}
		var want []string
		for n, l := range all {
			if batchOf[n] != batch {
				want = append(want, l)
			}
		}
		got, report, err := read(t, a)
		if !slices.Equal(got, want) {
			t.Fatalf("byte %d: read %q, want %q", at, got, want)
		}
		if batch < 2 {
			if !errors.Is(err, archive.ErrDamaged) || report.Damaged[0].Offset != int64(offsets[batch]) {
				t.Fatalf("byte %d: %v, %v; want ErrDamaged at %d", at, err, report.Damaged, offsets[batch])
			}
		} else if err != nil || len(report.Torn) != 1 || report.Torn[0].Offset != int64(offsets[2]) {
			t.Fatalf("byte %d: %v, torn = %v; want torn at %d", at, err, report.Torn, offsets[2])
		}
	}
}

// A damaged last batch of a file is an error if the journal continues after it.
func TestDamagedEndOfAFileThatIsNotTheLast(t *testing.T) {
	dir := t.TempDir()
	o := options(dir)
	o.FileSize = 1
	a := begin(t, o, 1)
	add(t, a, 1)
	add(t, a, 2)
	add(t, a, 3)
	file := filepath.Join(dir, "journal/000001/web-1/00000002.jsonl.zst")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text[:len(text)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	got, report, err := read(t, a)
	if !errors.Is(err, archive.ErrDamaged) || len(got) != 2 || len(report.Torn) != 1 || len(report.Damaged) != 1 {
		t.Errorf("read %q, %+v, %v; want two lines and ErrDamaged", got, report, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, report, err := read(t, a); !errors.Is(err, archive.ErrDamaged) || !strings.Contains(fmt.Sprint(report.Damaged), "batch 3 follows batch 1") {
		t.Errorf("without the file: %v, %v; want ErrDamaged", report.Damaged, err)
	}
}

// After a torn end, the server writes on in a new file.
func TestWritingAfterATornEnd(t *testing.T) {
	text, offsets := written(t, threeBatches)
	dir, replace := store(t)
	replace(text[:offsets[2]+10])
	o := options(dir)
	o.Server = "web-2" // the journal of web-1 is open in store
	a := open(t, o)
	if err := a.Join(context.Background(), 1); err != nil {
		t.Fatal(err)
	}
	add(t, a, 7)
	wantLines(t, a, 1, 2, 3, 7)
}

// Files without a whole batch at the end of a journal, which a server that was killed
// several times leaves, hide the files before them neither from ReadEnds nor from
// LastBatch.
func TestEndBehindTornFiles(t *testing.T) {
	text, _ := written(t, threeBatches)
	dir, replace := store(t)
	replace(text)
	for _, name := range []string{"00000098.jsonl.zst", "00000099.jsonl.zst"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.Dir(firstFile), name), text[:20], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := open(t, options(dir))
	var got []string
	err := a.ReadEnds(context.Background(), func(_ archive.Position, l []byte) error {
		got = append(got, string(l))
		return nil
	})
	if want := string(line(6)); err != nil || len(got) != 6 || got[5] != want {
		t.Errorf("ReadEnds: %q, %v; want 6 lines that end with %s", got, err, want)
	}
	if n, err := a.LastBatch(context.Background(), filepath.ToSlash(filepath.Dir(firstFile))); n != 3 || err != nil {
		t.Errorf("last batch: %d, %v; want 3", n, err)
	}
}

// Random batches survive random damage: what is read was written, everything outside
// of the damaged batches is read, and the damage is reported.
func TestRandomDamage(t *testing.T) {
	dir, replace := store(t)
	a := open(t, options(dir))
	rapid.Check(t, func(r *rapid.T) {
		batches := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 1<<30), 1, 20), 1, 6).Draw(r, "batches")
		text, offsets := written(t, batches)
		offsets = append(offsets, len(text))
		from := rapid.IntRange(0, len(text)-1).Draw(r, "from")
		to := rapid.IntRange(from+1, min(len(text), from+300)).Draw(r, "to")
		damaged := slices.Clone(text)
		switch rapid.IntRange(0, 2).Draw(r, "kind") {
		case 0:
			clear(damaged[from:to])
			if slices.Equal(damaged, text) {
				r.Skip("these bytes are zeros")
			}
		case 1:
			damaged = slices.Delete(damaged, from, to)
		case 2:
			damaged = slices.Insert(damaged, from, text[from:to]...)
		}
		replace(damaged)
		var want []string
		for n, numbers := range batches {
			if offsets[n+1] <= from || offsets[n] >= to {
				for _, number := range numbers {
					want = append(want, string(line(number)))
				}
			}
		}
		got, report, err := read(t, a)
		for _, l := range want {
			if !slices.Contains(got, l) {
				r.Fatalf("line %s of an undamaged batch was not read", l)
			}
		}
		for _, l := range got {
			if !slices.ContainsFunc(batches, func(numbers []int) bool {
				return slices.ContainsFunc(numbers, func(n int) bool { return string(line(n)) == l })
			}) {
				r.Fatalf("line %s was never written", l)
			}
		}
		if err == nil && len(report.Torn) == 0 && !cutBetween(offsets, from, to, len(damaged) < len(text)) {
			r.Fatalf("no damage was reported: %+v", report)
		}
	})
}

// cutBetween reports whether exactly the last batches were removed, which nothing in
// the file can show.
func cutBetween(offsets []int, from, to int, removed bool) bool {
	return removed && to == offsets[len(offsets)-1] && slices.Contains(offsets, from)
}

// The files are readable with ordinary programs, as docs/archive.md says.
func TestOrdinaryPrograms(t *testing.T) {
	dir := t.TempDir()
	a := begin(t, options(dir), 1)
	add(t, a, 1)
	add(t, a, 2, 3)
	unpack := testtool.Path(t, "zstd")
	filter := testtool.Path(t, "jq")
	out := run(t, "sh", "-c", `"$1" -dc "$2" | "$3" .seq`, "-", unpack, filepath.Join(dir, firstFile), filter)
	if out != "1\n2\n3\n" {
		t.Errorf("zstd and jq print %q", out)
	}
	if err := a.Append(context.Background(), [][]byte{[]byte(`{"kind":"document","id":"x","rows":{"document":[{"xml":"<a>\n<b/></a>"}]}}`)}); err != nil {
		t.Fatal(err)
	}
	out = run(t, "sh", "-c", `"$1" -dc "$2" | "$3" -r 'select(.kind == "document" and .id == "x") | .rows.document[0].xml' | "$4" --c14n11 -`,
		"-", unpack, filepath.Join(dir, firstFile), filter, testtool.Path(t, "xmllint"))
	if out != "<a>\n<b></b></a>" {
		t.Errorf("xmllint prints %q", out)
	}
	script := `tail -c +9 "$1" | head -c 64; echo
size=$(tail -c +9 "$1" | head -c 132 | sed 's/.* bytes 0*\([0-9]*\) .*/\1/')
tail -c +73 "$1" | head -c $((68 + size)) | openssl dgst -sha256 -r`
	testtool.Path(t, "openssl")
	got := strings.Fields(run(t, "sh", "-c", script, "-", filepath.Join(dir, firstFile)))
	if len(got) != 3 || got[0] != got[1] {
		t.Errorf("digests = %q, want the same twice", got)
	}
}
