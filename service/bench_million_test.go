package service_test

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	_ "github.com/jackc/pgx/v5/stdlib"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
)

// TestBenchMillionInvoices compares creating and reading an invoice in
// organisations with a million and with a thousand invoices.
func TestBenchMillionInvoices(t *testing.T) {
	benchmarking(t)
	for name, database := range servicetest.Databases {
		t.Run(name, func(t *testing.T) {
			b := newLoaded(t, database(t))
			b.sellToMany(t, 50)
			few := b.pace(t, 1_000)
			began := time.Now()
			b.fill(t, 1_000_000)
			t.Logf("a million rows were written in %s", time.Since(began).Round(time.Second))
			many := b.pace(t, 0)
			for what, took := range few {
				ratio := float64(many[what]) / float64(took)
				searched := strings.HasPrefix(what, "search") // limited to 50 ms only
				bound := "at most 1.5"
				if searched {
					bound = "at most 50 ms"
				}
				t.Logf("%-20s %10s at a thousand, %10s at a million: ratio %.2f (%s)", what, took, many[what], ratio, bound)
				if ratio > 1.5 && !searched || many[what] > 50*time.Millisecond {
					t.Errorf("%s takes %s with a million invoices, %.2f times as long as with a thousand; want %s", what, many[what], ratio, bound)
				}
			}
		})
	}
}

// sellToMany issues an invoice to each of many buyers.
func (b *loaded) sellToMany(t *testing.T, buyers int) {
	t.Helper()
	h := servicetest.Open(t, func(c *server.Config) { c.Data, c.Database, c.Now = b.data, b.database, time.Now })
	h.Key = b.key
	shop := *b.shop
	shop.Instance = h
	for n := range buyers {
		buyer := h.Client(shop.Org, fmt.Sprintf("Dormant buyer %02d", n))
		shop.Created(shop.Standard(servicetest.SuppliedToday(), servicetest.Fields{"buyer": buyer.ID}))
	}
	h.HTTP.Close()
	h.Service.Close()
}

// pace starts a server, creates invoices (before, but at least 100), and
// returns the median times that a single caller waits, by operation.
func (b *loaded) pace(t *testing.T, before int) map[string]time.Duration {
	t.Helper()
	v := startProcess(t, b.data, b.database, "")
	defer v.kill()
	b.creates(v, max(before/20, 5))
	client := &http.Client{}
	defer client.CloseIdleConnections()
	var id string
	get := func(path string) func() {
		return func() {
			r, err := http.NewRequest(http.MethodGet, "http://"+v.address+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+b.key)
			a, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, a.Body)
			_ = a.Body.Close()
			if a.StatusCode != http.StatusOK {
				t.Fatalf("%s: status %d, want 200", path, a.StatusCode)
			}
		}
	}
	took := map[string]time.Duration{
		"create": median(func() {
			if !b.create(client, v.address, b.devices[0]) {
				t.Fatal("create failed")
			}
		}),
	}
	for id = range b.told {
		break
	}
	took["read"] = median(get("/v1/api/invoices/" + id + "/"))
	took["list"] = median(get("/v1/api/invoices/"))
	took["search by number"] = median(get("/v1/api/invoices/?search_text=" + b.told[id]))
	took["search by a buyer"] = median(get("/v1/api/invoices/?search_text=dormant+07"))
	took["search by 50 buyers"] = median(get("/v1/api/invoices/?search_text=dormant"))
	return took
}

// median returns the median duration of three hundred calls.
func median(call func()) time.Duration {
	var all []time.Duration
	for range 300 {
		began := time.Now()
		call()
		all = append(all, time.Since(began))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// fill inserts n copies of an existing invoice for another device. The copies
// are older than all other invoices.
func (b *loaded) fill(t *testing.T, n int) {
	t.Helper()
	driver, source := "sqlite", "file:"+filepath.Join(b.data, "khatm.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)&_pragma=cache_size(-262144)"
	numbers := fmt.Sprintf(`(WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < %d) SELECT n FROM n) numbers`, n)
	id, hash, digest := `printf('00000000-0000-7000-8000-%012x', n)`, `printf('%044d', n)`, `randomblob(32)`
	xml := `x'00'`
	if b.database != "" {
		driver, source = "pgx", b.database
		numbers = fmt.Sprintf(`generate_series(1, %d) AS numbers (n)`, n)
		id, hash = `('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`, `lpad(n::text, 44, '0')`
		digest, xml = `sha256(n::text::bytea)`, `'\x00'::bytea`
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	exec := func(query string, args ...any) {
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatalf("%.200s: %v", query, err)
		}
	}
	device := b.devices[4].String() // has issued documents; the copies have higher counters
	with := map[string]map[string]string{
		"invoice": {
			"place": "t.place - t.place % 1099511627776 + (SELECT max(documents) FROM book) + n", "id": id, "task_id": id, "device_id": "'" + device + "'", "counter": "1000000 + n", "hash": hash, "previous_hash": hash,
			"ref_num": "'OLD-' || n", "ref_key": "'old' || n", "tail": "n", "idempotency_key": "NULL", "key_folded": "NULL",
			"buyer_text": "(SELECT max(place) - n % 50 FROM buyer_text)",
			"currency":   "'SAR'", "buyer_id": "NULL", "buyer_name": "''", "without_vat": "'0.00'", "vat": "'0.00'", "with_vat": "'0.00'", "payable": "'0.00'",
		},
		"document": {
			"invoice_id": id, "record": `'{"currency":"SAR","seller":{"identifications":[{"type":"CRN","value":"1"}]}}'`, "xml": xml,
			"digest": "NULL", "xml_digest": "NULL",
		},
		"vat_row":    {"invoice_id": id},
		"submission": {"invoice_id": id},
		"share":      {"invoice_id": id, "digest": digest},
	}
	if b.database != "" {
		with["invoice"]["device_id"] += "::uuid"
	}
	withDigests := `DROP TRIGGER document_has_digests`
	if b.database != "" {
		withDigests += ` ON document`
	}
	exec(withDigests)
	for _, table := range []string{"invoice", "document", "vat_row", "submission", "share"} {
		columns := columnsOf(t, db, table)
		values := make([]string, len(columns))
		for i, column := range columns {
			if values[i] = with[table][column]; values[i] == "" {
				values[i] = "t." + column
			}
		}
		exec(`INSERT INTO ` + table + ` (` + strings.Join(columns, ", ") + `) SELECT ` + strings.Join(values, ", ") +
			` FROM (SELECT * FROM ` + table + ` LIMIT 1) t CROSS JOIN ` + numbers)
	}
	exec(`UPDATE tally SET n = n + $1 WHERE what LIKE 'invoice%'`, n)
	exec(`UPDATE book SET documents = documents + $1`, n)
	_ = db.Close()
	digested, err := store.DigestDocuments(t.Context(), store.Config{Dir: b.data, URL: b.database, Now: time.Now, NewID: uuid.New, Log: servicetest.Quiet()},
		store.Digesting{Verify: func(store.Undigested) error { return nil }})
	if err != nil || digested.Documents != n || len(digested.Damaged) > 0 {
		t.Fatalf("DigestDocuments: %d documents, %d damaged, %v; want %d and none damaged", digested.Documents, len(digested.Damaged), err, n)
	}
	if b.database != "" {
		if db, err = sql.Open(driver, source); err != nil {
			t.Fatal(err)
		}
		exec(`VACUUM ANALYZE`)
	}
}

func columnsOf(t *testing.T, db *sql.DB, table string) []string {
	t.Helper()
	rows, err := db.Query(`SELECT * FROM ` + table + ` LIMIT 0`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	return names
}
