package service_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/simulator"
)

// steady returns a simulator that accepts everything after a delay.
func steady(t testing.TB, latency time.Duration) *servicetest.Authority {
	t.Helper()
	return servicetest.OpenAuthority(t, simulator.Config{Mood: fmt.Sprintf(`{"base": "nod", "latency": {"rate": 10000, "median": "%dms", "p99": "%dms"}}`, latency.Milliseconds(), latency.Milliseconds()+1)})
}

// TestBenchDrain sends 10,000 waiting documents, 64 at a time, to an authority
// that answers after 200 ms. The ideal is 31.25 s.
func TestBenchDrain(t *testing.T) {
	benchmarking(t)
	const documents, workers, latency = 10_000, 64, 200 * time.Millisecond
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			sim := steady(t, latency)
			var data, database string
			s := sim.Open(t, func(c *server.Config) {
				engine.Set(t, c)
				data, database, c.AuthorityURL, c.Log = c.Data, c.Database, "", servicetest.Quiet()
			})
			if err := s.Service.Store().Subscribe(context.Background(), s.Operator(s.Org), "enterprise"); err != nil {
				t.Fatal(err)
			}
			shop := s.OnboardedSeller()
			manyAtOnce(shop, documents)
			s.HTTP.Close()
			s.Service.Close()
			begun, spent := time.Now(), servicetest.CPUTime(t)
			again := sim.Open(t, func(c *server.Config) {
				c.Data, c.Database, c.Log = data, database, servicetest.Quiet()
				c.Sending = server.Defaults().Sending
			})
			for ; ; time.Sleep(200 * time.Millisecond) {
				b, err := again.Service.Store().Backlog(context.Background(), time.Now())
				if err != nil {
					t.Fatal(err)
				}
				if b.Oldest.IsZero() {
					break
				}
			}
			took := time.Since(begun)
			ideal := documents * latency / workers
			t.Logf("%d documents in %s, %.2f of the ideal %s, %s of CPU per document, including the simulator's",
				documents, took, took.Seconds()/ideal.Seconds(), ideal, (servicetest.CPUTime(t)-spent)/documents)
			if took.Seconds() > 1.15*ideal.Seconds() {
				t.Errorf("sending took %.2f times the ideal, want at most 1.15", took.Seconds()/ideal.Seconds())
			}
		})
	}
}

// manyAtOnce creates n documents with twenty callers.
func manyAtOnce(t *servicetest.Seller, n int) {
	t.TB.Helper()
	var all sync.WaitGroup
	for w := range 20 {
		all.Go(func() {
			for i := w; i < n; i += 20 {
				t.Created(t.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint("document ", i))}))
			}
		})
	}
	all.Wait()
}

// TestBenchCreateToFinal measures the time from the request to create a
// document to its final status, with an authority that answers after 50 ms.
func TestBenchCreateToFinal(t *testing.T) {
	benchmarking(t)
	const latency = 50 * time.Millisecond
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			s := steady(t, latency).Open(t, func(c *server.Config) {
				engine.Set(t, c)
				c.Sending, c.Log = server.Defaults().Sending, servicetest.Quiet()
			})
			shop := s.OnboardedSeller()
			var took []time.Duration
			for i := range 100 {
				body := shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint("document ", i))})
				begun := time.Now()
				took = append(took, untilFinal(shop, shop.Created(body), begun))
			}
			slices.Sort(took)
			t.Logf("create to final: p50 %s, p90 %s", took[50], took[90])
			if took[50] > latency*5/2 {
				t.Errorf("p50 %s, want at most %s", took[50], latency*5/2)
			}
		})
	}
}

func untilFinal(t *servicetest.Seller, id uuid.UUID, begun time.Time) time.Duration {
	t.TB.Helper()
	for t.Status(id) == ledger.Unanswered {
		time.Sleep(time.Millisecond)
	}
	return time.Since(begun)
}
