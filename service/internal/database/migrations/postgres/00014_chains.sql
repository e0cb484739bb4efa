-- +goose Up

-- The end of each device's chain. Every document changes it, so the row is
-- narrow: while a long transaction such as pg_dump runs, PostgreSQL keeps all
-- older versions of a row, and every read passes over them.
CREATE TABLE chain (
  org_id         UUID   NOT NULL,
  device_id      UUID   NOT NULL,
  counter        BIGINT NOT NULL CHECK (counter >= 0),
  last_hash      TEXT   NOT NULL CHECK (length(last_hash) IN (44, 88)),
  last_issued_at BIGINT,
  PRIMARY KEY (org_id, device_id),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id)
);
INSERT INTO chain (org_id, device_id, counter, last_hash, last_issued_at)
SELECT org_id, id, counter, last_hash, last_issued_at FROM device;

DROP TRIGGER device_chain_goes_forward ON device;
DROP FUNCTION device_chain_goes_forward();
ALTER TABLE device DROP COLUMN counter;
ALTER TABLE device DROP COLUMN last_hash;
ALTER TABLE device DROP COLUMN last_issued_at;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION device_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a device keeps its environment and its serial number';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER device_is_final BEFORE UPDATE ON device FOR EACH ROW
  WHEN ((OLD.org_id, OLD.id, OLD.environment, OLD.serial_number) IS DISTINCT FROM (NEW.org_id, NEW.id, NEW.environment, NEW.serial_number))
  EXECUTE FUNCTION device_stays();

-- The hash and the time of the last document change with the counter only, and
-- the time goes back only behind a document that was released.
-- +goose StatementBegin
CREATE FUNCTION chain_goes_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.org_id, OLD.device_id) IS DISTINCT FROM (NEW.org_id, NEW.device_id)
    OR NEW.counter < OLD.counter
    OR (NEW.counter = OLD.counter AND (OLD.last_hash, OLD.last_issued_at) IS DISTINCT FROM (NEW.last_hash, NEW.last_issued_at))
    OR (NEW.last_issued_at < OLD.last_issued_at AND NOT EXISTS (
      SELECT 1 FROM clock_release r WHERE r.org_id = OLD.org_id AND r.device_id = OLD.device_id AND r.counter = OLD.counter)) THEN
    RAISE EXCEPTION 'the counter of a device never goes back, nor does its last hash change without it';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER chain_goes_forward BEFORE UPDATE ON chain FOR EACH ROW EXECUTE FUNCTION chain_goes_forward();
-- +goose StatementBegin
CREATE FUNCTION chain_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the counter of a device never goes back, nor does its last hash change without it';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER chain_stays BEFORE DELETE ON chain FOR EACH ROW EXECUTE FUNCTION chain_stays();

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION clock_release_fits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM chain c
    WHERE c.org_id = NEW.org_id AND c.device_id = NEW.device_id AND c.counter = NEW.counter AND c.last_issued_at = NEW.last_issued_at) THEN
    RAISE EXCEPTION 'a release names the last document of its device and never changes' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
