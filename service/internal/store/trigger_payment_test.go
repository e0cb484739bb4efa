package store_test

const paymentStays = "a payment is corrected by a reversal and never changes"

// ofPayments returns statements on payments and refunds that the database must
// refuse.
func ofPayments() (refused []forbiddenStatement) {
	refused = append(refused, refusedChanges(`UPDATE receipt SET %s`, []string{
		`amount = amount + 1`, `currency = 'USD'`, `number = 'another'`, `received_on = '2026-01-01'`, `note = 'another'`, `created_by = 'another'`, `client_id = NULL`,
	}, paymentStays)...)
	refused = append(refused, refusedChanges(`UPDATE allocation SET %s`, []string{`amount = amount + 1`, `cause = 'moved'`, `created_at = created_at + 1`}, paymentStays)...)
	refused = append(refused, refusedChanges(`UPDATE refund SET %s`, []string{`amount = amount + 1`, `note_id = note_id`, `reason = 'another'`}, paymentStays)...)
	return append(refused,
		forbiddenStatement{`UPDATE refund_part SET amount = amount + 1`, paymentStays},
		forbiddenStatement{`DELETE FROM receipt`, paymentStays},
		forbiddenStatement{`DELETE FROM allocation`, paymentStays},
		forbiddenStatement{`DELETE FROM refund`, paymentStays},
		forbiddenStatement{`DELETE FROM refund_part`, paymentStays},
	)
}
