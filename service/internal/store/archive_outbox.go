package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
)

const insertOutbox = `INSERT INTO unarchived (org_id, invoice_id, server, since)`

// enterOutbox records that the documents are not in the archive yet, and deletes
// what is. It does nothing if there is no archive.
func (t *tx) enterOutbox(all []entering) error {
	rows := rowsOf{t: t, insert: insertOutbox}
	for _, b := range all {
		if err := t.deleteArchived(b.archived); err != nil {
			return err
		}
		for _, l := range b.lines {
			if err := rows.add(l.of, l.id, t.store.archiver.Load().server, millis(t.store.now())); err != nil {
				return err
			}
		}
	}
	return rows.flush()
}

// unarchive puts a row of a captured table into the outbox, for changes that no
// trigger captures. It does nothing if there is no archive.
func (t *tx) unarchive(table, key string) error {
	return t.Exec(`INSERT INTO unarchived (name, key) SELECT $1, $2 WHERE EXISTS (SELECT 1 FROM archive)`, table, key)
}

// unarchiveAll puts all documents and all rows of captured tables into the
// outbox.
func (t *tx) unarchiveAll() error {
	if err := t.Exec(`DELETE FROM unarchived`); err != nil {
		return fmt.Errorf("empty the outbox: %w", err)
	}
	for _, table := range archivedTables {
		if table.name == "invoice" {
			const documents = `INSERT INTO unarchived (org_id, invoice_id, server, since) SELECT org_id, id, org_id, created_at FROM invoice ORDER BY place`
			if err := t.Exec(documents); err != nil {
				return fmt.Errorf("put all documents into the outbox: %w", err)
			}
		}
		if !table.captured {
			continue
		}
		query := `INSERT INTO unarchived (name, key) SELECT '` + table.name + `', ` + t.store.keyOf(table) + ` FROM ` + table.name
		if table.name == "event" {
			query += ` WHERE action <> 'invoice.create' OR link IS NOT NULL`
		}
		if err := t.Exec(query); err != nil {
			return fmt.Errorf("put table %s into the outbox: %w", table.name, err)
		}
	}
	return nil
}

// binaryKey is the only binary column in the primary keys of captured tables.
const binaryKey = "digest"

// keyOf returns the SQL expression for the key of a row, as the triggers write it.
func (s *Store) keyOf(t archivedTable) string {
	object, digest, end := `json_object(`, `lower(hex(digest))`, `)`
	if !s.dialect.Embedded {
		object, digest, end = `CAST(json_build_object(`, `encode(digest, 'hex')`, `) AS TEXT)`
	}
	var parts []string
	for _, column := range t.key {
		value := column
		if column == binaryKey {
			value = digest
		}
		parts = append(parts, `'`+column+`', `+value)
	}
	return object + strings.Join(parts, ", ") + end
}

// outboxEntry is a row of the outbox.
type outboxEntry struct {
	seq      int64
	name     *string
	key      *string
	of       uuid.NullUUID
	document uuid.NullUUID
	server   uuid.NullUUID
	since    int64
}

// outbox reads the first entries of the outbox.
func outbox(ctx context.Context, db database.Reader, most int) (all []outboxEntry, err error) {
	const query = `
		SELECT seq, name, key, org_id, invoice_id, server, coalesce(since, 0)
		FROM unarchived
		ORDER BY seq
		LIMIT $1`
	err = database.Each(ctx, db, database.Query{Text: query, Args: []any{most}, Row: func(row scanner) error {
		var e outboxEntry
		err := row.Scan(&e.seq, &e.name, &e.key, &e.of, &e.document, &e.server, &e.since)
		all = append(all, e)
		return err
	}})
	if err != nil {
		return nil, fmt.Errorf("read the outbox: %w", err)
	}
	return all, nil
}

// ArchiveBacklog is what is committed and not in the archive yet.
type ArchiveBacklog struct {
	Documents int
	Changes   int       // of other rows
	Oldest    time.Time // when the oldest of the documents was written; zero if there are none
}

// ArchiveBacklog counts what is not in the archive yet.
func (s *Store) ArchiveBacklog(ctx context.Context) (b ArchiveBacklog, err error) {
	var oldest sql.NullInt64
	const query = `SELECT count(*), count(invoice_id), min(since) FROM unarchived`
	all := 0
	if err := s.db.One(ctx, nil, query, nil, &all, &b.Documents, &oldest); err != nil {
		return b, fmt.Errorf("count what is not archived: %w", err)
	}
	b.Changes = all - b.Documents
	if oldest.Valid {
		b.Oldest = timeOf(oldest.Int64)
	}
	return b, nil
}

// changedRow is a row that is to be archived.
type changedRow struct {
	seq  int64 // of the last entry about the row
	key  string
	args []any // values of the key
}

// parseKey decodes the key of an outbox entry. The result is the same for both
// engines.
func parseKey(t *archivedTable, text string) (row changedRow, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var values map[string]any
	if err := d.Decode(&values); err != nil {
		return row, fmt.Errorf("decode the key %s of table %s: %w", text, t.name, err)
	}
	for _, column := range t.key {
		var arg any
		switch v := values[column].(type) {
		case json.Number:
			arg, err = v.Int64()
		case string:
			arg = v
			if column == binaryKey {
				arg, err = hex.DecodeString(v)
			}
		default:
			err = fmt.Errorf("the key %s of table %s has no %s", text, t.name, column)
		}
		if err != nil {
			return row, err
		}
		row.args = append(row.args, arg)
	}
	row.key = keyText(row.args)
	return row, nil
}

// keyText returns a text that identifies a key within its table.
func keyText(values []any) string {
	var b strings.Builder
	for _, value := range values {
		switch v := value.(type) {
		case int64:
			b.WriteString(strconv.FormatInt(v, 10))
		case string:
			b.WriteString(v)
		case []byte:
			b.WriteString(hex.EncodeToString(v))
		}
		b.WriteByte(0)
	}
	return b.String()
}

// imagesAtOnce is the number of rows that one query reads.
const imagesAtOnce = 32

// readImages appends the lines of changed rows of a table, in the order of rows.
func readImages(ctx context.Context, db database.Reader, t *archivedTable, rows []changedRow, lines [][]byte) ([][]byte, error) {
	for part := range slices.Chunk(rows, imagesAtOnce) {
		found, columns, err := readRows(ctx, db, t, part)
		if err != nil {
			return nil, fmt.Errorf("read table %s for the archive: %w", t.name, err)
		}
		for _, row := range part {
			values, is := found[row.key]
			of := columns
			if !is {
				values, of = row.args, t.key
			}
			line, err := rowLine(row.seq, t.name, of, values, !is)
			if err != nil {
				return nil, err
			}
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// readRows reads rows of a table by their keys.
func readRows(ctx context.Context, db database.Reader, t *archivedTable, rows []changedRow) (found map[string][]any, columns []string, err error) {
	var where []string
	var args []any
	for _, row := range rows {
		var equal []string
		for i, column := range t.key {
			args = append(args, row.args[i])
			equal = append(equal, column+" = $"+strconv.Itoa(len(args)))
		}
		where = append(where, strings.Join(equal, " AND "))
	}
	query := `SELECT * FROM ` + t.name + ` WHERE (` + strings.Join(where, ") OR (") + `)`
	read, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = read.Close() }()
	if columns, err = read.Columns(); err != nil {
		return nil, nil, err
	}
	found = map[string][]any{}
	for read.Next() {
		values, err := scanValues(read, len(columns))
		if err != nil {
			return nil, nil, err
		}
		found[keyText(keyValues(t, columns, values))] = values
	}
	return found, columns, read.Err()
}

// keyValues returns the values of the key among those of a row.
func keyValues(t *archivedTable, columns []string, values []any) []any {
	key := make([]any, len(t.key))
	for i, column := range t.key {
		key[i] = values[slices.Index(columns, column)]
	}
	return key
}

// deleteArchived deletes entries of the outbox. Entries that another server is
// deleting are skipped.
func (t *tx) deleteArchived(seqs []int64) error {
	remove := `DELETE FROM unarchived WHERE seq BETWEEN $1 AND $2`
	if !t.store.dialect.Embedded {
		remove = `DELETE FROM unarchived WHERE seq IN (SELECT seq FROM unarchived WHERE seq BETWEEN $1 AND $2 FOR UPDATE SKIP LOCKED)`
	}
	slices.Sort(seqs)
	for from := 0; from < len(seqs); {
		// Every number of the range is that of an archived entry.
		to := from
		for to+1 < len(seqs) && seqs[to+1] == seqs[to]+1 {
			to++
		}
		if err := t.Exec(remove, seqs[from], seqs[to]); err != nil {
			return fmt.Errorf("delete archived entries from the outbox: %w", err)
		}
		from = to + 1
	}
	return nil
}
