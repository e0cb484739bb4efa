package servicetest

import "net/http"

func outboxResource() resource {
	return resource{
		records: map[string]record{"letter_id": {(*Seller).lettered, NoLetter}},
		lists:   []string{OutboxPath},
	}
}

// lettered shares a new draft and returns the id of the e-mail about it.
func (t *Seller) lettered(admin string) string {
	t.TB.Helper()
	t.As(admin, http.MethodPost, DraftsPath+t.DraftedBy(admin)+"/share/", "").Wants(t.TB, http.StatusOK)
	return IDOf(First(t.TB, t.As(admin, http.MethodGet, OutboxPath, "").Wants(t.TB, http.StatusOK)["letters"]))
}
