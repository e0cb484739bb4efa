-- +goose Up

-- The operator's word that the clock is right: what it showed when it was given.
ALTER TABLE installation ADD COLUMN clock_accepted_at INTEGER;

-- Devices whose last document is dated in the future and that go on with the
-- present time. counter and last_issued_at are those of that document.
CREATE TABLE clock_release (
  org_id         TEXT    NOT NULL,
  device_id      TEXT    NOT NULL,
  counter        INTEGER NOT NULL CHECK (counter > 0),
  last_issued_at INTEGER NOT NULL,
  released_at    INTEGER NOT NULL CHECK (released_at < last_issued_at),
  PRIMARY KEY (org_id, device_id, counter),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id)
) STRICT;

-- The last number of later years, as {"2028":5}, in a series that was released
-- from a year in the future: when that year comes, its numbers go on there.
ALTER TABLE series ADD COLUMN ahead TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(ahead));

-- +goose StatementBegin
CREATE TRIGGER clock_release_fits BEFORE INSERT ON clock_release
WHEN NOT EXISTS (
  SELECT 1 FROM device d
  WHERE d.org_id = NEW.org_id AND d.id = NEW.device_id AND d.counter = NEW.counter AND d.last_issued_at = NEW.last_issued_at)
BEGIN SELECT RAISE(ABORT, 'a release names the last document of its device and never changes'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER clock_release_is_final BEFORE UPDATE ON clock_release
BEGIN SELECT RAISE(ABORT, 'a release names the last document of its device and never changes'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER clock_release_stays BEFORE DELETE ON clock_release
BEGIN SELECT RAISE(ABORT, 'a release names the last document of its device and never changes'); END;
-- +goose StatementEnd

-- The time of the last document goes back only behind a document that was
-- released.
DROP TRIGGER device_chain_goes_forward;
-- +goose StatementBegin
CREATE TRIGGER device_chain_goes_forward BEFORE UPDATE ON device
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.id IS NOT NEW.id OR OLD.environment IS NOT NEW.environment
  OR OLD.serial_number IS NOT NEW.serial_number OR NEW.counter < OLD.counter
  OR (NEW.counter = OLD.counter AND (OLD.last_hash IS NOT NEW.last_hash OR OLD.last_issued_at IS NOT NEW.last_issued_at))
  OR (NEW.last_issued_at < OLD.last_issued_at AND NOT EXISTS (
    SELECT 1 FROM clock_release r WHERE r.org_id = OLD.org_id AND r.device_id = OLD.id AND r.counter = OLD.counter))
BEGIN SELECT RAISE(ABORT, 'a device keeps its environment and its counter never goes back, nor does its last hash move alone'); END;
-- +goose StatementEnd
