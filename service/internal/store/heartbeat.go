package store

import (
	"context"
	"fmt"

	"khatm/service/internal/database"
)

// Heartbeat is what the database has recorded of the last heartbeat of a server.
type Heartbeat struct {
	Number int64
	Token  string
}

// NextHeartbeat records that a server writes its next heartbeat to the archive, and
// returns its number.
func (s *Store) NextHeartbeat(ctx context.Context, server, token string) (number int64, err error) {
	err = s.write(ctx, func(t *tx) error {
		const next = `
			INSERT INTO heartbeat (server, number, token) VALUES ($1, 1, $2)
			ON CONFLICT (server) DO UPDATE SET number = heartbeat.number + 1, token = excluded.token
			RETURNING number`
		return t.QueryRow(next, server, token).Scan(&number)
	})
	if err != nil {
		return 0, fmt.Errorf("record the heartbeat of the archive: %w", err)
	}
	return number, nil
}

// Heartbeats returns the last heartbeats of all servers.
func (s *Store) Heartbeats(ctx context.Context) (map[string]Heartbeat, error) {
	all := map[string]Heartbeat{}
	_, err := database.AllOnce(ctx, s.db, `SELECT server, number, token FROM heartbeat`, nil, func(row scanner) (h Heartbeat, err error) {
		var server string
		err = row.Scan(&server, &h.Number, &h.Token)
		all[server] = h
		return h, err
	})
	if err != nil {
		return nil, fmt.Errorf("read the heartbeats of the archive: %w", err)
	}
	return all, nil
}
