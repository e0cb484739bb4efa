package servicetest

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/uuid"

	"khatm/seal"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/witness"
)

// AllInvoices returns all invoices of an organisation, oldest first.
func (h *Instance) AllInvoices(o org.Organisation) []ledger.Invoice {
	h.TB.Helper()
	var book []ledger.Invoice
	page := org.Page{Size: 100, Number: 1}
	for {
		list, err := h.Service.Store().Invoices(context.Background(), org.TenantOf(o.ID), ledger.Filter{}, page)
		if err != nil {
			h.TB.Fatal(err)
		}
		book = append(book, list.Rows...)
		if list.Next == uuid.Nil {
			break
		}
		page.After = list.Next
	}
	slices.Reverse(book)
	return book
}

// CheckChains verifies all documents of an organisation: counters from 1
// without gaps, each document linked to the previous one, hash, stamp and QR
// code valid, unique numbers, times in order. It returns the number of
// documents.
func (h *Instance) CheckChains(o org.Organisation) int {
	h.TB.Helper()
	type end struct {
		counter int64
		hash    string
		at      int64
	}
	ends := map[uuid.UUID]end{}
	numbers := map[string]bool{}
	book := h.AllInvoices(o)
	slices.SortStableFunc(book, func(a, b ledger.Invoice) int { return int(a.Counter - b.Counter) })
	for _, i := range book {
		last, begun := ends[i.Device]
		if !begun {
			last.hash = seal.GenesisHash
		}
		xml, err := h.Service.Store().SignedXML(context.Background(), org.TenantOf(o.ID), i.ID)
		if err != nil {
			h.TB.Fatal(err)
		}
		report, err := witness.Verify(xml, witness.Expect{PreviousHash: last.hash, RequireStamp: true})
		if err != nil || len(report.Findings) > 0 {
			h.TB.Fatalf("%s does not verify: %v, findings %v", i.Number, err, report.Findings)
		}
		if i.Counter != last.counter+1 || i.PreviousHash != last.hash || report.Hash != i.Hash {
			h.TB.Fatalf("%s: counter %d follows %d, previous hash %s follows %s", i.Number, i.Counter, last.counter, i.PreviousHash, last.hash)
		}
		if i.IssuedAt.UnixMilli() < last.at {
			h.TB.Fatalf("%s is dated before its predecessor in the chain", i.Number)
		}
		if numbers[i.Number] {
			h.TB.Fatalf("number %s was used twice", i.Number)
		}
		numbers[i.Number] = true
		ends[i.Device] = end{i.Counter, i.Hash, i.IssuedAt.UnixMilli()}
	}
	return len(book)
}

// Head decrypts a sealed head of the audit trail.
func (h *Instance) Head(sealed string) org.Link {
	h.TB.Helper()
	plain, err := h.ring().Open(org.TrailHeadPurpose, org.TrailHeadOwner, []byte(sealed))
	if err != nil {
		h.TB.Fatal(err)
	}
	link, err := org.ParseLink(plain)
	if err != nil {
		h.TB.Fatal(err)
	}
	return link
}

// ReadFile returns the content of a file.
func ReadFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Corrupter changes bytes directly in a database.
type Corrupter struct {
	TB       testing.TB
	Db       *sql.DB
	Random   *rand.Rand
	Postgres bool
}

// Corrupter opens the database and removes the triggers and checks that prevent
// changes.
func (h *Instance) Corrupter(t testing.TB, seed uint64) *Corrupter {
	t.Helper()
	v := &Corrupter{TB: t, Random: rand.New(rand.NewPCG(seed, 6)), Postgres: h.Database != ""}
	driver, source := "pgx", h.Database
	if !v.Postgres {
		driver, source = "sqlite", "file:"+(&url.URL{Path: filepath.Join(h.Data, "khatm.db")}).EscapedPath()+"?_pragma=busy_timeout(10000)&_pragma=ignore_check_constraints(1)"
	}
	var err error
	if v.Db, err = sql.Open(driver, source); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Db.Close() })
	for trigger, table := range map[string]string{
		"invoice_is_final": "invoice", "invoice_answer_is_final": "invoice", "invoice_code_is_final": "invoice", "invoice_answer_digest_is_final": "invoice",
		"document_is_final": "document", "verdict_is_final": "verdict",
	} {
		if v.Postgres {
			trigger += " ON " + table
		}
		if _, err := v.Db.Exec(`DROP TRIGGER ` + trigger); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// Engine returns the name of the database engine.
func (h *Instance) Engine() string {
	if h.Database != "" {
		return "PostgreSQL"
	}
	return "SQLite"
}
