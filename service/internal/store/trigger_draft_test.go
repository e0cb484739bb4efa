package store_test

import "strings"

const (
	draftStays  = "an approved or issued draft never changes"
	draftKept   = "a draft is removed and never deleted"
	linkStays   = "a link never lives again"
	codeStays   = "the tries of a code and the codes of a link are only added to"
	letterStays = "a letter ends once"
)

// ofDrafts returns statements on drafts, links and e-mails that the database
// must refuse.
func ofDrafts() (refused []forbiddenStatement) {
	const another = `'01000000-0000-7000-8000-0000000000ff'`
	const otherOrganisation = `org_id = (SELECT max(CAST(id AS TEXT)) FROM organisation)`
	for where, changes := range map[string][]string{
		`UPDATE draft SET %s`: {otherOrganisation, `id = ` + another, `created_by = 'another'`, `created_at = created_at + 1`, `version = version - 1`},
		`UPDATE draft SET %s WHERE approval IS NOT NULL`: {
			`version = version + 1`, `request = '{}'`, `recipient = '{}'`, `shown = '{}'`, `xml = (SELECT digest FROM api_key)`, `approval = '{}'`, `approval = NULL`,
			`invoice_id = NULL`, `summary = '{}'`, `summary = NULL, folded = NULL`, `folded = ''`,
		},
		`UPDATE draft SET %s WHERE removed = 1`: {`removed = 0`},
	} {
		refused = append(refused, refusedChanges(where, changes, draftStays)...)
	}
	link := []string{otherOrganisation, `digest = (SELECT digest FROM api_key)`, `expires_at = expires_at + 1`, `revoked = revoked - 1`}
	refused = append(refused, refusedChanges(`UPDATE share SET %s WHERE revoked = 1`, append(link, `invoice_id = `+another), linkStays)...)
	refused = append(refused, refusedChanges(`UPDATE draft_link SET %s WHERE revoked = 1`, append(link, `draft_id = `+another), linkStays)...)
	refused = append(refused, refusedChanges(`UPDATE draft_code SET %s`, []string{
		otherOrganisation, `digest = (SELECT digest FROM api_key)`, `made = made - 1`, `made = made + 1, version = version - 1`, `tries = tries - 1`,
		`version = version + 1`, `made_at = made_at - 1`, `expires_at = expires_at + 1`,
	}, codeStays)...)
	refused = append(refused, refusedChanges(`UPDATE letter SET %s WHERE state = 'queued'`, []string{
		otherOrganisation, `id = ` + another, `draft_id = ` + another, `draft_id = NULL`, `recipient = 'another'`, `created_at = created_at - 1`, `expires_at = expires_at + 1`, `attempts = attempts - 1`,
	}, letterStays)...)
	return append(refused,
		forbiddenStatement{`UPDATE letter SET state = 'expired', sent_at = NULL WHERE state = 'sent'`, letterStays},
		forbiddenStatement{`DELETE FROM draft`, draftKept},
		forbiddenStatement{`UPDATE draft SET corrects = id WHERE removed = 0`, "a draft corrects the same invoice until its end"},
		forbiddenStatement{`
			INSERT INTO draft (org_id, id, version, request, recipient, created_by, created_at, changed_at, removed, corrects)
			SELECT org_id, ` + another + `, 1, '{}', '{}', 'test', 1, 1, 0, id FROM invoice`, "only a rejected invoice is corrected by a draft"},
		forbiddenStatement{`DELETE FROM draft_link`, linkStays},
		forbiddenStatement{`DELETE FROM draft_code`, codeStays},
	)
}

func refusedChanges(statement string, changes []string, words string) (refused []forbiddenStatement) {
	for _, change := range changes {
		refused = append(refused, forbiddenStatement{strings.Replace(statement, "%s", change, 1), words})
	}
	return refused
}
