package store_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/continuity"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/store/storetest"
)

const (
	onlyRecovery   = "only a recovery, which begins a new generation, lets issuing go on"
	continuityStay = "the continuity of an installation is never deleted"
	gapStays       = "a declared gap never changes"
)

// ofContinuity returns statements on gaps and continuity that the database must
// refuse.
func ofContinuity() []forbiddenStatement {
	return []forbiddenStatement{
		{`UPDATE continuity SET generation = generation - 1`, onlyRecovery},
		{`UPDATE continuity SET stopped_at = NULL, reason = ''`, onlyRecovery},
		{`DELETE FROM continuity`, continuityStay},
		{`UPDATE gap SET last = last + 1`, gapStays},
		{`DELETE FROM gap`, gapStays},
		{`UPDATE number_gap SET last = last + 1`, gapStays},
		{`DELETE FROM number_gap`, gapStays},
	}
}

// declareGaps inserts gaps and stops issuing in the second generation.
func (s *fixture) declareGaps() {
	s.t.Helper()
	device := s.idsOf("device")[0]
	s.write("gap", record{"org_id": s.by.Tenant.ID().String(), "device_id": device.String(), "first": 1, "last": 3, "hash": strings.Repeat("g", 44), "issued_at": 1, "declared_at": 2})
	s.write("number_gap", record{"org_id": s.by.Tenant.ID().String(), "series": "INV-2025-", "first": 1, "last": 3, "declared_at": 2})
	s.execute(`UPDATE continuity SET generation = 1`)
	ok(s.t, s.StopIssuing(context.Background(), "restored"))
}

func TestStopIssuing(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		open, done := seller.issue(func(*issue.Entry) {}), seller.issue(func(*issue.Entry) {})
		ok(t, s.Answer(s.ctx, s.by.Tenant, done.ID, ledger.Cleared, instantOf(40)))
		s.execute(`UPDATE submission SET asked = 1 WHERE state <> 'done'`)
		ok(t, s.StopIssuing(s.ctx, "restored"))
		ok(t, s.StopIssuing(s.ctx, "another reason")) // the first reason is kept
		state, err := s.Continuity(s.ctx)
		ok(t, err)
		if !state.Stopped() || state.Reason != "restored" || state.Generation != 0 {
			t.Errorf("state after StopIssuing = %+v, want stopped with the first reason", state)
		}
		read := s.taken(s.by.Tenant, s.wantsAll())
		if read.Stopped != "restored" || read.Documents != 2 {
			t.Errorf("Append got reason %q and %d documents, want \"restored\" and 2", read.Stopped, read.Documents)
		}
		// Unanswered documents are treated as sent when they were created.
		doubt := s.texts(`SELECT CAST(invoice_id AS TEXT) FROM submission s WHERE asked = 0 AND doubt_at = (SELECT created_at - 1 FROM invoice i WHERE i.id = s.invoice_id)`)
		if len(doubt) != 1 || doubt[0] != open.ID.String() {
			t.Errorf("documents in doubt = %v, want %s", doubt, open.ID)
		}
		if got := s.texts(`SELECT action FROM event WHERE action = 'continuity.stop'`); len(got) != 1 {
			t.Errorf("%d entries of StopIssuing in the audit trail, want 1", len(got))
		}
	})
}

func TestRecover(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		last := s.seller(s.by).issue(func(*issue.Entry) {})
		other := sampleDevice(s.config.NewID(), nil)
		other.Retired = false
		ok(t, s.AddDevice(s.ctx, s.by, other))
		ok(t, s.StopIssuing(s.ctx, "restored"))
		r := continuity.Recovery{
			Generation: 1, Identity: continuity.Identity{Inode: 7}, TrailHead: []byte("sealed"),
			Gaps: []continuity.Gap{{Organisation: s.by.Tenant.ID(), Device: last.Device, First: last.Counter + 1, Last: last.Counter + 3,
				Hash: strings.Repeat("g", 44), IssuedAt: last.IssuedAt.Add(1e9)}},
			Numbers: []continuity.NumberMove{
				{Organisation: s.by.Tenant.ID(), Kind: "INV", First: 2, From: continuity.Number{Prefix: "INV", Year: 2026, Last: 1}, To: continuity.Number{Prefix: "INV", Year: 2026, Last: 4}},
				{Organisation: s.by.Tenant.ID(), Kind: "CRN", To: continuity.Number{Prefix: "CRN2"}},
			},
			Retired: []continuity.DeviceID{{Organisation: s.by.Tenant.ID(), Device: other.ID}},
		}
		ok(t, s.Recover(s.ctx, s.by, r))
		state, err := s.Continuity(s.ctx)
		ok(t, err)
		if state.Stopped() || state.Generation != 1 || *state.Identity != r.Identity || string(state.TrailHead) != "sealed" {
			t.Errorf("state after Recover = %+v, want generation 1 and not stopped", state)
		}
		books, err := s.Books(s.ctx)
		ok(t, err)
		b := books[s.by.Tenant.ID()]
		if b.Numbers["INV"].String() != "INV-2026-000004" || b.Devices[last.Device] != (continuity.End{Counter: last.Counter + 3, Hash: strings.Repeat("g", 44)}) || b.Documents != 1 {
			t.Errorf("book after Recover = %+v, want the ends of the recovery", b)
		}
		if d, err := s.Device(s.ctx, s.by.Tenant, other.ID); err != nil || !d.Retired {
			t.Errorf("device after Recover = %+v, %v, want it retired", d, err)
		}
		if got := s.texts(`SELECT details FROM event WHERE action = 'continuity.recover'`); len(got) != 1 || !strings.Contains(got[0], last.Device.String()) {
			t.Errorf("entries of Recover in the audit trail = %q, want one with the device", got)
		}
		if err := s.Recover(s.ctx, s.by, r); err == nil {
			t.Error("Recover with a used generation succeeded, want an error")
		}
		// A recovery that fails changes nothing.
		r.Generation = 2
		if err := s.Recover(s.ctx, s.by, r); err == nil {
			t.Error("Recover with a declared gap succeeded, want an error")
		}
		if state, err := s.Continuity(s.ctx); err != nil || state.Generation != 1 {
			t.Errorf("state after a failed recovery = %+v, %v, want generation 1", state, err)
		}
	})
}

func TestIdentity(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		first, err := s.Identity(s.ctx)
		ok(t, err)
		same(t, first)(s.Identity(s.ctx))
		if first.Server() != (s.config.URL != "") || first == (continuity.Identity{}) {
			t.Errorf("identity = %+v, want one of the engine", first)
		}
		if first.Server() && (first.System == "" || len(first.Timeline) != 8 || first.Database == 0 || first.Table == 0) {
			t.Errorf("identity of PostgreSQL = %+v, want all fields set", first)
		}
		ok(t, s.RecordIdentity(s.ctx, first, false))
		if state, err := s.Continuity(s.ctx); err != nil || *state.Identity != first {
			t.Errorf("state after RecordIdentity = %+v, %v, want the identity", state, err)
		}
		another := open(t, storetest.SQLite(t))
		if s.config.URL != "" {
			another = open(t, storetest.Postgres(t))
		}
		if second, err := another.Identity(s.ctx); err != nil || second.Same(first) {
			t.Errorf("identities of two databases = %+v and %+v, %v, want different ones", first, second, err)
		}
	})
}

// New connections to the same server are not counted as reconnections.
func TestReconnectionsStayAtZero(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	for range 3 {
		_, err := s.Continuity(s.ctx)
		ok(t, err)
		s.execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		for err = s.Ping(s.ctx); err != nil; err = s.Ping(s.ctx) { // each broken connection fails once
			if t.Context().Err() != nil {
				t.Fatal(err)
			}
		}
	}
	if n := s.Reconnections(); n != 0 {
		t.Errorf("reconnections = %d, want 0 for the same server", n)
	}
}

func TestHashAt(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		one := s.seller(s.by).issue(func(*issue.Entry) {})
		same(t, one.Hash)(s.HashAt(s.ctx, s.by.Tenant, one.Device, one.Counter))
		same(t, "")(s.HashAt(s.ctx, s.by.Tenant, one.Device, one.Counter+1))
		same(t, "")(s.HashAt(s.ctx, s.other.Tenant, one.Device, one.Counter))
		same(t, "")(s.HashAt(s.ctx, s.by.Tenant, uuid.Max, one.Counter))
	})
}
