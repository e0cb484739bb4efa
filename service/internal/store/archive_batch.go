package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/database"
)

// Limits of one batch, and the age from which documents of other servers are
// archived even if nothing else of their organisations is.
const (
	archiveEntries = 1024
	archiveBytes   = 16 << 20
	othersAge      = 5 * time.Second
)

// archiveBatch is what one round archives.
type archiveBatch struct {
	lines     [][]byte
	seqs      []int64         // entries that the lines are about
	documents []*documentLine // that were handed over
	truncated bool            // the outbox has more
}

// read reads a batch. All of it is as of one snapshot, so that an archived row
// shows only changes that are archived as well.
func (a *archiver) read(ctx context.Context, p *Snapshot) (b archiveBatch, err error) {
	if err := a.store.checkArchive(ctx, p); err != nil {
		return b, err // the server of the other archive archives the outbox
	}
	most := archiveEntries + len(a.done)
	entries, err := outbox(ctx, p, most)
	if err != nil {
		return b, err
	}
	b.truncated = len(entries) == most
	a.deleted(entries, b.truncated)
	others := a.behind() != nil // catching up
	organisations := map[uuid.UUID]bool{}
	for _, l := range a.lines {
		organisations[l.of] = true
	}
	rows := changes{tables: tablesByName(), latest: map[string]map[string]changedRow{}}
	size := 0
	for _, e := range entries {
		if a.done[e.seq] {
			continue
		}
		if size > archiveBytes {
			b.truncated = true
			break
		}
		switch {
		case e.name != nil:
			if err := rows.add(e); err != nil {
				return b, err
			}
		case !others && !a.ours(e, organisations):
			continue
		default:
			line, err := a.document(ctx, p, e, &b)
			if err != nil {
				return b, err
			}
			size += len(line)
			b.lines = append(b.lines, line)
		}
		b.seqs = append(b.seqs, e.seq)
	}
	b.lines, err = rows.read(ctx, p, b.lines)
	return b, err
}

// ours reports whether this server archives a document: its own, those of the
// organisations whose documents it archives, so that no document is archived
// without its predecessors, and those that another server has left behind.
func (a *archiver) ours(e outboxEntry, organisations map[uuid.UUID]bool) bool {
	old := e.since <= millis(a.store.now().Add(-othersAge))
	return e.server.UUID == a.server || old || organisations[e.of.UUID]
}

// document returns the line of a document, from memory or from the database.
func (a *archiver) document(ctx context.Context, p *Snapshot, e outboxEntry, b *archiveBatch) (line []byte, err error) {
	l := a.lines[e.document.UUID]
	if l != nil {
		b.documents = append(b.documents, l)
	} else if l, err = readDocument(ctx, p, e.of.UUID, e.document.UUID); err != nil {
		return nil, err
	}
	return l.encode(e.seq)
}

// deleted forgets the entries that are no longer in the outbox.
func (a *archiver) deleted(entries []outboxEntry, truncated bool) {
	if truncated || len(a.done) == 0 {
		return
	}
	there := map[int64]bool{}
	for _, e := range entries {
		if a.done[e.seq] {
			there[e.seq] = true
		}
	}
	a.done = there
}

// changes are the rows of a batch, by table and key.
type changes struct {
	tables map[string]*archivedTable
	latest map[string]map[string]changedRow
}

func (c changes) add(e outboxEntry) error {
	t := c.tables[*e.name]
	if t == nil || !t.captured {
		return fmt.Errorf("the outbox has a row of table %q, which is not archived", *e.name)
	}
	row, err := parseKey(t, *e.key)
	if err != nil {
		return err
	}
	row.seq = e.seq
	if c.latest[t.name] == nil {
		c.latest[t.name] = map[string]changedRow{}
	}
	c.latest[t.name][row.key] = row
	return nil
}

// read appends the lines of the rows.
func (c changes) read(ctx context.Context, db database.Reader, lines [][]byte) ([][]byte, error) {
	for i := range archivedTables {
		t := &archivedTables[i]
		var rows []changedRow
		for _, row := range c.latest[t.name] {
			rows = append(rows, row)
		}
		slices.SortFunc(rows, func(a, b changedRow) int { return cmp.Compare(a.seq, b.seq) })
		var err error
		if lines, err = readImages(ctx, db, t, rows, lines); err != nil {
			return nil, err
		}
	}
	return lines, nil
}
