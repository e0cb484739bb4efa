package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/intake"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// StepImport checks or imports some rows of an import that this server has taken,
// and returns the import as it is then. The records, the fates of the rows and the
// progress are written together. It returns intake.ErrTaken if another server has
// taken the import, or if it was cancelled.
func (s *Store) StepImport(ctx context.Context, j intake.Job, rows []intake.Row) (intake.Job, error) {
	of := j.By.Tenant
	step := intake.NewStep(j, rows)
	if j.State == intake.Running && len(rows) > 0 {
		before, err := s.ImportRows(ctx, of, j.ID, "", rows[0].Number-1, len(rows))
		if err != nil {
			return j, err
		}
		step.Keep(before)
	}
	known, err := s.knownRecords(ctx, j, step.Wanted())
	if err != nil {
		return j, err
	}
	step.Decide(known)
	if j.State == intake.Running {
		step.Number(s.newID, s.now())
	}
	next := step.Job()
	next.Changed = s.now()
	counts, err := documentOf(next.Counts)
	if err != nil {
		return j, err
	}
	err = s.write(ctx, func(t *tx) error {
		const advance = `
			UPDATE import_job
			SET state = $6, done = $7, counts = $8, lease = $9, changed_at = $10
			WHERE org_id = $1 AND id = $2 AND turn = $3 AND state = $4 AND done = $5`
		if err := t.ExecOne(intake.ErrTaken, advance, of.ID(), j.ID, j.Turn, string(j.State), j.Done,
			string(next.State), next.Done, counts, millis(next.Changed.Add(intake.Lease)), millis(next.Changed)); err != nil {
			return err
		}
		if j.State == intake.Running {
			if err := t.importRecords(j.By, step); err != nil {
				return err
			}
		}
		return t.keepFates(of, j.ID, step.Results)
	})
	if err != nil {
		return j, err
	}
	return next, nil
}

// importRecords writes the records of a step.
func (t *tx) importRecords(by org.Actor, step *intake.Step) error {
	var clients []trade.Client
	var items []trade.Item
	for n := range step.Results {
		r := &step.Results[n]
		var err error
		switch {
		case r.Fate == intake.Create && step.Kind() == intake.Clients:
			clients = append(clients, step.Client(n))
		case r.Fate == intake.Create:
			items = append(items, step.Item(n))
		case r.Fate == intake.Change && step.Kind() == intake.Clients:
			_, err = t.changeClient(by, r.Record, func(c *trade.Client) error { return step.FillClient(n, c) })
		case r.Fate == intake.Change:
			_, err = t.changeItem(by, r.Record, func(i *trade.Item) error { return step.FillItem(n, i) })
		}
		if err != nil {
			return fmt.Errorf("import row %d: %w", r.Row, err)
		}
	}
	if err := t.addClients(by, clients...); err != nil {
		return err
	}
	return t.addItems(by, items...)
}

// keepFates writes the fates of rows.
func (t *tx) keepFates(of org.Tenant, id uuid.UUID, results []intake.Result) error {
	rows := &rowsOf{
		t:      t,
		insert: `INSERT INTO import_row (org_id, import_id, number, name, fate, record_id, first, problems, identity, code)`,
		behind: ` ON CONFLICT (org_id, import_id, number) DO UPDATE SET
			fate = excluded.fate, record_id = excluded.record_id, first = excluded.first, problems = excluded.problems`,
	}
	for i := range results {
		r := &results[i]
		problems, err := documentOf(r.Problems)
		if err != nil {
			return err
		}
		identity, code := r.Keys()
		record := uuid.NullUUID{UUID: r.Record, Valid: r.Record != uuid.Nil}
		if err := rows.add(of.ID(), id, r.Row, r.Name, string(r.Fate), record, r.First, problems, identity, code); err != nil {
			return err
		}
	}
	return rows.flush()
}

// knownRecords returns what exists of what a step needs to know.
func (s *Store) knownRecords(ctx context.Context, j intake.Job, w intake.Wanted) (k intake.Known, err error) {
	of := j.By.Tenant.ID()
	q := &knownQueries{ctx: ctx, s: s}
	const clients, items, rows = `SELECT ` + clientColumns + ` FROM client WHERE org_id = $1`, `SELECT ` + itemColumns + ` FROM item WHERE org_id = $1`,
		`FROM import_row WHERE org_id = $1 AND import_id = $2`
	k.Clients = append(k.Clients, readKnown(q, clients+` AND vat_number <> '' AND vat_number IN (`, `) ORDER BY id`, anyOf(w.VATNumbers), scanClient, of)...)
	k.Clients = append(k.Clients, readKnown(q, clients+` AND vat_number = '' AND substr(name, 1, 60) IN (`, `) ORDER BY id`, anyOf(shortened(w.ClientNames)), scanClient, of)...)
	k.Items = append(k.Items, readKnown(q, items+` AND sku <> '' AND sku IN (`, `) ORDER BY id`, anyOf(w.SKUs), scanItem, of)...)
	k.Items = append(k.Items, readKnown(q, items+` AND barcode <> '' AND barcode IN (`, `) ORDER BY id`, anyOf(w.Barcodes), scanItem, of)...)
	k.Items = append(k.Items, readKnown(q, items+` AND sku = '' AND barcode = '' AND name IN (`, `) ORDER BY id`, anyOf(w.ItemNames), scanItem, of)...)
	if j.State == intake.Checking {
		k.Rows = keyed(readKnown(q, `SELECT identity, number `+rows+` AND identity IS NOT NULL AND identity IN (`, `)`, anyOf(w.Identities), scanKeyed, of, j.ID))
		k.Codes = keyed(readKnown(q, `SELECT code, number `+rows+` AND code IS NOT NULL AND code IN (`, `)`, anyOf(w.Codes), scanKeyed, of, j.ID))
	}
	return k, q.err
}

// knownQueries keeps the first error of several queries.
type knownQueries struct {
	ctx context.Context //nolint:containedctx // of the queries of one call
	s   *Store
	err error
}

// readKnown reads the rows in which a column has one of some values. The values
// before them are given first.
func readKnown[T any](q *knownQueries, text, behind string, values []any, scan func(scanner) (T, error), first ...any) []T {
	if q.err != nil || len(values) == 0 {
		return nil
	}
	found, err := database.AllOnce(q.ctx, q.s.db, text+numbered(len(first)+1, len(values))+behind, append(first, values...), scan)
	q.err = err
	return found
}

// shortened returns the part of names that is indexed.
func shortened(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		letters := []rune(name)
		out[i] = string(letters[:min(len(letters), 60)])
	}
	return out
}

// keyedRow is a row of a file and a key of it.
type keyedRow struct {
	key    []byte
	number int
}

func scanKeyed(row scanner) (r keyedRow, err error) {
	err = row.Scan(&r.key, &r.number)
	return r, err
}

func keyed(rows []keyedRow) map[string]int {
	all := make(map[string]int, len(rows))
	for _, r := range rows {
		all[string(r.key)] = r.number
	}
	return all
}
