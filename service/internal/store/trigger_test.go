package store_test

import (
	"slices"
	"strings"
	"testing"

	"khatm/invoice"
	"khatm/service/internal/device"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store/storetest"
)

// Messages of the triggers.
const (
	installationStays = "an installation keeps its id and its environment"
	keyStays          = "a key changes only by being revoked, once"
	deviceStays       = "a device keeps its environment and its serial number"
	chainStays        = "the counter of a device never goes back"
	trailStays        = "the audit trail is only added to"
	codeWorksOnce     = "a code works once"
	releaseStays      = "a release names the last document of its device and never changes"
)

// forbiddenStatement is a statement and the message with which it is refused.
type forbiddenStatement struct{ statement, words string }

// forbidden are statements that the database must refuse even on a direct
// connection.
var forbidden = []forbiddenStatement{
	{`UPDATE access_link SET expires_at = expires_at + 1`, "an access link ends once"},
	{`UPDATE access_link SET used_at = NULL`, "an access link ends once"},
	{`UPDATE second_factor SET last_step = last_step - 1`, codeWorksOnce},
	{`UPDATE second_factor SET created_at = created_at - 1`, codeWorksOnce},
	{`UPDATE second_factor SET active_at = active_at + 1`, codeWorksOnce},
	{`UPDATE second_factor SET person_id = '` + withoutFactor + `'`, codeWorksOnce},
	{`UPDATE recovery_code SET used_at = NULL WHERE used_at IS NOT NULL`, codeWorksOnce},
	{`UPDATE recovery_code SET digest = (SELECT digest FROM api_key)`, codeWorksOnce},
	{`UPDATE recovery_code SET person_id = '` + withoutFactor + `'`, codeWorksOnce},
	{`UPDATE installation SET id = '01000000-0000-7000-8000-0000000000ff'`, installationStays},
	{`UPDATE installation SET environment = 'production'`, installationStays},
	{`UPDATE installation SET environment = NULL`, installationStays},
	{`DELETE FROM installation`, installationStays},

	{`UPDATE api_key SET name = 'svc_abcdefg_'`, keyStays},
	{`UPDATE api_key SET id = '01000000-0000-7000-8000-0000000000ff'`, keyStays},
	{`UPDATE api_key SET org_id = (SELECT max(CAST(id AS TEXT)) FROM organisation)`, keyStays},
	{`UPDATE api_key SET title = 'another'`, keyStays},
	{`UPDATE api_key SET digest = (SELECT sealed FROM secret)`, keyStays},
	{`UPDATE api_key SET role = 'Accountant'`, keyStays},
	{`UPDATE api_key SET scopes = ''`, keyStays},
	{`UPDATE api_key SET created_at = 1`, keyStays},
	{`UPDATE api_key SET created_by = 'another'`, keyStays},
	{`UPDATE api_key SET revoked_at = NULL`, keyStays},
	{`UPDATE api_key SET revoked_at = revoked_at + 1`, keyStays},
	{`DELETE FROM api_key`, keyStays},

	{`UPDATE device SET id = '01000000-0000-7000-8000-0000000000ff'`, deviceStays},
	{`UPDATE device SET org_id = (SELECT max(CAST(id AS TEXT)) FROM organisation)`, deviceStays},
	{`UPDATE device SET environment = 'production'`, deviceStays},
	{`UPDATE device SET serial_number = 'another'`, deviceStays},
	{`UPDATE chain SET counter = counter - 1`, chainStays},
	{`UPDATE chain SET counter = 0`, chainStays},
	{`UPDATE chain SET last_hash = '` + strings.Repeat("x", 44) + `'`, chainStays},
	{`UPDATE chain SET last_issued_at = last_issued_at + 1`, chainStays},
	{`UPDATE chain SET last_issued_at = NULL`, chainStays},
	{`UPDATE chain SET counter = counter + 1, last_issued_at = last_issued_at - 1`, chainStays},
	{`DELETE FROM device`, deviceStays},
	{`UPDATE chain SET device_id = '01000000-0000-7000-8000-0000000000ff'`, chainStays},
	{`DELETE FROM chain`, chainStays},

	{`INSERT INTO clock_release SELECT org_id, device_id, counter + 2, last_issued_at, released_at FROM clock_release`, releaseStays},
	{`UPDATE clock_release SET counter = counter + 1`, releaseStays},
	{`UPDATE clock_release SET released_at = released_at - 1`, releaseStays},
	{`DELETE FROM clock_release`, releaseStays},

	{`UPDATE event SET link = NULL, hash = NULL WHERE link = 1`, trailStays},
	{`UPDATE event SET link = 99 WHERE link = 1`, trailStays},
	{`UPDATE event SET hash = (SELECT digest FROM api_key) WHERE link = 1`, trailStays},
	{`UPDATE event SET at = at WHERE link = 1`, trailStays},
	{`UPDATE event SET id = '01000000-0000-7000-8000-0000000000ff' WHERE link = 1`, trailStays},
	{`UPDATE event SET org_id = NULL WHERE link = 1`, trailStays},
	{`UPDATE event SET at = at WHERE link IS NULL`, trailStays},
	{`UPDATE event SET action = 'client.create' WHERE link IS NULL`, trailStays},
	{`DELETE FROM event WHERE link = 1`, trailStays},
	{`DELETE FROM event WHERE link IS NULL`, trailStays},
	{`UPDATE event SET link = 99, hash = (SELECT digest FROM api_key), id = '01000000-0000-7000-8000-0000000000ff' WHERE link IS NULL`, trailStays},
	{`UPDATE event SET link = 99, hash = (SELECT digest FROM api_key), org_id = NULL WHERE link IS NULL`, trailStays},
	{`UPDATE event SET link = 99, hash = (SELECT digest FROM api_key), at = at + 1 WHERE link IS NULL`, trailStays},
	{`UPDATE event SET link = 99, hash = (SELECT digest FROM api_key), kind = 'system' WHERE link IS NULL`, trailStays},
	{`UPDATE event SET link = 99, hash = (SELECT digest FROM api_key), actor = 'x' WHERE link IS NULL`, trailStays},
	{`UPDATE event SET link = 99, hash = (SELECT digest FROM api_key), address = 'x' WHERE link IS NULL`, trailStays},
	{`UPDATE event SET link = 99, hash = (SELECT digest FROM api_key), request = 'x' WHERE link IS NULL`, trailStays},
	{`UPDATE event SET link = 99, hash = (SELECT digest FROM api_key), action = 'x' WHERE link IS NULL`, trailStays},
	{`UPDATE event SET link = 99, hash = (SELECT digest FROM api_key), subject = 'x' WHERE link IS NULL`, trailStays},
	{`UPDATE event SET link = 99, hash = (SELECT digest FROM api_key), details = '[]' WHERE link IS NULL`, trailStays},
}

// fillTables fills every table and leaves one entry of the audit trail unlinked
// and one invoice unanswered.
func fillTables(t *testing.T, s *fixture) {
	t.Helper()
	for _, d := range auditedWrites(s) {
		ok(t, d.do())
	}
	s.signedIn()
	s.factored()
	s.plainPerson(withoutFactor)
	ok(t, s.AddReset(s.ctx, sampleReset(s.config.NewID())))
	first, machine := s.idsOf("invoice")[0], s.idsOf("device")[0]
	s.pays(s.idsOf("client")[0], first, "123.45")
	second := (&seller{s, s.by, machine}).issue(func(e *issue.Entry) {
		e.Deductions = []issue.Deduction{{Advance: first, Rows: sampleRows}}
		e.Invoice.Kind = invoice.CreditNote
		e.Credits = []issue.Credit{{Original: first, Amount: decimalOf("1.15"), Rows: sampleRows}}
	})
	ok(t, s.Answer(s.ctx, s.by.Tenant, second.ID, ledger.Cleared, instantOf(40)))
	_, err := s.AddRefund(s.ctx, s.by, sampleRefund(s.config.NewID(), second.ID), sampleKeyed)
	ok(t, err)
	s.declareGaps()
	ok(t, s.Stamp(s.ctx, device.Simulator))
	s.execute(`INSERT INTO import_row (org_id, import_id, number, name, fate, first, problems) SELECT org_id, id, 2, 'First', 'create', 0, 'null' FROM import_job`)
	_, err = s.TakeWrite(s.ctx, s.by.Tenant, thisMonth, 9)
	ok(t, err)
	s.execute(`INSERT INTO damage (org_id, invoice_id, ref_num, what, found_at) SELECT org_id, org_id, ref_num, 'the QR code', 1 FROM invoice WHERE status IS NULL`) // of another invoice
	ok(t, s.LetterSent(s.ctx, s.idsOf("letter WHERE state = 'queued'")[0], instantOf(1)))
	_, _, err = s.SealTrail(s.ctx, org.Link{}, 99)
	ok(t, err)
	ok(t, s.AddReason(s.ctx, s.by, sampleReason(s.config.NewID())))
	ok(t, s.ReadNotices(s.ctx, s.by.Tenant, s.idsOf("person")[0], []string{"allowance:2026-11:80"}))
	s.execute(`INSERT INTO access_link (digest, id, purpose, email, role, created_by, created_at, expires_at, used_at) SELECT digest, id, 'setup', '', '', 'test', 1, 2, 1 FROM api_key`)
}

// allForbidden returns the statements that the triggers must refuse.
func allForbidden() []forbiddenStatement {
	return slices.Concat(
		forbidden,
		ofContinuity(),
		ofCopies(),
		ofDrafts(),
		ofPayments(),
		ofInvoices(),
		ofSending(),
	)
}

func TestTriggersRefuse(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		fillTables(t, s)
		s.seller(s.by).unstamped()
		for _, f := range allForbidden() {
			statement := f.statement
			if s.config.URL != "" { // PostgreSQL does not convert text to uuid
				statement = strings.ReplaceAll(statement, "max(CAST(id AS TEXT))", "CAST(max(CAST(id AS TEXT)) AS uuid)")
			}
			if _, err := s.raw.Exec(statement); !refusedWith(err, f.words) {
				t.Errorf("%s\n\terror = %v, want %q", statement, err, f.words)
			}
		}
	})
}

func refusedWith(err error, words string) bool {
	return err != nil && strings.Contains(err.Error(), words)
}

// Allowed changes are not refused by the triggers.
func TestTriggersAllow(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		fillTables(t, s)
		for _, statement := range []string{
			`UPDATE installation SET environment = 'simulator'`,
			`UPDATE api_key SET revoked_at = revoked_at`,
			`UPDATE chain SET counter = counter + 1, last_hash = '` + strings.Repeat("x", 44) + `', last_issued_at = last_issued_at + 1 WHERE counter = (SELECT max(counter) FROM chain)`,
			`UPDATE device SET parked = 0, parked_why = '', status = 'csr_pending', production_until = NULL, production_from = NULL WHERE id = (SELECT device_id FROM chain ORDER BY counter DESC LIMIT 1)`,
			`UPDATE event SET link = 99, hash = (SELECT digest FROM api_key) WHERE link IS NULL`,
			`UPDATE invoice SET status = 'NOT_CLEARED', code = 400, submitted_at = 1, answered_at = 2, payment = 'Paid' WHERE status IS NULL`,
			`UPDATE share SET revoked = 1 WHERE revoked = 0`,
			`UPDATE draft_link SET revoked = 1, sealed = (SELECT sealed FROM secret) WHERE revoked = 0`,
			`UPDATE draft_code SET tries = tries + 1, sealed = (SELECT sealed FROM secret)`,
			`UPDATE draft_code SET made = made + 1, version = version + 1, made_at = made_at + 1, expires_at = expires_at + 1, tries = 0`,
			`UPDATE letter SET attempts = attempts + 1, next_at = next_at + 1, lease_until = 1, problem = 'why' WHERE state = 'queued'`,
			`UPDATE letter SET state = 'refused', sealed = NULL, lease_until = NULL WHERE state = 'queued'`,
			`UPDATE submission SET state = 'done' WHERE invoice_id = (SELECT invoice_id FROM credit JOIN submission ON invoice_id = note_id)`,
		} {
			result, err := s.raw.Exec(statement)
			ok(t, err)
			if n, err := result.RowsAffected(); n != 1 || err != nil {
				t.Errorf("%s changed %d rows, %v, want 1", statement, n, err)
			}
		}
	})
}

// Every trigger is covered by one of the refused statements, except those of the
// archive, which refuse nothing.
func TestEveryTriggerIsTested(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	for _, trigger := range s.texts(`SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name NOT LIKE 'archive\_%' ESCAPE '\'`) {
		tries := func(f forbiddenStatement) bool { return strings.Contains(trigger, f.words) }
		if !slices.ContainsFunc(allForbidden(), tries) {
			t.Errorf("no statement tests the trigger\n%s", trigger)
		}
	}
}
