-- +goose Up

-- The second factor of a person: the secret of an authenticator app.
CREATE TABLE second_factor (
  person_id  TEXT    PRIMARY KEY REFERENCES person (id),
  sealed     BLOB    NOT NULL CHECK (length(sealed) > 60),
  created_at INTEGER NOT NULL,
  expires_at INTEGER CHECK (expires_at > created_at),      -- until the first code is entered
  active_at  INTEGER,                                      -- time of the first code
  last_step  INTEGER NOT NULL CHECK (last_step >= 0),      -- of the last accepted code
  CHECK ((active_at IS NULL) = (expires_at IS NOT NULL)),
  CHECK ((active_at IS NULL) = (last_step = 0))
) STRICT;

-- Codes that each replace one code of the app.
CREATE TABLE recovery_code (
  person_id TEXT NOT NULL REFERENCES person (id),
  digest    BLOB NOT NULL CHECK (length(digest) = 32), -- SHA-256 of the code, which is not stored
  used_at   INTEGER,
  PRIMARY KEY (person_id, digest)
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER second_factor_goes_on BEFORE UPDATE ON second_factor
WHEN OLD.person_id IS NOT NEW.person_id OR OLD.created_at IS NOT NEW.created_at OR NEW.last_step < OLD.last_step
  OR OLD.active_at IS NOT NULL AND OLD.active_at IS NOT NEW.active_at
BEGIN SELECT RAISE(ABORT, 'a code works once'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER recovery_code_works_once BEFORE UPDATE ON recovery_code
WHEN OLD.person_id IS NOT NEW.person_id OR OLD.digest IS NOT NEW.digest OR OLD.used_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a code works once'); END;
-- +goose StatementEnd
