package lossyfs_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	_ "modernc.org/sqlite" // the driver

	"khatm/internal/lossyfs"
	"khatm/internal/testtool"
)

// endlessWriter is the environment variable that makes the test binary insert rows into
// the database at its value and print their numbers, until it is killed.
const endlessWriter = "KHATM_TEST_LOSSYFS_WRITER"

func TestMain(m *testing.M) {
	if address := os.Getenv(endlessWriter); address != "" {
		fmt.Println(insertForEver(address))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func insertForEver(address string) error {
	db, err := sql.Open("sqlite", address)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, b BLOB)"); err != nil {
		return err
	}
	for {
		var n int
		if err := db.QueryRow("INSERT INTO t (b) VALUES (randomblob(3000)) RETURNING n").Scan(&n); err != nil {
			return err
		}
		fmt.Println(n)
	}
}

// SQLite loses no committed row with synchronous=FULL, and some with NORMAL.
func TestSQLite(t *testing.T) {
	if lost := lostRows(t, "FULL", 3); lost > 0 {
		t.Errorf("%d committed rows were lost with synchronous=FULL", lost)
	}
	if lost := lostRows(t, "NORMAL", 10); lost == 0 {
		t.Error("no row was lost with synchronous=NORMAL")
	}
}

// lostRows returns how many committed rows are lost in power failures.
func lostRows(t *testing.T, synchronous string, cuts int) (lost int) {
	t.Helper()
	d := lossyfs.Mount(t)
	address := "file:" + filepath.Join(d.Dir, "x.db") + "?_pragma=journal_mode(WAL)&_pragma=synchronous(" + synchronous + ")"
	for cut := range cuts {
		printed := testtool.KillAfter(t, testtool.Self(t, endlessWriter, address), 20+7*cut, func(line string) bool {
			_, err := strconv.Atoi(line)
			return err == nil
		})
		d.Cut()
		d.Restore(nil)
		last, err := strconv.Atoi(printed[len(printed)-1])
		if err != nil {
			t.Fatal(err)
		}
		if lost = last - rows(t, d); lost > 0 {
			return lost
		}
	}
	return 0
}

// rows returns the number of rows after a power failure. It copies the files, because
// SQLite maps one of them into memory, and this process serves the disk.
func rows(t *testing.T, d *lossyfs.Disk) (n int) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"x.db", "x.db-wal"} {
		text, err := os.ReadFile(filepath.Join(d.Dir, name))
		if os.IsNotExist(err) {
			continue
		}
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "x.db"))
	must(t, err)
	defer func() { _ = db.Close() }()
	var tables int
	must(t, db.QueryRow("SELECT count(*) FROM sqlite_master").Scan(&tables))
	if tables == 0 {
		return 0
	}
	must(t, db.QueryRow("SELECT count(*) FROM t").Scan(&n))
	return n
}
