package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"khatm/service/internal/database"
)

// Reentered counts what was missing in the database.
type Reentered struct {
	Documents int
	Rows      int // other rows that were inserted, changed or deleted
}

// ErrFork is wrapped by the error of Reenter if the archive and the database, or
// two lines of the archive, contain different documents with the same counter.
var ErrFork = errors.New("the archive contradicts the database")

// ErrRecoveredElsewhere is wrapped by the error of Reenter if another server has begun to
// recover this database.
var ErrRecoveredElsewhere = errors.New("another server has begun to recover this database")

// Reenter writes what the archive has and the database lacks: documents in the
// order of their places, with their positions in chains, series and counts, and
// the last state of every other row. What the database has already is not
// changed, so that Reenter can be repeated. It works in several transactions; if
// it fails, it must be repeated before documents are issued. read is called three
// times and must call its argument with all lines of the archive. begun is the epoch that
// was begun for this re-entry, as RecordBegin has recorded it, or zero: it fails with
// ErrRecoveredElsewhere when another epoch has been recorded since.
//
// Documents without an answer are then treated as sent when they were created:
// see DoubtUnanswered.
func (s *Store) Reenter(ctx context.Context, begun Begun, read func(each func(line []byte) error) error) (done Reentered, err error) {
	r := &reentry{store: s, ctx: ctx, begun: begun, tables: tablesByName()}
	if err := r.index(read); err != nil {
		return done, err
	}
	if err := r.readSchema(); err != nil {
		return done, err
	}
	if r.parts, err = r.split(read); err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, r.parts.remove()) }()
	documents := slices.IndexFunc(archivedTables, func(t archivedTable) bool { return t.document })
	for i := range archivedTables[:documents] {
		if err := r.table(&archivedTables[i]); err != nil {
			return r.done, err
		}
	}
	if err := r.documents(read); err != nil {
		return r.done, err
	}
	for i := range archivedTables[documents:] {
		if err := r.table(&archivedTables[documents+i]); err != nil {
			return r.done, err
		}
	}
	return r.done, r.finish()
}

// reentry is the state of one Reenter.
type reentry struct {
	store  *Store
	ctx    context.Context
	begun  Begun // zero if no epoch was begun
	tables map[string]*archivedTable
	schema map[string]map[string]string // type of each column, by table
	done   Reentered

	last    map[string]map[string]int64 // seq of the last line about a row, by table and key
	newer   map[string]map[string]int64 // seq of rows of this database that may not be archived
	highest int64                       // of all lines

	places map[uuid.UUID][]int64         // of the documents, by organisation
	ids    map[int64]uuid.UUID           // of the documents, by place
	first  map[deviceKey]archivedRow     // the first document of each device
	ends   map[deviceKey]*chainEnd       // of the devices' chains
	steps  map[deviceKey][]archivedImage // releases and gaps of devices
	images map[seriesKey]int64           // seq of the applied image of a series
	parts  *parts
}

type deviceKey struct{ of, device string }

type seriesKey struct{ of, kind string }

// archivedImage is a row of the archive.
type archivedImage struct {
	seq   int64
	table *archivedTable
	row   archivedRow
	gone  bool // the row was deleted, and row is its key
}

// index reads which documents and rows the archive contains, and which rows of
// the database may not be in the archive yet.
func (r *reentry) index(read func(each func(line []byte) error) error) error {
	r.last, r.newer = map[string]map[string]int64{}, map[string]map[string]int64{}
	r.places, r.ids, r.first, r.steps = map[uuid.UUID][]int64{}, map[int64]uuid.UUID{}, map[deviceKey]archivedRow{}, map[deviceKey][]archivedImage{}
	r.ends, r.images = map[deviceKey]*chainEnd{}, map[seriesKey]int64{}
	if err := read(r.indexLine); err != nil {
		return err
	}
	for _, places := range r.places {
		slices.Sort(places)
	}
	const query = `SELECT seq, name, key FROM unarchived WHERE name IS NOT NULL ORDER BY seq`
	return r.read(query, func(row scanner) error {
		var seq int64
		var name, key string
		if err := row.Scan(&seq, &name, &key); err != nil {
			return err
		}
		t := r.tables[name]
		if t == nil {
			return fmt.Errorf("the outbox has a row of table %q, which does not exist", name)
		}
		changed, err := parseKey(t, key)
		if err == nil {
			put(r.newer, name, changed.key, seq)
		}
		return err
	})
}

// read calls scan with each row of a query.
func (r *reentry) read(query string, scan func(scanner) error) error {
	return r.store.Snapshot(r.ctx, func(p *Snapshot) error { return p.each(r.ctx, query, nil, scan) })
}

// put sets the highest seq of a row.
func put(in map[string]map[string]int64, table, key string, seq int64) {
	if in[table] == nil {
		in[table] = map[string]int64{}
	}
	in[table][key] = max(in[table][key], seq)
}

func (r *reentry) indexLine(line []byte) error {
	l, err := parseLine(line)
	if err != nil {
		return err
	}
	r.highest = max(r.highest, l.Seq)
	if l.Kind == "document" {
		return r.indexDocument(l)
	}
	for _, image := range r.imagesOf(l) {
		if image.table == nil {
			return fmt.Errorf("the archive has a row of a table that this version does not have, in line %.100s", line)
		}
		put(r.last, image.table.name, keyText(image.key()), image.seq)
		switch image.table.name {
		case "gap", "clock_release":
			at := deviceKey{image.row.text("org_id"), image.row.text("device_id")}
			r.steps[at] = append(r.steps[at], image)
		}
	}
	return nil
}

func (r *reentry) indexDocument(l archivedLine) error {
	if len(l.Rows["invoice"]) != 1 {
		return fmt.Errorf("the archived document %s has %d invoices", l.ID, len(l.Rows["invoice"]))
	}
	row := l.Rows["invoice"][0]
	device := deviceKey{row.text("org_id"), row.text("device_id")}
	if id, known := r.ids[l.Place]; known {
		if id != l.ID {
			return forkError(row, fmt.Sprintf("the archive contains it as %s and as %s", id, l.ID))
		}
		return nil
	}
	r.ids[l.Place] = l.ID
	r.places[l.Org] = append(r.places[l.Org], l.Place)
	if before := r.first[device]; before == nil || row.number("counter") < before.number("counter") {
		r.first[device] = archivedRow{"counter": row["counter"], "previous_hash": row["previous_hash"]}
	}
	return nil
}

// forkError returns the error for a document that contradicts another one.
func forkError(row archivedRow, why string) error {
	return fmt.Errorf("%w: document %d of device %s: %s", ErrFork, row.number("counter"), row.text("device_id"), why)
}

// imagesOf returns the rows of a line.
func (r *reentry) imagesOf(l archivedLine) (all []archivedImage) {
	for _, c := range l.Changes {
		image := archivedImage{seq: l.Seq, table: r.tables[c.Table], row: c.Row}
		if c.Row == nil {
			image.row, image.gone = c.Deleted, true
		}
		all = append(all, image)
	}
	return all
}

// key returns the values of the primary key.
func (i archivedImage) key() (values []any) {
	for _, column := range i.table.key {
		value := i.row[column]
		switch v := value.(type) {
		case json.Number:
			value, _ = v.Int64() // a key that is no integer is found nowhere
		case string:
			if column == binaryKey {
				value, _ = base64.StdEncoding.DecodeString(v)
			}
		}
		values = append(values, value)
	}
	return values
}

func (row archivedRow) text(column string) string {
	text, _ := row[column].(string)
	return text
}

func (row archivedRow) number(column string) int64 {
	n, _ := row[column].(json.Number)
	value, _ := n.Int64()
	return value
}

// readSchema reads the types of all columns.
func (r *reentry) readSchema() error {
	query := `SELECT m.name, c.name, c.type FROM pragma_table_list m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.schema = 'main'`
	if !r.store.dialect.Embedded {
		query = `SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema()`
	}
	r.schema = map[string]map[string]string{}
	return r.read(query, func(row scanner) error {
		var table, column, kind string
		err := row.Scan(&table, &column, &kind)
		if r.schema[table] == nil {
			r.schema[table] = map[string]string{}
		}
		r.schema[table][column] = kind
		return err
	})
}

// value returns the value of a column as it is written to the database.
func (r *reentry) value(table, column string, row archivedRow) (any, error) {
	kind := r.schema[table][column]
	binary := kind == "BLOB" || kind == "bytea"
	if encoded, is := row[column+base64Suffix].(string); is {
		value, err := base64.StdEncoding.DecodeString(encoded)
		if binary || err != nil {
			return value, err
		}
		return string(value), nil
	}
	switch v := row[column].(type) {
	case nil:
		return nil, nil
	case json.Number:
		return v.Int64()
	case string:
		switch {
		case binary && slices.Contains(asText, column):
			return []byte(v), nil
		case binary:
			return base64.StdEncoding.DecodeString(v)
		}
		return v, nil
	}
	return nil, fmt.Errorf("column %s of table %s has a value of type %T in the archive", column, table, row[column])
}

// columns returns the columns of an archived row, without those of the key, in a
// fixed order.
func (r *reentry) columns(image archivedImage) (columns []string, err error) {
	for name := range image.row {
		column := strings.TrimSuffix(name, base64Suffix)
		if r.schema[image.table.name][column] == "" {
			return nil, fmt.Errorf("the archive has a column %s of table %s, which this version does not have", name, image.table.name)
		}
		if !slices.Contains(image.table.key, column) {
			columns = append(columns, column)
		}
	}
	slices.Sort(columns)
	return columns, nil
}

// write runs a transaction of the re-entry. Its changes are in the archive
// already, so the triggers do not put them into the outbox.
func (r *reentry) write(do func(*tx) error) error {
	return r.store.write(r.ctx, func(t *tx) error {
		if err := r.verifyBegun(t); err != nil {
			return err
		}
		const columns = `one, location, epoch, since, compacted, compact_lease, complete_since, note, unawaited_at, reached`
		values := make([]any, strings.Count(columns, ",")+1)
		into := make([]any, len(values))
		for i := range values {
			into[i] = &values[i]
		}
		found := false
		err := database.Each(r.ctx, t, database.Query{Text: `SELECT ` + columns + ` FROM archive`, Row: func(row scanner) error {
			found = true
			return row.Scan(into...)
		}})
		if err != nil {
			return err
		}
		if !found {
			return do(t)
		}
		if err := t.Exec(`DELETE FROM archive`); err != nil {
			return err
		}
		if err := do(t); err != nil {
			return err
		}
		return t.Exec(`INSERT INTO archive (`+columns+`) VALUES (`+numbered(1, len(values))+`)`, values...)
	})
}

// verifyBegun returns ErrRecoveredElsewhere if another server has begun to recover the
// database. None can begin before the transaction ends.
func (r *reentry) verifyBegun(t *tx) error {
	if r.begun == (Begun{}) {
		return nil
	}
	query := `SELECT epoch, token FROM archive_begin WHERE one = 1`
	if !r.store.dialect.Embedded {
		query += ` FOR UPDATE`
	}
	var now Begun
	err := t.QueryRow(query).Scan(&now.Epoch, &now.Token)
	switch {
	case errors.Is(err, sql.ErrNoRows) || err == nil && now.Epoch != r.begun.Epoch:
		return ErrRecoveredElsewhere
	case err != nil:
		return fmt.Errorf("read which recovery has begun: %w", err)
	case now.Token == r.begun.Token:
		return nil
	}
	// Another server has recorded the same epoch, but could not create it in the archive.
	return t.Exec(`UPDATE archive_begin SET token = $1 WHERE one = 1`, r.begun.Token)
}

// finish computes what is not archived, and continues the sequence of the outbox
// after the last line of the archive. It does so even if nothing was entered, because
// an earlier re-entry may have been interrupted before.
func (r *reentry) finish() error {
	var all []uuid.UUID
	err := r.read(`SELECT id FROM organisation ORDER BY id`, func(row scanner) error {
		var of uuid.UUID
		err := row.Scan(&of)
		all = append(all, of)
		return err
	})
	if err != nil {
		return fmt.Errorf("read the organisations: %w", err)
	}
	err = r.write(func(t *tx) error {
		for _, of := range all {
			if err := t.countAgain(of); err != nil {
				return fmt.Errorf("count the rows of organisation %s: %w", of, err)
			}
		}
		return r.store.db.Point("counted again")
	})
	if err != nil {
		return err
	}
	if err := r.continueSequence(); err != nil {
		return err
	}
	return r.store.DoubtUnanswered(r.ctx)
}

func (r *reentry) continueSequence() error {
	return r.store.write(r.ctx, func(t *tx) error {
		if err := r.verifyBegun(t); err != nil {
			return err
		}
		if !r.store.dialect.Embedded {
			const raise = `SELECT setval(pg_get_serial_sequence('unarchived', 'seq'), greatest($1, (SELECT coalesce(max(seq), 1) FROM unarchived)))`
			var n int64
			return t.QueryRow(raise, max(1, r.highest)).Scan(&n)
		}
		n, err := t.moved(`UPDATE sqlite_sequence SET seq = max(seq, $1) WHERE name = 'unarchived'`, r.highest)
		if err == nil && n == 0 {
			err = t.Exec(`INSERT INTO sqlite_sequence (name, seq) VALUES ('unarchived', $1)`, r.highest)
		}
		return err
	})
}

// countAgain counts the rows of an organisation.
func (t *tx) countAgain(of uuid.UUID) error {
	const book = `
		INSERT INTO book (org_id, documents)
		SELECT $1, (SELECT count(*) FROM invoice WHERE org_id = $1)
		FROM organisation WHERE id = $1 AND EXISTS (SELECT 1 FROM invoice WHERE org_id = $1)
		ON CONFLICT (org_id) DO UPDATE SET documents = excluded.documents`
	if err := t.Exec(book, of); err != nil {
		return err
	}
	set := func(what string, n int64) error {
		const tally = `
			INSERT INTO tally (org_id, what, n) VALUES ($1, $2, $3)
			ON CONFLICT (org_id, what) DO UPDATE SET n = excluded.n`
		return t.Exec(tally, of, what, n)
	}
	for _, in := range []table{clients, items, invoices, buyerTexts} {
		var n int64
		if err := t.QueryRow(`SELECT count(*) FROM `+string(in)+` WHERE org_id = $1`, of).Scan(&n); err != nil {
			return err
		}
		if err := set(string(in), n); err != nil {
			return err
		}
	}
	if err := t.Exec(`UPDATE tally SET n = 0 WHERE org_id = $1 AND what LIKE 'invoice %'`, of); err != nil {
		return err
	}
	counts := map[string]int64{}
	const byStatus = `SELECT coalesce(status, ''), count(*) FROM invoice WHERE org_id = $1 GROUP BY status`
	err := database.Each(t.Context(), t, database.Query{Text: byStatus, Args: []any{of}, Row: func(row scanner) error {
		var status string
		var n int64
		err := row.Scan(&status, &n)
		counts[status] = n
		return err
	}})
	for status, n := range counts {
		err = errors.Join(err, set("invoice "+status, n))
	}
	return err
}
