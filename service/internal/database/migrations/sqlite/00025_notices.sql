-- +goose Up

-- Notices are computed when they are read. Only what a person has read is stored.
CREATE TABLE notice_read (
  org_id    TEXT    NOT NULL REFERENCES organisation (id),
  person_id TEXT    NOT NULL REFERENCES person (id),
  notice    TEXT    NOT NULL CHECK (notice <> ''),
  read_at   INTEGER NOT NULL,
  PRIMARY KEY (org_id, person_id, notice)
) STRICT;

-- Filters of a list that a person has saved under a name.
CREATE TABLE saved_view (
  org_id     TEXT    NOT NULL REFERENCES organisation (id),
  id         TEXT    NOT NULL CHECK (length(id) = 36),
  person_id  TEXT    NOT NULL REFERENCES person (id),
  list       TEXT    NOT NULL CHECK (list <> ''),
  name       TEXT    NOT NULL CHECK (name <> ''),
  query      TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (org_id, person_id, list, name),
  PRIMARY KEY (org_id, id)
) STRICT;
