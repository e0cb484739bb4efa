-- +goose Up

-- The epoch of an archive that this database has last tried to begin. It is recorded
-- before the epoch is created, so that an interrupted start or recovery can go on.
CREATE TABLE archive_begin (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  epoch INTEGER NOT NULL CHECK (epoch >= 1),
  token TEXT NOT NULL CHECK (token <> '')
) STRICT;
