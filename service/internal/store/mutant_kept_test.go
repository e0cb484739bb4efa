package store_test

import (
	"strings"
	"testing"

	"khatm/service/internal/org"
)

// keptMutations falsify a stored audit trail of 200 entries. named is the entry
// that the error must name.
var keptMutations = []struct {
	name       string
	statements string // separated by semicolons
	named      int
}{
	{"id", `UPDATE event SET id = 'ffffffff-ffff-ffff-ffff-ffffffffffff' WHERE link = 100`, 100},
	{"organisation", `UPDATE event SET org_id = NULL WHERE link = 100`, 100},
	{"another organisation", `UPDATE event SET org_id = (SELECT org_id FROM event WHERE link = 2) WHERE link = 100`, 100},
	{"time", `UPDATE event SET at = at + 1 WHERE link = 100`, 100},
	{"kind", `UPDATE event SET kind = CASE kind WHEN 'key' THEN 'person' ELSE 'key' END WHERE link = 100`, 100},
	{"actor", `UPDATE event SET actor = actor || 'x' WHERE link = 100`, 100},
	{"address", `UPDATE event SET address = '' WHERE link = 100`, 100},
	{"request", `UPDATE event SET request = '' WHERE link = 100`, 100},
	{"action", `UPDATE event SET action = 'nothing' WHERE link = 100`, 100},
	{"subject", `UPDATE event SET subject = 'nobody' WHERE link = 100`, 100},
	{"details", `UPDATE event SET details = '{}' WHERE link = 100`, 100},
	{"white space in the details", `UPDATE event SET details = details || ' ' WHERE link = 100`, 100},
	{"hash", `UPDATE event SET hash = (SELECT hash FROM event WHERE link = 1) WHERE link = 100`, 100},
	{"number", `UPDATE event SET link = 9999 WHERE link = 100`, 100},
	{"first entry deleted", `DELETE FROM event WHERE link = 1`, 1},
	{"entry deleted", `DELETE FROM event WHERE link = 100`, 100},
	{"entry deleted and the rest renumbered", `DELETE FROM event WHERE link = 100; UPDATE event SET link = link + 10000 WHERE link > 100; UPDATE event SET link = link - 10001 WHERE link > 10000`, 100},
	{"last entry deleted", `DELETE FROM event WHERE link = 200`, 200},
	{"end deleted", `DELETE FROM event WHERE link > 150`, 200},
	{"end unlinked", `UPDATE event SET link = NULL, hash = NULL WHERE link > 150`, 200},
	{"all entries deleted", `DELETE FROM event`, 200},
	{"two entries swapped", `UPDATE event SET link = 9999 WHERE link = 100; UPDATE event SET link = 100 WHERE link = 120; UPDATE event SET link = 120 WHERE link = 9999`, 100},
	{"two subjects swapped", `UPDATE event SET subject = CASE link WHEN 100 THEN 'subject 120' ELSE 'subject 100' END WHERE link IN (100, 120)`, 100},
	{"entry inserted", `
		UPDATE event SET link = link + 10000 WHERE link >= 100; UPDATE event SET link = link - 9999 WHERE link > 10000;
		INSERT INTO event (id, at, kind, actor, address, request, action, subject, details, link, hash)
		SELECT 'ffffffff-ffff-ffff-ffff-ffffffffffff', at, kind, actor, address, request, action, subject, details, 100, hash FROM event WHERE link = 99`, 100},
}

// unprotectedTrail drops the triggers that protect the audit trail and keeps a
// copy of it. restore restores the trail from the copy.
func (s *fixture) unprotectedTrail() (restore func()) {
	s.t.Helper()
	for _, trigger := range []string{"event_is_sealed_once", "event_stays"} {
		if s.config.URL != "" {
			trigger += " ON event"
		}
		s.execute(`DROP TRIGGER ` + trigger)
	}
	s.execute(`CREATE TABLE event_kept AS SELECT * FROM event`)
	return func() {
		s.t.Helper()
		s.execute(`DELETE FROM event`)
		s.execute(`INSERT INTO event SELECT * FROM event_kept`)
	}
}

// walked verifies the stored audit trail and returns the error.
func (s *fixture) walked(head org.Link) error {
	check := org.TrailCheck{Head: head}
	if err := s.WalkTrail(s.ctx, check.See); err != nil {
		return err
	}
	_, err := check.End()
	return err
}

func TestChangesOfStoredTrailAreFound(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		s.addEvents(200 - s.count(`SELECT count(*) FROM event`))
		head := s.verifiedTrail()
		restore := s.unprotectedTrail()
		for _, m := range keptMutations {
			for statement := range strings.SplitSeq(m.statements, ";") {
				s.execute(statement)
			}
			namesEntry(t, m.name, s.walked(head), m.named)
			restore()
			ok(t, s.walked(head))
		}
		// The end is rewritten as the sealer would write it.
		s.execute(`UPDATE event SET link = NULL, hash = NULL, subject = 'another' WHERE link > 150`)
		n, last, err := s.SealTrail(s.ctx, org.Link{}, 99)
		if n != 50 || last.Number != head.Number || err != nil {
			t.Errorf("sealed %d entries up to %d, %v, want 50", n, last.Number, err)
		}
		namesEntry(t, "end rewritten", s.walked(head), 200)
		ok(t, s.walked(last)) // without the head kept outside the database this is not detected
	})
}
