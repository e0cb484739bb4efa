package continuity_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/continuity"
)

var (
	seller = uuid.MustParse("018f0000-0000-7000-8000-000000000001")
	device = uuid.MustParse("018f0000-0000-7000-8000-00000000000a")
)

func book(documents, counter int64, hash string) continuity.Book {
	return continuity.Book{
		Documents: documents,
		Numbers:   map[string]continuity.Number{"INV": {Prefix: "INV", Year: 2026, Last: documents}},
		Devices:   map[uuid.UUID]continuity.End{device: {Counter: counter, Hash: hash}},
	}
}

func TestCompare(t *testing.T) {
	kept := func(b continuity.Book, marked string) continuity.Kept {
		return continuity.Kept{Book: b, Marked: map[uuid.UUID]string{device: marked}}
	}
	cases := []struct {
		name  string
		marks continuity.Book
		kept  continuity.Kept
		want  string // part of the differences; empty if there are none
	}{
		{"equal", book(5, 5, "e"), kept(book(5, 5, "e"), "e"), ""},
		{"marks behind", book(3, 3, "c"), kept(book(5, 5, "e"), "c"), ""},
		{"documents are missing", book(5, 5, "e"), kept(book(4, 5, "e"), "e"), "documents: the marks have 5, the database 4"},
		{"a counter is missing", book(5, 5, "e"), kept(book(5, 4, "d"), ""), "counter 5, the database counter 4"},
		{"another document", book(5, 5, "e"), kept(book(5, 5, "x"), "x"), "another document"},
		{"another document, long ago", book(3, 3, "c"), kept(book(5, 5, "e"), "x"), "another document"},
		{"a number is missing", book(5, 5, "e"), kept(continuity.Book{Documents: 5,
			Numbers: map[string]continuity.Number{"INV": {Prefix: "INV", Year: 2026, Last: 4}},
			Devices: map[uuid.UUID]continuity.End{device: {Counter: 5, Hash: "e"}}}, "e"), "INV-2026-000005, the database INV-2026-000004"},
		{"released from a later year", continuity.Book{Numbers: map[string]continuity.Number{"INV": {Prefix: "INV", Year: 2028, Last: 5}}},
			continuity.Kept{Book: continuity.Book{
				Numbers: map[string]continuity.Number{"INV": {Prefix: "INV", Year: 2026, Last: 9}},
				Ahead:   map[string]continuity.Number{"INV": {Prefix: "INV", Year: 2028, Last: 5}}}}, ""},
		{"missing in a later year", continuity.Book{Numbers: map[string]continuity.Number{"INV": {Prefix: "INV", Year: 2028, Last: 6}}},
			continuity.Kept{Book: continuity.Book{
				Numbers: map[string]continuity.Number{"INV": {Prefix: "INV", Year: 2026, Last: 9}},
				Ahead:   map[string]continuity.Number{"INV": {Prefix: "INV", Year: 2028, Last: 5}}}}, "INV-2028-000006"},
		{"everything is missing", book(5, 5, "e"), continuity.Kept{}, "documents: the marks have 5"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var all []string
			for _, d := range continuity.Compare(seller, c.marks, c.kept) {
				all = append(all, d.String())
			}
			got := strings.Join(all, "\n")
			if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("differences = %q, want %q", got, c.want)
			}
		})
	}
}

func TestNumberAfter(t *testing.T) {
	n := func(prefix string, year int, last int64) continuity.Number {
		return continuity.Number{Prefix: prefix, Year: year, Last: last}
	}
	cases := []struct {
		name string
		a, b continuity.Number
		want bool
	}{
		{"next", n("INV", 2026, 2), n("INV", 2026, 1), true},
		{"same", n("INV", 2026, 2), n("INV", 2026, 2), false},
		{"next year", n("INV", 2027, 1), n("INV", 2026, 99), true},
		{"last year", n("INV", 2026, 99), n("INV", 2027, 1), false},
		{"first number", n("INV", 2026, 1), continuity.Number{}, true},
		{"another prefix", n("INV", 2026, 9), n("B", 2026, 1), false},
	}
	for _, c := range cases {
		if got := c.a.After(c.b); got != c.want {
			t.Errorf("%s: After = %t, want %t", c.name, got, c.want)
		}
	}
}

func TestJudge(t *testing.T) {
	file := continuity.Identity{Inode: 7, Born: 70}
	moved := continuity.Identity{Inode: 8, Born: 80}
	server := continuity.Identity{System: "1", Timeline: "00000001", Database: 5, Table: 6}
	promoted := continuity.Identity{System: "1", Timeline: "00000002", Database: 5, Table: 6}
	restored := continuity.Identity{System: "1", Timeline: "00000001", Database: 9, Table: 10}
	partial := continuity.Identity{Timeline: "00000001", Database: 5, Table: 6}
	state := func(generation int64, of *continuity.Identity) continuity.State {
		return continuity.State{Generation: generation, Identity: of}
	}
	marks := func(generation int64, of *continuity.Identity) *continuity.Record {
		return &continuity.Record{Generation: generation, Identity: of}
	}
	lacking := []continuity.Difference{{Organisation: seller, Marks: "5", Database: "4"}}
	cases := []struct {
		name  string
		facts continuity.Facts
		want  string // part of the reason; empty if the database is complete
	}{
		{"never compared", continuity.Facts{State: state(0, nil), Identity: file}, ""},
		{"unchanged, no marks", continuity.Facts{State: state(0, &file), Identity: file}, ""},
		{"another file, no marks", continuity.Facts{State: state(0, &file), Identity: moved}, "no marks"},
		{"another file, marks agree", continuity.Facts{State: state(0, &file), Identity: moved, Marks: marks(0, &file)}, ""},
		{"another file, marks ahead", continuity.Facts{State: state(0, &file), Identity: moved, Marks: marks(0, &file), Differences: lacking}, "the database 4"},
		{"the same file, marks ahead", continuity.Facts{State: state(0, &file), Identity: file, Marks: marks(0, &file), Differences: lacking}, "the database 4"},
		{"audit trail is cut off", continuity.Facts{State: state(0, &file), Identity: file, Marks: marks(0, &file), Trail: errors.New("entry 9 is missing")}, "entry 9"},
		{"from before a recovery", continuity.Facts{State: state(0, &file), Identity: file, Marks: marks(1, &file)}, "older than the last recovery"},
		{"the same server", continuity.Facts{State: state(0, &server), Identity: server, Marks: marks(0, &server)}, ""},
		{"a promoted standby, marks agree", continuity.Facts{State: state(0, &server), Identity: promoted, Marks: marks(0, &server)}, "promoted"},
		{"a restored dump, marks agree", continuity.Facts{State: state(0, &server), Identity: restored, Marks: marks(0, &server)}, "restored"},
		{"promotion recorded in the database, not in the marks", continuity.Facts{State: state(0, &promoted), Identity: promoted, Marks: marks(0, &server)}, "promoted"},
		{"some identity functions are forbidden", continuity.Facts{State: state(0, &server), Identity: partial, Marks: marks(0, &server)}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := c.facts.Judge()
			if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("reason = %q, want %q", got, c.want)
			}
		})
	}
}
