package store

import (
	"fmt"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// rowsOf collects the rows of one INSERT.
type rowsOf struct {
	t       *tx
	insert  string // up to and including the columns
	behind  string // text after the values
	columns int
	values  []any
	n       int
	expect  int           // number of rows for which memory is reserved
	line    *documentLine // to which added rows belong; nil if they are not archived
}

// maxValues keeps a statement far below the limits of both engines. All invoices
// of a batch still fit.
const maxValues = 2_000

// statementRows is the maximum number of rows in a statement. A statement of PostgreSQL
// has this number or at most fewRows.
const (
	statementRows = 16
	fewRows       = 8
)

// statementSize returns the number of rows of the next statement if n are to be
// written. Both drivers keep a prepared statement for each number. PostgreSQL does not
// get all numbers, because preparing a statement costs a round trip and memory of each
// connection. SQLite gets one statement for up to statementRows: it saves the pages
// that a statement of several rows changes, once for each statement.
func statementSize(n int, embedded bool) int {
	if !embedded && n < statementRows {
		return min(fewRows, n)
	}
	return min(statementRows, n)
}

func (r *rowsOf) add(values ...any) error {
	r.columns = len(values)
	if r.line != nil {
		r.line.add(r.insert, values)
	}
	if r.values == nil {
		r.values = make([]any, 0, max(1, min(r.expect, maxValues/r.columns))*r.columns)
	}
	r.values = append(r.values, values...)
	r.n++
	if len(r.values)+r.columns > maxValues {
		return r.flush()
	}
	return nil
}

// flush writes the collected rows in a few statements.
func (r *rowsOf) flush() error {
	values, n := r.values, r.n
	r.values, r.n = nil, 0
	for n > 0 {
		size := statementSize(n, r.t.store.dialect.Embedded)
		text := r.t.store.inserts.text(insertion{r.insert, r.behind, r.columns, size})
		if err := r.t.Exec(text, values[:size*r.columns]...); err != nil {
			return err
		}
		values, n = values[size*r.columns:], n-size
	}
	return nil
}

// insertion describes a statement that inserts rows.
type insertion struct {
	insert, behind string
	columns, rows  int
}

// text returns the text of the statement.
func (i insertion) text() string {
	var b strings.Builder
	b.WriteString(i.insert + " VALUES ")
	for n := range i.rows {
		if n > 0 {
			b.WriteString(", ")
		}
		b.WriteString("(" + numbered(1+n*i.columns, i.columns) + ")")
	}
	b.WriteString(i.behind)
	return b.String()
}

// insertTexts keeps the texts of statements that insert rows, because building one
// takes about as long as inserting a row.
type insertTexts struct {
	mu   sync.Mutex
	kept map[insertion]string
}

func (k *insertTexts) text(i insertion) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	text, is := k.kept[i]
	if !is {
		if k.kept == nil {
			k.kept = map[insertion]string{}
		}
		text = i.text()
		k.kept[i] = text
	}
	return text
}

// newRow is a new invoice in its stored form, with the digests of its document.
type newRow struct {
	*stored
	xml, xmlDigest []byte
}

// storedRows builds the rows of batches and computes their digests in parallel,
// because the books of the organisations are locked meanwhile.
func storedRows(all []entering) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for b := range all {
		batch := &all[b]
		batch.rows = make([]newRow, len(batch.Invoices))
		for n := range batch.Invoices {
			group.Go(func() error {
				one := &batch.Invoices[n]
				record, err := documentOf(one.Invoice.Record)
				if err != nil {
					return fmt.Errorf("encode the record of invoice %s: %w", one.Invoice.Number, err)
				}
				r := storedOf(batch.of, one.Invoice, one.Body[:], record)
				r.digest = r.sum()
				batch.rows[n] = newRow{r, one.XML, bytesDigest("xml", batch.of.ID(), one.Invoice.ID, one.XML)}
				return nil
			})
		}
	}
	return group.Wait()
}
