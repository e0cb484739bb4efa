package store

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

const viewColumns = `id, list, name, query, created_at`

func scanView(row scanner) (org.View, error) {
	var v org.View
	err := row.Scan(&v.ID, &v.List, &v.Name, &v.Query, instant{&v.CreatedAt})
	return v, err
}

// Views returns the saved views of a person for a list, or for all lists if list
// is empty, by name.
func (s *Store) Views(ctx context.Context, of org.Tenant, person uuid.UUID, list string) ([]org.View, error) {
	const query = `
		SELECT ` + viewColumns + `
		FROM saved_view
		WHERE org_id = $1 AND person_id = $2 AND (list = $3 OR $4 = 1)
		ORDER BY list, name, id`
	return database.All(ctx, s.db, query, []any{of.ID(), person, list, bit(list == "")}, scanView)
}

// AddView saves a new view of the actor, who must be a person. It refuses more
// than org.MostViews.
func (s *Store) AddView(ctx context.Context, by org.Actor, v org.View) error {
	err := s.write(ctx, func(t *tx) error {
		// The lock orders requests of the same person.
		var views int
		if err := t.QueryRow(`SELECT 0 FROM person WHERE id = $1`+s.dialect.LockRow, by.ID).Scan(&views); err != nil {
			return missingIf(err, "Person")
		}
		const count = `SELECT count(*) FROM saved_view WHERE org_id = $1 AND person_id = $2`
		if err := t.QueryRow(count, by.Tenant.ID(), by.ID).Scan(&views); err != nil {
			return err
		}
		if views >= org.MostViews {
			return fault.New(fault.TooManyViews, "You have saved %d views, which is the maximum. Delete one first.", views)
		}
		const insert = `
			INSERT INTO saved_view (org_id, person_id, ` + viewColumns + `)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`
		if err := t.Exec(insert, by.Tenant.ID(), by.ID, v.ID, v.List, v.Name, v.Query, millis(v.CreatedAt)); err != nil {
			return err
		}
		return t.event(by, "view.create", v.ID.String(), map[string]any{"list": v.List, "name": v.Name})
	})
	return sameView(err)
}

// ChangeView changes a saved view of the actor and returns it.
func (s *Store) ChangeView(ctx context.Context, by org.Actor, id uuid.UUID, change func(*org.View) error) (org.View, error) {
	var v org.View
	err := s.write(ctx, func(t *tx) error {
		var err error
		const read = `SELECT ` + viewColumns + ` FROM saved_view WHERE org_id = $1 AND person_id = $2 AND id = $3`
		if v, err = scanView(t.QueryRow(read+s.dialect.LockRow, by.Tenant.ID(), by.ID, id)); err != nil {
			return missingIf(err, "View")
		}
		if err := change(&v); err != nil {
			return err
		}
		const update = `UPDATE saved_view SET name = $1, query = $2 WHERE org_id = $3 AND person_id = $4 AND id = $5`
		if err := t.Exec(update, v.Name, v.Query, by.Tenant.ID(), by.ID, id); err != nil {
			return err
		}
		return t.event(by, "view.change", id.String(), map[string]any{"list": v.List, "name": v.Name})
	})
	return v, sameView(err)
}

// RemoveView deletes a saved view of the actor.
func (s *Store) RemoveView(ctx context.Context, by org.Actor, id uuid.UUID) error {
	return s.write(ctx, func(t *tx) error {
		const remove = `DELETE FROM saved_view WHERE org_id = $1 AND person_id = $2 AND id = $3`
		if err := t.ExecOne(fault.Missing("View"), remove, by.Tenant.ID(), by.ID, id); err != nil {
			return err
		}
		return t.event(by, "view.delete", id.String(), nil)
	})
}

// sameView turns the error of a name that is in use into one for the caller.
func sameView(err error) error {
	if database.IsDuplicate(err) {
		refusal := fault.New(fault.AlreadyExists, "You already have a view of this list with this name.").Arabic("لديك عرض محفوظ بهذا الاسم.").
			Advise("Choose another name, or change the existing view.", "اختر اسمًا آخر، أو عدّل العرض الموجود.")
		refusal.Path = "name"
		return refusal
	}
	return err
}
