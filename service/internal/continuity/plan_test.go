package continuity_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/continuity"
)

var start = time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)

// restored returns a database that has three of the five documents issued by a
// device.
func restored() (continuity.Facts, continuity.Books, []continuity.Device) {
	f := continuity.Facts{
		State:    continuity.State{Generation: 4, StoppedAt: start, Reason: "restored"},
		Identity: continuity.Identity{Inode: 9},
		Marks:    &continuity.Record{Generation: 4, Books: continuity.Books{seller: book(5, 5, "e")}},
	}
	books := continuity.Books{seller: book(3, 3, "c")}
	f.Differences = continuity.Compare(seller, f.Marks.Books[seller], continuity.Kept{Book: books[seller]})
	return f, books, []continuity.Device{{DeviceID: continuity.DeviceID{Organisation: seller, Device: device}, Name: "Till 1", End: continuity.End{Counter: 3, Hash: "c"}, IssuedAt: start}}
}

func lastOf(counter int64, hash, previous string) continuity.Last {
	return continuity.Last{Device: device, Counter: counter, Hash: hash, PreviousHash: previous, IssuedAt: start.Add(time.Minute), Kind: "INV", Number: continuity.Number{Prefix: "INV", Year: 2026, Last: counter}}
}

func TestPlan(t *testing.T) {
	none := func(*continuity.Facts, []continuity.Device) {}
	noMarks := func(f *continuity.Facts, _ []continuity.Device) { f.Marks, f.Differences = nil, nil }
	number := func(n int64) map[uuid.UUID]map[string]continuity.Number {
		return map[uuid.UUID]map[string]continuity.Number{seller: {"INV": {Prefix: "INV", Year: 2026, Last: n}}}
	}
	cases := []struct {
		name     string
		change   func(*continuity.Facts, []continuity.Device)
		evidence continuity.Evidence
		want     string // part of the error; empty if there is none
	}{
		{"no evidence", none, continuity.Evidence{}, "issued 5: give its last document"},
		{"the last document", none, continuity.Evidence{Last: []continuity.Last{lastOf(5, "e", "d")}}, ""},
		{"a later document than in the marks", none, continuity.Evidence{Last: []continuity.Last{lastOf(6, "f", "e")}}, ""},
		{"an earlier document", none, continuity.Evidence{Last: []continuity.Last{lastOf(4, "d", "c")}}, "it issued 5"},
		{"a document that the database has", none, continuity.Evidence{Last: []continuity.Last{lastOf(2, "b", "a")}}, "the database has 3"},
		{"a document of another chain", none, continuity.Evidence{Last: []continuity.Last{lastOf(5, "x", "d")}}, "does not belong"},
		{"a document with another previous hash", noMarks, continuity.Evidence{Last: []continuity.Last{lastOf(4, "d", "x")}}, "does not belong"},
		{"declared complete", none, continuity.Evidence{Complete: true}, "not complete"},
		{"declared unchanged", none, continuity.Evidence{Unchanged: []uuid.UUID{device}}, "issued 5"},
		{"without marks, no evidence", noMarks, continuity.Evidence{}, "not known what it issued"},
		{"without marks, unchanged", noMarks, continuity.Evidence{Unchanged: []uuid.UUID{device}}, ""},
		{"without marks, complete", noMarks, continuity.Evidence{Complete: true}, ""},
		{"without marks, the last document", noMarks, continuity.Evidence{Last: []continuity.Last{lastOf(5, "e", "d")}}, ""},
		{"abandoned", none, continuity.Evidence{Retired: []uuid.UUID{device}}, ""},
		{"a device that does not exist", none, continuity.Evidence{Retired: []uuid.UUID{seller}}, "does not exist"},
		{"a number that was used", none, continuity.Evidence{Last: []continuity.Last{lastOf(5, "e", "d")}, Numbers: number(4)}, "cannot be the last number"},
		{"a higher number", none, continuity.Evidence{Last: []continuity.Last{lastOf(5, "e", "d")}, Numbers: number(9)}, "2 documents are missing, and their numbers account for 6"},
		{"two documents with one counter", none, continuity.Evidence{Last: []continuity.Last{lastOf(5, "e", "d"), lastOf(5, "x", "d")}}, "different documents"},
		{"a device that the database does not have", func(f *continuity.Facts, _ []continuity.Device) {
			f.Marks.Books[seller].Devices[seller] = continuity.End{Counter: 2, Hash: "b"}
		}, continuity.Evidence{Last: []continuity.Last{lastOf(5, "e", "d")}}, "is not in the database"},
		{"a device that the database does not have, abandoned", func(f *continuity.Facts, _ []continuity.Device) {
			f.Marks.Books[seller].Devices[seller] = continuity.End{Counter: 2, Hash: "b"}
		}, continuity.Evidence{Last: []continuity.Last{lastOf(5, "e", "d")}, Retired: []uuid.UUID{seller}}, ""},
		{"a device that was abandoned before", func(f *continuity.Facts, _ []continuity.Device) {
			f.Marks.Books[seller].Devices[device] = continuity.End{Counter: 3, Hash: "c", Retired: true}
		}, continuity.Evidence{Unchanged: []uuid.UUID{device}}, "was abandoned"},
		{"a device that could not issue yet", func(_ *continuity.Facts, d []continuity.Device) { d[0].Pending = true }, continuity.Evidence{Last: []continuity.Last{lastOf(5, "e", "d")}}, "cannot issue yet"},
		{"audit trail is cut off, marks agree", func(f *continuity.Facts, _ []continuity.Device) {
			f.Differences, f.Trail = nil, errors.New("entry 9 is missing")
			f.Marks.Books[seller] = book(3, 3, "c")
		}, continuity.Evidence{}, "not known what it issued"},
		{"a year has ended, without marks", noMarks, continuity.Evidence{Last: []continuity.Last{{Device: device, Counter: 5, Hash: "e", PreviousHash: "d", Kind: "INV",
			Number: continuity.Number{Prefix: "INV", Year: 2027, Last: 1}}}}, "a year has ended"},
		{"another document with the same counter", func(f *continuity.Facts, _ []continuity.Device) { f.Differences[len(f.Differences)-1].Forked = true },
			continuity.Evidence{Last: []continuity.Last{lastOf(5, "e", "d")}}, "cannot be continued"},
		{"marks of one server of several", func(f *continuity.Facts, d []continuity.Device) {
			f.Identity, f.Differences = continuity.Identity{System: "1"}, nil
			f.Marks.Books[seller] = book(3, 3, "c")
		}, continuity.Evidence{}, "not known what it issued"},
		{"marks agree", func(f *continuity.Facts, d []continuity.Device) {
			f.Differences = nil
			f.Marks.Books[seller] = book(3, 3, "c")
		}, continuity.Evidence{}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f, books, devices := restored()
			c.change(&f, devices)
			_, err := continuity.Plan(f, books, devices, c.evidence)
			if (c.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("Plan error = %v, want %q", err, c.want)
			}
		})
	}
}

func TestPlanDeclaresTheGap(t *testing.T) {
	f, books, devices := restored()
	f.Marks.Generation = 7
	f.Differences = nil
	got, err := continuity.Plan(f, books, devices, continuity.Evidence{Last: []continuity.Last{lastOf(5, "e", "d")}})
	if err != nil {
		t.Fatal(err)
	}
	gap := continuity.Gap{Organisation: seller, Device: device, First: 4, Last: 5, Hash: "e", IssuedAt: start.Add(time.Minute)}
	if got.Generation != 8 || len(got.Gaps) != 1 || got.Gaps[0] != gap {
		t.Errorf("planned generation %d and gaps %+v, want 8 and %+v", got.Generation, got.Gaps, gap)
	}
	move := continuity.NumberMove{Organisation: seller, Kind: "INV", First: 4, From: continuity.Number{Prefix: "INV", Year: 2026, Last: 3}, To: continuity.Number{Prefix: "INV", Year: 2026, Last: 5}}
	if len(got.Numbers) != 1 || got.Numbers[0] != move {
		t.Errorf("planned number moves = %+v, want %+v", got.Numbers, move)
	}
}

// The known numbers must account for all missing documents. Otherwise a number
// would be used twice.
func TestPlanAccountsForEveryNumber(t *testing.T) {
	f, books, devices := restored()
	f.Marks, f.Differences = nil, nil
	note := lastOf(6, "f", "e")
	note.Kind, note.Number = "CRN", continuity.Number{Prefix: "CRN", Year: 2026, Last: 1}
	_, err := continuity.Plan(f, books, devices, continuity.Evidence{Last: []continuity.Last{note}})
	if err == nil || !strings.Contains(err.Error(), "3 documents are missing, and their numbers account for 1") {
		t.Errorf("error with one of three numbers = %v, want that the numbers account for 1 of 3", err)
	}
	_, err = continuity.Plan(f, books, devices, continuity.Evidence{Last: []continuity.Last{note},
		Numbers: map[uuid.UUID]map[string]continuity.Number{seller: {"INV": {Prefix: "INV", Year: 2026, Last: 5}}}})
	if err != nil {
		t.Errorf("error with all three numbers = %v, want none", err)
	}
}

func TestPlanGivesNewPrefixes(t *testing.T) {
	f, books, devices := restored()
	books[seller].Numbers["CRN"] = continuity.Number{Prefix: "CRN2", Year: 2026, Last: 3}
	got, err := continuity.Plan(f, books, devices, continuity.Evidence{Retired: []uuid.UUID{device}})
	if err != nil {
		t.Fatal(err)
	}
	var prefixes []string
	for _, n := range got.Numbers {
		prefixes = append(prefixes, n.To.Prefix)
	}
	if text := strings.Join(prefixes, " "); text != "INV6 CRN6 DBN6 ADV6" || len(got.Retired) != 1 || len(got.Gaps) != 0 {
		t.Errorf("planned prefixes = %s, want INV6 CRN6 DBN6 ADV6; plan = %+v", text, got)
	}
}
