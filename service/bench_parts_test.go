package service_test

import (
	"database/sql"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// costOf is the CPU time of a call.
func costOf(t *testing.T, do func()) time.Duration {
	t.Helper()
	do()
	const calls = 300
	before := cpuTime(t)
	for range calls {
		do()
	}
	return (cpuTime(t) - before) / calls
}

// helloCost is what a request and its answer cost without anything between.
func helloCost(t *testing.T) time.Duration {
	t.Helper()
	hello := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"message":"hello"}`)
	}))
	defer hello.Close()
	cpu, _ := cost(t, hello.URL, "")
	return cpu
}

// usageCost is what a call costs that reads the key and one row.
func usageCost(t *testing.T, h *house) time.Duration {
	t.Helper()
	cpu, _ := cost(t, h.server.URL+"/v1/api/usage/current/", h.key)
	return cpu
}

// commitCost is what it costs to keep a document in SQLite by the shortest way:
// rows of the sizes that a document has, twenty documents a commit, and the
// grams by which it is found.
func commitCost(t *testing.T) time.Duration {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+t.TempDir()+"/bare.db?_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, text := range []string{
		`CREATE TABLE bare (a INTEGER PRIMARY KEY, b TEXT, c BLOB)`,
		`CREATE VIRTUAL TABLE found USING fts5 (grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
	} {
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	grams := strings.Repeat("abc bcd cde def efg abcdef bcdefg cdefgh ", 18)
	sizes := []int{600, 10_500, 120, 80, 260, 90, 40, 60, 60, 50, 250}
	const documents = 20
	each := costOf(t, func() {
		tx, err := db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		for range documents {
			for _, size := range sizes {
				if _, err := tx.Exec(`INSERT INTO bare (b, c) VALUES ($1, $2)`, "x", make([]byte, size)); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := tx.Exec(`INSERT INTO found (grams) VALUES ($1)`, grams); err != nil {
				t.Fatal(err)
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	})
	return each / documents
}
