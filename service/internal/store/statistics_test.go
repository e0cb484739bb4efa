package store_test

import (
	"sync"
	"testing"
	"time"
)

// TestStatisticsOfANewDatabase checks that PostgreSQL knows the size of tables soon
// after the first documents, without autovacuum.
func TestStatisticsOfANewDatabase(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		if s.config.URL == "" {
			t.Skip("SQLite needs no statistics")
		}
		mustExec(t, s.raw, `ANALYZE invoice, document, guard`) // another test may have used the database
		const sellers = 8
		var all sync.WaitGroup
		for range sellers {
			one := s.seller(s.by)
			all.Go(func() {
				for range 70 / sellers {
					if _, err := one.append(asIs); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		const known = `SELECT CAST(min(reltuples) AS BIGINT) FROM pg_class WHERE relname IN ('invoice', 'document', 'guard')`
		for deadline := time.Now().Add(10 * time.Second); s.count(known) < 64 && time.Now().Before(deadline); {
			time.Sleep(10 * time.Millisecond)
		}
		if n := s.count(known); n < 64 {
			t.Errorf("PostgreSQL knows of %d rows, want at least 64", n)
		}
	})
}
