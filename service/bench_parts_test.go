package service_test

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/rules"
	"khatm/sample"
	"khatm/seal"
	"khatm/service/internal/servicetest"
)

// cpuOf returns the CPU time that the server uses per call of do.
func (v *process) cpuOf(t *testing.T, do func() (calls int)) time.Duration {
	t.Helper()
	before := v.cpu(t)
	calls := do()
	return (v.cpu(t) - before) / time.Duration(calls)
}

// cpu returns the CPU time of the process. Linux counts in hundredths of a
// second.
func (v *process) cpu(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile("/proc/" + strconv.Itoa(v.process.Process.Pid) + "/stat")
	if err != nil {
		t.Skip("the CPU time of another process is not available on this system")
	}
	_, after, _ := strings.Cut(string(text), ") ")
	const user, system = 11, 12 // fields after the name
	ticks := 0
	for _, at := range []int{user, system} {
		n, err := strconv.Atoi(strings.Fields(after)[at])
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// documentParts returns the costs of reading, computing, checking, writing and
// stamping a document.
func documentParts(t *testing.T, body string) map[string]time.Duration {
	t.Helper()
	now := time.Now()
	facts := sample.Simplified()
	document, err := invoice.Compute(facts)
	if err != nil {
		t.Fatal(err)
	}
	facts.Identity = invoice.Identity{Number: "INV-2026-000001", UUID: uuid.NewString(), Counter: 1, PreviousHash: seal.GenesisHash}.At(now)
	shown, err := document.UBL(facts.Identity)
	if err != nil {
		t.Fatal(err)
	}
	d, err := sample.NewDevice(sample.Seeded(1), now)
	if err != nil {
		t.Fatal(err)
	}
	draft, err := seal.Prepare(shown)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]time.Duration{
		"read the body": servicetest.CostOf(t, func() {
			var read any
			_ = json.Unmarshal([]byte(body), &read)
		}),
		"compute": servicetest.CostOf(t, func() { _, _ = invoice.Compute(facts) }),
		"rules":   servicetest.CostOf(t, func() { rules.CheckUnsealed(shown, now) }),
		"build, hash": servicetest.CostOf(t, func() {
			inv, _ := document.UBL(facts.Identity)
			_, _ = seal.Prepare(inv)
		}),
		"stamp": servicetest.CostOf(t, func() { _, _ = draft.Stamp(d.Key, d.Certificate, now) }),
	}
}

// rowsCost returns the minimum cost of storing the rows of an invoice in
// SQLite: copying them to empty tables with the same definition, with prepared
// statements and twenty documents per commit.
func rowsCost(t *testing.T, data string) time.Duration {
	t.Helper()
	dsn := func(path string) string {
		return "file:" + path + "?_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"
	}
	from, err := sql.Open("sqlite", dsn(filepath.Join(data, "khatm.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }()
	to, err := sql.Open("sqlite", dsn(filepath.Join(t.TempDir(), "bare.db")))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = to.Close() }()
	to.SetMaxOpenConns(1)
	tables := []string{"invoice", "document", "vat_row", "submission", "share", "guard", "event"}
	rows := map[string][][]any{}
	inserts := map[string]*sql.Stmt{}
	for _, table := range tables {
		for _, text := range texts(t, from, `SELECT sql FROM sqlite_master WHERE type IN ('table', 'index') AND tbl_name = '`+table+`' AND sql IS NOT NULL ORDER BY type DESC`) {
			if _, err := to.Exec(text); err != nil {
				t.Fatal(err)
			}
		}
		var columns int
		rows[table], columns = rowsOf(t, from, table)
		marks := strings.TrimSuffix(strings.Repeat("?, ", columns), ", ")
		if inserts[table], err = to.Prepare(`INSERT INTO ` + table + ` VALUES (` + marks + `)`); err != nil {
			t.Fatal(err)
		}
	}
	const documents = 20
	n := len(rows["invoice"]) / documents * documents
	before := servicetest.CPUTime(t)
	for first := 0; first < n; first += documents {
		tx, err := to.Begin()
		if err != nil {
			t.Fatal(err)
		}
		for i := first; i < first+documents; i++ {
			for _, table := range tables {
				if i >= len(rows[table]) {
					continue
				}
				if _, err := tx.Stmt(inserts[table]).Exec(rows[table][i]...); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	return (servicetest.CPUTime(t) - before) / time.Duration(n)
}

func texts(t *testing.T, db *sql.DB, query string) (found []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		found = append(found, text)
	}
	return found
}

func rowsOf(t *testing.T, db *sql.DB, table string) (all [][]any, columns int) {
	t.Helper()
	rows, err := db.Query(`SELECT * FROM ` + table)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		one, into := make([]any, len(names)), make([]any, len(names))
		for i := range one {
			into[i] = &one[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all, len(names)
}
