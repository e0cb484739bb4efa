package store_test

import (
	"strings"
	"testing"
	"time"

	"khatm/service/internal/store"
	"khatm/service/internal/store/pgtest"
	"khatm/service/internal/store/storetest"
)

func TestEngineNamesItself(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		ok(t, s.Ping(s.ctx))
		name, err := s.Engine(s.ctx)
		ok(t, err)
		want := t.Name()[strings.LastIndex(t.Name(), "/")+1:] + " "
		if !strings.HasPrefix(name, want) || len(name) <= len(want) {
			t.Errorf("got %q, want %q and a version", name, want)
		}
	})
}

// Embedded, the clock of the database is ours; PostgreSQL has its own, which
// here is that of the same machine.
func TestClockIsThatOfTheDatabase(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		want, within := s.config.Now(), time.Duration(0)
		if s.config.URL != "" {
			want, within = time.Now(), time.Minute
		}
		got, err := s.Clock(s.ctx)
		ok(t, err)
		if off := got.Sub(want).Abs(); off > within {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// Settings under which a crash could lose what was acknowledged are refused.
func TestPostgresThatCouldLoseDocuments(t *testing.T) {
	t.Parallel()
	c := storetest.Postgres(t)
	c.URL += "&synchronous_commit=off"
	for name, open := range openers() {
		t.Run(name, func(t *testing.T) {
			says(t, open(t.Context(), c), "a crash could lose invoices", "synchronous_commit is off", "set it to on")
		})
	}
}

func TestPostgresThatHoldsNoArabic(t *testing.T) {
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
		t.Run(how, func(t *testing.T) { says(t, open(t.Context(), c), "encoded in LATIN1", "UTF8") })
	}
	_, err := raw.Exec(`DROP DATABASE ` + name)
	ok(t, err)
}
