package database_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"khatm/service/internal/database"
)

// TestReadsWaitForTheirTurn checks that every read calls Config.Read before it and
// end after it, and returns the error of Config.Read.
func TestReadsWaitForTheirTurn(t *testing.T) {
	t.Parallel()
	refused := errors.New("busy")
	var begun, ended int
	var refuse error
	db, err := database.Open(t.Context(), database.Config{
		Dir: t.TempDir(), Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Read: func(context.Context) (func(), error) {
			if refuse != nil {
				return nil, refuse
			}
			begun++
			return func() { ended++ }, nil
		},
	}, database.Serve)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	one := func(row database.Scanner) (int, error) {
		n := 0
		if err := row.Scan(&n); err != nil {
			return 0, err
		}
		if ended != begun-1 {
			t.Errorf("%d of %d reads have ended while one is running", ended, begun)
		}
		return n, nil
	}
	reads := map[string]func() error{
		"One": func() error { n := 0; return db.One(t.Context(), nil, `SELECT 1`, nil, &n) },
		"All": func() error { _, err := database.All(t.Context(), db, `SELECT 2`, nil, one); return err },
		"AllOnce": func() error {
			_, err := database.AllOnce(t.Context(), db, `SELECT 3`, nil, one)
			return err
		},
		"AllLarge": func() error {
			_, err := database.AllLarge(t.Context(), db, `SELECT 5`, nil, one)
			return err
		},
		"First": func() error { _, err := database.First(t.Context(), db, nil, `SELECT 4`, nil, one); return err },
		"an invalid query": func() error {
			if _, err := database.AllOnce(t.Context(), db, `SELEKT`, nil, one); err == nil {
				t.Error("an invalid query succeeded")
			}
			return nil
		},
	}
	for name, read := range reads {
		before := begun
		if err := read(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if begun != before+1 || ended != begun {
			t.Errorf("%s: %d reads began and %d of all %d ended, want one and all", name, begun-before, ended, begun)
		}
	}
	refuse = refused
	for name, read := range reads {
		if err := read(); !errors.Is(err, refused) && name != "an invalid query" {
			t.Errorf("%s: error %v, want %v", name, err, refused)
		}
	}
}
