-- +goose Up

-- The operator's word that the clock is right: what it showed when it was given.
ALTER TABLE installation ADD COLUMN clock_accepted_at BIGINT;

-- Devices whose last document is dated in the future and that go on with the
-- present time. counter and last_issued_at are those of that document.
CREATE TABLE clock_release (
  org_id         UUID   NOT NULL,
  device_id      UUID   NOT NULL,
  counter        BIGINT NOT NULL CHECK (counter > 0),
  last_issued_at BIGINT NOT NULL,
  released_at    BIGINT NOT NULL CHECK (released_at < last_issued_at),
  PRIMARY KEY (org_id, device_id, counter),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id)
);

-- The last number of later years, as {"2028":5}, in a series that was released
-- from a year in the future: when that year comes, its numbers go on there.
ALTER TABLE series ADD COLUMN ahead TEXT NOT NULL DEFAULT '{}' CHECK (ahead::json IS NOT NULL);

-- +goose StatementBegin
CREATE FUNCTION clock_release_fits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM device d
    WHERE d.org_id = NEW.org_id AND d.id = NEW.device_id AND d.counter = NEW.counter AND d.last_issued_at = NEW.last_issued_at) THEN
    RAISE EXCEPTION 'a release names the last document of its device and never changes' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER clock_release_fits BEFORE INSERT ON clock_release FOR EACH ROW EXECUTE FUNCTION clock_release_fits();
-- +goose StatementBegin
CREATE FUNCTION clock_release_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a release names the last document of its device and never changes';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER clock_release_is_final BEFORE UPDATE ON clock_release FOR EACH ROW EXECUTE FUNCTION clock_release_is_final();
CREATE TRIGGER clock_release_stays BEFORE DELETE ON clock_release FOR EACH ROW EXECUTE FUNCTION clock_release_is_final();

-- The time of the last document goes back only behind a document that was
-- released.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION device_chain_goes_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.org_id, OLD.id, OLD.environment, OLD.serial_number)
      IS DISTINCT FROM (NEW.org_id, NEW.id, NEW.environment, NEW.serial_number)
    OR NEW.counter < OLD.counter
    OR (NEW.counter = OLD.counter AND (OLD.last_hash, OLD.last_issued_at) IS DISTINCT FROM (NEW.last_hash, NEW.last_issued_at))
    OR (NEW.last_issued_at < OLD.last_issued_at AND NOT EXISTS (
      SELECT 1 FROM clock_release r WHERE r.org_id = OLD.org_id AND r.device_id = OLD.id AND r.counter = OLD.counter)) THEN
    RAISE EXCEPTION 'a device keeps its environment and its counter never goes back, nor does its last hash move alone';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
