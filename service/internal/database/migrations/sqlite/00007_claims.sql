-- +goose Up

-- A draft that is being issued stays as it is until that has ended, or until a
-- time that says it never will.
ALTER TABLE draft ADD COLUMN issuing TEXT CHECK (json_valid(issuing));

-- Of a draft that was removed nothing is kept of what it said.
DROP TRIGGER draft_keeps_its_word;
-- +goose StatementBegin
CREATE TRIGGER draft_keeps_its_word BEFORE UPDATE ON draft
WHEN OLD.org_id IS NOT NEW.org_id OR OLD.id IS NOT NEW.id OR OLD.created_by IS NOT NEW.created_by OR OLD.created_at IS NOT NEW.created_at
  OR NEW.version < OLD.version OR (OLD.removed = 1 AND NEW.removed = 0)
  OR (OLD.invoice_id IS NOT NULL AND OLD.invoice_id IS NOT NEW.invoice_id)
  OR ((OLD.approval IS NOT NULL OR OLD.invoice_id IS NOT NULL) AND NOT (NEW.removed = 1 AND OLD.invoice_id IS NULL AND NEW.request = '{}' AND NEW.recipient = '{}' AND NEW.shown IS NULL AND NEW.approval IS NULL)
    AND (OLD.approval IS NOT NEW.approval OR OLD.version IS NOT NEW.version
    OR OLD.request IS NOT NEW.request OR OLD.recipient IS NOT NEW.recipient OR OLD.shown IS NOT NEW.shown OR OLD.xml IS NOT NEW.xml))
BEGIN SELECT RAISE(ABORT, 'an approved or issued draft never changes'); END;
-- +goose StatementEnd
UPDATE draft SET request = '{}', recipient = '{}', shown = NULL, xml = NULL, approval = NULL WHERE removed = 1;
