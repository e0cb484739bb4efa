package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/intake"
	"khatm/service/internal/org"
)

const importColumns = `
	id, kind, state, filename, file, options, total, done, counts, problem, person_id, actor, address, request, turn, created_at, changed_at, org_id`

func scanImport(row scanner) (intake.Job, error) {
	var j intake.Job
	var of uuid.UUID
	err := row.Scan(&j.ID, &j.Kind, &j.State, &j.Filename, &j.File, document{&j.Options}, &j.Total, &j.Done, document{&j.Counts}, &j.Problem,
		&j.By.ID, &j.By.Name, &j.By.Address, &j.By.Request, &j.Turn, instant{&j.Created}, instant{&j.Changed}, &of)
	j.By.Kind, j.By.Tenant = org.PersonActor, org.TenantOf(of)
	return j, err
}

// AddImport inserts a new import of the actor, who must be a person. It refuses
// more than intake.MaxActive that are in progress, and deletes the oldest ones
// beyond intake.MaxKept that have ended.
func (s *Store) AddImport(ctx context.Context, by org.Actor, j intake.Job) error {
	options, err := documentOf(j.Options)
	if err != nil {
		return err
	}
	return s.write(ctx, func(t *tx) error {
		var active int
		const count = `SELECT count(*) FROM import_job WHERE org_id = $1 AND state IN ('checking', 'running')`
		if err := t.QueryRow(count, by.Tenant.ID()).Scan(&active); err != nil {
			return err
		}
		if active >= intake.MaxActive {
			return fault.New(fault.ImportTooMany, "%d imports of your organisation are in progress. Wait until one has ended, or cancel one.", active).
				Arabic("عدد عمليات الاستيراد الجارية في المنشأة: %d.", active)
		}
		if err := t.forgetImports(by.Tenant); err != nil {
			return err
		}
		const insert = `
			INSERT INTO import_job (org_id, id, kind, state, filename, file, options, total, done, counts, problem, person_id, actor, address, request, turn, lease, created_at, changed_at)
			VALUES ($1, $2, $3, 'checking', $4, $5, $6, $7, 0, '{}', '', $8, $9, $10, $11, 0, 0, $12, $12)`
		if err := t.Exec(insert, by.Tenant.ID(), j.ID, string(j.Kind), j.Filename, j.File, options, j.Total, by.ID, by.Name, by.Address, by.Request, millis(j.Created)); err != nil {
			return err
		}
		return t.event(by, "import.create", j.ID.String(), map[string]any{"kind": j.Kind, "rows": j.Total})
	})
}

// forgetImports deletes the oldest imports of an organisation that have ended.
func (t *tx) forgetImports(of org.Tenant) error {
	const ended = `
		SELECT id FROM import_job
		WHERE org_id = $1 AND file = '' AND state IN ('done', 'failed', 'cancelled')
		ORDER BY id DESC
		LIMIT 10 OFFSET $2`
	rows, err := t.Query(ended, of.ID(), intake.MaxKept)
	old, err := database.Collect(rows, err, scanID)
	for _, id := range old {
		if err == nil {
			err = t.Exec(`DELETE FROM import_row WHERE org_id = $1 AND import_id = $2`, of.ID(), id)
		}
		if err == nil {
			err = t.Exec(`DELETE FROM import_job WHERE org_id = $1 AND id = $2`, of.ID(), id)
		}
	}
	return err
}

// Import returns an import of an organisation, or a NotFound fault.
func (s *Store) Import(ctx context.Context, of org.Tenant, id uuid.UUID) (intake.Job, error) {
	const query = `SELECT ` + importColumns + ` FROM import_job WHERE org_id = $1 AND id = $2`
	return database.First(ctx, s.db, fault.Missing("Import"), query, []any{of.ID(), id}, scanImport)
}

// Imports returns a page of the imports of an organisation, newest first.
func (s *Store) Imports(ctx context.Context, of org.Tenant, page org.Page) (org.List[intake.Job], error) {
	const query = `
		SELECT ` + importColumns + `
		FROM import_job
		WHERE org_id = $1 AND id < $2
		ORDER BY id DESC
		LIMIT $3 OFFSET $4`
	rows, err := database.All(ctx, s.db, query, []any{of.ID(), before(page), page.Size + 1, page.Skip()}, scanImport)
	if err != nil {
		return org.List[intake.Job]{}, err
	}
	list := listOf(rows, page, func(j intake.Job) uuid.UUID { return j.ID })
	err = s.db.One(ctx, nil, `SELECT count(*) FROM import_job WHERE org_id = $1`, []any{of.ID()}, &list.Total)
	return list, err
}

const importRowColumns = `number, name, fate, record_id, first, problems`

func scanImportRow(row scanner) (intake.Result, error) {
	var r intake.Result
	var record uuid.NullUUID
	err := row.Scan(&r.Row, &r.Name, &r.Fate, &record, &r.First, document{&r.Problems})
	r.Record = record.UUID
	return r, err
}

// ImportRows returns the fates of the rows after one, in the order of the file. If
// fate is not empty, only rows with this fate are returned.
func (s *Store) ImportRows(ctx context.Context, of org.Tenant, id uuid.UUID, fate intake.Fate, after, most int) ([]intake.Result, error) {
	if fate == "" {
		const query = `
			SELECT ` + importRowColumns + `
			FROM import_row
			WHERE org_id = $1 AND import_id = $2 AND number > $3
			ORDER BY number
			LIMIT $4`
		return database.All(ctx, s.db, query, []any{of.ID(), id, after, most}, scanImportRow)
	}
	const query = `
		SELECT ` + importRowColumns + `
		FROM import_row
		WHERE org_id = $1 AND import_id = $2 AND fate = $3 AND number > $4
		ORDER BY number
		LIMIT $5`
	return database.All(ctx, s.db, query, []any{of.ID(), id, string(fate), after, most}, scanImportRow)
}

// RunImport begins to run an import that has been checked. One that is already
// running is returned as it is.
func (s *Store) RunImport(ctx context.Context, by org.Actor, id uuid.UUID) (intake.Job, error) {
	return s.changeImport(ctx, by, id, func(t *tx, j intake.Job) error {
		switch j.State {
		case intake.Running:
			return nil
		case intake.Checked:
		default:
			return fault.New(fault.ImportState, "The import cannot be run, because it is %s.", j.State)
		}
		const run = `
			UPDATE import_job
			SET state = 'running', done = 0, counts = '{}', person_id = $3, actor = $4, address = $5, request = $6, lease = 0, changed_at = $7
			WHERE org_id = $1 AND id = $2`
		if err := t.Exec(run, by.Tenant.ID(), id, by.ID, by.Name, by.Address, by.Request, millis(s.now())); err != nil {
			return err
		}
		return t.event(by, "import.run", id.String(), map[string]any{"kind": j.Kind, "rows": j.Total})
	})
}

// CancelImport ends an import. What it has already imported remains.
func (s *Store) CancelImport(ctx context.Context, by org.Actor, id uuid.UUID) (intake.Job, error) {
	return s.changeImport(ctx, by, id, func(t *tx, j intake.Job) error {
		if !j.State.Active() && j.State != intake.Checked {
			return fault.New(fault.ImportState, "The import cannot be cancelled, because it is %s.", j.State)
		}
		const cancel = `UPDATE import_job SET state = 'cancelled', lease = 0, changed_at = $3 WHERE org_id = $1 AND id = $2`
		if err := t.Exec(cancel, by.Tenant.ID(), id, millis(s.now())); err != nil {
			return err
		}
		return t.event(by, "import.cancel", id.String(), map[string]any{"state": j.State, "done": j.Done})
	})
}

// changeImport locks an import, calls change with it and returns the result.
func (s *Store) changeImport(ctx context.Context, by org.Actor, id uuid.UUID, change func(*tx, intake.Job) error) (intake.Job, error) {
	var j intake.Job
	err := s.write(ctx, func(t *tx) (err error) {
		const read = `SELECT ` + importColumns + ` FROM import_job WHERE org_id = $1 AND id = $2`
		if j, err = scanImport(t.QueryRow(read+s.dialect.LockRow, by.Tenant.ID(), id)); err != nil {
			return missingIf(err, "Import")
		}
		if err := change(t, j); err != nil {
			return err
		}
		j, err = scanImport(t.QueryRow(read, by.Tenant.ID(), id))
		return err
	})
	return j, err
}

// waitingImports selects the imports that no server works on. Those of one
// organisation take turns in the order in which they were created.
const waitingImports = `
	FROM import_job
	WHERE state IN ('checking', 'running') AND (lease <= $1 OR lease > $2)
		AND EXISTS (SELECT 1 FROM organisation WHERE organisation.id = import_job.org_id AND organisation.status = 'active')
		AND NOT EXISTS (
			SELECT 1 FROM import_job older
			WHERE older.org_id = import_job.org_id AND older.id < import_job.id AND older.state IN ('checking', 'running'))`

// importsWaiting are the values of waitingImports. A lease that ends later than any
// lease can is that of a server with a wrong clock.
func importsWaiting(now time.Time) []any {
	return []any{millis(now), millis(now.Add(2 * intake.Lease))}
}

// ClaimImport takes the import that has waited longest, if there is one.
func (s *Store) ClaimImport(ctx context.Context, now time.Time) (j intake.Job, found bool, err error) {
	if waiting, err := s.ImportsWaiting(ctx, now); err != nil || waiting == 0 {
		return j, false, err
	}
	err = s.write(ctx, func(t *tx) error {
		found = false
		rows, err := t.Query(`SELECT `+importColumns+waitingImports+` ORDER BY changed_at, id LIMIT 1`+s.skipLocked(), importsWaiting(now)...)
		jobs, err := database.Collect(rows, err, scanImport)
		if err != nil || len(jobs) == 0 {
			return err
		}
		j, found = jobs[0], true
		j.Turn++
		const take = `UPDATE import_job SET turn = $3, lease = $4 WHERE org_id = $1 AND id = $2`
		return t.Exec(take, j.By.Tenant.ID(), j.ID, j.Turn, millis(now.Add(intake.Lease)))
	})
	return j, found, err
}

// ImportsWaiting returns how many imports no server works on.
func (s *Store) ImportsWaiting(ctx context.Context, now time.Time) (n int, err error) {
	err = s.db.One(ctx, nil, `SELECT count(*)`+waitingImports, importsWaiting(now), &n)
	return n, err
}

// ReleaseImport lets other servers take an import, after others that wait.
func (s *Store) ReleaseImport(ctx context.Context, j intake.Job) error {
	return s.write(ctx, func(t *tx) error {
		const release = `UPDATE import_job SET lease = 0, changed_at = $4 WHERE org_id = $1 AND id = $2 AND turn = $3`
		return t.Exec(release, j.By.Tenant.ID(), j.ID, j.Turn, millis(s.now()))
	})
}

// FailImport ends an import that cannot continue, unless another server has taken
// it or it has ended.
func (s *Store) FailImport(ctx context.Context, j intake.Job, why fault.Code) error {
	return s.write(ctx, func(t *tx) error {
		const fail = `
			UPDATE import_job
			SET state = 'failed', problem = $4, lease = 0, changed_at = $5
			WHERE org_id = $1 AND id = $2 AND turn = $3 AND state IN ('checking', 'running')`
		return t.Exec(fail, j.By.Tenant.ID(), j.ID, j.Turn, string(why), millis(s.now()))
	})
}

// UnusedImportFiles returns some imports whose file is no longer needed. Imports
// that were checked and not run for a long time are cancelled first.
func (s *Store) UnusedImportFiles(ctx context.Context, now time.Time) ([]intake.Job, error) {
	old := millis(now.Add(-intake.Forget))
	var stale int
	if err := s.db.One(ctx, nil, `SELECT count(*) FROM import_job WHERE state = 'checked' AND file <> '' AND changed_at < $1`, []any{old}, &stale); err != nil {
		return nil, err
	}
	if stale > 0 {
		err := s.write(ctx, func(t *tx) error {
			return t.Exec(`UPDATE import_job SET state = 'cancelled' WHERE state = 'checked' AND file <> '' AND changed_at < $1`, old)
		})
		if err != nil {
			return nil, err
		}
	}
	const query = `
		SELECT ` + importColumns + `
		FROM import_job
		WHERE state IN ('done', 'failed', 'cancelled') AND file <> ''
		ORDER BY changed_at
		LIMIT 20`
	return database.All(ctx, s.db, query, nil, scanImport)
}

// ImportFileRemoved records that the file of an import was removed.
func (s *Store) ImportFileRemoved(ctx context.Context, of org.Tenant, id uuid.UUID) error {
	return s.write(ctx, func(t *tx) error {
		return t.Exec(`UPDATE import_job SET file = '' WHERE org_id = $1 AND id = $2`, of.ID(), id)
	})
}
