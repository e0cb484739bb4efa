-- +goose Up

-- What a device issues with: its production certificate as the authority gave
-- it, and where its chain stands. The first hash is that of no document.
ALTER TABLE device ADD COLUMN token          TEXT    NOT NULL DEFAULT '';
ALTER TABLE device ADD COLUMN last_hash      TEXT    NOT NULL DEFAULT 'NWZlY2ViNjZmZmM4NmYzOGQ5NTI3ODZjNmQ2OTZjNzljMmRiYzIzOWRkNGU5MWI0NjcyOWQ3M2EyN2ZiNTdlOQ=='
                                             CHECK (length(last_hash) IN (44, 88));
ALTER TABLE device ADD COLUMN last_issued_at INTEGER;

-- Every production certificate that a device has had: documents that were stamped
-- before a renewal are proved by the one of their time.
CREATE TABLE certificate (
  org_id    TEXT    NOT NULL,
  device_id TEXT    NOT NULL,
  token     TEXT    NOT NULL CHECK (token <> ''),
  since     INTEGER NOT NULL,
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id),
  PRIMARY KEY (org_id, device_id, token)
) STRICT;

-- A device's way to a certificate: to its first, or to the one that takes its
-- place. A turn is taken by whoever leads it on; an older one keeps nothing more.
CREATE TABLE enrolment (
  org_id     TEXT    NOT NULL,
  device_id  TEXT    NOT NULL,
  renewal    INTEGER NOT NULL CHECK (renewal IN (0, 1)),
  turn       INTEGER NOT NULL CHECK (turn > 0),
  status     TEXT    NOT NULL CHECK (status IN (
               'csr_pending', 'csr_generated',
               'ccsid_pending', 'ccsid_generated', 'ccsid_failed',
               'sample_invoices_pending', 'sample_invoices_generated', 'sample_invoices_failed',
               'AUTHORITY_Submission_Pending', 'AUTHORITY_Submission_Completed', 'AUTHORITY_Submission_Failed',
               'pcsid_pending', 'pcsid_generated', 'pcsid_failed')),
  request    TEXT    NOT NULL,
  request_id TEXT    NOT NULL,
  token      TEXT    NOT NULL,
  code       TEXT    NOT NULL,
  trouble    TEXT    NOT NULL,
  changed_at INTEGER NOT NULL,
  CHECK ((request_id = '') = (token = '')),
  CHECK (token = '' OR request <> ''),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id),
  PRIMARY KEY (org_id, device_id, renewal)
) STRICT;

-- The hash and the time of the last document move with the counter and not
-- otherwise: a chain cannot be taken back by hand.
DROP TRIGGER device_chain_goes_forward;
-- +goose StatementBegin
CREATE TRIGGER device_chain_goes_forward BEFORE UPDATE ON device
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.id IS NOT NEW.id OR OLD.environment IS NOT NEW.environment
  OR OLD.serial_number IS NOT NEW.serial_number OR NEW.counter < OLD.counter
  OR (NEW.counter = OLD.counter AND (OLD.last_hash IS NOT NEW.last_hash OR OLD.last_issued_at IS NOT NEW.last_issued_at))
  OR NEW.last_issued_at < OLD.last_issued_at
BEGIN SELECT RAISE(ABORT, 'a device keeps its environment and its counter never goes back, nor does its last hash move alone'); END;
-- +goose StatementEnd
