package store_test

import (
	"testing"

	"khatm/service/internal/ledger"
)

const (
	invoiceStays    = "an issued invoice and a final verdict never change"
	documentStays   = "signed bytes never change"
	submissionStays = "a submission ends once and its attempts are only added to"
	belongingsStay  = "what belongs to an issued invoice is never deleted"
	deductionStays  = "a deduction changes only by being released"
	deductionWhole  = "a deduction is stored with its amounts"
	documentDigests = "a document is stored with its digests"
	verdictDigests  = "a verdict is stored with its digests"
)

// ofSending returns statements on submissions and answers that the database
// must refuse.
func ofSending() (refused []forbiddenStatement) {
	for _, change := range []string{
		`org_id = (SELECT max(CAST(id AS TEXT)) FROM organisation)`, `invoice_id = '01000000-0000-7000-8000-0000000000ff'`,
		`device_id = '01000000-0000-7000-8000-0000000000ff'`, `attempts = attempts - 1`, `state = 'queued'`, `state = 'held'`,
	} {
		refused = append(refused, forbiddenStatement{`UPDATE submission SET ` + change + ` WHERE state = 'done'`, submissionStays})
	}
	for _, change := range []string{
		`org_id = (SELECT max(CAST(id AS TEXT)) FROM organisation)`, `invoice_id = '01000000-0000-7000-8000-0000000000ff'`, `number = number + 9`,
		`route = 'reporting'`, `worker = 'another'`, `claimed_at = 1`, `lapsed_at = 1`, `ended_at = 1`, `outcome = 'unknown'`, `outcome = NULL, ended_at = NULL`,
		`sent = 0`, `code = 500`, `took = 9`, `cause = 'another'`, `raw = NULL`, `for_copy = 1 - for_copy`,
	} {
		refused = append(refused, forbiddenStatement{`UPDATE attempt SET ` + change, submissionStays})
	}
	for _, change := range []string{
		`org_id = (SELECT max(CAST(id AS TEXT)) FROM organisation)`, `invoice_id = '01000000-0000-7000-8000-0000000000ff'`, `attempt = attempt + 1`, `route = 'reporting'`,
		`status = 'REPORTED'`, `code = 202`, `result = 'ERROR'`, `infos = '[]'`, `warnings = '[{}]'`, `errors = '[{}]'`, `stamped = NULL`,
		`digest = NULL`, `digest = (SELECT digest FROM api_key)`, `stamped_digest = NULL`, `stamped_digest = (SELECT digest FROM api_key)`,
		`stamped = (SELECT digest FROM api_key)`, `suspect = (SELECT digest FROM api_key)`, `flag = 'no document'`, `answered_at = answered_at + 1`,
	} {
		refused = append(refused, forbiddenStatement{`UPDATE verdict SET ` + change, invoiceStays})
	}
	for _, change := range []string{
		`org_id = (SELECT max(CAST(id AS TEXT)) FROM organisation)`, `invoice_id = '01000000-0000-7000-8000-0000000000ff'`,
		`advance_id = '01000000-0000-7000-8000-0000000000ff'`, `vat_rows = '[]'`, `vat_rows = NULL`, `released = released - 1`,
	} {
		refused = append(refused, forbiddenStatement{`UPDATE deduction SET ` + change, deductionStays})
	}
	refused = append(refused, forbiddenStatement{`INSERT INTO deduction (org_id, advance_id, invoice_id, released) SELECT org_id, invoice_id, advance_id, 0 FROM deduction`, deductionWhole})
	for _, table := range []string{"credit", "deduction", "submission", "share", "attempt", "verdict", "copy_request"} {
		refused = append(refused, forbiddenStatement{`DELETE FROM ` + table, belongingsStay})
	}
	return refused
}

// ofInvoices returns statements on issued invoices that the database must
// refuse.
func ofInvoices() (refused []forbiddenStatement) {
	for _, change := range []string{
		`place = place + 1000`, `org_id = (SELECT max(CAST(id AS TEXT)) FROM organisation)`,
		`id = '01000000-0000-7000-8000-0000000000ff'`, `task_id = '01000000-0000-7000-8000-0000000000ff'`,
		`device_id = '01000000-0000-7000-8000-0000000000ff'`, `counter = counter + 1000`, `hash = previous_hash`, `previous_hash = hash`,
		`ref_num = 'another'`, `type_code = 381`, `transaction_code = '0200000'`, `issue_date = '2000-01-01'`, `issue_time = '00:00:00'`,
		`issued_at = issued_at + 1`, `currency = 'SAR'`, `buyer_id = '01000000-0000-7000-8000-0000000000ff'`, `buyer_id = NULL`, `buyer_name = 'another'`,
		`without_vat = '0'`, `vat = '0'`, `with_vat = '0'`, `payable = '0'`, `idempotency_key = 'another'`, `idempotency_key = NULL`,
		`body_digest = (SELECT digest FROM api_key)`, `ref_key = 'x'`, `tail = tail + 1`, `key_folded = 'x'`, `buyer_text = NULL`, `created_at = created_at + 1`,
		`due_date = '2000-01-01'`, `due_date = NULL`,
	} {
		refused = append(refused, forbiddenStatement{`UPDATE invoice SET ` + change, invoiceStays})
	}
	for _, change := range []string{
		`org_id = org_id`, `invoice_id = invoice_id`, `record = '{}'`, `xml = (SELECT digest FROM api_key)`, `qr = 'another'`,
		`digest = NULL`, `xml_digest = NULL`, `digest = (SELECT digest FROM api_key)`, `xml_digest = (SELECT digest FROM api_key)`,
	} {
		refused = append(refused, forbiddenStatement{`UPDATE document SET ` + change, documentStays})
	}
	for _, change := range []string{
		`org_id = org_id`, `invoice_id = invoice_id`, `position = position + 9`, `category = 'O'`, `rate = '5'`, `reason_code = ''`,
		`taxable = '0'`, `vat = '0'`, `taxable_sar = '0'`, `vat_sar = '0'`,
	} {
		refused = append(refused, forbiddenStatement{`UPDATE vat_row SET ` + change, invoiceStays})
	}
	return append(refused,
		forbiddenStatement{`UPDATE invoice SET answer_digest = NULL WHERE answer_digest IS NOT NULL`, invoiceStays},
		forbiddenStatement{`UPDATE invoice SET answer_digest = (SELECT digest FROM api_key) WHERE answer_digest IS NOT NULL`, invoiceStays},
		forbiddenStatement{`INSERT INTO document (org_id, invoice_id, record, xml, qr, digest) SELECT org_id, invoice_id, record, xml, qr, digest FROM document`, documentDigests},
		forbiddenStatement{`INSERT INTO document (org_id, invoice_id, record, xml, qr, xml_digest) SELECT org_id, invoice_id, record, xml, qr, digest FROM document`, documentDigests},
		forbiddenStatement{`INSERT INTO verdict (org_id, invoice_id, attempt, route, status, code, result, infos, warnings, errors, stamped, flag, answered_at, stamped_digest)
			SELECT org_id, invoice_id, attempt, route, status, code, result, infos, warnings, errors, stamped, flag, answered_at, stamped_digest FROM verdict`, verdictDigests},
		forbiddenStatement{`INSERT INTO verdict (org_id, invoice_id, attempt, route, status, code, result, infos, warnings, errors, stamped, flag, answered_at, digest)
			SELECT org_id, invoice_id, attempt, route, status, code, result, infos, warnings, errors, stamped, flag, answered_at, digest FROM verdict`, verdictDigests},
		forbiddenStatement{`DELETE FROM invoice`, invoiceStays},
		forbiddenStatement{`DELETE FROM document`, documentStays}, forbiddenStatement{`DELETE FROM vat_row`, invoiceStays})
}

// Status and code of a final verdict cannot change; before that they can.
func TestTriggersKeepFinalVerdicts(t *testing.T) {
	statuses := []ledger.Status{ledger.Cleared, ledger.Reported, ledger.NotCleared, ledger.NotReported, ledger.NoResponse}
	each(t, func(t *testing.T, s *fixture) {
		seller := s.seller(s.by)
		for _, was := range statuses {
			id := seller.answered(was).ID.String()
			for _, is := range append(statuses, ledger.Unanswered) {
				change := `UPDATE invoice SET status = '` + string(is) + `' WHERE id = $1`
				if is == ledger.Unanswered {
					change = `UPDATE invoice SET status = NULL WHERE id = $1`
				}
				final := was.Final() && is != was
				s.lets(t, !final, change, id)
				if !final {
					s.lets(t, true, `UPDATE invoice SET payment = 'Paid' WHERE id = $1`, id)
				}
			}
			for _, change := range []string{`answered_at = 1`, `answered_at = NULL`, `submitted_at = 1`} {
				if was.Final() {
					s.lets(t, false, `UPDATE invoice SET `+change+` WHERE id = $1`, id)
				}
			}
			s.lets(t, !was.Final(), `UPDATE invoice SET code = 500 WHERE id = $1`, id)
		}
	})
}

// lets checks that the database accepts a statement, or refuses it with the
// message of the trigger. It rolls back.
func (s *fixture) lets(t *testing.T, through bool, statement string, args ...any) {
	t.Helper()
	tx, err := s.raw.Begin()
	ok(t, err)
	defer func() { _ = tx.Rollback() }()
	_, err = tx.Exec(statement, args...)
	if through && err != nil || !through && !refusedWith(err, invoiceStays) {
		t.Errorf("%s %v\n\terror = %v, want it accepted: %v", statement, args, err, through)
	}
}
