package store

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// entering is the batch of one organisation that is written.
type entering struct {
	*issue.Entries
	of   org.Tenant
	last int64 // place of the organisation's last document
	rows []newRow

	places   buyerPlaces     // of its buyers
	lines    []*documentLine // for the archive; nil if there is none
	archived []int64         // entries of the outbox that are deleted in the same transaction
}

// documentsOf returns the number of documents of batches.
func documentsOf(all []entering) int {
	n := 0
	for _, b := range all {
		n += len(b.Invoices)
	}
	return n
}

// line returns the line of the archive for a document of the batch, or nil if
// there is no archive.
func (b *entering) line(n int) *documentLine {
	if b.lines == nil {
		return nil
	}
	return b.lines[n]
}

// replaceGuard replaces the entry of an earlier document with the same data.
const replaceGuard = ` ON CONFLICT (org_id, digest) DO UPDATE SET invoice_id = excluded.invoice_id, until = excluded.until`

// Statements that insert the rows of documents. The archive contains these columns.
const (
	insertInvoice = `INSERT INTO invoice (place, org_id, id, task_id, device_id, counter, hash, previous_hash, ref_num, type_code, transaction_code,
		issue_date, issue_time, issued_at, currency, buyer_id, buyer_name, without_vat, vat, with_vat, payable,
		idempotency_key, body_digest, ref_key, tail, key_folded, buyer_text, created_at, payment, due_date)`
	insertDocument   = `INSERT INTO document (org_id, invoice_id, record, xml, qr, digest, xml_digest)`
	insertVAT        = `INSERT INTO vat_row (org_id, invoice_id, position, category, rate, reason_code, taxable, vat, taxable_sar, vat_sar)`
	insertSubmission = `INSERT INTO submission (org_id, invoice_id, device_id, state, deadline, route, expires_at)`
	insertShare      = `INSERT INTO share (digest, org_id, invoice_id, sealed, expires_at, revoked)`
	insertGuard      = `INSERT INTO guard (org_id, digest, invoice_id, until)`
	insertCredit     = `INSERT INTO credit (org_id, original_id, note_id, amount, vat_rows, released)`
	insertDeduction  = `INSERT INTO deduction (org_id, advance_id, invoice_id, released, vat_rows)`
)

// enter writes the batches of several organisations, in a few statements per table.
// PostgreSQL gets them in one round trip, with the COMMIT, or when SendBatch is called.
func (t *tx) enter(all []entering) error {
	if err := storedRows(all); err != nil {
		return err
	}
	t.BeginBatch()
	if err := t.enterInvoices(all); err != nil {
		return fmt.Errorf("write the invoices: %w", err)
	}
	if err := t.enterDocuments(all); err != nil {
		return fmt.Errorf("write the documents: %w", err)
	}
	if err := t.store.db.Point("documents written"); err != nil {
		return err
	}
	steps := []struct {
		what string
		do   func([]entering) error
	}{
		{"VAT rows", t.enterVAT}, {"submissions", t.enterSubmissions},
		{"links", t.enterShares}, {"guards", t.enterGuards}, {"credits", t.enterCredits}, {"advances", t.enterDeductions},
		{"numbers", t.moveSeries}, {"chains", t.moveChains}, {"stock", t.moveStock}, {"counts", t.moveCounts}, {"audit trail", t.enterEvents},
		{"outbox", t.enterOutbox},
	}
	for _, step := range steps {
		if err := step.do(all); err != nil {
			return fmt.Errorf("write the %s: %w", step.what, err)
		}
		if err := t.store.db.Point(step.what + " written"); err != nil {
			return err
		}
	}
	return t.store.db.Point("batch written")
}

func (t *tx) enterInvoices(all []entering) error {
	rows := rowsOf{t: t, insert: insertInvoice, expect: documentsOf(all)}
	for _, b := range all {
		texts, err := t.enterBuyers(b)
		if err != nil {
			return err
		}
		for n, r := range b.rows {
			place, words := b.last+int64(n)+1, b.Invoices[n].Words
			rows.line = b.line(n)
			err := rows.add(place, b.of.ID(), r.id, r.task, r.device, r.counter, r.hash, r.previousHash, r.number, r.kind, r.transaction,
				r.issueDate, r.issueTime, r.issuedAt, r.currency, r.buyer, r.buyerName, r.withoutVAT, r.vat, r.withVAT, r.total,
				r.key, r.body, words.Number, tailOf(r.number), filled(words.Key), texts[words.Buyer], r.createdAt, r.payment, r.due)
			if err != nil {
				return err
			}
		}
	}
	return rows.flush()
}

// filled returns text as a nullable string, null if it is empty.
func filled(text string) sql.NullString { return sql.NullString{String: text, Valid: text != ""} }

func (t *tx) enterDocuments(all []entering) error {
	rows := rowsOf{t: t, insert: insertDocument, expect: documentsOf(all)}
	for _, b := range all {
		for n, r := range b.rows {
			rows.line = b.line(n)
			if err := rows.add(b.of.ID(), r.id, r.record.String, r.xml, r.qr.String, r.digest, r.xmlDigest); err != nil {
				return err
			}
		}
	}
	return rows.flush()
}

func (t *tx) enterVAT(all []entering) error {
	rows := rowsOf{t: t, insert: insertVAT, expect: documentsOf(all)}
	for _, b := range all {
		for n := range b.Invoices {
			one := &b.Invoices[n]
			rows.line = b.line(n)
			rate := one.Invoice.Record.ExchangeRate
			for position, v := range one.Invoice.Record.Breakdown {
				err := rows.add(b.of.ID(), one.Invoice.ID, position+1, v.Category, v.Rate.String(), v.ReasonCode, v.Taxable.Fixed2(), v.VAT.Fixed2(),
					v.Taxable.Mul(rate).Round2().Fixed2(), v.VAT.Mul(rate).Round2().Fixed2())
				if err != nil {
					return err
				}
			}
		}
	}
	return rows.flush()
}

func (t *tx) enterSubmissions(all []entering) error {
	rows := rowsOf{t: t, insert: insertSubmission, expect: documentsOf(all)}
	for _, b := range all {
		for n := range b.Invoices {
			one := &b.Invoices[n]
			rows.line = b.line(n)
			state := ledger.Queued
			if one.Invoice.Held {
				state = ledger.Held
			}
			if err := rows.add(b.of.ID(), one.Invoice.ID, one.Invoice.Device, string(state), millis(one.Invoice.Deadline()),
				string(ledger.RouteOf(one.Invoice.Transaction.Simplified)), expiry(one.Invoice)); err != nil {
				return err
			}
		}
	}
	return rows.flush()
}

func (t *tx) enterShares(all []entering) error {
	rows := rowsOf{t: t, insert: insertShare, expect: documentsOf(all)}
	for _, b := range all {
		for n := range b.Invoices {
			one := &b.Invoices[n]
			rows.line = b.line(n)
			s := one.Invoice.Share
			if err := rows.add(s.Digest, b.of.ID(), one.Invoice.ID, s.Sealed, millis(s.Expires), 0); err != nil {
				return err
			}
		}
	}
	return rows.flush()
}

func (t *tx) enterGuards(all []entering) error {
	rows := rowsOf{t: t, insert: insertGuard, behind: replaceGuard, expect: documentsOf(all)}
	for _, b := range all {
		for n := range b.Invoices {
			one := &b.Invoices[n]
			rows.line = b.line(n)
			if err := rows.add(b.of.ID(), one.Guard[:], one.Invoice.ID, millis(one.Invoice.CreatedAt.Add(issue.GuardTime))); err != nil {
				return err
			}
		}
	}
	return rows.flush()
}

func (t *tx) enterCredits(all []entering) error {
	rows := rowsOf{t: t, insert: insertCredit}
	for _, b := range all {
		for n := range b.Invoices {
			one := &b.Invoices[n]
			rows.line = b.line(n)
			for _, c := range one.Credits {
				text, err := documentOf(slices.Concat([]ledger.Subtotal{}, c.Rows))
				if err != nil {
					return err
				}
				if err := rows.add(b.of.ID(), c.Original, one.Invoice.ID, c.Amount.Fixed2(), text, 0); err != nil {
					return err
				}
			}
		}
	}
	return rows.flush()
}

// lockOriginals locks what credit changes: the originals and the credit notes on
// them. Recording an answer locks the document before the counts, so that an append
// that locked the counts first could deadlock with it.
func (t *tx) lockOriginals(all []entering) error {
	for _, b := range all {
		_, originals := b.validNotes()
		rd := reader{ctx: t.Context(), db: t, of: b.of}
		err := rd.among(originals, func(places string, args []any) error {
			return rd.rows(`
				SELECT id
				FROM invoice
				WHERE org_id = $1 AND id IN (
					SELECT id FROM invoice WHERE org_id = $1 AND id IN (`+places+`)
					UNION ALL
					SELECT note_id FROM credit WHERE org_id = $1 AND original_id IN (`+places+`)
				)
				ORDER BY id`+t.store.dialect.LockRow, args, func(row scanner) error {
				var id uuid.UUID
				return row.Scan(&id)
			})
		})
		if err != nil {
			return fmt.Errorf("lock the originals: %w", err)
		}
	}
	return nil
}

// validNotes returns the simplified credit notes of a batch, which are valid from
// their issue, and their originals.
func (b entering) validNotes() (notes, originals []uuid.UUID) {
	for n := range b.Invoices {
		one := &b.Invoices[n]
		if len(one.Credits) == 0 || !one.Invoice.Printable() {
			continue
		}
		notes = append(notes, one.Invoice.ID)
		for _, c := range one.Credits {
			originals = append(originals, c.Original)
		}
	}
	return notes, originals
}

// credit reduces the balances of the originals of simplified credit notes. It does
// nothing for other documents.
func (t *tx) credit(all []entering) error {
	for _, b := range all {
		notes, originals := b.validNotes()
		if len(notes) == 0 {
			continue
		}
		if err := t.SendBatch(); err != nil {
			return fmt.Errorf("write the batch: %w", err)
		}
		if err := t.payments(org.Actor{Tenant: b.of}).restate(slices.Concat(notes, originals)); err != nil {
			return fmt.Errorf("credit the originals: %w", err)
		}
	}
	return nil
}

func (t *tx) enterDeductions(all []entering) error {
	rows := rowsOf{t: t, insert: insertDeduction}
	for _, b := range all {
		for n := range b.Invoices {
			one := &b.Invoices[n]
			rows.line = b.line(n)
			for _, d := range one.Deductions {
				text, err := documentOf(slices.Concat([]ledger.Subtotal{}, d.Rows))
				if err != nil {
					return err
				}
				if err := rows.add(b.of.ID(), d.Advance, one.Invoice.ID, 0, text); err != nil {
					return err
				}
			}
		}
	}
	return rows.flush()
}

func (t *tx) moveSeries(all []entering) error {
	rows := rowsOf{t: t, insert: `INSERT INTO series (org_id, kind, prefix, first, year, last)`,
		behind: ` ON CONFLICT (org_id, kind) DO UPDATE SET year = excluded.year, last = excluded.last`}
	for _, b := range all {
		for kind, s := range b.Series {
			if err := rows.add(b.of.ID(), kind, s.Prefix, s.First, s.Year, s.Last); err != nil {
				return err
			}
		}
	}
	return rows.flush()
}

// moveChains moves the ends of chains. Their rows exist, because they are locked.
func (t *tx) moveChains(all []entering) error {
	rows := rowsOf{t: t, insert: `INSERT INTO chain (org_id, device_id, counter, last_hash, last_issued_at)`,
		behind: ` ON CONFLICT (org_id, device_id) DO UPDATE SET counter = excluded.counter, last_hash = excluded.last_hash, last_issued_at = excluded.last_issued_at`}
	for _, b := range all {
		for _, c := range b.Devices {
			if err := rows.add(b.of.ID(), c.ID, c.Counter, c.LastHash, millis(c.LastIssuedAt)); err != nil {
				return err
			}
		}
	}
	return rows.flush()
}

func (t *tx) moveStock(all []entering) error {
	for _, b := range all {
		for id, left := range b.Stock {
			if err := t.ExecOne(errors.New("the item does not exist"), `UPDATE item SET stock = $1 WHERE org_id = $2 AND id = $3`, left.String(), b.of.ID(), id); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *tx) moveCounts(all []entering) error {
	books := rowsOf{t: t, insert: `INSERT INTO book (org_id, documents)`,
		behind: ` ON CONFLICT (org_id) DO UPDATE SET documents = book.documents + excluded.documents`}
	usage := rowsOf{t: t, insert: `INSERT INTO usage (org_id, month, invoices, validations)`,
		behind: ` ON CONFLICT (org_id, month) DO UPDATE SET invoices = usage.invoices + excluded.invoices`}
	tallies := rowsOf{t: t, insert: `INSERT INTO tally (org_id, what, n)`,
		behind: ` ON CONFLICT (org_id, what) DO UPDATE SET n = tally.n + excluded.n`}
	for _, b := range all {
		n := len(b.Invoices)
		if err := errors.Join(books.add(b.of.ID(), n), usage.add(b.of.ID(), b.Month.Format(monthForm), n, 0),
			tallies.add(b.of.ID(), string(invoices), n), tallies.add(b.of.ID(), statusTally(ledger.Unanswered), n)); err != nil {
			return err
		}
	}
	return errors.Join(books.flush(), usage.flush(), tallies.flush())
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

func (t *tx) enterEvents(all []entering) error {
	rows := t.events()
	rows.expect = documentsOf(all)
	for _, b := range all {
		for n := range b.Invoices {
			one := &b.Invoices[n]
			rows.line = b.line(n)
			i := &one.Invoice
			err := rows.addEvent(one.By, "invoice.create", i.ID.String(), map[string]any{"ref_num": i.Number, "counter": i.Counter, "hash": i.Hash, "payable": i.Record.Totals.Payable.Fixed2()})
			if err != nil {
				return err
			}
		}
	}
	return rows.flush()
}
