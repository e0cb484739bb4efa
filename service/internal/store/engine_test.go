package store_test

import (
	"strings"
	"testing"
	"time"

	"khatm/service/internal/store"
	"khatm/service/internal/store/pgtest"
	"khatm/service/internal/store/storetest"
)

func TestEngine(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		ok(t, s.Ping(s.ctx))
		name, err := s.Engine(s.ctx)
		ok(t, err)
		want := t.Name()[strings.LastIndex(t.Name(), "/")+1:] + " "
		if !strings.HasPrefix(name, want) || len(name) <= len(want) {
			t.Errorf("engine = %q, want %q and a version", name, want)
		}
	})
}

// On SQLite Clock returns the configured clock. PostgreSQL has its own clock,
// here of the same machine.
func TestClock(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		want, within := s.config.Now(), time.Duration(0)
		if s.config.URL != "" {
			want, within = time.Now(), time.Minute
		}
		got, err := s.Clock(s.ctx)
		ok(t, err)
		if off := got.Sub(want).Abs(); off > within {
			t.Errorf("database clock = %s, want %s", got, want)
		}
	})
}

// Settings with which a crash could lose acknowledged documents are refused.
func TestUnsafePostgresSettings(t *testing.T) {
	t.Parallel()
	c := storetest.Postgres(t)
	c.URL += "&synchronous_commit=off"
	for name, open := range openers() {
		t.Run(name, func(t *testing.T) {
			says(t, open(t.Context(), c), "a crash could lose invoices", "synchronous_commit is off", "set it to on")
		})
	}
}

func TestPostgresWithoutUTF8(t *testing.T) {
	t.Parallel()
	raw := rawDatabase(t, store.Config{URL: pgtest.URL(t)})
	const name = "latin_only"
	for _, statement := range []string{
		`DROP DATABASE IF EXISTS ` + name,
		`CREATE DATABASE ` + name + ` TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`,
	} {
		_, err := raw.Exec(statement)
		ok(t, err)
	}
	c := storetest.Postgres(t)
	at, rest, _ := strings.Cut(c.URL, "?")
	c.URL = at[:strings.LastIndex(at, "/")+1] + name + "?" + rest
	for how, open := range openers() {
		t.Run(how, func(t *testing.T) { says(t, open(t.Context(), c), "encoding LATIN1", "UTF8") })
	}
	_, err := raw.Exec(`DROP DATABASE ` + name)
	ok(t, err)
}
