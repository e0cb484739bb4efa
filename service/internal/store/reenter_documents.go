package store

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"khatm/service/internal/database"
	"khatm/service/internal/org"
)

// chainEnd is the end of a device's chain while documents are re-entered.
type chainEnd struct {
	counter  int64
	hash     string
	issuedAt any
	written  int64 // counter that the database has
}

// reenteredAtOnce is the number of documents that one transaction of a re-entry
// writes.
const reenteredAtOnce = 64

// documents writes the documents that the database lacks.
func (r *reentry) documents(read func(each func(line []byte) error) error) error {
	next := map[uuid.UUID]int{}       // index of the next place, by organisation
	early := map[int64]archivedLine{} // documents before which others are missing
	var waiting []archivedLine
	flush := func() error {
		entered := 0
		err := r.write(func(t *tx) (err error) {
			entered, err = r.enter(t, waiting)
			return err
		})
		waiting = nil
		if err != nil {
			return err
		}
		r.done.Documents += entered
		return r.store.db.Point("documents re-entered")
	}
	err := read(func(line []byte) error {
		if !strings.HasPrefix(string(line[:min(len(line), 20)]), `{"kind":"document"`) {
			return nil
		}
		l, err := parseLine(line)
		if err != nil {
			return err
		}
		places := r.places[l.Org]
		if next[l.Org] == len(places) || l.Place < places[next[l.Org]] {
			return nil // it was entered already
		}
		early[l.Place] = l
		for next[l.Org] < len(places) {
			one, there := early[places[next[l.Org]]]
			if !there {
				break
			}
			delete(early, one.Place)
			waiting = append(waiting, one)
			next[l.Org]++
		}
		if len(waiting) < reenteredAtOnce {
			return nil
		}
		return flush()
	})
	if err == nil && len(waiting) > 0 {
		err = flush()
	}
	if err != nil {
		return err
	}
	for of, places := range r.places {
		if n := len(places) - next[of]; n > 0 {
			return fmt.Errorf("%d documents of organisation %s were not found in the archive again", n, of)
		}
	}
	return r.write(r.remainingSteps)
}

// enter writes documents in the order of their places.
func (r *reentry) enter(t *tx, lines []archivedLine) (entered int, err error) {
	clear(r.ends) // the transaction may run twice
	hashes, err := r.existing(t, lines)
	if err != nil {
		return 0, err
	}
	lines = slices.DeleteFunc(slices.Clone(lines), func(l archivedLine) bool {
		row := l.Rows["invoice"][0]
		hash, there := hashes[l.Place]
		if there && hash != l.ID.String()+row.text("hash") {
			err = forkError(row, "the database has another document in its place")
		}
		return there
	})
	if err != nil {
		return 0, err
	}
	for _, l := range lines {
		if err := r.enterOne(t, l); err != nil {
			return 0, err
		}
	}
	for device := range r.ends {
		if err := r.moveChain(t, device); err != nil {
			return 0, err
		}
	}
	return len(lines), nil
}

// existing returns the ids and hashes of documents that the database has, by
// place.
func (r *reentry) existing(t *tx, lines []archivedLine) (map[int64]string, error) {
	var args []any
	for _, l := range lines {
		args = append(args, l.Place)
	}
	found := map[int64]string{}
	query := `SELECT place, CAST(id AS TEXT), hash FROM invoice WHERE place IN (` + numbered(1, len(args)) + `)`
	err := database.Each(t.Context(), t, database.Query{Text: query, Args: args, Row: func(row scanner) error {
		var place int64
		var id, hash string
		err := row.Scan(&place, &id, &hash)
		found[place] = id + hash
		return err
	}})
	if err != nil {
		return nil, fmt.Errorf("read the documents that exist: %w", err)
	}
	return found, nil
}

// enterOne writes one document.
func (r *reentry) enterOne(t *tx, l archivedLine) error {
	row := l.Rows["invoice"][0]
	device := deviceKey{row.text("org_id"), row.text("device_id")}
	end, err := r.end(t, device)
	if err != nil {
		return err
	}
	if err := r.takeSteps(t, device); err != nil {
		return err
	}
	counter := row.number("counter")
	switch {
	case counter <= end.counter:
		return forkError(row, "the database has another document with this counter")
	case counter > end.counter+1:
		return fmt.Errorf("document %d of device %s is in the archive, and document %d is missing", counter, device.device, end.counter+1)
	case row.text("previous_hash") != end.hash:
		return forkError(row, "its previous hash is not that of the document before it")
	}
	if err := r.insertDocument(t, l); err != nil {
		return fmt.Errorf("re-enter document %d of device %s: %w", counter, device.device, err)
	}
	issuedAt, err := r.value("invoice", "issued_at", row)
	if err != nil {
		return err
	}
	end.counter, end.hash, end.issuedAt = counter, row.text("hash"), issuedAt
	if err := r.countDocument(t, l.Org, row); err != nil {
		return err
	}
	if err := r.moveSeries(t, l, row); err != nil {
		return err
	}
	return r.takeSteps(t, device)
}

// insertDocument inserts the rows of a document, with the statements of an append.
func (r *reentry) insertDocument(t *tx, l archivedLine) error {
	for _, insert := range documentInserts {
		rows := rowsOf{t: t, insert: insert.text}
		if insert.table == "guard" {
			rows.behind = replaceGuard
		}
		for _, row := range l.Rows[insert.table] {
			values := make([]any, len(insert.columns))
			for i, column := range insert.columns {
				var err error
				if values[i], err = r.value(insert.table, column, row); err != nil {
					return err
				}
			}
			if err := rows.add(values...); err != nil {
				return err
			}
		}
		if err := rows.flush(); err != nil {
			return fmt.Errorf("write table %s: %w", insert.table, err)
		}
	}
	return nil
}

// end returns the end of a device's chain.
func (r *reentry) end(t *tx, device deviceKey) (*chainEnd, error) {
	if end := r.ends[device]; end != nil {
		return end, nil
	}
	var end chainEnd
	var issued sql.NullInt64
	const query = `SELECT counter, last_hash, last_issued_at FROM chain WHERE org_id = $1 AND device_id = $2`
	if err := t.QueryRow(query, device.of, device.device).Scan(&end.counter, &end.hash, &issued); err != nil {
		return nil, fmt.Errorf("read the chain of device %s: %w", device.device, err)
	}
	end.written = end.counter
	if issued.Valid {
		end.issuedAt = issued.Int64
	}
	r.ends[device] = &end
	return &end, nil
}

// moveChain writes the end of a chain.
func (r *reentry) moveChain(t *tx, device deviceKey) error {
	end := r.ends[device]
	if end.counter == end.written {
		return nil
	}
	const update = `UPDATE chain SET counter = $1, last_hash = $2, last_issued_at = $3 WHERE org_id = $4 AND device_id = $5`
	if err := t.ExecOne(errors.New("the device does not exist"), update, end.counter, end.hash, end.issuedAt, device.of, device.device); err != nil {
		return fmt.Errorf("move the chain of device %s: %w", device.device, err)
	}
	end.written = end.counter
	return nil
}

// takeSteps writes the releases and gaps that follow the end of a chain.
func (r *reentry) takeSteps(t *tx, device deviceKey) error {
	for _, step := range r.steps[device] {
		end := r.ends[device]
		gap := step.table.name == "gap"
		if gap && step.row.number("first") != end.counter+1 || !gap && step.row.number("counter") != end.counter {
			continue
		}
		if err := r.moveChain(t, device); err != nil {
			return err
		}
		if _, err := r.apply(t, step.table, []archivedImage{step}); err != nil {
			return fmt.Errorf("re-enter a row of table %s of device %s: %w", step.table.name, device.device, err)
		}
		if gap {
			end.counter, end.hash, end.issuedAt = step.row.number("last"), step.row.text("hash"), step.row.number("issued_at")
			if err := r.moveChain(t, device); err != nil {
				return err
			}
		}
	}
	return nil
}

// remainingSteps writes the releases and gaps of devices without new documents.
func (r *reentry) remainingSteps(t *tx) error {
	clear(r.ends)
	for device, steps := range r.steps {
		if _, err := r.end(t, device); err != nil {
			return err
		}
		slices.SortStableFunc(steps, func(a, b archivedImage) int { return cmp.Compare(a.seq, b.seq) })
		if err := r.takeSteps(t, device); err != nil {
			return err
		}
	}
	return nil
}

// countDocument counts a document in its month.
func (r *reentry) countDocument(t *tx, of uuid.UUID, row archivedRow) error {
	month := org.UsageMonth(timeOf(row.number("created_at"))).Format(monthForm)
	const count = `
		INSERT INTO usage (org_id, month, invoices, validations) VALUES ($1, $2, 1, 0)
		ON CONFLICT (org_id, month) DO UPDATE SET invoices = usage.invoices + 1`
	if err := t.Exec(count, of, month); err != nil {
		return fmt.Errorf("count a document: %w", err)
	}
	return nil
}

// moveSeries moves the series with the prefix of a document's number to that
// number. A change of the series by hand that is later than the document stays.
func (r *reentry) moveSeries(t *tx, l archivedLine, row archivedRow) error {
	parts := strings.Split(row.text("ref_num"), "-")
	if len(parts) < 3 {
		return nil
	}
	year, err := strconv.ParseInt(parts[len(parts)-2], 10, 64)
	if err != nil {
		return nil //nolint:nilerr // it is not a number of a series
	}
	prefix := strings.Join(parts[:len(parts)-2], "-")
	var kind string
	err = t.QueryRow(`SELECT kind FROM series WHERE org_id = $1 AND prefix = $2`, l.Org, prefix).Scan(&kind)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the series %s: %w", prefix, err)
	}
	if l.Seq < r.images[seriesKey{l.Org.String(), kind}] {
		return nil
	}
	const update = `UPDATE series SET year = $1, last = $2 WHERE org_id = $3 AND kind = $4`
	return t.Exec(update, year, tailOf(row.text("ref_num")), l.Org, kind)
}
