-- +goose Up

-- The date on which an invoice is due; null if it is due when it is issued.
ALTER TABLE invoice ADD COLUMN due_date TEXT CHECK (due_date LIKE '____-__-__');

-- Invoices of earlier versions. Simplified ones are paid when they are issued.
UPDATE invoice
SET due_date = (
    SELECT date(invoice.issue_date, '+' || CAST(json_extract(d.record, '$.print.due_days') AS INTEGER) || ' days')
    FROM document d
    WHERE d.org_id = invoice.org_id AND d.invoice_id = invoice.id)
WHERE transaction_code <> '0200000' AND EXISTS (
    SELECT 1
    FROM document d
    WHERE d.org_id = invoice.org_id AND d.invoice_id = invoice.id AND CAST(json_extract(d.record, '$.print.due_days') AS INTEGER) > 0);

-- +goose StatementBegin
CREATE TRIGGER invoice_keeps_its_due_date BEFORE UPDATE OF due_date ON invoice
WHEN OLD.due_date IS NOT NEW.due_date
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd

-- The valid documents of a client: standard ones once they are accepted, simplified
-- ones from their issue.
CREATE INDEX invoice_client ON invoice (org_id, buyer_id, issue_date)
  WHERE buyer_id IS NOT NULL AND (status IN ('CLEARED', 'REPORTED') OR transaction_code = '0200000' AND coalesce(status, '') NOT IN ('NOT_CLEARED', 'NOT_REPORTED'));

-- What clients owe. All columns of the query are in the index, so that the rows need
-- not be read.
CREATE INDEX invoice_owed ON invoice (org_id, buyer_id, currency, due_date, issue_date, payable, credited, received, refunded, type_code, payment, status, transaction_code)
  WHERE buyer_id IS NOT NULL AND type_code <> 381 AND payment <> 'Paid'
    AND (status IN ('CLEARED', 'REPORTED') OR transaction_code = '0200000' AND coalesce(status, '') NOT IN ('NOT_CLEARED', 'NOT_REPORTED'));

-- What clients are to get back.
CREATE INDEX invoice_refund_due ON invoice (org_id, buyer_id, currency, refund_due) WHERE refund_due > 0;
