package store

import (
	"context"
	"time"
)

// Clock reads the clock of the machine that the database is on. Embedded, that
// is ours.
func (s *Store) Clock(ctx context.Context) (time.Time, error) {
	if s.dialect.Embedded {
		return s.now(), nil
	}
	var at time.Time
	const query = `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint`
	err := s.db.One(ctx, nil, query, nil, instant{&at})
	return at, err
}
