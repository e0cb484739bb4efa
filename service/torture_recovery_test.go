package service_test

import (
	"cmp"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/admin"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// TestTorture_RecoverAll loses a database and enters all its documents from the
// archive into the backup of an empty one. Finally both have the same rows.
func TestTorture_RecoverAll(t *testing.T) {
	if !testtool.Torture() {
		t.Skip("runs with make torture; TestReenter covers it with fewer documents")
	}
	const documents = 100_000
	folder := t.TempDir()
	lost, restored := filepath.Join(folder, "lost"), filepath.Join(folder, "restored")
	location := filepath.Join(folder, "archive")
	archived := func(c *server.Config) { c.Archive = server.Archive{Location: location, Wait: true} }
	g, err := openGrowth(filepath.Join(folder, "growth.json"), documents)
	if err != nil {
		t.Fatal(err)
	}
	l := openLoader(t, g, lost, "", archived)
	l.addSellers()
	l.close()
	servicetest.CopyTree(t, lost, restored)
	l = openLoader(t, g, lost, "", archived)
	l.loadTo(documents)
	l.close()

	s := &killRun{t: t, data: restored, archive: location}
	a := s.admin()
	began := time.Now()
	done, err := a.RecoverFromArchive(t.Context(), admin.ArchiveRecovery{Location: location, TakeOver: true, Log: servicetest.Quiet()})
	took := time.Since(began)
	a.Close()
	if err != nil {
		t.Fatal(err)
	}
	servicetest.Equal(t, "documents entered", done.Documents, documents)
	tables := sameRows(t, growthDatabase(t, lost, ""), growthDatabase(t, restored, ""))
	servicetest.ReportScenario(t, "recovery of all documents from the archive", fmt.Sprint(documents, " documents"), 1,
		fmt.Sprintf("entered in %s; %d tables are equal", took.Round(time.Second), tables))
}

// notArchived are the tables that are not compared, because they hold the state of
// one database file.
var notArchived = []string{"archive", "archive_begin", "unarchived", "heartbeat", "continuity", "scrub", "goose_db_version"}

// comparedRows are the rows that are compared, of tables of which some rows may be
// missing: those that have expired, and counts of zero.
var comparedRows = map[string]string{
	"guard": `guard WHERE until > (SELECT max(last_issued_at) FROM chain)`,
	"tally": `tally WHERE n <> 0`,
}

// sameRows checks that two SQLite databases have the same rows and returns the number
// of their tables.
func sameRows(t *testing.T, one, other *sql.DB) (tables int) {
	t.Helper()
	rows, err := one.Query(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if slices.Contains(notArchived, name) {
			continue
		}
		tables++
		count, sum := rowSum(t, one, name)
		if c, s := rowSum(t, other, name); c != count || s != sum {
			t.Errorf("table %s: the lost database has %d rows, the restored one %d, and they are not the same", name, count, c)
		}
	}
	return tables
}

var rowSeed = maphash.MakeSeed()

// rowSum returns the number of rows of a table, and a sum that depends on their
// content and not on their order.
func rowSum(t *testing.T, db *sql.DB, table string) (count int, sum uint64) {
	t.Helper()
	rows, err := db.Query(`SELECT * FROM ` + cmp.Or(comparedRows[table], table))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range columns {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		var h maphash.Hash
		h.SetSeed(rowSeed)
		for _, v := range values {
			length := int64(-1)
			if v.Valid {
				length = int64(len(v.String))
			}
			_ = binary.Write(&h, binary.BigEndian, length)
			_, _ = h.WriteString(v.String)
		}
		count++
		sum += h.Sum64()
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return count, sum
}
