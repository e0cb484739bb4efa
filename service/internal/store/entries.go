package store

import (
	"database/sql"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// enter writes a batch in a few statements per table. PostgreSQL gets them in one
// round trip.
func (t *tx) enter(of org.Tenant, last int64, e *issue.Entries) error {
	rows, err := storedRows(of, e)
	if err != nil {
		return err
	}
	t.BeginBatch()
	if err := t.enterInvoices(of, last, e, rows); err != nil {
		return fmt.Errorf("write the invoices: %w", err)
	}
	if err := t.enterDocuments(of, rows); err != nil {
		return fmt.Errorf("write the documents: %w", err)
	}
	if err := t.store.db.Point("documents written"); err != nil {
		return err
	}
	steps := []struct {
		what string
		do   func(org.Tenant, *issue.Entries) error
	}{
		{"VAT rows", t.enterVAT}, {"submissions", t.enterSubmissions},
		{"links", t.enterShares}, {"guards", t.enterGuards}, {"credits", t.enterCredits}, {"advances", t.enterDeductions},
		{"numbers", t.moveSeries}, {"chains", t.moveChains}, {"stock", t.moveStock}, {"counts", t.moveCounts}, {"audit trail", t.enterEvents},
	}
	for _, step := range steps {
		if err := step.do(of, e); err != nil {
			return fmt.Errorf("write the %s: %w", step.what, err)
		}
		if err := t.store.db.Point(step.what + " written"); err != nil {
			return err
		}
	}
	if err := t.SendBatch(); err != nil {
		return fmt.Errorf("write the batch: %w", err)
	}
	return t.store.db.Point("batch written")
}

// rowsOf collects the rows of one INSERT.
type rowsOf struct {
	t       *tx
	insert  string // up to and including the columns
	behind  string // text after the values
	columns int
	values  []any
	n       int
}

// maxValues keeps a statement far below the limits of both engines. All invoices
// of a batch still fit.
const maxValues = 2_000

// statementRows is the maximum number of rows in a statement, a power of two.
const statementRows = 16

func (r *rowsOf) add(values ...any) error {
	r.columns = len(values)
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

// storedRows builds the rows of a batch and computes their digests in parallel,
// because the organisation's book is locked meanwhile.
func storedRows(of org.Tenant, e *issue.Entries) ([]newRow, error) {
	rows := make([]newRow, len(e.Invoices))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for n := range e.Invoices {
		group.Go(func() error {
			one := &e.Invoices[n]
			record, err := documentOf(one.Invoice.Record)
			if err != nil {
				return fmt.Errorf("encode the record of invoice %s: %w", one.Invoice.Number, err)
			}
			r := storedOf(of, one.Invoice, one.Body[:], record)
			r.digest = r.sum()
			rows[n] = newRow{r, one.XML, bytesDigest("xml", of.ID(), one.Invoice.ID, one.XML)}
			return nil
		})
	}
	return rows, group.Wait()
}

func (t *tx) enterInvoices(of org.Tenant, last int64, e *issue.Entries, stored []newRow) error {
	rows := rowsOf{t: t, insert: `INSERT INTO invoice (place, org_id, id, task_id, device_id, counter, hash, previous_hash, ref_num, type_code, transaction_code,
		issue_date, issue_time, issued_at, currency, buyer_id, buyer_name, without_vat, vat, with_vat, payable,
		idempotency_key, body_digest, ref_key, tail, key_folded, buyer_text, created_at, payment)`}
	texts, err := t.enterBuyers(of, e)
	if err != nil {
		return err
	}
	for n, r := range stored {
		place, words := last+int64(n)+1, e.Invoices[n].Words
		err := rows.add(place, of.ID(), r.id, r.task, r.device, r.counter, r.hash, r.previousHash, r.number, r.kind, r.transaction,
			r.issueDate, r.issueTime, r.issuedAt, r.currency, r.buyer, r.buyerName, r.withoutVAT, r.vat, r.withVAT, r.total,
			r.key, r.body, words.Number, tailOf(r.number), filled(words.Key), texts[words.Buyer], r.createdAt, r.payment)
		if err != nil {
			return err
		}
	}
	return rows.flush()
}

// filled returns text as a nullable string, null if it is empty.
func filled(text string) sql.NullString { return sql.NullString{String: text, Valid: text != ""} }

func (t *tx) enterDocuments(of org.Tenant, stored []newRow) error {
	rows := rowsOf{t: t, insert: `INSERT INTO document (org_id, invoice_id, record, xml, qr, digest, xml_digest)`}
	for _, r := range stored {
		if err := rows.add(of.ID(), r.id, r.record.String, r.xml, r.qr.String, r.digest, r.xmlDigest); err != nil {
			return err
		}
	}
	return rows.flush()
}

func (t *tx) enterVAT(of org.Tenant, e *issue.Entries) error {
	rows := rowsOf{t: t, insert: `INSERT INTO vat_row (org_id, invoice_id, position, category, rate, reason_code, taxable, vat, taxable_sar, vat_sar)`}
	for _, one := range e.Invoices {
		rate := one.Invoice.Record.ExchangeRate
		for n, b := range one.Invoice.Record.Breakdown {
			err := rows.add(of.ID(), one.Invoice.ID, n+1, b.Category, b.Rate.String(), b.ReasonCode, b.Taxable.Fixed2(), b.VAT.Fixed2(),
				b.Taxable.Mul(rate).Round2().Fixed2(), b.VAT.Mul(rate).Round2().Fixed2())
			if err != nil {
				return err
			}
		}
	}
	return rows.flush()
}

func (t *tx) enterSubmissions(of org.Tenant, e *issue.Entries) error {
	rows := rowsOf{t: t, insert: `INSERT INTO submission (org_id, invoice_id, device_id, state, deadline, route, expires_at)`}
	for _, one := range e.Invoices {
		state := ledger.Queued
		if one.Invoice.Held {
			state = ledger.Held
		}
		if err := rows.add(of.ID(), one.Invoice.ID, one.Invoice.Device, string(state), millis(one.Invoice.Deadline()),
			string(ledger.RouteOf(one.Invoice.Transaction.Simplified)), expiry(one.Invoice)); err != nil {
			return err
		}
	}
	return rows.flush()
}

func (t *tx) enterShares(of org.Tenant, e *issue.Entries) error {
	rows := rowsOf{t: t, insert: `INSERT INTO share (digest, org_id, invoice_id, sealed, expires_at, revoked)`}
	for _, one := range e.Invoices {
		s := one.Invoice.Share
		if err := rows.add(s.Digest, of.ID(), one.Invoice.ID, s.Sealed, millis(s.Expires), 0); err != nil {
			return err
		}
	}
	return rows.flush()
}

func (t *tx) enterGuards(of org.Tenant, e *issue.Entries) error {
	rows := rowsOf{t: t, insert: `INSERT INTO guard (org_id, digest, invoice_id, until)`,
		behind: ` ON CONFLICT (org_id, digest) DO UPDATE SET invoice_id = excluded.invoice_id, until = excluded.until`}
	for _, one := range e.Invoices {
		if err := rows.add(of.ID(), one.Guard[:], one.Invoice.ID, millis(one.Invoice.CreatedAt.Add(issue.GuardTime))); err != nil {
			return err
		}
	}
	return rows.flush()
}

func (t *tx) enterCredits(of org.Tenant, e *issue.Entries) error {
	rows := rowsOf{t: t, insert: `INSERT INTO credit (org_id, original_id, note_id, amount, vat_rows, released)`}
	for _, one := range e.Invoices {
		for _, c := range one.Credits {
			text, err := documentOf(slices.Concat([]ledger.Subtotal{}, c.Rows))
			if err != nil {
				return err
			}
			if err := rows.add(of.ID(), c.Original, one.Invoice.ID, c.Amount.Fixed2(), text, 0); err != nil {
				return err
			}
		}
	}
	return rows.flush()
}

func (t *tx) enterDeductions(of org.Tenant, e *issue.Entries) error {
	rows := rowsOf{t: t, insert: `INSERT INTO deduction (org_id, advance_id, invoice_id, released, vat_rows)`}
	for _, one := range e.Invoices {
		for _, d := range one.Deductions {
			text, err := documentOf(slices.Concat([]ledger.Subtotal{}, d.Rows))
			if err != nil {
				return err
			}
			if err := rows.add(of.ID(), d.Advance, one.Invoice.ID, 0, text); err != nil {
				return err
			}
		}
	}
	return rows.flush()
}

func (t *tx) moveSeries(of org.Tenant, e *issue.Entries) error {
	rows := rowsOf{t: t, insert: `INSERT INTO series (org_id, kind, prefix, first, year, last)`,
		behind: ` ON CONFLICT (org_id, kind) DO UPDATE SET year = excluded.year, last = excluded.last`}
	for kind, s := range e.Series {
		if err := rows.add(of.ID(), kind, s.Prefix, s.First, s.Year, s.Last); err != nil {
			return err
		}
	}
	return rows.flush()
}

func (t *tx) moveChains(of org.Tenant, e *issue.Entries) error {
	for _, c := range e.Devices {
		const update = `UPDATE chain SET counter = $1, last_hash = $2, last_issued_at = $3 WHERE org_id = $4 AND device_id = $5`
		if err := t.ExecOne(errors.New("the device does not exist"), update, c.Counter, c.LastHash, millis(c.LastIssuedAt), of.ID(), c.ID); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) moveStock(of org.Tenant, e *issue.Entries) error {
	for id, left := range e.Stock {
		if err := t.ExecOne(errors.New("the item does not exist"), `UPDATE item SET stock = $1 WHERE org_id = $2 AND id = $3`, left.String(), of.ID(), id); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) moveCounts(of org.Tenant, e *issue.Entries) error {
	n := len(e.Invoices)
	if err := t.Exec(`UPDATE book SET documents = documents + $1 WHERE org_id = $2`, n, of.ID()); err != nil {
		return err
	}
	const use = `
		INSERT INTO usage (org_id, month, invoices, validations)
		VALUES ($1, $2, $3, 0)
		ON CONFLICT (org_id, month) DO UPDATE SET invoices = usage.invoices + excluded.invoices`
	if err := t.Exec(use, of.ID(), e.Month.Format(monthForm), n); err != nil {
		return err
	}
	if err := t.count(of, string(invoices), n); err != nil {
		return err
	}
	return t.count(of, statusTally(ledger.Unanswered), n)
}

// statusTally returns the name of the count of invoices with a status.
func statusTally(status ledger.Status) string { return "invoice " + string(status) }

// count changes a stored count, which lists use for their totals.
func (t *tx) count(of org.Tenant, what string, by int) error {
	if by < 0 { // an insert would start a count below zero
		return t.Exec(`UPDATE tally SET n = n + $3 WHERE org_id = $1 AND what = $2`, of.ID(), what, by)
	}
	const count = `
		INSERT INTO tally (org_id, what, n)
		VALUES ($1, $2, $3)
		ON CONFLICT (org_id, what) DO UPDATE SET n = tally.n + excluded.n`
	return t.Exec(count, of.ID(), what, by)
}

func (t *tx) enterEvents(_ org.Tenant, e *issue.Entries) error {
	rows := t.events()
	for _, one := range e.Invoices {
		i := one.Invoice
		err := rows.addEvent(one.By, "invoice.create", i.ID.String(), map[string]any{"ref_num": i.Number, "counter": i.Counter, "hash": i.Hash, "payable": i.Record.Totals.Payable.Fixed2()})
		if err != nil {
			return err
		}
	}
	return rows.flush()
}
