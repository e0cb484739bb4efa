-- +goose Up

-- Attempts that request the stamped copy of a cleared document are marked: their
-- outcome decides nothing about the document.
ALTER TABLE attempt ADD COLUMN for_copy INTEGER NOT NULL DEFAULT 0 CHECK (for_copy IN (0, 1));

-- Cleared documents whose copy with the authority's stamp did not arrive. The
-- row is the job: it is inserted with the verdict and ends when the copy is
-- stored, when the authority refuses, or 23 hours after since, the earliest time
-- at which the authority can have accepted the document. Later a request could
-- be taken as a second invoice.
CREATE TABLE copy_request (
  org_id      TEXT    NOT NULL,
  invoice_id  TEXT    NOT NULL,
  device_id   TEXT    NOT NULL,
  state       TEXT    NOT NULL CHECK (state IN ('waiting', 'sending', 'stopped', 'arrived')),
  since       INTEGER NOT NULL,
  due_at      INTEGER NOT NULL,
  lease_until INTEGER          CHECK ((state = 'sending') = (lease_until IS NOT NULL)),
  failures    INTEGER NOT NULL CHECK (failures >= 0),
  stopped     TEXT    NOT NULL CHECK (stopped IN ('', 'expired', 'refused') AND (state = 'stopped') = (stopped <> '')),
  PRIMARY KEY (org_id, invoice_id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES verdict (org_id, invoice_id)
) STRICT;
CREATE INDEX copy_request_due   ON copy_request (due_at) WHERE state = 'waiting';
CREATE INDEX copy_request_since ON copy_request (since) WHERE state = 'waiting';
CREATE INDEX copy_request_lease ON copy_request (lease_until) WHERE state = 'sending';
CREATE INDEX copy_request_open  ON copy_request (state) WHERE state <> 'arrived';

INSERT INTO copy_request (org_id, invoice_id, device_id, state, since, due_at, failures, stopped)
SELECT v.org_id, v.invoice_id, s.device_id, 'waiting', coalesce(min(CASE WHEN a.outcome = 'accepted' THEN a.claimed_at END), min(a.claimed_at), 0), 0, 0, ''
FROM verdict v
JOIN submission s ON s.org_id = v.org_id AND s.invoice_id = v.invoice_id
LEFT JOIN attempt a ON a.org_id = v.org_id AND a.invoice_id = v.invoice_id
  AND (a.outcome IS NULL OR a.outcome IN ('accepted', 'duplicate') OR a.outcome = 'unknown' AND a.sent = 1)
WHERE v.status = 'CLEARED' AND v.stamped IS NULL
GROUP BY v.org_id, v.invoice_id, s.device_id;

-- +goose StatementBegin
CREATE TRIGGER attempt_purpose_stays BEFORE UPDATE ON attempt
WHEN OLD.for_copy IS NOT NEW.for_copy
BEGIN SELECT RAISE(ABORT, 'a submission ends once and its attempts are only added to'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER copy_request_ends_once BEFORE UPDATE ON copy_request
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.invoice_id IS NOT NEW.invoice_id OR OLD.device_id IS NOT NEW.device_id OR OLD.since IS NOT NEW.since
  OR OLD.state = 'arrived' OR (OLD.state = 'stopped' AND NEW.state <> 'arrived')
  OR (NEW.state = 'arrived' AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.org_id = NEW.org_id AND v.invoice_id = NEW.invoice_id AND v.stamped IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'a request for a stamped copy ends once'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER copy_request_stays BEFORE DELETE ON copy_request
BEGIN SELECT RAISE(ABORT, 'what belongs to an issued invoice is never deleted'); END;
-- +goose StatementEnd

-- The QR code of a cleared document is set with its verdict, or later together
-- with the stamped copy, never without one.
-- +goose StatementBegin
CREATE TRIGGER invoice_code_needs_copy BEFORE UPDATE ON invoice
WHEN OLD.status = 'CLEARED' AND OLD.cleared_qr IS NULL AND NEW.cleared_qr IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.org_id = NEW.org_id AND v.invoice_id = NEW.id AND v.stamped IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd
