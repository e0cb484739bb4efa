package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"
)

// keptTables are tables whose rows are never deleted, so that a row in the archive
// must be in the database. Almost every transaction that is archived inserts one.
var keptTables = []string{"invoice", "attempt", "verdict", "receipt", "allocation", "event"}

// tailLines is how many lines of the archive are compared. PostgreSQL assigns the
// numbers of lines before a transaction commits, and after a crash they begin up to
// 32 higher. So the highest number does not show that a database has all lines.
const tailLines = 5_000

// ArchiveTail collects the last lines of an archive, to compare them with a database.
// Count is called for all lines first, and then Add.
type ArchiveTail struct {
	highest int64
	rows    []tailRow
}

// tailRow is a row that must be in the database.
type tailRow struct {
	changedRow
	table string
	id    uuid.UUID // of a document
}

// Count notes the number of a line.
func (a *ArchiveTail) Count(line []byte) error {
	seq, err := lineSeq(line)
	a.highest = max(a.highest, seq)
	return err
}

// Add adds a line if it is one of the last.
func (a *ArchiveTail) Add(line []byte) error {
	seq, err := lineSeq(line)
	if err != nil || seq <= a.highest-tailLines {
		return err
	}
	a.highest = max(a.highest, seq) // another server may be writing
	l, err := parseLine(line)
	if err != nil {
		return err
	}
	if l.Kind == "document" {
		a.rows = append(a.rows, tailRow{changedRow: changedRow{seq: seq, args: []any{l.Place}}, table: "invoice", id: l.ID})
	}
	tables := tablesByName()
	for _, c := range l.Changes {
		if !slices.Contains(keptTables, c.Table) || c.Row == nil {
			continue
		}
		row := tailRow{changedRow: changedRow{seq: seq}, table: c.Table}
		for _, column := range tables[c.Table].key {
			arg, err := keyArg(c.Row[column])
			if err != nil {
				return fmt.Errorf("line %d of the archive: table %s, column %s: %w", seq, c.Table, column, err)
			}
			row.args = append(row.args, arg)
		}
		a.rows = append(a.rows, row)
	}
	return nil
}

// keyArg returns a value of a key as an argument of a statement.
func keyArg(value any) (any, error) {
	switch v := value.(type) {
	case json.Number:
		return v.Int64()
	case string:
		return v, nil
	}
	return nil, fmt.Errorf("%v is not part of a key", value)
}

// lineSeq returns the sequence number of a line. It decodes the first two members
// only, which is much faster than the whole line.
func lineSeq(line []byte) (int64, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var tokens [5]json.Token // { kind "…" seq N
	for i := range tokens {
		var err error
		if tokens[i], err = d.Token(); err != nil {
			return 0, fmt.Errorf("decode a line of the archive: %w", err)
		}
	}
	if seq, is := tokens[4].(json.Number); is && tokens[3] == "seq" {
		return seq.Int64()
	}
	l, err := parseLine(line)
	return l.Seq, err
}

// LacksArchived reports whether the archive has something that the database lacks,
// given the last lines of the archive. These were read before, because other servers
// may be writing.
//
// A restored backup and a promoted standby contain all transactions up to some moment
// and none after it. So a database that has the last lines has all of them.
func (s *Store) LacksArchived(ctx context.Context, tail *ArchiveTail) (lacks bool, err error) {
	use, err := s.ArchiveUse(ctx)
	if err != nil || tail.highest > use.Seq {
		return err == nil, err
	}
	byTable := map[string][]tailRow{}
	for _, row := range tail.rows {
		byTable[row.table] = append(byTable[row.table], row)
	}
	err = s.Snapshot(ctx, func(p *Snapshot) error {
		for _, table := range keptTables {
			for part := range slices.Chunk(byTable[table], imagesAtOnce) {
				if lacks, err = lacksSome(ctx, p, table, part); lacks || err != nil {
					return err
				}
			}
		}
		return nil
	})
	return lacks, err
}

// lacksSome reports whether one of the rows of a table is not in the database.
func lacksSome(ctx context.Context, p *Snapshot, table string, rows []tailRow) (bool, error) {
	t := tablesByName()[table]
	keys := make([]changedRow, len(rows))
	for i, row := range rows {
		keys[i] = row.changedRow
		keys[i].key = keyText(row.args)
	}
	found, columns, err := readRows(ctx, p, t, keys)
	if err != nil {
		return false, fmt.Errorf("compare table %s with the archive: %w", table, err)
	}
	for i, row := range rows {
		values, is := found[keys[i].key]
		if !is {
			return true, nil
		}
		if row.id == uuid.Nil {
			continue
		}
		if id, err := uuid.Parse(fmt.Sprint(values[slices.Index(columns, "id")])); err != nil || id != row.id {
			return true, err
		}
	}
	return false, nil
}
