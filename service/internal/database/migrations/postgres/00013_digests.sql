-- +goose Up

-- SHA-256 digests of what is stored, checked on every read. document.digest
-- covers the invoice row, the record and the QR code, and xml_digest the signed
-- XML, so that a list is checked without reading the XML. Rows from before this
-- version get theirs from khatm migrate, after they were verified.
ALTER TABLE document ADD COLUMN digest         BYTEA CHECK (length(digest) = 32);
ALTER TABLE document ADD COLUMN xml_digest     BYTEA CHECK (length(xml_digest) = 32);
ALTER TABLE invoice  ADD COLUMN answer_digest  BYTEA CHECK (length(answer_digest) = 32);
ALTER TABLE verdict  ADD COLUMN digest         BYTEA CHECK (length(digest) = 32);
ALTER TABLE verdict  ADD COLUMN stamped_digest BYTEA CHECK (length(stamped_digest) = 32);

-- The documents without digests, which is none after the upgrade but those that
-- did not verify.
CREATE INDEX document_undigested ON document (org_id, invoice_id) WHERE digest IS NULL;

-- The documents that are known to be damaged. It has no foreign keys, because
-- the rows that it would refer to may be the damaged ones.
CREATE TABLE damage (
  org_id     UUID   NOT NULL,
  invoice_id UUID   NOT NULL,
  ref_num    TEXT   NOT NULL,
  what       TEXT   NOT NULL CHECK (what <> ''),
  found_at   BIGINT NOT NULL,
  PRIMARY KEY (org_id, invoice_id)
);

-- How far the regular check of all documents has come.
CREATE TABLE scrub (
  one           BIGINT PRIMARY KEY CHECK (one = 1),
  after_org     UUID   NOT NULL,
  after_invoice UUID   NOT NULL,
  documents     BIGINT NOT NULL CHECK (documents >= 0),
  lease_until   BIGINT NOT NULL,
  completed_at  BIGINT
);
INSERT INTO scrub (one, after_org, after_invoice, documents, lease_until)
VALUES (1, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', 0, 0);

-- A submission can be stopped because its document is damaged.
-- The constraint has a generated name.
-- +goose StatementBegin
DO $$
DECLARE
  old TEXT;
BEGIN
  SELECT conname INTO STRICT old FROM pg_constraint WHERE conrelid = 'submission'::regclass AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%too large%';
  EXECUTE format('ALTER TABLE submission DROP CONSTRAINT %I', old);
END;
$$;
-- +goose StatementEnd
ALTER TABLE submission ADD CHECK (stopped IN ('', 'in doubt', 'too large', 'damaged') AND (stopped = '' OR state = 'held'));

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION document_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.invoice_id IS DISTINCT FROM NEW.invoice_id OR OLD.record IS DISTINCT FROM NEW.record OR OLD.xml IS DISTINCT FROM NEW.xml OR OLD.qr IS DISTINCT FROM NEW.qr
  OR OLD.digest IS NOT NULL OR OLD.xml_digest IS NOT NULL OR NEW.digest IS NULL OR NEW.xml_digest IS NULL THEN
    RAISE EXCEPTION 'signed bytes never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION document_has_digests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.digest IS NULL OR NEW.xml_digest IS NULL THEN
    RAISE EXCEPTION 'a document is stored with its digests';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER document_has_digests BEFORE INSERT ON document FOR EACH ROW EXECUTE FUNCTION document_has_digests();
-- +goose StatementBegin
CREATE FUNCTION invoice_answer_digest_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.answer_digest IS NOT NULL AND OLD.answer_digest IS DISTINCT FROM NEW.answer_digest AND NOT (OLD.cleared_qr IS NULL AND NEW.cleared_qr IS NOT NULL AND NEW.answer_digest IS NOT NULL) THEN
    RAISE EXCEPTION 'an issued invoice and a final verdict never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER invoice_answer_digest_is_final BEFORE UPDATE ON invoice FOR EACH ROW EXECUTE FUNCTION invoice_answer_digest_is_final();
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION verdict_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.invoice_id IS DISTINCT FROM NEW.invoice_id OR OLD.attempt IS DISTINCT FROM NEW.attempt OR OLD.route IS DISTINCT FROM NEW.route
  OR OLD.status IS DISTINCT FROM NEW.status OR OLD.code IS DISTINCT FROM NEW.code OR OLD.result IS DISTINCT FROM NEW.result OR OLD.infos IS DISTINCT FROM NEW.infos
  OR OLD.warnings IS DISTINCT FROM NEW.warnings OR OLD.errors IS DISTINCT FROM NEW.errors OR OLD.suspect IS DISTINCT FROM NEW.suspect OR OLD.answered_at IS DISTINCT FROM NEW.answered_at
  OR (OLD.stamped IS NOT NULL AND OLD.stamped IS DISTINCT FROM NEW.stamped) OR (OLD.flag IS DISTINCT FROM NEW.flag AND (NEW.flag <> '' OR NEW.stamped IS NULL))
  OR NEW.digest IS NULL OR (OLD.digest IS NOT NULL AND OLD.digest IS DISTINCT FROM NEW.digest)
  OR (NEW.stamped IS NULL) <> (NEW.stamped_digest IS NULL) OR (OLD.stamped_digest IS NOT NULL AND OLD.stamped_digest IS DISTINCT FROM NEW.stamped_digest) THEN
    RAISE EXCEPTION 'an issued invoice and a final verdict never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION verdict_has_digests() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.digest IS NULL OR (NEW.stamped IS NULL) <> (NEW.stamped_digest IS NULL) THEN
    RAISE EXCEPTION 'a verdict is stored with its digests';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER verdict_has_digests BEFORE INSERT ON verdict FOR EACH ROW EXECUTE FUNCTION verdict_has_digests();
