package store_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// addEvents inserts n entries of all kinds into the audit trail.
func (s *fixture) addEvents(n int) {
	s.t.Helper()
	tx, err := s.raw.Begin()
	ok(s.t, err)
	for i := range n {
		var of any
		if i%5 > 0 { // every fifth belongs to the installation
			of = s.by.Tenant.ID().String()
		}
		_, err := tx.Exec(`
			INSERT INTO event (id, org_id, at, kind, actor, address, request, action, subject, details)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			s.config.NewID().String(), of, s.config.Now().UnixMilli()+int64(i), []string{"key", "person", "operator", "system"}[i%4],
			fmt.Sprint("actor ", i%7), fmt.Sprint("192.0.2.", i%250), fmt.Sprint("request ", i), fmt.Sprint("thing.", i%9),
			fmt.Sprint("subject ", i), fmt.Sprintf(`{"n":%d}`, i))
		ok(s.t, err)
	}
	ok(s.t, tx.Commit())
}

func TestTrailIsSealedInChunks(t *testing.T) {
	const chunk = 300
	entries := testtool.Count(700, 2000)
	each(t, func(t *testing.T, s *fixture) {
		s.addEvents(entries - s.count(`SELECT count(*) FROM event`))
		var head org.Link
		for sealed := 0; sealed < entries; {
			n, last, err := s.SealTrail(s.ctx, head, chunk)
			ok(t, err)
			sealed += n
			if want := min(chunk, entries-int(head.Number)); n != want || last.Number != head.Number+int64(n) {
				t.Fatalf("sealed %d entries up to %d, want %d", n, last.Number, want)
			}
			head = last
		}
		n, last, err := s.SealTrail(s.ctx, head, chunk)
		if err != nil || n != 0 || last != head {
			t.Errorf("sealed %d more entries up to %d, %v, want none", n, last.Number, err)
		}
		if got := s.verifiedTrail(); got != head {
			t.Errorf("head of the trail = %d, want %d", got.Number, head.Number)
		}
		if s.count(`SELECT count(*) FROM event WHERE link BETWEEN 1 AND $1`, entries) != entries {
			t.Error("the numbers of the links have gaps, want none")
		}
	})
}

func TestEmptyTrail(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		s := storetest.Open(t, c)
		n, head, err := s.SealTrail(t.Context(), org.Link{}, 9)
		if n != 0 || head != (org.Link{}) || err != nil {
			t.Errorf("sealed %d entries of an empty trail, head %d, %v, want 0", n, head.Number, err)
		}
		check := org.TrailCheck{}
		ok(t, s.WalkTrail(t.Context(), check.See))
		same(t, int64(0))(check.End())
	})
}

// A trail that does not match the head kept outside the database is not
// continued.
func TestTrailThatDoesNotMatchItsHead(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		s.addEvents(20)
		head := s.verifiedTrail()
		cut, other := head, head
		cut.Number += 5
		other.Hash[0] ^= 1
		for _, more := range []int{0, 7} { // with and without entries to seal
			s.addEvents(more)
			for name, kept := range map[string]org.Link{"missing end": cut, "another entry": other} {
				n, _, err := s.SealTrail(s.ctx, kept, 99)
				if !errors.Is(err, org.ErrTrailBroken) || n != 0 {
					t.Errorf("%s: sealed %d entries, %v, want %v", name, n, err, org.ErrTrailBroken)
				}
			}
			if got := s.count(`SELECT count(*) FROM event WHERE link IS NULL`); got != more {
				t.Errorf("%d entries are unsealed, want %d", got, more)
			}
		}
		if n, last, err := s.SealTrail(s.ctx, head, 99); n != 7 || last.Number != head.Number+7 || err != nil {
			t.Errorf("sealed %d entries up to %d, %v, want 7", n, last.Number, err)
		}
	})
}

// Sealing does not wait for a lock if there is nothing to seal.
func TestSealWithoutEntriesTakesNoLock(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		head := s.verifiedTrail()
		hold, err := s.raw.Begin()
		ok(t, err)
		_, err = hold.Exec(`UPDATE installation SET created_at = created_at`)
		ok(t, err)
		done := make(chan error, 1)
		go func() {
			_, _, err := s.SealTrail(s.ctx, head, 9)
			done <- err
		}()
		select {
		case err = <-done:
		case <-time.After(time.Minute):
			err = errors.New("SealTrail waits for the row of the installation")
		}
		ok(t, errors.Join(err, hold.Rollback()))
	})
}

// An entry can be committed after later ones were sealed: the order of the
// trail is that of the links, not of the ids.
func TestTrailWithLateEntries(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		s.addEvents(20)
		before := s.verifiedTrail()
		s.execute(`
			INSERT INTO event (id, at, kind, actor, address, request, action, subject, details)
			VALUES ('00000000-0000-7000-8000-000000000001', 1, 'system', 'late', '', '', 'late.entry', '', '{}')`)
		s.addEvents(20)
		if got, want := s.verifiedTrail().Number, before.Number+21; got != want {
			t.Errorf("head of the trail = %d, want %d", got, want)
		}
		if got := s.count(`SELECT link FROM event WHERE action = 'late.entry'`); got != int(before.Number)+1 {
			t.Errorf("late entry has link %d, want %d", got, before.Number+1)
		}
	})
}

// The walk stops at the first error and returns it.
func TestWalkTrailStopsAtErrors(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		s.addEvents(10)
		s.verifiedTrail()
		seen := 0
		err := s.WalkTrail(s.ctx, func(org.Event, org.Link) error {
			seen++
			return errStopped
		})
		if err != errStopped || seen != 1 { //nolint:errorlint // the error must not be wrapped
			t.Errorf("saw %d entries, error %v, want 1 and %v", seen, err, errStopped)
		}
	})
}

// runSealer seals in small chunks until the given number of entries is linked,
// and prints how many it has sealed.
func runSealer(args []string) error {
	until, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return err
	}
	return serve(func(s *store.Store) error {
		for sealed := 0; ; {
			n, head, err := s.SealTrail(context.Background(), org.Link{}, 25)
			if err != nil {
				return err
			}
			if sealed += n; head.Number >= until {
				fmt.Println(sealed)
				return nil
			}
		}
	})
}

// Servers that share a database seal one trail while entries are written.
func TestConcurrentSealing(t *testing.T) {
	entries := testtool.Scale(400, 1000, 2000)
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	s.addEvents(entries / 2)
	first, second := start(t, "seal", s.config, fmt.Sprint(entries)), start(t, "seal", s.config, fmt.Sprint(entries))
	s.addEvents(entries - s.count(`SELECT count(*) FROM event`))
	byFirst, err := strconv.Atoi(first.line())
	ok(t, err)
	bySecond, err := strconv.Atoi(second.line())
	ok(t, err)
	ok(t, first.end())
	ok(t, second.end())
	if byFirst+bySecond != entries {
		t.Errorf("processes sealed %d and %d entries, want %d together", byFirst, bySecond, entries)
	}
	if got := s.verifiedTrail(); got.Number != int64(entries) {
		t.Errorf("head of the trail = %d, want %d", got.Number, entries)
	}
}
