package service_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/servicetest"

	"github.com/google/uuid"
)

// losing is the mood of an authority that often accepts a document but does not
// send the stamped copy: it drops the connection, or sends half a body or none.
const losing = `{"drop_after": "12%", "truncated_body": "15%", "empty_body": "10%", "duplicate_first": "5%", "too_many_silent": "0.5%",
	"server_error": {"rate": "3%", "accepted": "50%"}}`

// createStandard creates standard documents with several callers.
func (s *killRun) createStandard(ctx context.Context, creators, documents int) {
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: creators}}
	defer client.CloseIdleConnections()
	var made atomic.Int64
	var all sync.WaitGroup
	for w := range creators {
		all.Go(func() {
			for n := made.Add(1); n <= int64(documents) && ctx.Err() == nil; n = made.Add(1) {
				device := s.devices[w%len(s.devices)]
				body := s.shop.Standard(servicetest.SuppliedToday(), servicetest.Fields{"device": device, "notes": servicetest.Note(fmt.Sprint("sale ", n))})
				key := uuid.NewString()
				for try := 0; ctx.Err() == nil && !s.ask(ctx, client, w+try, device, key, body); try++ {
				}
			}
		})
	}
	all.Wait()
}

// TestTorture_StampedCopies clears standard documents with an authority that
// loses its answers, while servers are killed. Finally every document has its
// stamped copy, and no document was accepted twice.
func TestTorture_StampedCopies(t *testing.T) {
	t.Parallel()
	documents, kills, devices := 20, 1, 1
	if testtool.Torture() {
		documents, kills, devices = 1719, 20, 5
	}
	for servers, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			s := newKillRunOf(t, engine.Set, 16, devices)
			s.sim.Mood(losing)
			for place := range servers + 1 {
				s.serve(place)
			}
			ended := make(chan struct{})
			go func() { s.createStandard(t.Context(), 8, documents); close(ended) }()
			random := rand.New(rand.NewPCG(16, 3))
			for n := range kills {
				time.Sleep(time.Duration(100+random.IntN(400)) * time.Millisecond)
				s.process(n).kill()
				s.serve(n % (servers + 1))
			}
			<-ended
			figure := s.settle()
			if testtool.Torture() && s.copies == 0 {
				t.Error("no copy was lost, so nothing was tested")
			}
			servicetest.ReportScenario(t, "lost stamped copies, "+engine.Name, fmt.Sprint(documents, " standard documents, ", kills, " kills"), 16,
				fmt.Sprintf("0 without a stamped copy, %d copy requests; %s", s.copies, figure))
		})
	}
}
