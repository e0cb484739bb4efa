-- +goose Up

-- Issued documents and final verdicts never change, except that a document that
-- is known to be damaged is repaired.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION invoice_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.place, OLD.org_id, OLD.id, OLD.ref_key, OLD.tail, OLD.key_folded, OLD.buyer_text)
      IS DISTINCT FROM (NEW.place, NEW.org_id, NEW.id, NEW.ref_key, NEW.tail, NEW.key_folded, NEW.buyer_text)
    OR ((OLD.task_id, OLD.device_id, OLD.counter, OLD.hash, OLD.previous_hash, OLD.ref_num, OLD.type_code, OLD.transaction_code, OLD.issue_date, OLD.issue_time, OLD.issued_at, OLD.currency, OLD.buyer_id, OLD.buyer_name, OLD.without_vat, OLD.vat, OLD.with_vat, OLD.payable, OLD.idempotency_key, OLD.body_digest, OLD.created_at)
        IS DISTINCT FROM (NEW.task_id, NEW.device_id, NEW.counter, NEW.hash, NEW.previous_hash, NEW.ref_num, NEW.type_code, NEW.transaction_code, NEW.issue_date, NEW.issue_time, NEW.issued_at, NEW.currency, NEW.buyer_id, NEW.buyer_name, NEW.without_vat, NEW.vat, NEW.with_vat, NEW.payable, NEW.idempotency_key, NEW.body_digest, NEW.created_at)
      OR (OLD.status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED') AND (OLD.status IS DISTINCT FROM NEW.status OR OLD.code IS DISTINCT FROM NEW.code)))
    AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.id) THEN
    RAISE EXCEPTION 'an issued invoice and a final verdict never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION invoice_answer_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED') AND (OLD.submitted_at IS DISTINCT FROM NEW.submitted_at OR OLD.answered_at IS DISTINCT FROM NEW.answered_at)
    AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.id) THEN
    RAISE EXCEPTION 'an issued invoice and a final verdict never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION invoice_code_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.cleared_qr IS NOT NULL AND OLD.cleared_qr IS DISTINCT FROM NEW.cleared_qr
    AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.id) THEN
    RAISE EXCEPTION 'an issued invoice and a final verdict never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION invoice_answer_digest_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.answer_digest IS NOT NULL AND OLD.answer_digest IS DISTINCT FROM NEW.answer_digest AND NOT (OLD.cleared_qr IS NULL AND NEW.cleared_qr IS NOT NULL AND NEW.answer_digest IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.id) THEN
    RAISE EXCEPTION 'an issued invoice and a final verdict never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION document_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.invoice_id IS DISTINCT FROM NEW.invoice_id
    OR (OLD.record IS DISTINCT FROM NEW.record OR OLD.xml IS DISTINCT FROM NEW.xml OR OLD.qr IS DISTINCT FROM NEW.qr
      OR OLD.digest IS NOT NULL OR OLD.xml_digest IS NOT NULL OR NEW.digest IS NULL OR NEW.xml_digest IS NULL)
    AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.invoice_id) THEN
    RAISE EXCEPTION 'signed bytes never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION verdict_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.org_id IS DISTINCT FROM NEW.org_id OR OLD.invoice_id IS DISTINCT FROM NEW.invoice_id
    OR NEW.digest IS NULL OR (NEW.stamped IS NULL) <> (NEW.stamped_digest IS NULL)
    OR (OLD.attempt IS DISTINCT FROM NEW.attempt OR OLD.route IS DISTINCT FROM NEW.route
      OR OLD.status IS DISTINCT FROM NEW.status OR OLD.code IS DISTINCT FROM NEW.code OR OLD.result IS DISTINCT FROM NEW.result OR OLD.infos IS DISTINCT FROM NEW.infos
      OR OLD.warnings IS DISTINCT FROM NEW.warnings OR OLD.errors IS DISTINCT FROM NEW.errors OR OLD.suspect IS DISTINCT FROM NEW.suspect OR OLD.answered_at IS DISTINCT FROM NEW.answered_at
      OR (OLD.stamped IS NOT NULL AND OLD.stamped IS DISTINCT FROM NEW.stamped) OR (OLD.flag IS DISTINCT FROM NEW.flag AND (NEW.flag <> '' OR NEW.stamped IS NULL))
      OR (OLD.digest IS NOT NULL AND OLD.digest IS DISTINCT FROM NEW.digest)
      OR (OLD.stamped_digest IS NOT NULL AND OLD.stamped_digest IS DISTINCT FROM NEW.stamped_digest))
    AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.invoice_id) THEN
    RAISE EXCEPTION 'an issued invoice and a final verdict never change';
  END IF;
  RETURN NEW;
END;
$$;
-- +goose StatementEnd

-- The objects of an archive in S3 are combined by day, by one server at a time.
ALTER TABLE archive ADD COLUMN compacted     TEXT   NOT NULL DEFAULT ''; -- last day that was combined
ALTER TABLE archive ADD COLUMN compact_lease BIGINT NOT NULL DEFAULT 0;
