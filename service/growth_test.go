package service_test

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// TestGrowth loads invoices of 500 organisations into a database, stops at several
// sizes to measure, and compares the last figures with the first. It runs with make
// growth and continues where an earlier run ended:
//
//	KHATM_GROWTH_DATA    folder of the database and of the state of the run
//	KHATM_GROWTH         number of invoices (default 3000000)
//	KHATM_GROWTH_ENGINE  sqlite or postgres (default sqlite)
func TestGrowth(t *testing.T) {
	folder := os.Getenv("KHATM_GROWTH_DATA")
	if folder == "" {
		t.Skip("runs with make growth")
	}
	total := 3_000_000
	if text := os.Getenv("KHATM_GROWTH"); text != "" {
		var err error
		if total, err = strconv.Atoi(text); err != nil || total < 1_000 {
			t.Fatalf("KHATM_GROWTH is %q; it must be a number of at least 1000", text)
		}
	}
	engine, database := "SQLite", ""
	data := filepath.Join(folder, "sqlite")
	switch text := os.Getenv("KHATM_GROWTH_ENGINE"); text {
	case "", "sqlite":
	case "postgres":
		engine, database, data = "PostgreSQL", growthPostgres(t), filepath.Join(folder, "postgres")
	default:
		t.Fatalf("KHATM_GROWTH_ENGINE is %q; it must be sqlite or postgres", text)
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	g, err := openGrowth(filepath.Join(data, "growth.json"), total)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range growthSteps(total) {
		if _, measured := g.Figures[auditRate][size]; !measured {
			grow(t, g, size, data, database)
		}
	}
	t.Logf("figures of this run:\n\n%s", g.Figures.table(engine))
	for _, row := range g.Figures.exceeded() {
		t.Error(row)
	}
}

// growthPostgres creates the database if needed and returns its URL.
func growthPostgres(t *testing.T) string {
	t.Helper()
	at, err := url.Parse(os.Getenv("KHATM_TEST_POSTGRES"))
	if err != nil || at.Host == "" {
		t.Fatal("KHATM_TEST_POSTGRES is not a URL: run make growth with PostgreSQL installed, or set the variable")
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, at.String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	const name = "khatm_growth"
	var there bool
	if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)`, name).Scan(&there); err != nil {
		t.Fatal(err)
	}
	if !there {
		if _, err := conn.Exec(ctx, `CREATE DATABASE `+name); err != nil {
			t.Fatal(err)
		}
	}
	at.Path = "/" + name
	return at.String()
}

// grow loads documents up to a size and measures.
func grow(t *testing.T, g *growth, size int, data, database string) {
	t.Helper()
	l := openLoader(t, g, data, database)
	if len(g.Sellers) == 0 {
		if _, all := l.have(); all > 0 {
			t.Fatalf("%s contains documents but no state of a run: delete it or set KHATM_GROWTH_DATA to another folder", data)
		}
		l.addSellers()
	}
	l.checkSpace(size)
	l.loadTo(size)
	if database != "" {
		// What autovacuum does soon after, so that it does not depend on its timing.
		if _, err := l.db.Exec(`VACUUM ANALYZE`); err != nil {
			t.Fatal(err)
		}
	}
	l.measureClaims(size)
	now := l.h.Clock.Now()
	l.close()
	measureCalls(t, g, size, data, database, now)
	growthSizes(t, g, size, data, database)
	measureAudit(t, g, size, data, database)
	g.save(t)
}

// checkSpace ends the test if the documents up to a size need more space than is
// free. Without an earlier measurement it assumes nothing.
func (l *loader) checkSpace(size int) {
	l.t.Helper()
	sizes := l.g.Figures.sizes()
	if len(sizes) == 0 {
		return
	}
	_, all := l.have()
	each := l.g.Figures[diskInvoice][sizes[len(sizes)-1]].Value
	free, reserve := float64(freeSpace(l.h.Data)), float64(2<<30)
	if need := each * float64(size-all); free > 0 && need+reserve > free {
		l.t.Fatalf("%s documents need %.1f GiB more and 2 GiB of reserve, but %.1f GiB are free: set KHATM_GROWTH to at most %d, or KHATM_GROWTH_DATA to a larger disk",
			grouped(size), need/(1<<30), free/(1<<30), all+int((free-reserve)/each))
	}
	l.t.Logf("%s of %s documents exist, %.1f GiB more are needed at %s", grouped(all), grouped(size), each*float64(size-all)/(1<<30), time.Now().Format(time.TimeOnly))
}
