-- +goose Up

-- Whoever holds an organisation's row writes the next documents of it.
CREATE TABLE book (
  org_id    TEXT    PRIMARY KEY REFERENCES organisation (id),
  documents INTEGER NOT NULL CHECK (documents >= 0)
) STRICT;

-- The numbers of one kind of document. They have no gaps and begin anew each
-- year; prefix and first number are settled before the first document.
CREATE TABLE series (
  org_id TEXT    NOT NULL REFERENCES organisation (id),
  kind   TEXT    NOT NULL CHECK (kind IN ('INV', 'CRN', 'DBN', 'ADV')),
  prefix TEXT    NOT NULL CHECK (prefix <> ''),
  first  INTEGER NOT NULL CHECK (first > 0),
  year   INTEGER NOT NULL CHECK (year >= 0),
  last   INTEGER NOT NULL CHECK (last >= 0),
  PRIMARY KEY (org_id, kind)
) STRICT;

-- What invoices say of their buyers, each text once: invoices are searched by it.
-- There are few buyers and many invoices, and an index of words is dear.
CREATE TABLE buyer_text (
  place  INTEGER PRIMARY KEY CHECK (place > 0),
  org_id TEXT    NOT NULL REFERENCES organisation (id),
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  folded TEXT NOT NULL,
  UNIQUE (org_id, digest)
) STRICT;
CREATE VIRTUAL TABLE buyer_text_search USING fts5 (grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');

-- Invoices: what they are, which never changes, and what became of them.
CREATE TABLE invoice (
  place              INTEGER PRIMARY KEY CHECK (place > 0),
  org_id             TEXT    NOT NULL REFERENCES organisation (id),
  id                 TEXT    NOT NULL CHECK (length(id) = 36),
  task_id            TEXT    NOT NULL CHECK (length(task_id) = 36),
  device_id          TEXT    NOT NULL,
  counter            INTEGER NOT NULL CHECK (counter > 0),
  hash               TEXT    NOT NULL CHECK (length(hash) = 44),
  previous_hash      TEXT    NOT NULL CHECK (length(previous_hash) >= 44),
  ref_num            TEXT    NOT NULL CHECK (ref_num <> ''),
  type_code          INTEGER NOT NULL CHECK (type_code IN (388, 381, 383, 386)),
  transaction_code   TEXT    NOT NULL CHECK (transaction_code IN ('0100000', '0200000', '0100100')),
  issue_date         TEXT    NOT NULL CHECK (issue_date LIKE '____-__-__'),
  issue_time         TEXT    NOT NULL CHECK (issue_time LIKE '__:__:__'),
  issued_at          INTEGER NOT NULL,
  currency           TEXT    NOT NULL CHECK (length(currency) = 3),
  buyer_id           TEXT,
  buyer_name         TEXT    NOT NULL,
  without_vat        TEXT    NOT NULL,
  vat                TEXT    NOT NULL,
  with_vat           TEXT    NOT NULL,
  payable            TEXT    NOT NULL,
  idempotency_key    TEXT             CHECK (idempotency_key <> ''),
  body_digest        BLOB    NOT NULL CHECK (length(body_digest) = 32),
  ref_key            TEXT NOT NULL CHECK (ref_key <> ''), -- ref_num, folded
  tail               INTEGER NOT NULL CHECK (tail >= 0), -- the number that ref_num ends with
  key_folded         TEXT          CHECK (key_folded <> ''), -- idempotency_key, folded
  buyer_text         INTEGER REFERENCES buyer_text (place),
  created_at         INTEGER NOT NULL,
  status             TEXT             CHECK (status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED', 'No response')),
  code               INTEGER          CHECK (code BETWEEN 100 AND 599),
  submitted_at       INTEGER,
  answered_at        INTEGER,
  payment            TEXT    NOT NULL CHECK (payment IN ('Pending', 'Partially Paid', 'Paid')),
  UNIQUE (org_id, id),
  -- A counter that is used twice is a repeat, a hash that is followed twice is
  -- a fork. Neither can be written.
  UNIQUE (org_id, device_id, counter),
  UNIQUE (org_id, device_id, previous_hash),
  UNIQUE (org_id, ref_num),
  UNIQUE (org_id, idempotency_key),
  FOREIGN KEY (org_id, device_id) REFERENCES device (org_id, id)
) STRICT;
CREATE INDEX invoice_status ON invoice (org_id, status, id);
CREATE INDEX invoice_number ON invoice (org_id, ref_key);
CREATE INDEX invoice_tail ON invoice (org_id, tail);
CREATE INDEX invoice_ticket ON invoice (org_id, key_folded) WHERE key_folded IS NOT NULL;
CREATE INDEX invoice_buyer ON invoice (buyer_text, place) WHERE buyer_text IS NOT NULL;

-- The bytes and the record of an invoice, apart from its row.
CREATE TABLE document (
  org_id     TEXT NOT NULL,
  invoice_id TEXT NOT NULL,
  record     TEXT NOT NULL CHECK (json_valid(record)),
  xml        BLOB NOT NULL CHECK (length(xml) > 0),
  qr         TEXT NOT NULL CHECK (qr <> ''),
  PRIMARY KEY (org_id, invoice_id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;

-- VAT by category, in the document's currency and in riyals: what reports add up.
CREATE TABLE vat_row (
  org_id      TEXT    NOT NULL,
  invoice_id  TEXT    NOT NULL,
  position    INTEGER NOT NULL CHECK (position > 0),
  category    TEXT    NOT NULL CHECK (category IN ('S', 'Z', 'E', 'O')),
  rate        TEXT    NOT NULL,
  reason_code TEXT    NOT NULL,
  taxable     TEXT    NOT NULL,
  vat         TEXT    NOT NULL,
  taxable_sar TEXT    NOT NULL,
  vat_sar     TEXT    NOT NULL,
  PRIMARY KEY (org_id, invoice_id, position),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;

-- What was asked for lately, so that the same is not issued twice by accident.
CREATE TABLE guard (
  org_id     TEXT    NOT NULL REFERENCES organisation (id),
  digest     BLOB    NOT NULL CHECK (length(digest) = 32),
  invoice_id TEXT    NOT NULL,
  until      INTEGER NOT NULL,
  PRIMARY KEY (org_id, digest)
) STRICT;
CREATE INDEX guard_end ON guard (until);

-- The sending of a document is the row's own state.
CREATE TABLE submission (
  org_id     TEXT    NOT NULL,
  invoice_id TEXT    NOT NULL,
  device_id  TEXT    NOT NULL,
  state      TEXT    NOT NULL CHECK (state IN ('queued', 'sending', 'waiting', 'held', 'done')),
  deadline   INTEGER NOT NULL,
  PRIMARY KEY (org_id, invoice_id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;
CREATE INDEX submission_queued ON submission (deadline) WHERE state = 'queued';

-- How much of an original a credit note takes; released when the note is
-- rejected.
CREATE TABLE credit (
  org_id      TEXT    NOT NULL,
  original_id TEXT    NOT NULL,
  note_id     TEXT    NOT NULL,
  amount      TEXT    NOT NULL,
  vat_rows    TEXT    NOT NULL CHECK (json_valid(vat_rows)),
  released    INTEGER NOT NULL CHECK (released IN (0, 1)),
  PRIMARY KEY (org_id, original_id, note_id),
  FOREIGN KEY (org_id, note_id) REFERENCES invoice (org_id, id)
) STRICT;
CREATE INDEX credit_note ON credit (org_id, note_id);

-- Which invoice has deducted an advance. It is deducted once.
CREATE TABLE deduction (
  org_id     TEXT    NOT NULL,
  advance_id TEXT    NOT NULL,
  invoice_id TEXT    NOT NULL,
  released   INTEGER NOT NULL CHECK (released IN (0, 1)),
  PRIMARY KEY (org_id, advance_id, invoice_id),
  FOREIGN KEY (org_id, advance_id) REFERENCES invoice (org_id, id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;
CREATE UNIQUE INDEX deduction_once ON deduction (org_id, advance_id) WHERE released = 0;
CREATE INDEX deduction_invoice ON deduction (org_id, invoice_id);

-- Invoices of an older system, which notes may refer to.
CREATE TABLE earlier_invoice (
  org_id     TEXT    NOT NULL REFERENCES organisation (id),
  id         TEXT    NOT NULL CHECK (length(id) = 36),
  number     TEXT    NOT NULL CHECK (number <> ''),
  issue_date TEXT    NOT NULL CHECK (issue_date LIKE '____-__-__'),
  simplified INTEGER NOT NULL CHECK (simplified IN (0, 1)),
  buyer_id   TEXT,
  currency   TEXT    NOT NULL CHECK (length(currency) = 3),
  with_vat   TEXT    NOT NULL,
  vat_rows   TEXT    NOT NULL CHECK (json_valid(vat_rows)),
  created_at INTEGER NOT NULL,
  UNIQUE (org_id, number),
  PRIMARY KEY (org_id, id)
) STRICT;

-- Remarks that people keep against an invoice.
CREATE TABLE remark (
  org_id     TEXT    NOT NULL,
  id         TEXT    NOT NULL CHECK (length(id) = 36),
  invoice_id TEXT    NOT NULL,
  title      TEXT    NOT NULL CHECK (title <> ''),
  details    TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT    NOT NULL,
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;
CREATE INDEX remark_invoice ON remark (org_id, invoice_id, id);

-- Links by which an invoice is seen without a key: found by a digest.
CREATE TABLE share (
  digest     BLOB    PRIMARY KEY CHECK (length(digest) = 32),
  org_id     TEXT    NOT NULL,
  invoice_id TEXT    NOT NULL,
  sealed     BLOB    NOT NULL CHECK (length(sealed) > 60),
  expires_at INTEGER NOT NULL,
  revoked    INTEGER NOT NULL CHECK (revoked IN (0, 1)),
  FOREIGN KEY (org_id, invoice_id) REFERENCES invoice (org_id, id)
) STRICT;
CREATE INDEX share_invoice ON share (org_id, invoice_id);

-- +goose StatementBegin
CREATE TRIGGER invoice_is_final BEFORE UPDATE ON invoice
WHEN OLD.place IS NOT NEW.place OR OLD.org_id IS NOT NEW.org_id OR OLD.id IS NOT NEW.id OR OLD.task_id IS NOT NEW.task_id OR OLD.device_id IS NOT NEW.device_id
  OR OLD.counter IS NOT NEW.counter OR OLD.hash IS NOT NEW.hash OR OLD.previous_hash IS NOT NEW.previous_hash
  OR OLD.ref_num IS NOT NEW.ref_num OR OLD.type_code IS NOT NEW.type_code OR OLD.transaction_code IS NOT NEW.transaction_code
  OR OLD.issue_date IS NOT NEW.issue_date OR OLD.issue_time IS NOT NEW.issue_time OR OLD.issued_at IS NOT NEW.issued_at
  OR OLD.currency IS NOT NEW.currency OR OLD.buyer_id IS NOT NEW.buyer_id OR OLD.buyer_name IS NOT NEW.buyer_name OR OLD.without_vat IS NOT NEW.without_vat
  OR OLD.vat IS NOT NEW.vat OR OLD.with_vat IS NOT NEW.with_vat OR OLD.payable IS NOT NEW.payable
  OR OLD.idempotency_key IS NOT NEW.idempotency_key OR OLD.body_digest IS NOT NEW.body_digest OR OLD.ref_key IS NOT NEW.ref_key OR OLD.tail IS NOT NEW.tail
  OR OLD.key_folded IS NOT NEW.key_folded OR OLD.buyer_text IS NOT NEW.buyer_text OR OLD.created_at IS NOT NEW.created_at
  OR (OLD.status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED') AND (OLD.status IS NOT NEW.status OR OLD.code IS NOT NEW.code))
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER invoice_stays BEFORE DELETE ON invoice
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER document_is_final BEFORE UPDATE ON document
BEGIN SELECT RAISE(ABORT, 'signed bytes never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER document_stays BEFORE DELETE ON document
BEGIN SELECT RAISE(ABORT, 'signed bytes never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER vat_row_is_final BEFORE UPDATE ON vat_row
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER vat_row_stays BEFORE DELETE ON vat_row
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd
