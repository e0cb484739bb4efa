-- +goose Up

-- What a device issues with: its production certificate as the authority gave
-- it, and where its chain stands. The first hash is that of no document.
ALTER TABLE device ADD COLUMN token          TEXT   NOT NULL DEFAULT '';
ALTER TABLE device ADD COLUMN last_hash      TEXT   NOT NULL DEFAULT 'NWZlY2ViNjZmZmM4NmYzOGQ5NTI3ODZjNmQ2OTZjNzljMmRiYzIzOWRkNGU5MWI0NjcyOWQ3M2EyN2ZiNTdlOQ=='
                                             CHECK (length(last_hash) IN (44, 88));
ALTER TABLE device ADD COLUMN last_issued_at BIGINT;

-- Every production certificate that a device has had: documents that were stamped
-- before a renewal are proved by the one of their time.
CREATE TABLE certificate (
  org_id    UUID    NOT NULL,
  device_id UUID    NOT NULL,
  token     TEXT    NOT NULL CHECK (token <> ''),
  since     BIGINT  NOT NULL,
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id),
  PRIMARY KEY (org_id, device_id, token)
);

-- A device's way to a certificate: to its first, or to the one that takes its
-- place. A turn is taken by whoever leads it on; an older one keeps nothing more.
CREATE TABLE enrolment (
  org_id     UUID   NOT NULL,
  device_id  UUID   NOT NULL,
  renewal    BIGINT NOT NULL CHECK (renewal IN (0, 1)),
  turn       BIGINT NOT NULL CHECK (turn > 0),
  status     TEXT   NOT NULL CHECK (status IN (
               'csr_pending', 'csr_generated',
               'ccsid_pending', 'ccsid_generated', 'ccsid_failed',
               'sample_invoices_pending', 'sample_invoices_generated', 'sample_invoices_failed',
               'AUTHORITY_Submission_Pending', 'AUTHORITY_Submission_Completed', 'AUTHORITY_Submission_Failed',
               'pcsid_pending', 'pcsid_generated', 'pcsid_failed')),
  request    TEXT   NOT NULL,
  request_id TEXT   NOT NULL,
  token      TEXT   NOT NULL,
  code       TEXT   NOT NULL,
  trouble    TEXT   NOT NULL,
  changed_at BIGINT NOT NULL,
  CHECK ((request_id = '') = (token = '')),
  CHECK (token = '' OR request <> ''),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id),
  PRIMARY KEY (org_id, device_id, renewal)
);

-- The hash and the time of the last document move with the counter and not
-- otherwise: a chain cannot be taken back by hand.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION device_chain_goes_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.org_id, OLD.id, OLD.environment, OLD.serial_number)
      IS DISTINCT FROM (NEW.org_id, NEW.id, NEW.environment, NEW.serial_number)
    OR NEW.counter < OLD.counter
    OR (NEW.counter = OLD.counter AND (OLD.last_hash, OLD.last_issued_at) IS DISTINCT FROM (NEW.last_hash, NEW.last_issued_at))
    OR NEW.last_issued_at < OLD.last_issued_at THEN
    RAISE EXCEPTION 'a device keeps its environment and its counter never goes back, nor does its last hash move alone';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
