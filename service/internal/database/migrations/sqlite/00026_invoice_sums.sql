-- +goose Up

-- What was recorded for a document after its issue, in hundredths of its currency:
-- payments, valid credit notes, refunds on them, and on a credit note the refund
-- that is still due. They are sums of allocation, credit and refund_part.
ALTER TABLE invoice ADD COLUMN received   INTEGER NOT NULL DEFAULT 0 CHECK (received >= 0);
ALTER TABLE invoice ADD COLUMN credited   INTEGER NOT NULL DEFAULT 0 CHECK (credited >= 0);
ALTER TABLE invoice ADD COLUMN refunded   INTEGER NOT NULL DEFAULT 0 CHECK (refunded >= 0);
ALTER TABLE invoice ADD COLUMN refund_due INTEGER NOT NULL DEFAULT 0 CHECK (refund_due >= 0);

-- Credit notes of earlier versions, from before payments could be recorded. A
-- simplified note is valid from its issue, a standard one once it is accepted.
UPDATE invoice
SET credited = (
    SELECT CAST(sum(CAST(replace(c.amount, '.', '') AS BIGINT)) AS BIGINT)
    FROM credit c
    JOIN invoice n ON n.org_id = c.org_id AND n.id = c.note_id
    WHERE c.org_id = invoice.org_id AND c.original_id = invoice.id AND c.released = 0
      AND (n.transaction_code LIKE '02%' OR n.status IN ('CLEARED', 'REPORTED')))
WHERE EXISTS (
    SELECT 1
    FROM credit c
    JOIN invoice n ON n.org_id = c.org_id AND n.id = c.note_id
    WHERE c.org_id = invoice.org_id AND c.original_id = invoice.id AND c.released = 0
      AND (n.transaction_code LIKE '02%' OR n.status IN ('CLEARED', 'REPORTED')));

-- A note credits the whole document, of which an advance may have paid a part. What
-- exceeds the payable amount is due, on the last notes first.
UPDATE invoice
SET refund_due = (
    SELECT CAST(coalesce(sum(max(0, min(CAST(replace(c.amount, '.', '') AS BIGINT), o.credited - CAST(replace(o.payable, '.', '') AS BIGINT) - (
        SELECT CAST(coalesce(sum(CAST(replace(l.amount, '.', '') AS BIGINT)), 0) AS BIGINT)
        FROM credit l
        JOIN invoice n ON n.org_id = l.org_id AND n.id = l.note_id
        WHERE l.org_id = c.org_id AND l.original_id = c.original_id AND l.note_id > c.note_id AND l.released = 0
          AND (n.transaction_code LIKE '02%' OR n.status IN ('CLEARED', 'REPORTED')))))), 0) AS BIGINT)
    FROM credit c
    JOIN invoice o ON o.org_id = c.org_id AND o.id = c.original_id
    WHERE c.org_id = invoice.org_id AND c.note_id = invoice.id AND c.released = 0
      AND (o.status IS NULL OR o.status NOT IN ('NOT_CLEARED', 'NOT_REPORTED')))
WHERE type_code = 381 AND (transaction_code LIKE '02%' OR status IN ('CLEARED', 'REPORTED')) AND EXISTS (
    SELECT 1
    FROM credit c
    JOIN invoice o ON o.org_id = c.org_id AND o.id = c.original_id
    WHERE c.org_id = invoice.org_id AND c.note_id = invoice.id AND c.released = 0 AND o.credited > CAST(replace(o.payable, '.', '') AS BIGINT));
