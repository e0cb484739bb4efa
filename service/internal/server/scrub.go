package server

import (
	"context"
	"errors"
	"time"

	"khatm/service/internal/metric"
	"khatm/service/internal/store"
)

// Every scrubEvery the server reads all stored documents and compares them with
// their digests, at scrubRate documents per second. It works in turns that end
// well within scrubLease, and stores its position after each.
const (
	scrubEvery = 30 * 24 * time.Hour
	scrubRate  = 100
	scrubTurn  = 30 * time.Second
	scrubLease = 10 * time.Minute
)

// startScrub starts the regular check of stored documents, which one server does for
// all, and the loop that records damage found by other reads.
func (s *Server) startScrub() {
	s.metrics.registry.Collect(damage{s.store}.collect)
	if s.config.works() {
		s.loops.Start("check stored documents", scrubTurn, s.scrub)
	}
	s.loops.Start("note damaged documents", time.Second, s.store.KeepDamage)
}

// scrub checks documents for one turn, if that is due.
func (s *Server) scrub(ctx context.Context) error {
	for {
		if !s.hasBegun() || !s.trusted() { // the recorded time must be right
			return nil
		}
		now := s.config.Now()
		lease := now.Add(scrubLease)
		from, due, err := s.store.TakeScrub(ctx, now.Add(-scrubEvery), lease)
		if err != nil || !due {
			return err
		}
		done, err := s.store.Scrub(ctx, from, store.Scrubbing{Rate: scrubRate, Most: scrubRate * int(scrubTurn/time.Second)})
		// Store the position even if the server is stopping.
		left := s.store.LeaveScrub(context.WithoutCancel(ctx), lease, done)
		if err != nil || left != nil || done.Done {
			return errors.Join(err, left)
		}
	}
}

var (
	damagedDocuments = metric.Gauge("khatm_documents_damaged", "Stored documents that are known to be damaged. They are neither shown nor sent.")
	damagedReads     = metric.Counter("khatm_damaged_reads_total", "Number of times this process refused to show or send a damaged document.")
	scrubCompleted   = metric.Gauge("khatm_scrub_completed_timestamp_seconds", "Unix time at which the last check of all stored documents ended; 0 before the first.")
)

// damage collects the metrics of damaged documents.
type damage struct{ kept *store.Store }

// collect leaves out values that the database does not return in time.
func (d damage) collect(to *metric.Page) {
	to.Add(damagedReads, float64(d.kept.RefusedReads()))
	ctx, cancel := context.WithTimeout(context.Background(), countTime)
	defer cancel()
	if _, all, err := d.kept.Damages(ctx, 1); err == nil {
		to.Add(damagedDocuments, float64(all))
	}
	last, err := d.kept.LastScrub(ctx)
	if err != nil {
		return
	}
	at := 0.0
	if last != nil {
		at = float64(last.Unix())
	}
	to.Add(scrubCompleted, at)
}
