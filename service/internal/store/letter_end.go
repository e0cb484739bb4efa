package store

import (
	"fmt"

	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// endLetters ends the queued e-mails about a draft that a change makes useless,
// and deletes their contents: all e-mails to the recipient if the link has
// changed or the draft is removed, e-mails with a code if the code is of an older
// version or was used. An e-mail that is being sent may still arrive, but it is not tried
// again.
func (t *tx) endLetters(of org.Tenant, f *share.Folder, relinked bool) (err error) {
	const (
		end  = `UPDATE letter SET state = 'expired', sealed = NULL, lease_until = NULL WHERE org_id = $1 AND draft_id = $2 AND state = 'queued'`
		link = end + ` AND about <> $3`
		code = end + ` AND about = $3`
		// The code was used, so its e-mail has arrived. The sender
		// may not have recorded this yet.
		used = code + ` AND (lease_until IS NULL OR lease_until <= $4)`
	)
	switch {
	case relinked, f.Removed:
		err = t.Exec(link, of.ID(), f.ID, share.AboutDecline)
	case f.Code.Made > 0 && f.Code.Version != f.Version:
		err = t.Exec(code, of.ID(), f.ID, share.AboutCode)
	case f.Approval != nil || f.Decline != nil:
		err = t.Exec(used, of.ID(), f.ID, share.AboutCode, millis(t.store.now()))
	}
	if err != nil {
		return fmt.Errorf("end the e-mails about draft %s: %w", f.ID, err)
	}
	return nil
}
