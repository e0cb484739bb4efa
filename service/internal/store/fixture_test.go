package store_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// fixture is an open store with two organisations and an actor of each.
type fixture struct {
	*store.Store
	t         testing.TB
	ctx       context.Context
	config    store.Config
	by, other org.Actor
	raw       *sql.DB // direct connection to the database
}

// each runs a test with a fixture on both engines.
func each(t *testing.T, test func(t *testing.T, s *fixture)) {
	t.Helper()
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) { test(t, open(t, c)) })
}

// mostlySQLite runs a test with a fixture on SQLite, and under testtool.All also on
// PostgreSQL, where other tests run the same statements in every run.
func mostlySQLite(t *testing.T, test func(t *testing.T, s *fixture)) {
	t.Helper()
	t.Parallel()
	storetest.Mostly(t, func(t *testing.T, c store.Config) { test(t, open(t, c)) })
}

func open(t testing.TB, c store.Config) *fixture {
	t.Helper()
	s := &fixture{Store: storetest.Open(t, c), t: t, ctx: t.Context(), config: c, raw: rawDatabase(t, c)}
	s.by, s.other = s.register("first"), s.register("second")
	return s
}

// register adds an active organisation and returns an actor of it.
func (s *fixture) register(name string) org.Actor {
	s.t.Helper()
	o := sampleOrganisation(s.config.NewID())
	o.Name, o.Status = name, org.Active
	if err := s.AddOrganisation(s.ctx, org.Operator(org.Tenant{}, "shop"), o); err != nil {
		s.t.Fatal(err)
	}
	return org.Actor{
		Kind: org.KeyActor, Tenant: org.TenantOf(o.ID), ID: s.config.NewID(), Name: "svc_" + name, Role: org.Accountant,
		Address: "192.0.2." + name, Request: "request of " + name,
	}
}

// rawDatabase opens a direct connection to the database of a store.
func rawDatabase(t testing.TB, c store.Config) *sql.DB {
	t.Helper()
	driver, source := "pgx", c.URL
	if c.URL == "" {
		driver, source = "sqlite", "file:"+filepath.Join(c.Dir, "khatm.db")+"?_pragma=busy_timeout(10000)&_pragma=foreign_keys(1)"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// count returns the result of a query for one number.
func (s *fixture) count(query string, args ...any) (n int) {
	s.t.Helper()
	if err := s.raw.QueryRow(query, args...).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// execute runs a statement on the direct connection.
func (s *fixture) execute(statement string, args ...any) {
	s.t.Helper()
	if _, err := s.raw.Exec(statement, args...); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

// ok fails the test if err is not nil.
func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// same returns a function that checks that a result equals want and has no
// error.
func same[T any](t testing.TB, want T) func(T, error) {
	t.Helper()
	return func(got T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(org.Tenant{}, issue.Issued{})); diff != "" {
			t.Errorf("unexpected result (-want +got):\n%s", diff)
		}
	}
}

// refused checks that err is a fault with the given kind and message.
func refused(t testing.TB, err error, kind fault.Kind, words string) {
	t.Helper()
	var got *fault.Error
	if !errors.As(err, &got) || got.Kind() != kind || got.Message != words {
		t.Errorf("error = %v, want %q of kind %d", err, words, kind)
	}
}

// filled checks that all fields of a sample are set, so that the test detects a
// column that is not written or not read.
func filled(t testing.TB, sample any) {
	t.Helper()
	value := reflect.ValueOf(sample)
	for i := range value.NumField() {
		field := value.Type().Field(i)
		if value.Field(i).IsZero() && field.Tag.Get("json") != "-" { // such a field is not stored
			t.Errorf("field %[2]s is not set in the sample of %[1]s", value.Type(), field.Name)
		}
		if field.Anonymous && field.Type.Kind() == reflect.Struct {
			filled(t, value.Field(i).Interface())
		}
	}
}

// instantOf returns a time the given hours after the start, with the precision
// of the databases.
func instantOf(hours int) time.Time {
	return storetest.Start.Add(time.Duration(hours)*time.Hour + 123*time.Millisecond)
}
