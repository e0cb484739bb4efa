-- +goose Up

-- Notices are computed when they are read. Only what a person has read is stored.
CREATE TABLE notice_read (
  org_id    UUID    NOT NULL REFERENCES organisation (id),
  person_id UUID    NOT NULL REFERENCES person (id),
  notice    TEXT    NOT NULL CHECK (notice <> ''),
  read_at   BIGINT  NOT NULL,
  PRIMARY KEY (org_id, person_id, notice)
);

-- Filters of a list that a person has saved under a name.
CREATE TABLE saved_view (
  org_id     UUID    NOT NULL REFERENCES organisation (id),
  id         UUID    NOT NULL,
  person_id  UUID    NOT NULL REFERENCES person (id),
  list       TEXT    NOT NULL CHECK (list <> ''),
  name       TEXT    NOT NULL CHECK (name <> ''),
  query      TEXT    NOT NULL,
  created_at BIGINT  NOT NULL,
  UNIQUE (org_id, person_id, list, name),
  PRIMARY KEY (org_id, id)
);
