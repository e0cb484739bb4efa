package store

import (
	"fmt"

	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// endLetters ends the letters about a draft that wait and are of no use after a
// change, and forgets what they said: all of them with its link, those with a
// code when that is of an older version or has done its work. One that is being
// handed over may arrive all the same; it is not tried again.
func (t *tx) endLetters(of org.Tenant, f *share.Folder, relinked bool) (err error) {
	const (
		end  = `UPDATE letter SET state = 'expired', sealed = NULL, lease_until = NULL WHERE org_id = $1 AND draft_id = $2 AND state = 'queued'`
		code = end + ` AND about = $3`
		// Whoever approves has the code: that its letter was sent may be on the way
		// to the record.
		used = code + ` AND (lease_until IS NULL OR lease_until <= $4)`
	)
	switch {
	case relinked, f.Removed:
		err = t.Exec(end, of.ID(), f.ID)
	case f.Code.Made > 0 && f.Code.Version != f.Version:
		err = t.Exec(code, of.ID(), f.ID, share.AboutCode)
	case f.Approval != nil:
		err = t.Exec(used, of.ID(), f.ID, share.AboutCode, millis(t.store.now()))
	}
	if err != nil {
		return fmt.Errorf("end the letters about draft %s: %w", f.ID, err)
	}
	return nil
}
