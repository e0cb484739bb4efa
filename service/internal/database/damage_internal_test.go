package database

import (
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// An error about a damaged value means corruption. A disk error may be
// temporary, so it is also an outage.
func TestPostgresErrorClasses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code, message               string
		corrupt, unreadable, outage bool
	}{
		{"XX001", "invalid page in block 7", true, true, false},
		{"XX002", "index is damaged", true, true, false},
		{"XX000", "invalid memory alloc request size 18446744073709551613", true, true, false},
		{"XX000", "cache lookup failed", false, false, false},
		{"58030", "could not read block 7: Input/output error", false, true, true},
		{"23505", "duplicate key", false, false, false},
	} {
		err := &pgconn.PgError{Code: c.code, Message: c.message}
		if IsCorrupt(err) != c.corrupt || IsUnreadable(err) != c.unreadable || isOutage(err) != c.outage {
			t.Errorf("%s %s: corrupt, unreadable, outage = %t, %t, %t, want %t, %t, %t", c.code, c.message,
				IsCorrupt(err), IsUnreadable(err), isOutage(err), c.corrupt, c.unreadable, c.outage)
		}
	}
}
