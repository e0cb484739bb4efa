package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/device"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// Documents wait until the authority answers them, in whatever state they are.
func TestWaitingDocumentsOfDevices(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		one, two, none, theirs := s.seller(s.by), s.seller(s.by), s.seller(s.by), s.seller(s.other)
		at := func(minutes int, simplified bool) func(*issue.Entry) {
			return func(e *issue.Entry) {
				e.Invoice.CreatedAt, e.Invoice.Transaction = instantOf(0).Add(time.Duration(minutes)*time.Minute), invoice.Transaction{Simplified: simplified}
			}
		}
		one.answered(ledger.Cleared)
		var ids []uuid.UUID
		for n, simplified := range []bool{true, false, true, false, true} {
			ids = append(ids, one.issue(at(10-n, simplified)).ID)
		}
		two.issue(at(30, false))
		theirs.issue(at(1, false))
		all := []uuid.UUID{one.device, two.device, none.device, theirs.device}
		want := map[uuid.UUID]device.Waiting{
			one.device: {Count: 5, Oldest: instantOf(0).Add(6 * time.Minute)},
			two.device: {Count: 1, Oldest: instantOf(0).Add(30 * time.Minute)},
		}
		same(t, want)(s.Waiting(s.ctx, s.by.Tenant, all))
		for n, state := range []string{
			`state = 'waiting', due_at = 1`, `state = 'held'`, `state = 'held', stopped = 'too large'`, `state = 'sending', lease_until = 1`,
		} {
			s.execute(`UPDATE submission SET `+state+` WHERE invoice_id = $1`, ids[n])
			same(t, want)(s.Waiting(s.ctx, s.by.Tenant, all))
		}
		ok(t, s.Answer(s.ctx, s.by.Tenant, ids[4], ledger.Reported, instantOf(40)))
		want[one.device] = device.Waiting{Count: 4, Oldest: instantOf(0).Add(7 * time.Minute)}
		same(t, want)(s.Waiting(s.ctx, s.by.Tenant, all))
		same(t, map[uuid.UUID]device.Waiting{})(s.Waiting(s.ctx, s.by.Tenant, nil))
	})
}

// waitingIndexes contain only documents without an answer.
var waitingIndexes = []string{"submission_device", "submission_held", "submission_stopped", "submission_lease"}

// The query reads no answered documents, of which there are many.
func TestWaitingReadsPartialIndexes(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		s := storetest.Open(t, storetest.SQLite(t))
		steps, err := store.Plan(t.Context(), s, store.WaitingOfDevices("$2, $3"), "", "", "")
		ok(t, err)
		wantIndexes(t, slices.DeleteFunc(steps, func(step string) bool { return !strings.Contains(step, "submission") }))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		s := open(t, storetest.Postgres(t))
		till := s.seller(s.by)
		for range 4 {
			_, err := till.append(slices.Repeat([]func(*issue.Entry){asIs}, 50)...)
			ok(t, err)
		}
		s.execute(`UPDATE submission SET state = 'done'`)
		_, err := till.append(asIs, asIs)
		ok(t, err)
		s.execute(`VACUUM ANALYZE submission`)
		// A scan of so few rows can seem cheaper than an index.
		conn, err := s.raw.Conn(t.Context())
		ok(t, err)
		defer func() { _ = conn.Close() }()
		_, err = conn.ExecContext(t.Context(), `SET enable_seqscan = off`)
		ok(t, err)
		rows, err := conn.QueryContext(t.Context(), `EXPLAIN `+store.WaitingOfDevices("$2"), s.by.Tenant.ID(), till.device)
		ok(t, err)
		defer func() { _ = rows.Close() }()
		var steps []string
		for rows.Next() {
			var step string
			ok(t, rows.Scan(&step))
			if strings.Contains(step, " submission") {
				steps = append(steps, step)
			}
		}
		ok(t, rows.Err())
		// Of the partial indexes, all of which are small, the server chooses by its
		// statistics.
		partial := append([]string{"submission_open"}, waitingIndexes...)
		for _, step := range steps {
			if !strings.Contains(step, "Bitmap Heap Scan") && !slices.ContainsFunc(partial, func(index string) bool { return strings.Contains(step, index+" ") }) {
				t.Errorf("query plan has the step %q, want only partial indexes", step)
			}
		}
		if len(steps) < 4 {
			t.Errorf("query plan %q has less than four steps", steps)
		}
	})
}

// wantIndexes checks that each step reads one of the indexes, and that all are read.
func wantIndexes(t *testing.T, steps []string) {
	t.Helper()
	for _, index := range waitingIndexes {
		if !slices.ContainsFunc(steps, func(step string) bool { return strings.Contains(step, index) }) {
			t.Errorf("query plan %q does not use %s", steps, index)
		}
	}
	for _, step := range steps {
		if !slices.ContainsFunc(waitingIndexes, func(index string) bool { return strings.Contains(step, index) }) {
			t.Errorf("query plan has the step %q, want only partial indexes", step)
		}
	}
}
