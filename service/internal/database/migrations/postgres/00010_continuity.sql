-- +goose Up

-- Whether this database is known to hold every document that was issued. While
-- stopped_at is set, nothing is issued. The generation grows with each recovery:
-- what was recorded outside the database for an earlier one no longer counts.
CREATE TABLE continuity (
  one        BIGINT  PRIMARY KEY CHECK (one = 1),
  generation BIGINT  NOT NULL CHECK (generation >= 0),
  identity   TEXT             CHECK (identity::json IS NOT NULL OR identity IS NULL), -- of this database, when it was last compared
  stopped_at BIGINT ,
  reason     TEXT    NOT NULL,
  trail_head BYTEA, -- sealed: the end of the audit trail at the last recovery
  CHECK ((stopped_at IS NULL) = (reason = ''))
);
INSERT INTO continuity (one, generation, reason) VALUES (1, 0, '');

-- Counters of a device whose documents were issued and are not in this database,
-- as the operator declared. The next document follows the last of them.
CREATE TABLE gap (
  org_id      UUID    NOT NULL,
  device_id   UUID    NOT NULL,
  first       BIGINT  NOT NULL CHECK (first > 0),
  last        BIGINT  NOT NULL CHECK (last >= first),
  hash        TEXT    NOT NULL CHECK (length(hash) = 44), -- of the last document
  issued_at   BIGINT  NOT NULL,                           -- of the last document
  declared_at BIGINT  NOT NULL,
  PRIMARY KEY (org_id, device_id, first),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id)
);

-- Numbers that were used by such documents, or skipped to be safe.
CREATE TABLE number_gap (
  org_id      UUID    NOT NULL REFERENCES organisation (id),
  series      TEXT    NOT NULL CHECK (series <> ''), -- the text before the number, such as INV-2026-
  first       BIGINT  NOT NULL CHECK (first > 0),
  last        BIGINT  NOT NULL CHECK (last >= first),
  declared_at BIGINT  NOT NULL,
  PRIMARY KEY (org_id, series, first)
);

-- A retired device issues nothing more. What it has issued is still sent.
ALTER TABLE device ADD COLUMN retired_at BIGINT ;

-- +goose StatementBegin
CREATE FUNCTION continuity_goes_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.one IS DISTINCT FROM OLD.one OR NEW.generation < OLD.generation
    OR (OLD.stopped_at IS NOT NULL AND NEW.stopped_at IS NULL AND NEW.generation = OLD.generation) THEN
    RAISE EXCEPTION 'only a recovery, which begins a new generation, lets issuing go on';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER continuity_goes_forward BEFORE UPDATE ON continuity FOR EACH ROW EXECUTE FUNCTION continuity_goes_forward();
-- +goose StatementBegin
CREATE FUNCTION continuity_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the continuity of an installation is never deleted';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER continuity_stays BEFORE DELETE ON continuity FOR EACH ROW EXECUTE FUNCTION continuity_stays();
-- +goose StatementBegin
CREATE FUNCTION gap_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a declared gap never changes';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER gap_is_final BEFORE UPDATE ON gap FOR EACH ROW EXECUTE FUNCTION gap_is_final();
-- +goose StatementBegin
CREATE FUNCTION gap_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a declared gap never changes';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER gap_stays BEFORE DELETE ON gap FOR EACH ROW EXECUTE FUNCTION gap_stays();
-- +goose StatementBegin
CREATE FUNCTION number_gap_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a declared gap never changes';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER number_gap_is_final BEFORE UPDATE ON number_gap FOR EACH ROW EXECUTE FUNCTION number_gap_is_final();
-- +goose StatementBegin
CREATE FUNCTION number_gap_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a declared gap never changes';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER number_gap_stays BEFORE DELETE ON number_gap FOR EACH ROW EXECUTE FUNCTION number_gap_stays();
