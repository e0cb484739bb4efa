package servicetest

import (
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
)

// Engine is a database engine, with a function that configures it.
type Engine struct {
	Name string
	Set  func(t testing.TB, c *server.Config)
}

// NewDatabase creates a database and returns its URL, which is empty for SQLite.
func (e Engine) NewDatabase(t testing.TB) string {
	t.Helper()
	var c server.Config
	e.Set(t, &c)
	return c.Database
}

// Engines returns both database engines.
func Engines() []Engine {
	return []Engine{
		{"SQLite", func(testing.TB, *server.Config) {}},
		{"PostgreSQL", func(t testing.TB, c *server.Config) { c.Database = storetest.Postgres(t).URL }},
	}
}

// UsualEngines returns SQLite, and in make check also PostgreSQL. It is for
// behaviour that does not depend on the engine: other tests run the same SQL on
// both in every run.
func UsualEngines() []Engine {
	if testtool.All() {
		return Engines()
	}
	return Engines()[:1]
}

// MostlySQLite runs a test on the usual engines.
func MostlySQLite(t *testing.T, test func(t *testing.T, h *Instance)) {
	t.Helper()
	MostlySQLiteWith(t, func(*server.Config) {}, test)
}

// MostlySQLiteWith is MostlySQLite with changed settings.
func MostlySQLiteWith(t *testing.T, change func(*server.Config), test func(t *testing.T, h *Instance)) {
	t.Helper()
	t.Parallel()
	runOn(t, UsualEngines(), change, test)
}

// runOn runs a test on a service with each of the engines.
func runOn(t *testing.T, engines []Engine, change func(*server.Config), test func(t *testing.T, h *Instance)) {
	t.Helper()
	for _, engine := range engines {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			test(t, Open(t, func(c *server.Config) { change(c); engine.Set(t, c) }))
		})
	}
}

// MostlySQLiteSending runs a test on the usual engines, each with its own
// simulator.
func MostlySQLiteSending(t *testing.T, mood string, test func(t *testing.T, s *Sending)) {
	t.Helper()
	MostlySQLiteSendingWith(t, mood, func(*server.Config) {}, test)
}

// MostlySQLiteSendingWith is MostlySQLiteSending with changed settings.
func MostlySQLiteSendingWith(t *testing.T, mood string, change func(*server.Config), test func(t *testing.T, s *Sending)) {
	t.Helper()
	sendOn(t, UsualEngines(), mood, change, test)
}

// sendOn runs a test on each of the engines, each with its own simulator. Only the
// engines run in parallel: many services at once would exceed the short timeouts
// of FastSending.
func sendOn(t *testing.T, engines []Engine, mood string, change func(*server.Config), test func(t *testing.T, s *Sending)) {
	t.Helper()
	for _, engine := range engines {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			sim := OpenAuthority(t, simulator.Config{Mood: mood, Seed: 1})
			test(t, sim.Open(t, func(c *server.Config) { change(c); engine.Set(t, c) }))
		})
	}
}
