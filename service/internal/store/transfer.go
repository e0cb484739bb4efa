package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/database"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// ClientsAfter returns clients of an organisation, oldest first, that follow the
// client with the id after, at most as many as stated.
func (s *Store) ClientsAfter(ctx context.Context, of org.Tenant, after uuid.UUID, most int) ([]trade.Client, error) {
	const query = `SELECT ` + clientColumns + ` FROM client WHERE org_id = $1 AND id > $2 ORDER BY id LIMIT $3`
	return database.All(ctx, s.db, query, []any{of.ID(), after, most}, scanClient)
}

// ItemsAfter returns items of an organisation, oldest first, that follow the item
// with the id after, at most as many as stated.
func (s *Store) ItemsAfter(ctx context.Context, of org.Tenant, after uuid.UUID, most int) ([]trade.Item, error) {
	const query = `SELECT ` + itemColumns + ` FROM item WHERE org_id = $1 AND id > $2 ORDER BY id LIMIT $3`
	return database.All(ctx, s.db, query, []any{of.ID(), after, most}, scanItem)
}

// TakeClients inserts clients of another installation under their ids, in one
// transaction. It skips those that exist and returns the number of the others.
func (s *Store) TakeClients(ctx context.Context, by org.Actor, rows []trade.Client) (added int, err error) {
	err = s.write(ctx, func(t *tx) error {
		added = 0
		for _, c := range rows {
			known, err := t.has(`SELECT EXISTS (SELECT 1 FROM client WHERE org_id = $1 AND id = $2)`, by.Tenant.ID(), c.ID)
			if err != nil {
				return err
			}
			if known {
				continue
			}
			if err := t.addClients(by, c); err != nil {
				return err
			}
			added++
		}
		return nil
	})
	return added, err
}

// TakeItems inserts items of another installation under their ids, in one
// transaction. It skips those that exist and returns the number of the others.
func (s *Store) TakeItems(ctx context.Context, by org.Actor, rows []trade.Item) (added int, err error) {
	var last trade.Item
	err = s.write(ctx, func(t *tx) error {
		added = 0
		for _, last = range rows {
			known, err := t.has(`SELECT EXISTS (SELECT 1 FROM item WHERE org_id = $1 AND id = $2)`, by.Tenant.ID(), last.ID)
			if err != nil {
				return err
			}
			if known {
				continue
			}
			if err := t.addItems(by, last); err != nil {
				return err
			}
			added++
		}
		return nil
	})
	if err = s.codeTaken(ctx, by.Tenant, last, err); err != nil {
		return 0, fmt.Errorf("copy item %s: %w", last.Name, err)
	}
	return added, nil
}

func (t *tx) has(query string, args ...any) (found bool, err error) {
	err = t.QueryRow(query, args...).Scan(&found)
	return found, err
}

// Transfers returns the members of an organisation with the secrets of their
// accounts.
func (s *Store) Transfers(ctx context.Context, of org.Tenant) ([]account.Transfer, error) {
	const query = `
		SELECT q.id, q.email, q.name, q.disabled, q.created_at, q.password, m.role
		FROM membership m
		JOIN person q ON q.id = m.person_id
		WHERE m.org_id = $1
		ORDER BY q.id`
	all, err := database.All(ctx, s.db, query, []any{of.ID()}, func(row scanner) (account.Transfer, error) {
		var m account.Transfer
		err := row.Scan(append(personInto(&m.Person), &m.Password, &m.Role)...)
		return m, err
	})
	if err != nil {
		return nil, err
	}
	for n := range all {
		m := &all[n]
		f, err := s.Factor(ctx, m.Person.ID)
		if errors.Is(err, account.ErrUnknown) || err == nil && !f.Active() {
			continue
		}
		if err != nil {
			return nil, err
		}
		m.Factor = f
		const unused = `SELECT digest FROM recovery_code WHERE person_id = $1 AND used_at IS NULL ORDER BY digest`
		m.Recovery, err = database.All(ctx, s.db, unused, []any{m.Person.ID}, func(row scanner) (digest []byte, err error) {
			err = row.Scan(&digest)
			return digest, err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// TakeMember makes a member of another installation a member of the actor's
// organisation, in one transaction. An account with the same e-mail address stays
// unchanged, and so does a membership; the results tell which of the two is new.
// The second factor must be sealed for this installation.
func (s *Store) TakeMember(ctx context.Context, by org.Actor, m account.Transfer) (newAccount, newMember bool, err error) {
	err = s.write(ctx, func(t *tx) error {
		if err := t.lockOrganisation(by.Tenant); err != nil {
			return err
		}
		known, err := t.has(`SELECT EXISTS (SELECT 1 FROM person WHERE email = $1)`, m.Person.Email)
		if err != nil {
			return err
		}
		newAccount, newMember = !known, true
		if !known {
			if err := t.takeAccount(by, m); err != nil {
				return err
			}
		} else if err := t.QueryRow(`SELECT id FROM person WHERE email = $1`, m.Person.Email).Scan(&m.Person.ID); err != nil {
			return err
		}
		member, err := t.has(`SELECT EXISTS (SELECT 1 FROM membership WHERE org_id = $1 AND person_id = $2)`, by.Tenant.ID(), m.Person.ID)
		if err != nil || member {
			newMember = false
			return err
		}
		return t.addMembership(by, m.Person.ID, m.Role)
	})
	return newAccount, newMember, err
}

// takeAccount inserts an account with its second factor.
func (t *tx) takeAccount(by org.Actor, m account.Transfer) error {
	if err := t.addPerson(by, m.Person, m.Password); err != nil {
		return err
	}
	f := m.Factor
	if !f.Active() {
		return nil
	}
	const insert = `
		INSERT INTO second_factor (person_id, sealed, created_at, active_at, last_step)
		VALUES ($1, $2, $3, $4, $5)`
	if err := t.Exec(insert, m.Person.ID, f.Sealed, millis(f.CreatedAt), millis(f.ActiveAt), f.LastStep); err != nil {
		return err
	}
	if err := t.replaceRecovery(m.Person.ID, m.Recovery); err != nil {
		return err
	}
	return t.event(by, "second_factor.add", m.Person.ID.String(), nil)
}
