package service_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/dict"
	"github.com/klauspost/compress/zstd"

	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
)

// progress describes how far a load has come.
type progress struct {
	began time.Time
	first int // documents when it began
}

// line returns a line about the progress to the next step and to the end.
func (p progress) line(now, step, total int, at time.Time, used, free int64) string {
	rate := float64(now-p.first) / max(at.Sub(p.began).Seconds(), 0.001)
	left := time.Duration(float64(max(total-now, 0)) / max(rate, 0.001) * float64(time.Second))
	return fmt.Sprintf("%s of %s documents (next measurement at %s), %.0f per second, %s left; %d MiB used, %d MiB free",
		grouped(now), grouped(total), grouped(step), rate, left.Round(time.Second), used>>20, free>>20)
}

// TestGrowthProgress checks the line about the progress.
func TestGrowthProgress(t *testing.T) {
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := progress{began: began}
	servicetest.Equal(t, "new run", p.line(20_000, 100_000, 1_020_000, began.Add(20*time.Second), 5<<20, 9<<20),
		"20,000 of 1,020,000 documents (next measurement at 100,000), 1000 per second, 16m40s left; 5 MiB used, 9 MiB free")
	p.first = 20_000
	servicetest.Equal(t, "resumed run", p.line(60_000, 100_000, 1_060_000, began.Add(80*time.Second), 5<<20, 9<<20),
		"60,000 of 1,060,000 documents (next measurement at 100,000), 500 per second, 33m20s left; 5 MiB used, 9 MiB free")
}

// diskUsed returns the size of the database.
func diskUsed(t *testing.T, db *sql.DB, data, database string) (used int64) {
	t.Helper()
	if database != "" {
		if err := db.QueryRow(`SELECT pg_database_size(current_database())`).Scan(&used); err != nil {
			t.Error(err) // may be called in another goroutine
		}
		return used
	}
	for _, name := range []string{store.DatabaseFile, store.DatabaseFile + "-wal"} {
		if info, err := os.Stat(filepath.Join(data, name)); err == nil {
			used += info.Size()
		}
	}
	return used
}

// diskTables returns the bytes per document of the largest tables and indexes. On
// SQLite this reads the whole file.
func diskTables(t *testing.T, db *sql.DB, database string, documents int) string {
	t.Helper()
	query := `SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY bytes DESC LIMIT 24`
	if database != "" {
		query = `
			SELECT name, bytes FROM (
				SELECT c.relname::text AS name, pg_table_size(c.oid) AS bytes FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
				UNION ALL
				SELECT c.relname::text, pg_relation_size(c.oid) FROM pg_class c WHERE c.relkind = 'i' AND c.relnamespace = 'public'::regnamespace
			) sizes ORDER BY bytes DESC LIMIT 24`
	}
	rows, err := db.Query(query)
	if err != nil {
		return "the sizes of tables cannot be read: " + err.Error()
	}
	defer func() { _ = rows.Close() }()
	var lines []string
	for rows.Next() {
		var name string
		var bytes int64
		if err := rows.Scan(&name, &bytes); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %d", name, bytes/int64(max(documents, 1))))
	}
	return "bytes per invoice: " + strings.Join(lines, ", ")
}

// compression sets the sizes of stored XML and records, plain and compressed. The
// dictionary is made from other documents than those that it compresses.
func compression(t *testing.T, db *sql.DB, f figures, size int, of *grown) {
	t.Helper()
	rows, err := db.Query(`SELECT xml, record FROM document WHERE org_id = $1 ORDER BY invoice_id DESC LIMIT 1000`, of.ID.String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var xml, records [][]byte
	for rows.Next() {
		var one, record []byte
		if err := rows.Scan(&one, &record); err != nil {
			t.Fatal(err)
		}
		xml, records = append(xml, one), append(records, record)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		all                       [][]byte
		plain, packed, dictionary string
	}{{xml, xmlPlain, xmlCompressed, xmlDictionary}, {records, recordPlain, recordCompressed, recordDictionary}} {
		half := len(c.all) / 2
		trained, err := dict.BuildZstdDict(c.all[:half], dict.Options{MaxDictSize: 64 << 10, HashBytes: 6, ZstdDictID: 1})
		if err != nil {
			t.Fatalf("build a dictionary of %d documents: %v", half, err)
		}
		f.set(c.plain, size, figure{Value: average(c.all[half:], func(b []byte) []byte { return b }), Unit: "bytes"})
		f.set(c.packed, size, figure{Value: average(c.all[half:], packer(t)), Unit: "bytes"})
		f.set(c.dictionary, size, figure{Value: average(c.all[half:], packer(t, zstd.WithEncoderDict(trained))), Unit: "bytes"})
	}
}

func packer(t *testing.T, options ...zstd.EOption) func([]byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, append(options, zstd.WithEncoderConcurrency(1))...)
	if err != nil {
		t.Fatal(err)
	}
	return func(b []byte) []byte { return w.EncodeAll(b, nil) }
}

// average returns the average length after a change.
func average(all [][]byte, change func([]byte) []byte) float64 {
	sum := 0
	for _, one := range all {
		sum += len(change(one))
	}
	return float64(sum) / float64(max(len(all), 1))
}
