package database

import "context"

// Replication holds the settings of PostgreSQL on which it depends whether a standby
// has everything that was committed. It is empty on SQLite.
type Replication struct {
	Standbys string // synchronous_standby_names
	Commit   string // synchronous_commit
	Target   string // position at which a point-in-time recovery ended; empty if there is none
}

// Replication reads the settings of replication.
func (db *DB) Replication(ctx context.Context) (r Replication, err error) {
	if db.engine.Embedded {
		return r, nil
	}
	const query = `
		SELECT current_setting('synchronous_standby_names'), current_setting('synchronous_commit'),
			concat(current_setting('recovery_target', true), current_setting('recovery_target_lsn', true), current_setting('recovery_target_name', true),
				current_setting('recovery_target_time', true), current_setting('recovery_target_xid', true))`
	return r, db.One(ctx, nil, query, nil, &r.Standbys, &r.Commit, &r.Target)
}
