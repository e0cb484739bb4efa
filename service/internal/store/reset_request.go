package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/database"
	"khatm/service/internal/fault"
)

// AddReset inserts a request for a new password. It returns a ServerBusy fault if
// account.MostResets are waiting.
func (s *Store) AddReset(ctx context.Context, r account.Reset) error {
	const insert = `
		INSERT INTO reset_request (id, email, language, address, request, created_at)
		SELECT $1, $2, $3, $4, $5, $6
		WHERE (SELECT count(*) FROM reset_request) < $7`
	busy := fault.New(fault.ServerBusy, "The server is busy. Try again in a moment.")
	return s.write(ctx, func(t *tx) error {
		return t.ExecOne(busy, insert, r.ID, r.Email, r.Language, r.Address, r.Request, millis(r.At), account.MostResets)
	})
}

// Resets returns the requests for a new password that wait, the oldest first.
func (s *Store) Resets(ctx context.Context) ([]account.Reset, error) {
	const query = `SELECT id, email, language, address, request, created_at FROM reset_request ORDER BY id`
	return database.All(ctx, s.db, query, nil, func(row scanner) (r account.Reset, err error) {
		err = row.Scan(&r.ID, &r.Email, &r.Language, &r.Address, &r.Request, instant{&r.At})
		return r, err
	})
}

// EndReset deletes a request that gets no e-mail.
func (s *Store) EndReset(ctx context.Context, id uuid.UUID) error {
	return s.write(ctx, func(t *tx) error {
		if err := t.Exec(`DELETE FROM reset_request WHERE id = $1`, id); err != nil {
			return fmt.Errorf("delete the request %s: %w", id, err)
		}
		return nil
	})
}
