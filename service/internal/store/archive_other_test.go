package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/submit"
)

// A server whose archive is not that of the installation any more writes and claims
// nothing, and leaves the outbox to the servers of the other archive.
func TestOtherArchive(t *testing.T) {
	kinds := []struct {
		name     string
		archived bool // this server has an archive
		location string
		epoch    int
	}{
		{"none", false, "elsewhere", 1},
		{"another location", true, "elsewhere", 0},
		{"a later epoch", true, "memory", 1},
	}
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			each(t, func(t *testing.T, s *fixture) {
				var archive *lineArchive
				if kind.archived {
					archive = s.archived()
				}
				shop := s.seller(s.by)
				sent := shop.issue(asIs)
				if kind.archived {
					s.caughtUp()
				}
				ok(t, s.CheckArchive(s.ctx))
				claiming := submit.Claiming{Route: ledger.ByClearance, Most: 9, Now: s.config.Now(), LeaseUntil: instantOf(50), Worker: "w"}
				ok(t, s.RecordArchive(s.ctx, kind.location, kind.epoch)) // as another server does
				if kind.location == "elsewhere" {
					// Another server archives it there.
					s.execute(`DELETE FROM unarchived WHERE invoice_id IS NOT NULL`)
				}
				if err := s.CheckArchive(s.ctx); !errors.Is(err, store.ErrOtherArchive) {
					t.Errorf("CheckArchive = %v, want ErrOtherArchive", err)
				}
				before, lines := s.count(`SELECT count(*) FROM unarchived`), 0
				if kind.archived {
					lines = len(archive.all())
				}
				_, err := shop.append(asIs)
				if fault.KindOf(err) != fault.Unavailable || !errors.Is(err, store.ErrOtherArchive) || !errors.Is(err, issue.ErrUnwritten) {
					t.Errorf("append = %v, want that the archive is another one", err)
				}
				if n := s.count(`SELECT count(*) FROM invoice`); n != 1 {
					t.Errorf("%d invoices, want 1", n)
				}
				claimed, err := s.Claim(s.ctx, claiming)
				ok(t, err)
				if len(claimed.Jobs) != 0 || s.count(`SELECT count(*) FROM attempt`) != 0 {
					t.Errorf("invoice %s was claimed", sent.ID)
				}
				if kind.archived {
					eventually(t, "the archiver notices it", func() bool { return errors.Is(s.ArchiveBehind(), store.ErrOtherArchive) })
					if len(archive.all()) != lines || s.count(`SELECT count(*) FROM unarchived`) != before {
						t.Error("the outbox of the other archive was archived here")
					}
				}
			})
		})
	}
}

// On PostgreSQL, another location is recorded only after the transactions that have
// read the earlier one, so that it gets their documents.
func TestOtherArchiveWaits(t *testing.T) {
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
	shop := s.seller(s.by)
	shop.issue(asIs)
	armed = true
	appended, recorded := make(chan error, 1), make(chan error, 1)
	go func() { _, err := shop.append(asIs); appended <- err }()
	<-paused
	go func() { recorded <- s.RecordArchive(s.ctx, "elsewhere", 1) }()
	eventually(t, "the record waits or is complete", func() bool {
		const waiting = `SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE c.relname = 'archive' AND NOT granted AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`
		return len(recorded) > 0 || s.count(waiting) > 0
	})
	close(pause)
	ok(t, <-appended)
	ok(t, <-recorded)
	if n := s.count(`SELECT count(*) FROM unarchived WHERE invoice_id IS NOT NULL`); n != 2 {
		t.Errorf("%d of 2 documents are to be archived", n)
	}
}

// The refusal of a server that was started without the archive says so.
func TestRefusalWithoutArchive(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		shop := s.seller(s.by)
		ok(t, s.RecordArchive(s.ctx, "elsewhere", 1))
		_, err := shop.append(asIs)
		if !strings.Contains(fmt.Sprint(err), "started without it") {
			t.Errorf("append = %v, want that the server was started without the archive", err)
		}
	})
}
