package store

import (
	"context"
	"time"
)

// Clock returns the time of the database server, or of this process on SQLite.
func (s *Store) Clock(ctx context.Context) (time.Time, error) {
	if s.dialect.Embedded {
		return s.now(), nil
	}
	var at time.Time
	const query = `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint`
	err := s.db.One(ctx, nil, query, nil, instant{&at})
	return at, err
}
