package store_test

import (
	"slices"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// Every acknowledged write survives a kill, is counted and has its entry in the
// audit trail.
func TestKilledWhileWriting(t *testing.T) {
	t.Parallel()
	rounds := map[string]int{"SQLite": testtool.Scale(3, 6, 20), "PostgreSQL": testtool.Scale(2, 3, 5)}
	storetest.Each(t, func(t *testing.T, c store.Config) {
		s := open(t, c)
		var acknowledged []string
		for round := range rounds[t.Name()[strings.LastIndex(t.Name(), "/")+1:]] {
			s.Close() // only one server can be open
			acknowledged = append(acknowledged, killAfter(t, s, 1+round*7%60)...)
			s.Store = storetest.Open(t, c)
			kept := s.texts(`SELECT CAST(id AS TEXT) FROM client`)
			slices.Sort(kept)
			for _, id := range acknowledged {
				if _, there := slices.BinarySearch(kept, id); !there {
					t.Fatalf("round %d: client %s does not exist, want every acknowledged client", round, id)
				}
			}
			s.tallied()
			if got, want := s.count(`SELECT count(*) FROM event WHERE action = 'client.create'`), len(kept); got != want {
				t.Errorf("round %d: clients have %d entries in the audit trail, want %d", round, got, want)
			}
			s.verifiedTrail()
		}
	})
}

// killAfter kills a server after it has acknowledged count writes and returns
// all ids that it printed.
func killAfter(t *testing.T, s *fixture, count int) (acknowledged []string) {
	t.Helper()
	server := start(t, "write", s.config, "serve", s.by.Tenant.ID().String(), "8", "0")
	for range count {
		acknowledged = append(acknowledged, server.line())
	}
	if err := server.run.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	acknowledged = append(acknowledged, server.rest()...)
	says(t, server.end(), "signal: killed")
	for i, line := range acknowledged {
		acknowledged[i] = strings.Fields(line)[0]
	}
	return acknowledged
}

// verifiedTrail seals the audit trail and checks that all its entries are
// linked.
func (s *fixture) verifiedTrail() org.Link {
	s.t.Helper()
	_, head, err := s.SealTrail(s.ctx, org.Link{}, 1<<20)
	ok(s.t, err)
	check := org.TrailCheck{Head: head}
	ok(s.t, s.WalkTrail(s.ctx, check.See))
	entries, err := check.End()
	if err != nil || int(entries) != s.count(`SELECT count(*) FROM event`) || entries != head.Number {
		s.t.Errorf("%d entries of the audit trail were verified, head is %d, %v; want all entries", entries, head.Number, err)
	}
	return head
}
