package database_test

import (
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/database"
)

// PostgreSQL's programs get the password in their environment, but none of the
// service's own secrets.
func TestPostgresEnvironment(t *testing.T) {
	t.Setenv("KHATM_MASTER_KEY", "secret")
	for _, address := range []string{
		"postgres://khatm:hunter2@db.example:5433/books?sslmode=require&synchronous_commit=on",
		"host=db.example port=5433 user=khatm password=hunter2 dbname=books sslmode=require",
	} {
		got, err := database.PostgresEnvironment(address)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"PGHOST=db.example", "PGPORT=5433", "PGUSER=khatm", "PGPASSWORD=hunter2", "PGDATABASE=books", "PGSSLMODE=require"} {
			if !slices.Contains(got, want) {
				t.Errorf("environment for %s lacks %s", address, want)
			}
		}
		for _, entry := range got {
			if strings.HasPrefix(entry, "KHATM_") {
				t.Errorf("environment for %s contains %s, want no KHATM_ variable", address, entry)
			}
		}
	}
	_, err := database.PostgresEnvironment("postgres://khatm:hunter2@db.example:port/books")
	if err == nil || !strings.Contains(err.Error(), "invalid PostgreSQL address") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error of an invalid address = %v, want one without the password", err)
	}
}
