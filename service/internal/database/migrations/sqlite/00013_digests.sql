-- +goose Up

-- SHA-256 digests of what is stored, checked on every read. document.digest
-- covers the invoice row, the record and the QR code, and xml_digest the signed
-- XML, so that a list is checked without reading the XML. Rows from before this
-- version get theirs from khatm migrate, after they were verified.
ALTER TABLE document ADD COLUMN digest         BLOB CHECK (length(digest) = 32);
ALTER TABLE document ADD COLUMN xml_digest     BLOB CHECK (length(xml_digest) = 32);
ALTER TABLE invoice  ADD COLUMN answer_digest  BLOB CHECK (length(answer_digest) = 32);
ALTER TABLE verdict  ADD COLUMN digest         BLOB CHECK (length(digest) = 32);
ALTER TABLE verdict  ADD COLUMN stamped_digest BLOB CHECK (length(stamped_digest) = 32);

-- The documents without digests, which is none after the upgrade but those that
-- did not verify.
CREATE INDEX document_undigested ON document (org_id, invoice_id) WHERE digest IS NULL;

-- The documents that are known to be damaged. It has no foreign keys, because
-- the rows that it would refer to may be the damaged ones.
CREATE TABLE damage (
  org_id     TEXT    NOT NULL CHECK (length(org_id) = 36),
  invoice_id TEXT    NOT NULL CHECK (length(invoice_id) = 36),
  ref_num    TEXT    NOT NULL,
  what       TEXT    NOT NULL CHECK (what <> ''),
  found_at   INTEGER NOT NULL,
  PRIMARY KEY (org_id, invoice_id)
) STRICT;

-- How far the regular check of all documents has come.
CREATE TABLE scrub (
  one           INTEGER PRIMARY KEY CHECK (one = 1),
  after_org     TEXT    NOT NULL CHECK (length(after_org) = 36),
  after_invoice TEXT    NOT NULL CHECK (length(after_invoice) = 36),
  documents     INTEGER NOT NULL CHECK (documents >= 0),
  lease_until   INTEGER NOT NULL,
  completed_at  INTEGER
) STRICT;
INSERT INTO scrub (one, after_org, after_invoice, documents, lease_until)
VALUES (1, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', 0, 0);

-- A submission can be stopped because its document is damaged.
DROP INDEX submission_doubt;
DROP INDEX submission_held;
DROP INDEX submission_stopped;
DROP INDEX submission_probe;
ALTER TABLE submission RENAME COLUMN stopped TO stopped_before;
ALTER TABLE submission ADD COLUMN stopped TEXT NOT NULL DEFAULT '' CHECK (stopped IN ('', 'in doubt', 'too large', 'damaged') AND (stopped = '' OR state = 'held'));
UPDATE submission SET stopped = stopped_before WHERE stopped_before <> '';
ALTER TABLE submission DROP COLUMN stopped_before;
CREATE INDEX submission_doubt   ON submission (doubt_at) WHERE state IN ('queued', 'waiting', 'held') AND doubt_at IS NOT NULL AND asked = 0 AND stopped = '';
CREATE INDEX submission_held    ON submission (org_id, device_id, deadline) WHERE state = 'held' AND stopped = '';
CREATE INDEX submission_stopped ON submission (org_id, invoice_id) WHERE stopped <> '';
CREATE INDEX submission_probe   ON submission (route, doubt_at) WHERE state = 'queued' AND doubt_at IS NOT NULL AND asked = 0 AND stopped = '';

DROP TRIGGER document_is_final;
-- +goose StatementBegin
CREATE TRIGGER document_is_final BEFORE UPDATE ON document
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.invoice_id IS NOT NEW.invoice_id OR OLD.record IS NOT NEW.record OR OLD.xml IS NOT NEW.xml OR OLD.qr IS NOT NEW.qr
  OR OLD.digest IS NOT NULL OR OLD.xml_digest IS NOT NULL OR NEW.digest IS NULL OR NEW.xml_digest IS NULL
BEGIN SELECT RAISE(ABORT, 'signed bytes never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER document_has_digests BEFORE INSERT ON document
WHEN NEW.digest IS NULL OR NEW.xml_digest IS NULL
BEGIN SELECT RAISE(ABORT, 'a document is stored with its digests'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER invoice_answer_digest_is_final BEFORE UPDATE ON invoice
WHEN OLD.answer_digest IS NOT NULL AND OLD.answer_digest IS NOT NEW.answer_digest AND NOT (OLD.cleared_qr IS NULL AND NEW.cleared_qr IS NOT NULL AND NEW.answer_digest IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd
DROP TRIGGER verdict_is_final;
-- +goose StatementBegin
CREATE TRIGGER verdict_is_final BEFORE UPDATE ON verdict
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.invoice_id IS NOT NEW.invoice_id OR OLD.attempt IS NOT NEW.attempt OR OLD.route IS NOT NEW.route
  OR OLD.status IS NOT NEW.status OR OLD.code IS NOT NEW.code OR OLD.result IS NOT NEW.result OR OLD.infos IS NOT NEW.infos
  OR OLD.warnings IS NOT NEW.warnings OR OLD.errors IS NOT NEW.errors OR OLD.suspect IS NOT NEW.suspect OR OLD.answered_at IS NOT NEW.answered_at
  OR (OLD.stamped IS NOT NULL AND OLD.stamped IS NOT NEW.stamped) OR (OLD.flag IS NOT NEW.flag AND (NEW.flag <> '' OR NEW.stamped IS NULL))
  OR NEW.digest IS NULL OR (OLD.digest IS NOT NULL AND OLD.digest IS NOT NEW.digest)
  OR (NEW.stamped IS NULL) <> (NEW.stamped_digest IS NULL) OR (OLD.stamped_digest IS NOT NULL AND OLD.stamped_digest IS NOT NEW.stamped_digest)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER verdict_has_digests BEFORE INSERT ON verdict
WHEN NEW.digest IS NULL OR (NEW.stamped IS NULL) <> (NEW.stamped_digest IS NULL)
BEGIN SELECT RAISE(ABORT, 'a verdict is stored with its digests'); END;
-- +goose StatementEnd
