-- +goose Up

-- Whether this database is known to hold every document that was issued. While
-- stopped_at is set, nothing is issued. The generation grows with each recovery:
-- what was recorded outside the database for an earlier one no longer counts.
CREATE TABLE continuity (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  generation INTEGER NOT NULL CHECK (generation >= 0),
  identity   TEXT             CHECK (identity IS NULL OR json_valid(identity)), -- of this database, when it was last compared
  stopped_at INTEGER,
  reason     TEXT    NOT NULL,
  trail_head BLOB, -- sealed: the end of the audit trail at the last recovery
  CHECK ((stopped_at IS NULL) = (reason = ''))
) STRICT;
INSERT INTO continuity (one, generation, reason) VALUES (1, 0, '');

-- Counters of a device whose documents were issued and are not in this database,
-- as the operator declared. The next document follows the last of them.
CREATE TABLE gap (
  org_id      TEXT    NOT NULL,
  device_id   TEXT    NOT NULL,
  first       INTEGER NOT NULL CHECK (first > 0),
  last        INTEGER NOT NULL CHECK (last >= first),
  hash        TEXT    NOT NULL CHECK (length(hash) = 44), -- of the last document
  issued_at   INTEGER NOT NULL,                           -- of the last document
  declared_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, device_id, first),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id)
) STRICT;

-- Numbers that were used by such documents, or skipped to be safe.
CREATE TABLE number_gap (
  org_id      TEXT    NOT NULL REFERENCES organisation (id),
  series      TEXT    NOT NULL CHECK (series <> ''), -- the text before the number, such as INV-2026-
  first       INTEGER NOT NULL CHECK (first > 0),
  last        INTEGER NOT NULL CHECK (last >= first),
  declared_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, series, first)
) STRICT;

-- A retired device issues nothing more. What it has issued is still sent.
ALTER TABLE device ADD COLUMN retired_at INTEGER;

-- +goose StatementBegin
CREATE TRIGGER continuity_goes_forward BEFORE UPDATE ON continuity
WHEN NEW.one IS NOT OLD.one OR NEW.generation < OLD.generation
  OR (OLD.stopped_at IS NOT NULL AND NEW.stopped_at IS NULL AND NEW.generation = OLD.generation)
BEGIN SELECT RAISE(ABORT, 'only a recovery, which begins a new generation, lets issuing go on'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER continuity_stays BEFORE DELETE ON continuity
BEGIN SELECT RAISE(ABORT, 'the continuity of an installation is never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER gap_is_final BEFORE UPDATE ON gap
BEGIN SELECT RAISE(ABORT, 'a declared gap never changes'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER gap_stays BEFORE DELETE ON gap
BEGIN SELECT RAISE(ABORT, 'a declared gap never changes'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER number_gap_is_final BEFORE UPDATE ON number_gap
BEGIN SELECT RAISE(ABORT, 'a declared gap never changes'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER number_gap_stays BEFORE DELETE ON number_gap
BEGIN SELECT RAISE(ABORT, 'a declared gap never changes'); END;
-- +goose StatementEnd
