package store_test

import (
	"strings"
	"testing"

	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// The owner of the tables cannot truncate one that is archived.
func TestArchivedTablesAreNotTruncated(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	tables := []string{"unarchived"}
	for _, table := range store.ArchivedTables() {
		if table.Document || table.Captured {
			tables = append(tables, table.Name)
		}
	}
	for _, table := range tables {
		_, err := s.raw.Exec(`TRUNCATE ` + table + ` CASCADE`)
		if err == nil || !strings.Contains(err.Error(), "table "+table+" is never truncated") {
			t.Errorf("TRUNCATE %s: %v, want that it is refused", table, err)
		}
	}
}
