package service_test

import (
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
	"khatm/simulator"
)

// A small version of P-4: two processes share a database and claim from the
// same queue. Each document is sent once, and both processes send.
func TestReliability_P4_TwoProcessesClaim(t *testing.T) {
	t.Parallel()
	sim := servicetest.OpenAuthority(t, simulator.Config{Mood: `{"base": "nod", "latency": {"rate": 10000, "median": "60ms", "p99": "90ms"}}`})
	data, database := t.TempDir(), storetest.Postgres(t).URL
	s := sim.Open(t, func(c *server.Config) { c.Data, c.Database, c.Sending.Workers = data, database, 4 })
	shop := s.OnboardedSeller()
	other := startProcess(t, data, database, "", "KHATM_TEST_SERVER_AUTHORITY="+sim.URL)
	defer other.kill()
	ids := shop.Many(testtool.Scale(40, 200, 200))
	shop.AskUntilFinal(ids, servicetest.Patience)
	sim.AcceptedOnce(ids)
	workers := map[string]int{}
	for _, id := range ids {
		tries := shop.Attempts(id)
		if len(tries) != 1 {
			t.Errorf("document %s was sent %d times, want 1", id, len(tries))
		}
		workers[tries[0].Worker]++
	}
	t.Logf("%d documents: %v", len(ids), workers)
	if len(workers) != 2 {
		t.Errorf("%d processes sent documents, want 2", len(workers))
	}
}
