-- +goose Up

-- Imports of clients and items from a file.
CREATE TABLE import_job (
  org_id     TEXT NOT NULL REFERENCES organisation (id),
  id         TEXT NOT NULL CHECK (length(id) = 36),
  kind       TEXT NOT NULL CHECK (kind IN ('clients', 'items')),
  state      TEXT NOT NULL CHECK (state IN ('checking', 'checked', 'running', 'done', 'failed', 'cancelled')),
  filename   TEXT NOT NULL,
  file       TEXT NOT NULL,                      -- storage key; empty once the file was removed
  options    TEXT NOT NULL CHECK (json_valid(options)),
  total      INTEGER NOT NULL CHECK (total > 0), -- rows of the file
  done       INTEGER NOT NULL CHECK (done BETWEEN 0 AND total),
  counts     TEXT NOT NULL CHECK (json_valid(counts)), -- rows that are done, by fate
  problem    TEXT NOT NULL CHECK ((problem <> '') = (state = 'failed')),
  person_id  TEXT NOT NULL REFERENCES person (id), -- who created or ran it, as in the audit trail
  actor      TEXT NOT NULL,
  address    TEXT NOT NULL,
  request    TEXT NOT NULL,
  turn       INTEGER NOT NULL CHECK (turn >= 0), -- number of times that a server took it
  lease      INTEGER NOT NULL,                   -- until when a server has it
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (org_id, id)
) STRICT;
CREATE INDEX import_active ON import_job (changed_at) WHERE state IN ('checking', 'running');
CREATE INDEX import_file ON import_job (state, changed_at) WHERE file <> '';

-- The fates of the rows of a file.
CREATE TABLE import_row (
  org_id    TEXT NOT NULL,
  import_id TEXT NOT NULL,
  number    INTEGER NOT NULL CHECK (number > 0), -- in the file
  name      TEXT NOT NULL,
  fate      TEXT NOT NULL CHECK (fate IN ('create', 'change', 'unchanged', 'differs', 'repeated', 'refused')),
  record_id TEXT CHECK (length(record_id) = 36),
  first     INTEGER NOT NULL CHECK ((first > 0) = (fate = 'repeated')), -- earlier row about the same record
  problems  TEXT NOT NULL CHECK (json_valid(problems)),
  identity  BLOB CHECK (length(identity) = 16), -- of the record; null if the row is not imported
  code      BLOB CHECK (length(code) = 16),     -- of its barcode
  PRIMARY KEY (org_id, import_id, number),
  FOREIGN KEY (org_id, import_id) REFERENCES import_job (org_id, id)
) STRICT;
CREATE INDEX import_row_identity ON import_row (org_id, import_id, identity) WHERE identity IS NOT NULL;
CREATE INDEX import_row_code ON import_row (org_id, import_id, code) WHERE code IS NOT NULL;
CREATE INDEX import_row_fate ON import_row (org_id, import_id, fate, number);

-- To find the records that the rows of a file are about.
CREATE INDEX client_vat ON client (org_id, vat_number) WHERE vat_number <> '';
CREATE INDEX client_name ON client (org_id, substr(name, 1, 60)) WHERE vat_number = '';
CREATE INDEX item_name ON item (org_id, name) WHERE sku = '' AND barcode = '';
