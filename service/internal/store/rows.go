package store

import (
	"fmt"
	"math/bits"
	"runtime"
	"strings"

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
	line    *documentLine // to which added rows belong; nil if they are not archived
}

// maxValues keeps a statement far below the limits of both engines. All invoices
// of a batch still fit.
const maxValues = 2_000

// statementRows is the maximum number of rows in a statement, a power of two.
const statementRows = 16

func (r *rowsOf) add(values ...any) error {
	r.columns = len(values)
	if r.line != nil {
		r.line.add(r.insert, values)
	}
	r.values = append(r.values, values...)
	r.n++
	if len(r.values)+r.columns > maxValues {
		return r.flush()
	}
	return nil
}

// flush writes the collected rows, in statements with powers of two of rows. So
// there are few texts, which both drivers keep prepared.
func (r *rowsOf) flush() error {
	values, n := r.values, r.n
	r.values, r.n = nil, 0
	for n > 0 {
		size := min(statementRows, 1<<(bits.Len(uint(n))-1))
		if err := r.t.Exec(r.statement(size), values[:size*r.columns]...); err != nil {
			return err
		}
		values, n = values[size*r.columns:], n-size
	}
	return nil
}

// statement returns the text that inserts n rows.
func (r *rowsOf) statement(n int) string {
	var b strings.Builder
	b.WriteString(r.insert + " VALUES ")
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("(" + numbered(1+i*r.columns, r.columns) + ")")
	}
	b.WriteString(r.behind)
	return b.String()
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
