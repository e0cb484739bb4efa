-- +goose Up

-- Issued documents and final verdicts never change, except that a document that
-- is known to be damaged is repaired.
DROP TRIGGER invoice_is_final;
-- +goose StatementBegin
CREATE TRIGGER invoice_is_final BEFORE UPDATE ON invoice
WHEN OLD.place IS NOT NEW.place OR OLD.org_id IS NOT NEW.org_id OR OLD.id IS NOT NEW.id
  OR OLD.ref_key IS NOT NEW.ref_key OR OLD.tail IS NOT NEW.tail OR OLD.key_folded IS NOT NEW.key_folded OR OLD.buyer_text IS NOT NEW.buyer_text
  OR (OLD.task_id IS NOT NEW.task_id OR OLD.device_id IS NOT NEW.device_id
    OR OLD.counter IS NOT NEW.counter OR OLD.hash IS NOT NEW.hash OR OLD.previous_hash IS NOT NEW.previous_hash
    OR OLD.ref_num IS NOT NEW.ref_num OR OLD.type_code IS NOT NEW.type_code OR OLD.transaction_code IS NOT NEW.transaction_code
    OR OLD.issue_date IS NOT NEW.issue_date OR OLD.issue_time IS NOT NEW.issue_time OR OLD.issued_at IS NOT NEW.issued_at
    OR OLD.currency IS NOT NEW.currency OR OLD.buyer_id IS NOT NEW.buyer_id OR OLD.buyer_name IS NOT NEW.buyer_name OR OLD.without_vat IS NOT NEW.without_vat
    OR OLD.vat IS NOT NEW.vat OR OLD.with_vat IS NOT NEW.with_vat OR OLD.payable IS NOT NEW.payable
    OR OLD.idempotency_key IS NOT NEW.idempotency_key OR OLD.body_digest IS NOT NEW.body_digest OR OLD.created_at IS NOT NEW.created_at
    OR (OLD.status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED') AND (OLD.status IS NOT NEW.status OR OLD.code IS NOT NEW.code)))
  AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd
DROP TRIGGER invoice_answer_is_final;
-- +goose StatementBegin
CREATE TRIGGER invoice_answer_is_final BEFORE UPDATE ON invoice
WHEN OLD.status IN ('CLEARED', 'REPORTED', 'NOT_CLEARED', 'NOT_REPORTED') AND (OLD.submitted_at IS NOT NEW.submitted_at OR OLD.answered_at IS NOT NEW.answered_at)
  AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd
DROP TRIGGER invoice_code_is_final;
-- +goose StatementBegin
CREATE TRIGGER invoice_code_is_final BEFORE UPDATE ON invoice
WHEN OLD.cleared_qr IS NOT NULL AND OLD.cleared_qr IS NOT NEW.cleared_qr
  AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd
DROP TRIGGER invoice_answer_digest_is_final;
-- +goose StatementBegin
CREATE TRIGGER invoice_answer_digest_is_final BEFORE UPDATE ON invoice
WHEN OLD.answer_digest IS NOT NULL AND OLD.answer_digest IS NOT NEW.answer_digest AND NOT (OLD.cleared_qr IS NULL AND NEW.cleared_qr IS NOT NULL AND NEW.answer_digest IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd
DROP TRIGGER document_is_final;
-- +goose StatementBegin
CREATE TRIGGER document_is_final BEFORE UPDATE ON document
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.invoice_id IS NOT NEW.invoice_id
  OR (OLD.record IS NOT NEW.record OR OLD.xml IS NOT NEW.xml OR OLD.qr IS NOT NEW.qr
    OR OLD.digest IS NOT NULL OR OLD.xml_digest IS NOT NULL OR NEW.digest IS NULL OR NEW.xml_digest IS NULL)
  AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.invoice_id)
BEGIN SELECT RAISE(ABORT, 'signed bytes never change'); END;
-- +goose StatementEnd
DROP TRIGGER verdict_is_final;
-- +goose StatementBegin
CREATE TRIGGER verdict_is_final BEFORE UPDATE ON verdict
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.invoice_id IS NOT NEW.invoice_id
  OR NEW.digest IS NULL OR (NEW.stamped IS NULL) <> (NEW.stamped_digest IS NULL)
  OR (OLD.attempt IS NOT NEW.attempt OR OLD.route IS NOT NEW.route
    OR OLD.status IS NOT NEW.status OR OLD.code IS NOT NEW.code OR OLD.result IS NOT NEW.result OR OLD.infos IS NOT NEW.infos
    OR OLD.warnings IS NOT NEW.warnings OR OLD.errors IS NOT NEW.errors OR OLD.suspect IS NOT NEW.suspect OR OLD.answered_at IS NOT NEW.answered_at
    OR (OLD.stamped IS NOT NULL AND OLD.stamped IS NOT NEW.stamped) OR (OLD.flag IS NOT NEW.flag AND (NEW.flag <> '' OR NEW.stamped IS NULL))
    OR (OLD.digest IS NOT NULL AND OLD.digest IS NOT NEW.digest)
    OR (OLD.stamped_digest IS NOT NULL AND OLD.stamped_digest IS NOT NEW.stamped_digest))
  AND NOT EXISTS (SELECT 1 FROM damage d WHERE d.org_id = OLD.org_id AND d.invoice_id = OLD.invoice_id)
BEGIN SELECT RAISE(ABORT, 'an issued invoice and a final verdict never change'); END;
-- +goose StatementEnd

-- The objects of an archive in S3 are combined by day, by one server at a time.
ALTER TABLE archive ADD COLUMN compacted     TEXT    NOT NULL DEFAULT ''; -- last day that was combined
ALTER TABLE archive ADD COLUMN compact_lease INTEGER NOT NULL DEFAULT 0;
