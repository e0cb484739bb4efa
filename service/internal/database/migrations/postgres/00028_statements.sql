-- +goose Up

-- The date on which an invoice is due; null if it is due when it is issued.
ALTER TABLE invoice ADD COLUMN due_date TEXT CHECK (due_date LIKE '____-__-__');

-- Invoices of earlier versions. Simplified ones are paid when they are issued.
UPDATE invoice
SET due_date = (
    SELECT to_char(CAST(invoice.issue_date AS date) + CAST(d.record::json -> 'print' ->> 'due_days' AS integer), 'YYYY-MM-DD')
    FROM document d
    WHERE d.org_id = invoice.org_id AND d.invoice_id = invoice.id)
WHERE transaction_code <> '0200000' AND EXISTS (
    SELECT 1
    FROM document d
    WHERE d.org_id = invoice.org_id AND d.invoice_id = invoice.id AND CAST(d.record::json -> 'print' ->> 'due_days' AS integer) > 0);

-- +goose StatementBegin
CREATE FUNCTION invoice_keeps_its_due_date() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.due_date IS DISTINCT FROM NEW.due_date THEN
    RAISE EXCEPTION 'an issued invoice and a final verdict never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER invoice_keeps_its_due_date BEFORE UPDATE OF due_date ON invoice FOR EACH ROW EXECUTE FUNCTION invoice_keeps_its_due_date();

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
