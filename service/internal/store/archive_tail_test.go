package store_test

import (
	"math/rand/v2"
	"testing"

	"khatm/service/internal/ledger"
	"khatm/service/internal/store"
)

// raiseSeq makes the sequence of the outbox of a database higher than any number in
// the archive, as after a crash or a promotion of PostgreSQL.
func (s *fixture) raiseSeq() {
	s.t.Helper()
	if s.config.URL == "" {
		s.execute(`UPDATE sqlite_sequence SET seq = seq + 1000 WHERE name = 'unarchived'`)
		return
	}
	s.execute(`SELECT setval('unarchived_seq_seq', 100000)`)
}

// A database that lacks the last transaction in the archive is recognised, even if its
// numbers are higher.
func TestLacksArchived(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		archive := s.archived()
		w := s.worker("worker", rand.New(rand.NewPCG(1, 2)))
		ok(t, w.sell())
		for _, one := range []struct {
			name string
			do   func() error
		}{
			{"a document", w.sell},
			{"a client", func() error { return s.AddClient(s.ctx, w.by, sampleClient(s.config.NewID())) }},
			{"an answer", func() error { return s.Answer(s.ctx, w.by.Tenant, w.last.ID, ledger.Cleared, instantOf(40)) }},
		} {
			s.caughtUp()
			c := s.copied()
			ok(t, one.do())
			s.caughtUp()
			copied := s.opened(c)
			for _, raised := range []bool{false, true} {
				if raised {
					copied.raiseSeq()
				}
				lacks(t, copied, archive, one.name, true)
			}
			lacks(t, s, archive, one.name, false)
		}
	})
}

func lacks(t *testing.T, s *fixture, archive *lineArchive, what string, want bool) {
	t.Helper()
	var tail store.ArchiveTail
	for _, add := range []func([]byte) error{tail.Count, tail.Add} {
		for _, line := range archive.all() {
			ok(t, add(line))
		}
	}
	got, err := s.LacksArchived(s.ctx, &tail)
	if err != nil || got != want {
		t.Errorf("%s: the database lacks something in the archive: got %t, %v, want %t", what, got, err, want)
	}
}
