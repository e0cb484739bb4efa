package journal_test

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"khatm/simulator/internal/journal"
)

// audit appends records and returns the only row of the audit. Records without
// an outcome count as rejected.
func audit(t testing.TB, records []journal.Record) journal.Row {
	t.Helper()
	report := reportOn(t, open(t, "", newClock()), records)
	if len(report.Rows) != 1 || report.Records != int64(len(records)) {
		t.Fatalf("report has not one row for all records: %+v", report)
	}
	return report.Rows[0]
}

// reportOn appends records to a journal and returns its audit.
func reportOn(t rapid.TB, j *journal.Journal, records []journal.Record) *journal.Report {
	t.Helper()
	for _, r := range records {
		if _, err := j.Append(r, nil); err != nil {
			t.Fatal(err)
		}
	}
	report, err := j.Audit(nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func fresh(n int) journal.Record {
	r := submission(n)
	r.Outcome = journal.Accepted
	return r
}

func changed(r journal.Record, change func(*journal.Record)) journal.Record {
	change(&r)
	return r
}

func TestAudit(t *testing.T) {
	type counts struct {
		documents, gaps, forks, repeats, mismatches, unreadable int64
		missing                                                 uint64
	}
	again := changed(fresh(2), func(r *journal.Record) { r.Outcome, r.Status = journal.Duplicate, 409 })
	twin := changed(fresh(2), func(r *journal.Record) { r.Hash, r.UUID = hashOf(902), "twin" })
	for _, c := range []struct {
		name    string
		records []journal.Record
		want    counts
	}{
		{"sound", []journal.Record{fresh(1), fresh(2), fresh(3)}, counts{documents: 3}},
		{"sent in another order", []journal.Record{fresh(3), fresh(1), fresh(2)}, counts{documents: 3}},
		{"sent again", []journal.Record{fresh(1), fresh(2), again, again, fresh(3)}, counts{documents: 3}},
		{"rejected in between", []journal.Record{fresh(1), submission(2), fresh(3)}, counts{documents: 3}},
		{"rejected, then accepted", []journal.Record{fresh(1), submission(2), fresh(2)}, counts{documents: 2}},
		{"gap", []journal.Record{fresh(1), fresh(5)}, counts{documents: 2, gaps: 1, missing: 3}},
		{"two gaps, the first at the start", []journal.Record{fresh(3), fresh(4), fresh(6)}, counts{documents: 3, gaps: 2, missing: 3}},
		{"one counter twice", []journal.Record{fresh(1), fresh(2), twin, fresh(3)}, counts{documents: 4, forks: 1}},
		{"one counter twice, both sent again", []journal.Record{fresh(1), fresh(2), twin, again,
			changed(twin, func(r *journal.Record) { r.Outcome = journal.Duplicate })}, counts{documents: 3, forks: 1}},
		{"one counter twice, the chain continues from the second", []journal.Record{fresh(1), fresh(2), twin,
			changed(fresh(3), func(r *journal.Record) { r.PreviousHash = hashOf(902) })}, counts{documents: 4, forks: 1}},
		{"one previous hash twice", []journal.Record{fresh(1), fresh(2), changed(fresh(3), func(r *journal.Record) { r.PreviousHash = hashOf(1) })},
			counts{documents: 3, forks: 1, mismatches: 1}},
		{"accepted as new twice", []journal.Record{fresh(1), fresh(2), fresh(2)}, counts{documents: 2, repeats: 1}},
		{"wrong previous hash", []journal.Record{fresh(1), changed(fresh(2), func(r *journal.Record) { r.PreviousHash = hashOf(77) })},
			counts{documents: 2, mismatches: 1}},
		{"wrong previous hash of the first document", []journal.Record{changed(fresh(1), func(r *journal.Record) { r.PreviousHash = hashOf(77) })},
			counts{documents: 1, mismatches: 1}},
		{"restarted chain", []journal.Record{fresh(1), fresh(2), changed(fresh(3), func(r *journal.Record) { r.PreviousHash = genesis })},
			counts{documents: 3, forks: 1, mismatches: 1}},
		{"no counter", []journal.Record{fresh(1), changed(fresh(2), func(r *journal.Record) { r.Counter = "" })},
			counts{documents: 1, unreadable: 1}},
		{"invalid counters", []journal.Record{fresh(1),
			changed(fresh(2), func(r *journal.Record) { r.Counter = "two" }),
			changed(fresh(3), func(r *journal.Record) { r.Counter = "0" }),
			changed(fresh(4), func(r *journal.Record) { r.Counter = "-4" }),
			changed(fresh(5), func(r *journal.Record) { r.Counter = "99999999999999999999" })},
			counts{documents: 1, unreadable: 4}},
		{"leading zeros", []journal.Record{fresh(1), changed(fresh(2), func(r *journal.Record) { r.Counter = "002" })}, counts{documents: 2}},
		{"the highest counter", []journal.Record{changed(fresh(1), func(r *journal.Record) { r.Counter = "18446744073709551615" })},
			counts{documents: 1, gaps: 1, missing: 18446744073709551614}},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := audit(t, c.records)
			got := counts{row.Documents, row.Gaps, row.Forks, row.Repeats, row.Mismatches, row.Unreadable, row.Missing}
			if got != c.want {
				t.Errorf("got %+v, want %+v\n%+v", got, c.want, row.Faults)
			}
			sound := c.want == counts{documents: c.want.documents}
			if row.Sound() != sound || (len(row.Faults) == 0) != sound {
				t.Errorf("Sound() = %v with faults %+v, want %v", row.Sound(), row.Faults, sound)
			}
			if row.Submissions != int64(len(c.records)) {
				t.Errorf("row counts %d submissions, want %d", row.Submissions, len(c.records))
			}
		})
	}
}

func TestAuditRows(t *testing.T) {
	j := open(t, "", newClock())
	for _, r := range []journal.Record{
		changed(fresh(1), func(r *journal.Record) { r.Device = "b" }),
		changed(fresh(1), func(r *journal.Record) { r.Device = "a" }),
		changed(fresh(1), func(r *journal.Record) { r.Device, r.Environment = "z", "developer-portal" }),
		changed(fresh(1), func(r *journal.Record) { r.Device, r.Endpoint = "a", "compliance" }), // excluded below
		{Endpoint: "onboarding", Status: 400},
		changed(fresh(2), func(r *journal.Record) { r.Device = "b" }),
	} {
		if _, err := j.Append(r, nil); err != nil {
			t.Fatal(err)
		}
	}
	report, err := j.Audit(func(r journal.Record) bool { return r.Endpoint == "reporting" })
	if err != nil {
		t.Fatal(err)
	}
	var devices []string
	for _, row := range report.Rows {
		devices = append(devices, row.Environment+" "+row.Device)
		if !row.Sound() {
			t.Errorf("row = %+v, want no faults", row)
		}
	}
	if want := []string{"developer-portal z", "production a", "production b"}; !slices.Equal(devices, want) {
		t.Errorf("devices %q, want %q", devices, want)
	}
	if report.Records != 6 {
		t.Errorf("report counts %d records, want 6", report.Records)
	}
}

// TestAuditFindsEveryFault inserts one fault into a chain of any length, sent
// in any order and with repeated submissions, and checks that exactly this
// fault is found.
func TestAuditFindsEveryFault(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(3, 60).Draw(t, "length")
		victim := rapid.IntRange(1, length-1).Draw(t, "victim") // not the last: a missing last document cannot be detected
		kind := rapid.SampledFrom([]string{"none", "gap", "fork", "repeat", "mismatch", "unreadable"}).Draw(t, "fault")
		var records []journal.Record
		for n := 1; n <= length; n++ {
			r := fresh(n)
			if n == victim {
				switch kind {
				case "gap":
					continue
				case "fork":
					records = append(records, changed(r, func(r *journal.Record) { r.Hash = hashOf(1000 + n) }))
				case "repeat":
					records = append(records, r)
				case "mismatch":
					r.PreviousHash = hashOf(1000 + n)
				case "unreadable":
					records = append(records, changed(r, func(r *journal.Record) { r.Counter = "x" + strconv.Itoa(n) }))
				}
			}
			records = append(records, r)
			for range rapid.IntRange(0, 2).Draw(t, "again") {
				records = append(records, changed(r, func(r *journal.Record) { r.Outcome = journal.Duplicate }))
			}
		}
		records = rapid.Permutation(records).Draw(t, "order")
		j, err := journal.Open(journal.Config{Now: newClock().Now})
		if err != nil {
			t.Fatal(err)
		}
		row := reportOn(t, j, records).Rows[0]
		got := map[string]int64{"gap": row.Gaps, "fork": row.Forks, "repeat": row.Repeats, "mismatch": row.Mismatches, "unreadable": row.Unreadable}
		for name, count := range got {
			want := int64(0)
			if name == kind {
				want = 1
			}
			if count != want {
				t.Fatalf("%d faults of kind %s, want %d: %+v", count, name, want, row)
			}
		}
	})
}

func TestAuditBoundsFaults(t *testing.T) {
	var records []journal.Record
	for n := 1; n < 200; n += 2 {
		records = append(records, fresh(n))
	}
	row := audit(t, records)
	if row.Gaps != 99 || len(row.Faults) != 20 {
		t.Errorf("%d gaps and %d listed faults, want 99 and 20", row.Gaps, len(row.Faults))
	}
}
