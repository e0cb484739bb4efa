package admin

import (
	"context"
	"fmt"
)

// mostUnstamped is the maximum number of documents without a stamped copy that
// are read.
const mostUnstamped = 1000

// stampedCopies reports cleared documents without their copy with the authority's
// stamp.
func (x *examination) stampedCopies(ctx context.Context, a *Admin) {
	const check = "stamped copies"
	found, err := a.store.Unstamped(ctx, mostUnstamped)
	if err != nil {
		x.fail(check, "", "%v", err)
		return
	}
	var requested, stopped []string
	for _, u := range found {
		name := fmt.Sprintf("%s (invoice %s of organisation %s)", u.Number, u.Invoice, u.Organisation)
		if u.Stopped == "" {
			requested = append(requested, name)
		} else {
			stopped = append(stopped, name)
		}
	}
	most := ""
	if len(found) == mostUnstamped {
		most = "at least "
	}
	switch {
	case stopped != nil:
		x.warn(check, "download them from the authority's portal: the server no longer requests them",
			"%s%d cleared documents have no copy with the authority's stamp; %d are not requested any more: %s", most, len(found), len(stopped), firstFew(stopped))
	case requested != nil:
		x.warn(check, "keep the server running: it requests them for 23 hours",
			"%s%d cleared documents have no copy with the authority's stamp yet: %s", most, len(found), firstFew(requested))
	default:
		x.ok(check, "every cleared document has its copy with the authority's stamp")
	}
}
