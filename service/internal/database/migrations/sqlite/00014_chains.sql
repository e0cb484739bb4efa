-- +goose Up

-- The end of each device's chain. Every document changes it, so the row is
-- narrow.
CREATE TABLE chain (
  org_id         TEXT    NOT NULL,
  device_id      TEXT    NOT NULL,
  counter        INTEGER NOT NULL CHECK (counter >= 0),
  last_hash      TEXT    NOT NULL CHECK (length(last_hash) IN (44, 88)),
  last_issued_at INTEGER,
  PRIMARY KEY (org_id, device_id),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id)
) STRICT;
INSERT INTO chain (org_id, device_id, counter, last_hash, last_issued_at)
SELECT org_id, id, counter, last_hash, last_issued_at FROM device;

DROP TRIGGER clock_release_fits;
DROP TRIGGER device_chain_goes_forward;
DROP TRIGGER device_stays;
ALTER TABLE device DROP COLUMN counter;
ALTER TABLE device DROP COLUMN last_hash;
ALTER TABLE device DROP COLUMN last_issued_at;

-- +goose StatementBegin
CREATE TRIGGER device_is_final BEFORE UPDATE ON device
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.id IS NOT NEW.id OR OLD.environment IS NOT NEW.environment OR OLD.serial_number IS NOT NEW.serial_number
BEGIN SELECT RAISE(ABORT, 'a device keeps its environment and its serial number'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER device_stays BEFORE DELETE ON device
BEGIN SELECT RAISE(ABORT, 'a device keeps its environment and its serial number'); END;
-- +goose StatementEnd

-- The hash and the time of the last document change with the counter only, and
-- the time goes back only behind a document that was released.
-- +goose StatementBegin
CREATE TRIGGER chain_goes_forward BEFORE UPDATE ON chain
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.device_id IS NOT NEW.device_id OR NEW.counter < OLD.counter
  OR (NEW.counter = OLD.counter AND (OLD.last_hash IS NOT NEW.last_hash OR OLD.last_issued_at IS NOT NEW.last_issued_at))
  OR (NEW.last_issued_at < OLD.last_issued_at AND NOT EXISTS (
    SELECT 1 FROM clock_release r WHERE r.org_id = OLD.org_id AND r.device_id = OLD.device_id AND r.counter = OLD.counter))
BEGIN SELECT RAISE(ABORT, 'the counter of a device never goes back, nor does its last hash change without it'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER chain_stays BEFORE DELETE ON chain
BEGIN SELECT RAISE(ABORT, 'the counter of a device never goes back, nor does its last hash change without it'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER clock_release_fits BEFORE INSERT ON clock_release
WHEN NOT EXISTS (
  SELECT 1 FROM chain c
  WHERE c.org_id = NEW.org_id AND c.device_id = NEW.device_id AND c.counter = NEW.counter AND c.last_issued_at = NEW.last_issued_at)
BEGIN SELECT RAISE(ABORT, 'a release names the last document of its device and never changes'); END;
-- +goose StatementEnd
