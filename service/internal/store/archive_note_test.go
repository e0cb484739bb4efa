package store_test

import (
	"errors"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// Once every document waits for the archive, a server that does not wait writes
// nothing, and the numbers of the notes increase also after a restore.
func TestDocumentsWaitForTheArchive(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		archive := &lineArchive{}
		ok(t, s.StartArchive(s.ctx, store.Archiving{To: archive, Location: "memory"}))
		s.caughtUp()
		shop := s.seller(s.by)
		shop.issue(asIs)
		ok(t, s.KeepUnawaited(s.ctx))
		note, _, err := s.AwaitDocuments(s.ctx, 7)
		same(t, int64(0))(note, err)
		s.execute(`UPDATE archive SET unawaited_at = unawaited_at + 60000`) // by a clock that is ahead
		note, _, err = s.AwaitDocuments(s.ctx, 7)
		same(t, int64(0))(note, err)
		s.execute(`UPDATE archive SET unawaited_at = 0`)
		gate := make(chan struct{})
		archive.set(nil, gate)
		shop.issue(asIs)
		note, through, err := s.AwaitDocuments(s.ctx, 7)
		same(t, int64(8))(note, err)
		same(t, false)(s.ArchivedThrough(s.ctx, through))
		_, err = shop.append(asIs)
		if fault.KindOf(err) != fault.Unavailable || s.count(`SELECT count(*) FROM invoice`) != 2 {
			t.Errorf("append = %v, want that it is refused", err)
		}
		close(gate)
		eventually(t, "the archive has caught up", func() bool {
			done, err := s.ArchivedThrough(s.ctx, through)
			ok(t, err)
			return done
		})
		first, err := s.AnnounceUnawaited(s.ctx, 8)
		same(t, int64(9))(first, err)
		second, err := s.AnnounceUnawaited(s.ctx, 20)
		same(t, int64(21))(second, err)
		same(t, false)(s.EndAwaiting(s.ctx, first))
		same(t, true)(s.EndAwaiting(s.ctx, second))
		shop.issue(asIs)
		note, _, err = s.AwaitDocuments(s.ctx, 21)
		same(t, int64(0))(note, err)
	})
}

// On PostgreSQL, documents that do not wait for the archive are in the outbox before
// later ones count as awaited.
func TestAwaitingFollowsDocuments(t *testing.T) {
	t.Parallel()
	c := storetest.NewPostgres(t)
	pause, paused := make(chan struct{}), make(chan struct{})
	armed := false
	c.Point = func(step string) error {
		if step == "decided" && armed {
			close(paused)
			<-pause
		}
		return nil
	}
	s := open(t, c)
	archive := &lineArchive{}
	ok(t, s.StartArchive(s.ctx, store.Archiving{To: archive, Location: "memory"}))
	s.caughtUp()
	shop := s.seller(s.by)
	shop.issue(asIs)
	s.caughtUp()
	archive.set(errors.New("unplugged"), nil)
	armed = true
	appended, through := make(chan error, 1), make(chan int64, 1)
	go func() { _, err := shop.append(asIs); appended <- err }()
	<-paused
	go func() {
		_, last, err := s.AwaitDocuments(s.ctx, 0)
		ok(t, err)
		through <- last
	}()
	eventually(t, "the record waits or is complete", func() bool {
		const waiting = `SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()`
		return len(through) > 0 || s.count(waiting) > 0
	})
	close(pause)
	ok(t, <-appended)
	same(t, false)(s.ArchivedThrough(s.ctx, <-through))
	archive.set(nil, nil)
	s.caughtUp()
}
