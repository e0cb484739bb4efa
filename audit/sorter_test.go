package audit

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

func TestSorterSortsMoreThanItHolds(t *testing.T) {
	cases := []struct {
		name    string
		records int
		files   bool
		runs    int
	}{
		{"nothing", 0, true, 0},
		{"one", 1, true, 0},
		{"fits into memory", 1_000, true, 0},
		{"fills the memory exactly", held / 48, true, 1},
		{"exceeds the memory", 3 * held / 48, true, 3},
		{"exceeds the memory, without files", 3 * held / 48, false, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := &sorter{size: 48}
			if c.files {
				s.scratch = func() (Scratch, error) { return os.CreateTemp(t.TempDir(), "sort") }
			}
			rng := rand.New(rand.NewPCG(1, 2))
			var want [][]byte
			for range c.records {
				record := make([]byte, 48)
				for i := range 6 {
					record[rng.IntN(48)] = byte(i + rng.IntN(3))
				}
				want = append(want, record)
				if err := s.put(record); err != nil {
					t.Fatal(err)
				}
			}
			if len(s.runs) != c.runs {
				t.Errorf("sorter wrote %d runs, want %d", len(s.runs), c.runs)
			}
			slices.SortFunc(want, bytes.Compare)
			n := 0
			for record, err := range s.sorted() {
				if err != nil || n >= len(want) || !bytes.Equal(record, want[n]) {
					t.Fatalf("sorted record %d = %x, error %v, want the records in order", n, record, err)
				}
				n++
			}
			if err := s.close(); n != len(want) || err != nil {
				t.Errorf("sorted %d records, want %d; close returned %v", n, len(want), err)
			}
		})
	}
}

var errFull = errors.New("disk is full")

// full is a file on a full disk.
type full struct{ Scratch }

func (full) Write([]byte) (int, error)         { return 0, errFull }
func (full) ReadAt([]byte, int64) (int, error) { return 0, errFull }

func TestSorterReturnsDiskErrors(t *testing.T) {
	for name, lend := range map[string]func() (Scratch, error){
		"no file":   func() (Scratch, error) { return nil, errFull },
		"full file": func() (Scratch, error) { return full{}, nil },
	} {
		t.Run(name, func(t *testing.T) {
			s := &sorter{size: 8, scratch: lend}
			var err error
			for i := 0; i <= held/8 && err == nil; i++ {
				err = s.put(make([]byte, 8))
			}
			if !errors.Is(err, errFull) {
				t.Errorf("put = %v, want %v", err, errFull)
			}
		})
	}
}

func TestRecordsRoundTrip(t *testing.T) {
	f := fact{
		id: [16]byte{1, 2}, kind: factAuthority, order: 1 << 40, hash: [32]byte{3}, body: [32]byte{4}, counter: 1 << 50, device: 1 << 20,
		code: 599, status: 5, said: saidNo, cleared: true, created: true,
	}
	if b := f.bytes(); len(b) != factSize || factOf(b) != f {
		t.Errorf("fact has %d bytes and is read as %+v, want %d bytes and %+v", len(b), factOf(b), factSize, f)
	}
	k := keyUse{key: [32]byte{1}, stored: true, line: 7, id: [16]byte{9}, body: [32]byte{5}, code: 202, device: nowhere}
	if b := k.bytes(); len(b) != keySize || keyUseOf(b) != k {
		t.Errorf("keyUse has %d bytes and is read as %+v, want %d bytes and %+v", len(b), keyUseOf(b), keySize, k)
	}
	n := number{seriesKey{1}, 1 << 60, [16]byte{2}, 3}
	if b := n.bytes(); len(b) != numberSize || numberOf(b) != n {
		t.Errorf("number has %d bytes and is read as %+v, want %d bytes and %+v", len(b), numberOf(b), numberSize, n)
	}
	s := position{1, 2, [16]byte{3}}
	if b := s.bytes(); len(b) != positionSize || positionOf(b) != s {
		t.Errorf("position has %d bytes and is read as %+v, want %d bytes and %+v", len(b), positionOf(b), positionSize, s)
	}
}
