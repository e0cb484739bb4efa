package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/store"
)

func TestAcceptedClock(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		same(t, time.Time{})(s.AcceptedClock(s.ctx))
		at := noon().Add(-3 * time.Hour)
		ok(t, s.AcceptClock(s.ctx, s.by, at))
		same(t, at)(s.AcceptedClock(s.ctx))
	})
}

// dated issues a document with the given issue time in the series of a year.
func (t *seller) dated(at time.Time, year int) error {
	wants := issue.Wants{At: t.s.config.Now(), Devices: []uuid.UUID{t.device}}
	return t.s.Append(t.s.ctx, t.by.Tenant, wants, func(state *issue.State) (*issue.Entries, error) {
		chain, numbers := state.Devices[t.device], state.Series["INV"]
		if numbers.First == 0 {
			numbers = issue.Series{Prefix: "INV", First: 10, Year: year, Last: 9}
		}
		if numbers.Year != year {
			numbers.Year, numbers.Last = year, numbers.Ahead[year]
		}
		numbers.Last++
		e := sampleEntry(t.s, t.by, chain, numbers)
		e.Invoice.IssuedAt, e.Invoice.IssueDate = at, at.Format(time.DateOnly)
		chain.Counter, chain.LastHash, chain.LastIssuedAt = e.Invoice.Counter, e.Invoice.Hash, at
		return &issue.Entries{Invoices: []issue.Entry{e}, Devices: []*issue.Chain{chain}, Series: map[string]issue.Series{"INV": numbers}, Month: state.Usage.Month}, nil
	})
}

// numbers returns the series of invoices and whether the device was released.
func (t *seller) numbers() (issue.Series, bool) {
	t.s.t.Helper()
	state, err := t.s.Look(t.s.ctx, t.by.Tenant, issue.Wants{At: t.s.config.Now(), Devices: []uuid.UUID{t.device}})
	ok(t.s.t, err)
	return state.Series["INV"], state.Devices[t.device].Released
}

func TestReleaseClock(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller, now := s.seller(s.by), noon()
		later := now.AddDate(2, 0, 0)
		ok(t, seller.dated(now, 2026))
		ok(t, seller.dated(now, 2026))
		same(t, []issue.Ahead{})(s.DatedAhead(s.ctx, now))
		same(t, false)(s.AllDatedAhead(s.ctx, now))
		ok(t, seller.dated(later, 2028))

		device, series := issue.Ahead{Tenant: s.by.Tenant, Device: seller.device, Name: "till 1", LastIssuedAt: later}, issue.Ahead{Tenant: s.by.Tenant, Series: "INV", Year: 2028}
		found, err := s.DatedAhead(s.ctx, now)
		ok(t, err)
		if len(found) == 2 {
			device.Name = found[0].Name
		}
		same(t, []issue.Ahead{device, series})(found, nil)
		same(t, true)(s.AllDatedAhead(s.ctx, now))
		same(t, false)(s.AllDatedAhead(s.ctx, later))
		if err := seller.dated(now, 2026); err == nil {
			t.Fatal("issued a document with an earlier time without a release, want an error")
		}

		same(t, []issue.Ahead{device, series})(s.ReleaseClock(s.ctx, s.by, seller.device, now))
		again, err := s.ReleaseClock(s.ctx, s.by, seller.device, now)
		if len(again) != 0 || err != nil {
			t.Errorf("second release = %v, %v, want nothing released", again, err)
		}
		same(t, []issue.Ahead{})(s.DatedAhead(s.ctx, now))
		same(t, false)(s.AllDatedAhead(s.ctx, now))
		numbers, freed := seller.numbers()
		same(t, issue.Series{Prefix: "INV", First: 10, Year: 2026, Last: 11, Ahead: map[int]int64{2028: 1}})(numbers, nil)
		same(t, true)(freed, nil)

		ok(t, seller.dated(now, 2026))
		if _, freed := seller.numbers(); freed {
			t.Error("the release is still valid after one document, want it used up")
		}
		if err := seller.dated(now.Add(-time.Hour), 2026); err == nil {
			t.Error("issued a second document with an earlier time after one release, want an error")
		}
		ok(t, s.Snapshot(s.ctx, func(kept *store.Snapshot) error {
			devices, err := kept.AllDevices(s.ctx)
			for _, d := range devices {
				if d.ID == seller.device && (len(d.Releases) != 1 || d.Releases[0].Counter != 3 || !d.Releases[0].At.Equal(now)) {
					t.Errorf("releases in the snapshot = %+v, want one at counter 3", d.Releases)
				}
			}
			return err
		}))
	})
}

// If all documents of a series are dated in the future, the released series
// starts with its first number.
func TestReleaseClockOfANewSeries(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller, now := s.seller(s.by), noon()
		ok(t, seller.dated(now.AddDate(1, 0, 0), 2027))
		_, err := s.ReleaseClock(s.ctx, s.by, seller.device, now)
		ok(t, err)
		numbers, _ := seller.numbers()
		same(t, issue.Series{Prefix: "INV", First: 10, Year: 2026, Last: 9, Ahead: map[int]int64{2027: 10}})(numbers, nil)
	})
}

func TestReleaseClockOfAnotherOrganisation(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		ok(t, seller.dated(noon().AddDate(1, 0, 0), 2027))
		_, err := s.ReleaseClock(s.ctx, s.other, seller.device, noon())
		refused(t, err, fault.NotFound, "Device not found")
	})
}

// AllDatedAhead ignores retired and expired devices. DatedAhead does not list
// retired devices.
func TestDatedAheadIgnoresRetiredDevices(t *testing.T) {
	for name, end := range map[string]string{
		"retired": `UPDATE device SET retired_at = 1 WHERE id = $1`,
		"expired": `UPDATE device SET production_from = 0, production_until = 1 WHERE id = $1`,
	} {
		t.Run(name, func(t *testing.T) {
			mostlySQLite(t, func(t *testing.T, s *fixture) {
				seller, now := s.seller(s.by), noon()
				ended := s.seller(s.other)
				ok(t, seller.dated(now.AddDate(2, 0, 0), 2028))
				same(t, false)(s.AllDatedAhead(s.ctx, now))
				s.execute(end, ended.device)
				same(t, true)(s.AllDatedAhead(s.ctx, now))
				s.execute(`UPDATE device SET retired_at = 1 WHERE id = $1`, seller.device)
				found, err := s.DatedAhead(s.ctx, now)
				ok(t, err)
				for _, a := range found {
					if a.Series == "" {
						t.Errorf("DatedAhead returned the retired device %+v, want only series", a)
					}
				}
			})
		})
	}
}
