package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/org"
)

// addHourly inserts n entries of an organisation, one an hour, with ids of their
// time, and returns them.
func (s *fixture) addHourly(of org.Tenant, n int) []org.Event {
	s.t.Helper()
	tx, err := s.raw.Begin()
	ok(s.t, err)
	var all []org.Event
	for i := range n {
		e := org.Event{
			Tenant: of, At: instantOf(i), Kind: org.PersonActor, Actor: fmt.Sprint("actor ", i%2), Address: fmt.Sprint("192.0.2.", i%250), Request: fmt.Sprint("request ", i),
			Action: fmt.Sprint("thing.", i%3), Subject: fmt.Sprint("subject ", i%5), Details: fmt.Sprintf(`{"n":%d}`, i),
		}
		ms := uint64(e.At.UnixMilli())
		for at := range 6 {
			e.ID[at] = byte(ms >> (40 - 8*at))
		}
		e.ID[6], e.ID[8], e.ID[15] = 0x70, 0x80, of.ID()[15]
		_, err := tx.Exec(`
			INSERT INTO event (id, org_id, at, kind, actor, address, request, action, subject, details)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			e.ID.String(), of.ID().String(), int64(ms), string(e.Kind), e.Actor, e.Address, e.Request, e.Action, e.Subject, e.Details)
		ok(s.t, err)
		all = append(all, e)
	}
	ok(s.t, tx.Commit())
	return all
}

// The pages and the walk return the entries that a plain loop selects.
func TestEventsAreFilteredAndPaged(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		all := s.addHourly(s.by.Tenant, 1_100)
		s.addHourly(s.other.Tenant, 50)
		from, until := instantOf(100), instantOf(900)
		for name, f := range map[string]org.EventFilter{
			"all":       {From: instantOf(0)},
			"action":    {Action: "thing.2", From: instantOf(0)},
			"actor":     {Actor: "actor 1"},
			"subject":   {Subject: "subject 3"},
			"from":      {From: from},
			"until":     {From: instantOf(0), Until: until},
			"a moment":  {From: from, Until: from.Add(time.Millisecond)},
			"together":  {Action: "thing.0", Actor: "actor 0", Subject: "subject 0", From: from, Until: until},
			"no action": {Action: "thing.9"},
			"no time":   {From: until, Until: from},
		} {
			var want []uuid.UUID
			for i := len(all) - 1; i >= 0; i-- {
				e := all[i]
				if (f.Action == "" || f.Action == e.Action) && (f.Actor == "" || f.Actor == e.Actor) && (f.Subject == "" || f.Subject == e.Subject) &&
					!e.At.Before(f.From) && (f.Until.IsZero() || e.At.Before(f.Until)) {
					want = append(want, e.ID)
				}
			}
			var walked []uuid.UUID
			ok(t, s.WalkEvents(s.ctx, s.by.Tenant, f, func(e org.Event) error { walked = append(walked, e.ID); return nil }))
			var paged []uuid.UUID
			for page := (org.Page{Size: 99, Number: 1}); ; {
				list, err := s.EventPage(s.ctx, s.by.Tenant, f, page)
				ok(t, err)
				if list.Total != len(want) || list.Capped {
					t.Errorf("%s: total %d, capped %v, want %d", name, list.Total, list.Capped, len(want))
				}
				for _, e := range list.Rows {
					paged = append(paged, e.ID)
				}
				if page.After = list.Next; list.Next == uuid.Nil {
					break
				}
			}
			same(t, want)(walked, nil)
			same(t, want)(paged, nil)
		}
		second, err := s.EventPage(s.ctx, s.by.Tenant, org.EventFilter{From: instantOf(0)}, org.Page{Size: 1, Number: 2})
		ok(t, err)
		same(t, []org.Event{all[1_098]})(second.Rows, nil)
		if err := s.WalkEvents(s.ctx, s.by.Tenant, org.EventFilter{}, func(org.Event) error { return errStopped }); !errors.Is(err, errStopped) {
			t.Errorf("error of an interrupted walk = %v, want %v", err, errStopped)
		}
	})
}
